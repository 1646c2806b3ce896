// The caller's rounds, newest first, with filters. Each links to its detail and to the page that
// verifies, with the round's JSON in the link, unchanged digit by digit.

import { roundOf } from "@casino-service/verify";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { t, times } from "../../shared/i18n";
import { parse } from "@casino-service/client";
import { route, to } from "../../shared/route";
import { verifyLink } from "../../shared/verify-link";
import { titleOf } from "../names";
import { Net } from "../net";
import { compareKept, useSeals } from "../receipts";
import { Seal, Seals } from "../seal";
import { amount, games } from "../store";
import { byToken, DAYS, Filters, filtersOf, Pager, when, type Filter } from "./parts";
import { Private, useRead } from "./private";
import { Receipts } from "./receipts";
import { RoundDetail } from "./round-detail";
import { roundsOf } from "./rounds-of";

export default function History() {
  const id = route.value[1];
  return <Private title={t(id === undefined ? "nav.history" : "round.title.own")}>{id === undefined ? <Rounds /> : <RoundDetail id={id} key={id} />}</Private>;
}

interface Listed {
  rounds: Schemas["Round"][];
  links: string[];
  nextCursor: string | null;
}

async function readPage(page: number, asked: Record<string, string | number>): Promise<Listed> {
  const text = await api.text("/history", { query: { page, limit: 20, ...asked } });
  const { rounds, nextCursor } = parse(text) as { rounds: Schemas["Round"][]; nextCursor: string | null };
  compareKept(text);
  return { rounds, nextCursor, links: roundsOf(text).map((each) => verifyLink(roundOf(each))) };
}

const filters = (): Filter[] => [
  { name: "gameType", label: "column.game", options: (games.value ?? []).map(({ gameType }) => [gameType, titleOf(gameType)]) },
  byToken(), ...DAYS,
];

function Rounds() {
  const of = filters();
  const asked = filtersOf(of);
  const key = JSON.stringify(asked);
  const [at, setAt] = useState({ key, page: 1 });
  const page = at.key === key ? at.page : 1;
  const [list] = useRead(() => readPage(page, asked), page, key);
  const seals = useSeals(list?.rounds.map(({ id }) => id) ?? []);
  return (
    <>
      <Filters of={of} />
      {list?.rounds.length === 0 && <p class="panel muted">{t(key === "{}" ? "history.none" : "filters.none")} {key === "{}" && <a href="#/">{t("history.begin")}</a>}</p>}
      <ul class="entries" aria-label={t("nav.history")}>
        {list?.rounds.map((round, i) => (
          <li key={round.id} class="entry played" data-round={round.id}>
            <a class="open" href={to("history", round.id)}><strong>{titleOf(round.gameType)}</strong><small>{when(round.createdAt)}</small></a>
            <span class="sum"><Net of={BigInt(round.payout) - BigInt(round.wager)} token={round.token} /><br /><small>{amount(round.wager, round.token)} · {times(round.multiplier)}</small></span>
            <div class="row">
              <Seal of={seals[round.id]} words />
              {round.serverSeed === null ? <a href={to("history", round.id)}>{t("verify.title")}</a> : <a href={list.links[i] ?? verifyLink()} target="_blank" rel="noopener">{t("verify.title")}</a>}
            </div>
          </li>
        ))}
      </ul>
      <Pager page={page} more={list?.nextCursor != null} go={(to) => setAt({ key, page: to })} />
      {list !== null && <><Seals /><Receipts /></>}
    </>
  );
}
