// One round: what was bet, what came, what it paid, and how to verify it.

import { roundOf, stringify as exact } from "@casino-service/verify";
import { useState } from "preact/hooks";
import { newClientSeed } from "@casino-service/client";
import { api, type Schemas } from "../../shared/api";
import { maybe, t, times } from "../../shared/i18n";
import { parse } from "../../shared/json";
import { complain, say } from "../../shared/notices";
import { to } from "../../shared/route";
import { verifyLink } from "../../shared/verify-link";
import { titleOf } from "../names";
import { pair } from "../pair";
import { compareKept, useSeals } from "../receipts";
import { Seal } from "../seal";
import { amount } from "../store";
import { Long, Net, when } from "./parts";
import { useRead } from "./private";
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
  return (
    <>
      <section class="panel story">
        <h2>{titleOf(round.gameType)} <small class="muted">{when(round.createdAt)}</small></h2>
        <dl class="sums">
          <div><dt class="muted">{t("wager")}</dt><dd>{amount(round.wager, round.token)}</dd></div>
          <div><dt class="muted">{t("column.payout")}</dt><dd>{amount(round.payout, round.token)} ({times(round.multiplier)})</dd></div>
          <div><dt class="muted">{t("round.net")}</dt><dd data-net><Net units={BigInt(round.payout) - BigInt(round.wager)} token={round.token} /></dd></div>
          <Bet round={round} />
        </dl>
        <Came round={round} />
      </section>
      <section class="panel story">
        <h2>{t("fair")}</h2>
        <Seal of={seal} words />
        <p>{t(round.serverSeedHash === null ? "reason.a provider's" : round.serverSeed === null ? "round.sealed" : "round.revealed")}</p>
        {round.serverSeedHash !== null && round.serverSeed === null && <Reveal hash={round.serverSeedHash} done={again} />}
        <p class="row">
          <a class={`button ${round.serverSeed === null ? "" : "primary"}`} id="verify" href={verifyLink(roundOf(text))} target="_blank" rel="noopener">{t("verify.title")}</a>
          <a class="button" href={to("history")}>{t("back")}</a>
        </p>
        <Seeds round={round} />
      </section>
    </>
  );
}

/** Changes the pair, which reveals the server seed that decided the round. */
function Reveal({ hash, done }: { hash: string; done: () => void }) {
  const [clientSeed] = useState(newClientSeed); // the same while it isn't done, so that a repeated one is the same request
  const reveal = () => {
    pair.forget();
    api.post("/seed/rotate", { once: true, body: { clientSeed, expectedServerSeedHash: hash } }).then(() => {
      say(t("fairness.rotated"), "good");
      done();
    }, complain);
  };
  return <p><button type="button" class="primary" id="reveal" onClick={reveal}>{t("round.reveal")}</button></p>;
}

function Seeds({ round }: { round: Schemas["SettledRound"] }) {
  const facts: [string, string | null][] = [
    [t("round.id"), round.id], [t("seed.hash"), round.serverSeedHash], [t("seed.server"), round.serverSeed], [t("seed.client"), round.clientSeed],
  ];
  return (
    <dl class="shown">
      {facts.map(([name, value]) => value !== null && <div key={name}><dt>{name}</dt><dd><Long text={value} label={name} /></dd></div>)}
      {round.nonce !== null && <div><dt>{t("seed.nonce")}</dt><dd>{String(round.nonce)}</dd></div>}
      {round.clientSeedSource !== null && <div><dt>{t("seed.chosen")}</dt><dd>{maybe(`source.${round.clientSeedSource}`)}</dd></div>}
      {round.rules !== null && <div><dt>{t("round.rules")}</dt><dd>{round.rules}</dd></div>}
    </dl>
  );
}
