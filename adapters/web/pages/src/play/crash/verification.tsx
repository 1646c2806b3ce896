// A round of the shared crash, recomputed in this browser.

import { useEffect, useState } from "preact/hooks";
import { api } from "../../shared/api";
import { served } from "../../shared/config";
import { Copied } from "../../shared/copied";
import { Dialog } from "../../shared/dialog";
import { Fact } from "../../shared/fact";
import { maybe, t, times } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { check, leadsToTerminal, type Told } from "./checks";

interface Props {
  chain: string;
  number: string;
  onClose: () => void;
}

export default function Verification({ chain, number, onClose }: Props) {
  const [told, set] = useState<Told | null>(null);
  const [terminal, setTerminal] = useState<boolean | null>(null);
  useEffect(() => {
    let alive = true;
    api.get("/crash/rounds/{number}", { path: { number }, query: { chain } }).then(async (found) => {
      if (!alive) return;
      set(found);
      if (found.round.hash !== undefined) setTerminal(await leadsToTerminal(found, () => alive));
    }).catch(complain);
    return () => void (alive = false);
  }, []);
  return <Dialog title={t("crash.proof", { number })} onClose={onClose}>{told === null ? <p class="loading" role="status">{t("loading")}</p> : <Proof told={told} terminal={terminal} />}</Dialog>;
}

function Sign({ same }: { same: boolean | null }) {
  if (same === null) return <span role="img" aria-label={t("loading")}>…</span>;
  return <span class={same ? "gain" : "loss"} role="img" aria-label={t(same ? "same" : "other")}>{same ? "✓" : "✗"}</span>;
}

function Proof({ told, terminal }: { told: Told; terminal: boolean | null }) {
  const { chain, round } = told;
  const checks: [string, boolean | null][] = [...check(told)];
  if (round.hash !== undefined) checks.splice(1, 0, ["terminal", terminal]);
  const facts: [string, string | undefined][] = [[t("crash.hash"), round.hash], [t("crash.hash.previous"), round.previousHash], [t("crash.salt"), round.salt]];
  return (
    <div class="crash-proof" data-verified={checks.every(([, same]) => same === true)}>
      <p class="big-word">{round.point === undefined ? t(round.status === "cancelled" ? "crash.cancelled" : "crash.proof.open") : t("round.crashed", { at: times(round.point) })}</p>
      <ul>
        {checks.map(([name, same]) => <li key={name} data-check={name} data-same={same}><Sign same={same} /> {maybe(`crashcheck.${name}`)}</li>)}
      </ul>
      <h3>{t("crash.proof.chain")}</h3>
      <pre>{chain.commitment}</pre>
      {round.closing !== undefined && <><h3>{t("crash.proof.closing")}</h3><pre>{round.closing}</pre></>}
      <dl class="shown">{facts.map(([name, value]) => value !== undefined && <Fact key={name} name={name}><Copied text={value} label={name} /></Fact>)}</dl>
      <p class="muted">{t("crash.proof.explain")} {served.manual !== "" && <a href={`${served.manual}/fairness/shared-crash.html`} target="_blank" rel="noopener">{t("how.drawn")}</a>}</p>
    </div>
  );
}
