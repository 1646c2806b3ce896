// One round: what was bet, what came, what it paid, and how to verify it.

import { roundOf, stringify as exact } from "@casino-service/verify";
import { api, type Schemas } from "../../shared/api";
import { Copied } from "../../shared/copied";
import { Fact } from "../../shared/fact";
import { maybe, t, times } from "../../shared/i18n";
import { parse } from "@casino-service/client";
import { to } from "../../shared/route";
import { verifyLink } from "../../shared/verify-link";
import { titleOf } from "../names";
import { Net } from "../net";
import { useRotation } from "../pair";
import { compareKept, useSeals } from "../receipts";
import { Seal } from "../seal";
import { amount } from "../store";
import { when } from "./parts";
import { useRead } from "./private";
import { SHARED_RULES, VerifyButton } from "../crash/ended";
import { Bet, Came } from "./round-story";

async function readRound(id: string): Promise<string> {
  const text = await api.text("/history/{id}", { path: { id } });
  compareKept(`{"rounds":[${exact(roundOf(text))}]}`);
  return text;
}

export function RoundDetail({ id }: { id: string }) {
  const [text, again] = useRead(() => readRound(id));
  const seal = useSeals([id])[id];
  if (text === null) return <p class="loading" role="status">{t("loading")}</p>;
  const { round } = parse(text) as { round: Schemas["SettledRound"] };
  const shared = round.rules === SHARED_RULES;
  return (
    <>
      <section class="panel story">
        <h2>{titleOf(round.gameType)} <small class="muted">{when(round.createdAt)}</small></h2>
        <dl class="sums">
          <div><dt class="muted">{t("wager")}</dt><dd>{amount(round.wager, round.token)}</dd></div>
          <div><dt class="muted">{t("column.payout")}</dt><dd>{amount(round.payout, round.token)} ({times(round.multiplier)})</dd></div>
          <div><dt class="muted">{t("round.net")}</dt><dd><Net of={BigInt(round.payout) - BigInt(round.wager)} token={round.token} /></dd></div>
          <Bet round={round} />
        </dl>
        <Came round={round} />
      </section>
      <section class="panel story">
        <h2>{t("fair")}</h2>
        <Seal of={seal} words />
        <p>{t(shared ? "crash.decided" : round.serverSeedHash === null ? "reason.a provider's" : round.serverSeed === null ? "round.sealed" : "round.revealed")}</p>
        {round.serverSeedHash !== null && round.serverSeed === null && <Reveal hash={round.serverSeedHash} done={again} />}
        <p class="row">
          {shared ? <VerifyButton round={{ chain: String(round.config?.["chain"]), number: Number(round.config?.["round"]) }} label={t("verify.title")} />
            : <a class={`button ${round.serverSeed === null ? "" : "primary"}`} id="verify" href={verifyLink(roundOf(text))} target="_blank" rel="noopener">{t("verify.title")}</a>}
          <a class="button" href={to("history")}>{t("back")}</a>
        </p>
        <Seeds round={round} />
      </section>
    </>
  );
}

/** Changes the pair, which reveals the server seed that decided the round. */
function Reveal({ hash, done }: { hash: string; done: () => void }) {
  const [random, rotate] = useRotation(done);
  return <p><button type="button" class="primary" id="reveal" onClick={() => rotate(random, hash)}>{t("round.reveal")}</button></p>;
}

function Seeds({ round }: { round: Schemas["SettledRound"] }) {
  const facts: [string, string | null][] = [
    [t("round.id"), round.id], [t("seed.hash"), round.serverSeedHash], [t("seed.server"), round.serverSeed], [t("seed.client"), round.clientSeed],
  ];
  return (
    <dl class="shown">
      {facts.map(([name, value]) => value !== null && <Fact key={name} name={name}><Copied text={value} label={name} /></Fact>)}
      {round.nonce !== null && <Fact name={t("seed.nonce")}>{String(round.nonce)}</Fact>}
      {round.clientSeedSource !== null && <Fact name={t("seed.chosen")}>{maybe(`source.${round.clientSeedSource}`)}</Fact>}
      {round.rules !== null && <Fact name={t("round.rules")}>{round.rules}</Fact>}
    </dl>
  );
}
