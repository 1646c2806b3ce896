// A round of the shared crash, recomputed in this browser.

import { readCrash, Unverifiable, verifyCrash, type CrashCheck, type CrashReport } from "@casino-service/verify";
import { parse } from "@casino-service/client";
import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { served } from "../../shared/config";
import { Copied } from "../../shared/copied";
import { Dialog } from "../../shared/dialog";
import { Fact } from "../../shared/fact";
import { maybe, t, times } from "../../shared/i18n";
import { complain } from "../../shared/notices";

interface Told {
  chain: Schemas["CrashChain"];
  round: Schemas["CrashRound"];
  /** What recomputing found; null for a round that hasn't ended. */
  report: CrashReport | null;
}

const CHECKS: CrashCheck[] = ["commitment", "hash", "closing", "bets", "beacon", "point", "result"];

function reportOf(text: string): CrashReport | null {
  try {
    return verifyCrash(readCrash(text));
  } catch (failure) {
    if (failure instanceof Unverifiable && failure.reason === "not revealed") return null;
    throw failure;
  }
}

interface Props {
  chain: string;
  number: string;
  onClose: () => void;
}

export default function Verification({ chain, number, onClose }: Props) {
  const [told, set] = useState<Told | null>(null);
  useEffect(() => {
    const read = async () => {
      const text = await api.text("/crash/rounds/{number}", { path: { number }, query: { chain } });
      set({ ...(parse(text) as Told), report: reportOf(text) });
    };
    read().catch(complain);
  }, []);
  return <Dialog title={t("crash.proof", { number })} onClose={onClose}>{told === null ? <p class="loading" role="status">{t("loading")}</p> : <Proof told={told} />}</Dialog>;
}

function Proof({ told: { chain, round, report } }: { told: Told }) {
  const facts: [string, string | undefined][] = [[t("crash.hash"), round.hash], [t("crash.hash.previous"), round.previousHash], [t("crash.salt"), round.salt]];
  return (
    <div class="crash-proof" data-findings={report?.findings.length}>
      <p class="big-word">{round.point === undefined ? t(round.status === "cancelled" ? "crash.cancelled" : "crash.proof.open") : t("round.crashed", { at: times(round.point) })}</p>
      {report !== null && <ul>{CHECKS.map((name) => <Result key={name} name={name} found={report.findings.filter(({ check }) => check === name)} />)}</ul>}
      <h3>{t("crash.proof.chain")}</h3>
      <pre>{chain.commitment}</pre>
      {round.closing !== undefined && <><h3>{t("crash.proof.closing")}</h3><pre>{round.closing}</pre></>}
      <dl class="shown">{facts.map(([name, value]) => value !== undefined && <Fact key={name} name={name}><Copied text={value} label={name} /></Fact>)}</dl>
      <p class="muted">{t("crash.proof.explain")} {served.manual !== "" && <a href={`${served.manual}/fairness/shared-crash.html`} target="_blank" rel="noopener">{t("how.drawn")}</a>}</p>
    </div>
  );
}

function Result({ name, found }: { name: CrashCheck; found: CrashReport["findings"] }) {
  const same = found.length === 0;
  return (
    <li data-check={name} data-same={same}>
      <span class={same ? "gain" : "loss"} role="img" aria-label={t(same ? "same" : "other")}>{same ? "✓" : "✗"}</span> {maybe(`crashcheck.${name}`)}
      {found.map(({ text }) => <code key={text} class="loss"> {text}</code>)}
    </li>
  );
}
