// The result of many rounds: how many match their seeds, which don't, and which are missing.

import { useState } from "preact/hooks";
import { AWAITED } from "../shared/hand-over";
import { maybe, t } from "../shared/i18n";
import { fragmentOf } from "../shared/verify-link";
import { roundIn } from "./input";
import type { Line, Pair, Report } from "./many";
import { Again } from "./parts";
import { refused } from "./receive";
import { fragment, progress, report, show } from "./store";
import { Start } from "./start";

export function Many() {
  const found = report.value;
  if (found !== null) return <Found report={found} />;
  if (refused.value !== null && fragment.value === AWAITED) {
    return (
      <>
        <p class="verdict bad" role="alert"><strong>{t("pair.none")}</strong> {refused.value.why ?? t("pair.alone")}</p>
        <Start />
      </>
    );
  }
  if (progress.value === null && fragment.value !== AWAITED) return <Start />; // the rounds were lost with the page that had them
  return <Working />;
}

function Working() {
  const now = progress.value;
  return (
    <>
      <h1>{t("many.title")}</h1>
      <p class="panel" role="status">
        {now === null ? t("pair.waiting") : t("many.working", { done: now.done, of: now.of })}
        {now !== null && <progress value={now.done} max={now.of} aria-label={t("many.title")} />}
      </p>
    </>
  );
}

/** Whether everything is correct: no differences, and no contradictions within a pair. */
function isWhole({ counts, pairs }: Report): boolean {
  return counts.differs === 0 && counts.cant === 0 && pairs.every(isSound);
}

function isSound(pair: Pair): boolean {
  return (pair.missingCount === 0n || !pair.announced) && pair.twice.length === 0 && pair.clientSeeds.length <= 1;
}

function Found({ report: found }: { report: Report }) {
  const { lines, counts } = found;
  const good = isWhole(found);
  const checked = counts.verified + counts.void;
  return (
    <>
      <h1>{t("many.title")}</h1>
      <div class={`verdict ${good ? "good" : "bad"}`} role="status" data-verdict={good ? "verified" : "differs"}>
        <strong>{good ? `✓ ${t("many.good", { rounds: checked })}` : `✗ ${t("many.bad", { good: checked, rounds: lines.length })}`}</strong>
        <ul>
          {(["verified", "void", "differs", "cant", "not revealed"] as const).filter((state) => counts[state] > 0).map((state) => (
            <li key={state} data-count={state}>{maybe(`state.${state}`)}: {counts[state]}</li>
          ))}
        </ul>
      </div>
      {found.pairs.length > 0 && <Pairs pairs={found.pairs} />}
      <Lines lines={lines} />
      <p class="row"><Again /></p>
    </>
  );
}

const PAIRS_MAX = 50;

function Pairs({ pairs }: { pairs: Pair[] }) {
  // Pairs with something missing come first, so that they are seen in a long list.
  const finding = (pair: Pair): number => (isSound(pair) ? (pair.missingCount > 0n ? 1 : 2) : 0);
  const sorted = [...pairs].sort((a, b) => finding(a) - finding(b));
  return (
    <section>
      <h2>{t("pairs.title")}</h2>
      <p class="muted">{t("pairs.explain")}</p>
      {sorted.slice(0, PAIRS_MAX).map((pair) => (
        <div key={pair.serverSeedHash} class="panel" data-pair={pair.serverSeedHash}>
          <h3><code>{pair.serverSeedHash}</code></h3>
          <p>{t("pairs.rounds", { rounds: pair.rounds })} <Whole pair={pair} /></p>
          {pair.missingCount > 0n && <p class={pair.announced ? "loss" : ""}>{t("pairs.missing", { count: String(pair.missingCount), nonces: pair.missing.join(", ") })}</p>}
          {pair.twice.length > 0 && <p class="loss">{t("pairs.twice", { nonces: pair.twice.join(", ") })}</p>}
          {pair.clientSeeds.length > 1 && <p class="loss">{t("pairs.seeds", { seeds: pair.clientSeeds.slice(0, 5).join(" | ") })}</p>}
        </div>
      ))}
      {pairs.length > PAIRS_MAX && <p class="muted">{t("pairs.more", { count: pairs.length - PAIRS_MAX })}</p>}
    </section>
  );
}

/** Whether a pair's rounds are complete; rounds after the last known one can't be checked. */
function Whole({ pair }: { pair: Pair }) {
  if (!isSound(pair)) return <span class="mark-of bad">✗ {t("pairs.wrong")}</span>;
  if (pair.missingCount > 0n) return <span class="mark-of">{t("pairs.part")}</span>;
  return <span class="mark-of good">✓ {t("pairs.whole")}</span>;
}

const PAGE = 50;

function Lines({ lines }: { lines: Line[] }) {
  const wrong = lines.filter(({ state }) => state !== "verified" && state !== "void");
  const [page, setPage] = useState(0);
  const [all, setAll] = useState(wrong.length === 0);
  const listed = all ? lines : wrong;
  const shown = listed.slice(page * PAGE, (page + 1) * PAGE);
  return (
    <section>
      <h2>{t("many.rounds")}</h2>
      {wrong.length > 0 && (
        <label class="check"><input type="checkbox" checked={!all} onChange={(e) => { setAll(!e.currentTarget.checked); setPage(0); }} /> {t("many.only")}</label>
      )}
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t("many.rounds")}>
        <table>
          <thead><tr><th scope="col">{t("column.game")}</th><th scope="col" class="number">{t("seed.nonce")}</th><th scope="col">{t("many.found")}</th><th scope="col"><span class="hidden">{t("many.steps")}</span></th></tr></thead>
          <tbody>{shown.map((line, i) => <Row key={page * PAGE + i} line={line} />)}</tbody>
        </table>
      </div>
      {listed.length > PAGE && (
        <p class="row">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>{t("many.before")}</button>
          <button type="button" disabled={(page + 1) * PAGE >= listed.length} onClick={() => setPage(page + 1)}>{t("many.after")}</button>
        </p>
      )}
    </section>
  );
}

/** The address of a round's proof, or null if it has none. */
function linkOf(line: Line): string | null {
  try {
    return fragmentOf(roundIn(line.item));
  } catch {
    return null;
  }
}

function Row({ line }: { line: Line }) {
  const good = line.state === "verified" || line.state === "void";
  const what = line.state === "differs" ? line.detail.split(" ").map((name) => maybe(`check.${name}`)).join(", ") : line.state === "cant" ? maybe(`reason.${line.detail}`) : "";
  const link = linkOf(line);
  return (
    <tr data-state={line.state}>
      <td>{maybe(`game.${line.gameType}`) ?? line.gameType}</td>
      <td class="number">{line.nonce}</td>
      <td><span class={good ? "gain" : line.state === "not revealed" ? "muted" : "loss"}>{good ? "✓" : line.state === "not revealed" ? "…" : "✗"} {maybe(`state.${line.state}`)}</span> {what}</td>
      <td>{link !== null ? <a href={link}>{t("many.steps")}</a> : line.state !== "cant" && <button type="button" onClick={() => show(roundIn(line.item))}>{t("many.steps")}</button>}</td>
    </tr>
  );
}
