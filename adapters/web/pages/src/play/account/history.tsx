// The caller's rounds, and one of them with all data to recompute it. Each links to the page that
// verifies, with the round's JSON in the link, unchanged digit by digit.

import { roundOf, stringify as exact } from "@casino-service/verify";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { language, t } from "../../shared/i18n";
import { parse, stringify } from "../../shared/json";
import { times } from "../../shared/money";
import { route, to } from "../../shared/route";
import { verifyLink } from "../../shared/verify-link";
import { titleOf } from "../names";
import { compareKept, useSeals } from "../receipts";
import { Seal } from "../seal";
import { amount } from "../store";
import { Private, useRead } from "./private";
import { Receipts } from "./receipts";
import { roundsOf } from "./rounds-of";

export default function History() {
  const id = route.value[1];
  return <Private title={t("nav.history")}>{id === undefined ? <Rounds /> : <Detail id={id} key={id} />}</Private>;
}

interface Listed {
  rounds: Schemas["Round"][];
  links: string[];
  nextCursor: string | null;
}

async function readPage(page: number): Promise<Listed> {
  const text = await api.text("/history", { query: { page, limit: 20 } });
  const { rounds, nextCursor } = parse(text) as { rounds: Schemas["Round"][]; nextCursor: string | null };
  compareKept(text);
  return { rounds, nextCursor, links: roundsOf(text).map((each) => verifyLink(roundOf(each))) };
}

function Rounds() {
  const [page, setPage] = useState(1);
  const [list] = useRead(() => readPage(page), page);
  const seals = useSeals(list?.rounds.map(({ id }) => id) ?? []);
  return (
    <>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t("nav.history")}>
        <table>
          <thead><tr><th scope="col">{t("column.when")}</th><th scope="col">{t("column.game")}</th><th scope="col" class="number">{t("wager")}</th><th scope="col" class="number">{t("column.times")}</th><th scope="col" class="number">{t("column.payout")}</th><th scope="col"><span class="hidden">{t("verify.title")}</span></th></tr></thead>
          <tbody>
            {list?.rounds.length === 0 && <tr><td colSpan={6} class="muted">{t("history.none")}</td></tr>}
            {list?.rounds.map((round, i) => (
              <tr key={round.id} data-round={round.id}>
                <td><a href={to("history", round.id)}>{new Date(Number(round.createdAt)).toLocaleString(language.value)}</a></td>
                <td>{titleOf(round.gameType)} <Seal of={seals[round.id]} /></td>
                <td class="number">{amount(round.wager, round.token)}</td>
                <td class="number">{times(round.multiplier)}</td>
                <td class={`number ${BigInt(round.payout) > BigInt(round.wager) ? "gain" : ""}`}>{amount(round.payout, round.token)}</td>
                <td><a href={list.links[i] ?? verifyLink()} target="_blank" rel="noopener">{t("verify.title")}</a></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="row">
        <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>{t("newer")}</button>
        <button type="button" disabled={list?.nextCursor == null} onClick={() => setPage(page + 1)}>{t("older")}</button>
      </p>
      <Receipts />
    </>
  );
}

async function readRound(id: string): Promise<string> {
  const text = await api.text("/history/{id}", { path: { id } });
  compareKept(`{"rounds":[${exact(roundOf(text))}]}`);
  return text;
}

function Detail({ id }: { id: string }) {
  const [text] = useRead(() => readRound(id));
  if (text === null) return <p class="loading" role="status">{t("loading")}</p>;
  const { round } = parse(text) as { round: Schemas["SettledRound"] };
  const facts: [string, string][] = [
    [t("column.game"), `${titleOf(round.gameType)} (${round.rules ?? round.provider})`],
    [t("column.when"), new Date(Number(round.createdAt)).toLocaleString(language.value)],
    [t("wager"), amount(round.wager, round.token)],
    [t("column.payout"), `${amount(round.payout, round.token)} (${times(round.multiplier)})`],
    [t("round.config"), stringify(round.config)],
    ...(round.actions === undefined ? [] : [[t("round.actions"), stringify(round.actions)] as [string, string]]),
    [t("round.outcome"), stringify(round.outcome)],
    [t("seed.hash"), round.serverSeedHash ?? "–"],
    [t("seed.server"), round.serverSeed ?? t("seed.hidden")],
    [t("seed.client"), round.clientSeed ?? "–"],
    [t("seed.nonce"), round.nonce === null ? "–" : String(round.nonce)],
  ];
  return (
    <>
      <dl class="panel shown">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <p class="row">
        <a class="button primary" id="verify" href={verifyLink(roundOf(text))} target="_blank" rel="noopener">{t("verify.title")}</a>
        <a class="button" href={to("history")}>{t("back")}</a>
      </p>
    </>
  );
}
