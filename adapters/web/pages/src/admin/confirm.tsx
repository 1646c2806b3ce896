// Asks before every change: shows what will happen, and takes the reason for the audit log.

import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Unknown } from "../shared/api";
import { Dialog } from "../shared/dialog";
import { Failure } from "../shared/failure";
import { say } from "../shared/notices";
import { session } from "../shared/session";
import { refresh } from "./store";
import { t } from "./text";

interface Question {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  /** The button's label. */
  act: string;
  danger?: boolean;
  /** The text to enter: a required reason, or a note. */
  text?: "reason" | "note";
  /** Makes the change, and returns the message to show. */
  run: (text: string) => Promise<string>;
}

const question = signal<Question | null>(null);
const TEXT_MAX = 500;

export function ask(about: Question): void {
  question.value = about;
}

/** A question is dropped when another wallet signs in. */
export function beginAsking(): void {
  effect(() => {
    if (session.value === null) question.value = null;
  });
}

export function Asking() {
  const about = question.value;
  return about === null ? null : <Confirm about={about} key={about.title} />;
}

function Confirm({ about }: { about: Question }) {
  const id = useId();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const close = () => (question.value = null);
  const run = async () => {
    setBusy(true);
    setFailure(null);
    try {
      say(await about.run(text.trim()), "good");
      close();
      refresh();
    } catch (refused) {
      setFailure(refused);
      setBusy(false);
    }
  };
  return (
    <Dialog title={about.title} onClose={close}>
      <form id="confirm" onSubmit={(e) => { e.preventDefault(); if (!busy) void run(); }}>
        <div class="happens">{about.children}</div>
        {about.text !== undefined && (
          <div class="field">
            <label for={id}>{t(about.text === "reason" ? "confirm.reason" : "confirm.note")}</label>
            <input id={id} autoComplete="off" maxLength={TEXT_MAX} readOnly={failure instanceof Unknown} required={about.text === "reason"} value={text} onInput={(e) => setText(e.currentTarget.value)} />
          </div>
        )}
        {failure !== null && <Failure of={failure} />}
        <div class="row end">
          <button type="button" onClick={close}>{t("cancel")}</button>
          <button type="submit" class={about.danger ? "danger" : "primary"} disabled={busy}>{about.act}</button>
        </div>
      </form>
    </Dialog>
  );
}
