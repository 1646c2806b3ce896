// The start page, where rounds are entered.

import { Unverifiable } from "@casino-service/verify";
import { useId, useState } from "preact/hooks";
import { Input } from "../shared/fields";
import { maybe, t } from "../shared/i18n";
import { readFile, Unreadable } from "./input";
import { take } from "./store";

// The first round of docs/fairness/games.md.
const EXAMPLE = `{"gameType": "dice", "rules": "dice/1", "config": {"target":50.00,"direction":"over"},
 "serverSeed": "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901",
 "serverSeedHash": "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e",
 "clientSeed": "my seed", "nonce": 3,
 "outcome": {"roll":54.78},
 "multiplier": 1.98, "wager": 10000, "payout": 19800}`;

/** What is wrong with the input, in the reader's language if there is a text. */
function complaint(error: unknown): string {
  if (error instanceof Unreadable) return [t(error.why), error.detail].filter(Boolean).join(" ");
  if (error instanceof Unverifiable) return `${maybe(`reason.${error.reason}`)} ${error.message}`;
  throw error;
}

export function Start() {
  const [textId, hintId, wrongId] = [useId(), useId(), useId()];
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const attempt = (given: string) => {
    try {
      setWrong("");
      take(given);
    } catch (error) {
      setWrong(complaint(error));
    }
  };
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      attempt(await readFile(file));
    } catch (error) {
      setWrong(complaint(error));
    }
  };
  return (
    <>
      <h1>{t("verify.title")}</h1>
      <p class="lead">{t("verify.explain")}</p>
      <form class="panel" id="give" onSubmit={(e) => { e.preventDefault(); attempt(text); }}>
        <div class="field">
          <label for={textId}>{t("verify.paste")}</label>
          <textarea id={textId} rows={9} autoComplete="off" spellcheck={false} value={text} aria-describedby={`${hintId} ${wrongId}`} aria-invalid={wrong !== ""}
            onInput={(e) => setText(e.currentTarget.value)} />
          <small class="muted" id={hintId}>{t("verify.hint", { id: "{id}" })}</small>
        </div>
        <p class="loss" id={wrongId} role="alert">{wrong}</p>
        <div class="row">
          <button type="submit" class="primary">{t("verify.go")}</button>
          <button type="button" id="example" onClick={() => setText(EXAMPLE)}>{t("verify.example")}</button>
          <Input label={t("verify.file")} type="file" accept=".json,.jsonl,.ndjson,.txt,application/json" onChange={(e) => void open(e.currentTarget.files?.[0])} />
        </div>
      </form>
      <section class="panel">
        <h2>{t("verify.how")}</h2>
        <ol class="plain">
          <li>{t("verify.how.1")}</li>
          <li>{t("verify.how.2")}</li>
          <li>{t("verify.how.3")}</li>
        </ol>
      </section>
    </>
  );
}
