// A round as people read it: the player's choices in words, and a picture of what was drawn. Games
// that this page doesn't know are told member by member.

import type { ComponentChildren, JSX } from "preact";
import type { Schemas } from "../../shared/api";
import { language, maybe, t, times } from "../../shared/i18n";
import { colour } from "../boards/roulette-places";
import { Cards, total } from "../boards/cards";
import { amount } from "../store";
import { Board, Chips, Fall, Spins } from "./round-pictures";

type Round = Schemas["SettledRound"];
type Values = Record<string, unknown>;

const list = <T,>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
const word = (value: string) => maybe(`option.${value}`) ?? maybe(`result.${value}`) ?? maybe(`hand.${value}`) ?? maybe(`gem.${value}`) ?? value;

/** Any value in words: numbers in the reader's language, lists and members one after another. */
export function told(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" || typeof value === "bigint") return value.toLocaleString(language.value);
  if (typeof value === "boolean") return t(value ? "told.yes" : "told.no");
  if (typeof value === "string") return word(value);
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(told).join(", ");
  return Object.entries(value).map(([name, each]) => `${label(name)} ${told(each)}`).join(" · ");
}

function label(name: string): string {
  return maybe(`member.${name}`) ?? name.replace(/([A-Z])/g, " $1").replace(/^./, (first) => first.toUpperCase());
}

/** A choice in words, where the general ones don't fit. */
const CHOICES: Record<string, (value: unknown, round: Round) => string> = {
  "dice.target": (value) => Number(value).toLocaleString(language.value, { minimumFractionDigits: 2 }),
  "limbo.target": (value) => times(Number(value)),
  "crash.cashout": (value) => times(Number(value)),
  "crash.cashOut": (value) => times(Number(value)),
  "keno.picks": (value) => told(list<number>(value).map((n) => n + 1)),
  "mines.picks": (value) => told(list<number>(value).map((n) => n + 1)),
  "dragontower.picks": (value) => told(list<number>(value).map((n) => n + 1)),
  "roulette.bets": (value, { token }) => list<{ type: string; numbers?: number[]; amount: number }>(value)
    .map((each) => `${each.numbers === undefined ? word(each.type) : `${maybe(`place.${each.type}`) ?? each.type} ${each.numbers.join("/")}`}: ${amount(each.amount, token)}`).join(", "),
  "baccarat.bets": (value, { token }) => list<{ on: string; amount: number }>(value).map((each) => `${word(each.on)}: ${amount(each.amount, token)}`).join(", "),
};

const HIDDEN = new Set(["maxMultiplier", "chain"]);

/** What was chosen, and the actions of a round that was played step by step. */
export function Bet({ round }: { round: Round }) {
  const facts = Object.entries((round.config ?? {}) as Values).filter(([name]) => !HIDDEN.has(name)).map(([name, value]): [string, string] => {
    return [label(name), CHOICES[`${round.gameType}.${name}`]?.(value, round) ?? told(value)];
  });
  const actions = list<Values & { type: string }>(round.actions);
  if (actions.length > 0) facts.push([t("round.actions"), actions.map(acted).join(", ")]);
  return <>{facts.map(([name, says]) => <div key={name}><dt class="muted">{name}</dt><dd>{says}</dd></div>)}</>;
}

function acted({ type, tile, hold, ...more }: Values & { type: string }): string {
  const says = maybe(`action.${type}`) ?? word(type);
  if (type === "cashOut" && more.multiplier !== undefined) return `${says} ${times(Number(more.multiplier))}`;
  if (typeof tile === "number") return `${says} ${tile + 1}`;
  if (Array.isArray(hold)) return `${says} (${t("action.hold", { cards: told(hold.map((n: number) => n + 1)) })})`;
  return Object.keys(more).length === 0 ? says : `${says}: ${told(more)}`;
}

type Teller = (outcome: Values, config: Values) => ComponentChildren;

const big = (text: string): JSX.Element => <p class="big-word">{text}</p>;
const hand = (name: string, cards: unknown, extra = "") => (
  <div><h3>{name} {extra !== "" && <span class="tag">{extra}</span>}</h3><Cards cards={list<string>(cards)} label={name} /></div>
);
const numbers = (value: unknown) => list<number>(value);

const TELLERS: Record<string, Teller> = {
  dice: ({ roll }) => big(Number(roll).toLocaleString(language.value, { minimumFractionDigits: 2 })),
  limbo: ({ multiplier }) => big(times(Number(multiplier))),
  crash: ({ crash }) => big(t("round.crashed", { at: times(Number(crash)) })),
  coinflip: ({ flips }) => <Chips of={list<string>(flips).map((each) => [word(each)])} />,
  slots: (outcome) => <Spins of={outcome as never} />,
  mines: ({ mines, opened }, { picks }) => {
    const mine = numbers(mines);
    const open = numbers(opened ?? picks);
    return <Board columns={5} cells={Array.from({ length: 25 }, (_, n) => ({
      sign: mine.includes(n) ? "✹" : open.includes(n) ? "◆" : "", kind: open.includes(n) ? (mine.includes(n) ? "bad" : "good") : "",
      says: `${n + 1}: ${t(mine.includes(n) ? "mines.mine" : open.includes(n) ? "mines.safe" : "mines.closed")}`,
    }))} />;
  },
  plinko: ({ path, bucket }) => <><Fall path={numbers(path)} /><p>{t("round.bucket", { bucket: Number(bucket) + 1, of: numbers(path).length + 1 })}</p></>,
  keno: ({ draws, hits }, { picks }) => {
    const [drawn, picked] = [numbers(draws), numbers(picks)];
    return (
      <>
        <p>{t("round.hits", { hits: Number(hits), of: picked.length })}</p>
        <Board columns={8} cells={Array.from({ length: 40 }, (_, n) => ({
          sign: String(n + 1), kind: `${picked.includes(n) ? "picked" : ""} ${drawn.includes(n) ? (picked.includes(n) ? "good" : "drawn") : ""}`,
          says: [String(n + 1), picked.includes(n) ? t("round.picked") : "", drawn.includes(n) ? t("round.drawn") : ""].filter(Boolean).join(", "),
        }))} />
      </>
    );
  },
  wheel: ({ index }, { segments }) => big(t("round.segment", { number: Number(index) + 1, of: Number(segments) })),
  roulette: ({ number }) => <p class={`big-word number-of ${colour(Number(number))}`}>{Number(number)}</p>,
  diamonds: ({ gems, hand: made }) => <><Chips of={list<string>(gems).map((each) => [word(each), each])} /><p>{word(String(made))}</p></>,
  baccarat: ({ player, banker, winner }) => <>{hand(word("player"), player)}{hand(word("banker"), banker)}<p>{t("round.winner", { who: word(String(winner)) })}</p></>,
  dragontower: ({ levels, picks }, config) => {
    const tiles = { easy: 4, medium: 3, hard: 2, expert: 3, master: 4 }[String(config.difficulty)] ?? 4;
    const chosen = numbers(picks ?? config.picks);
    return <Board columns={tiles} cells={list<number[]>(levels).map((eggs, level) => ({ eggs, level })).reverse().flatMap(({ eggs, level }) => Array.from({ length: tiles }, (_, n) => ({
      sign: eggs.includes(n) ? "●" : chosen[level] === n ? "✹" : "", kind: chosen[level] === n ? (eggs.includes(n) ? "good" : "bad") : "",
      says: `${t("tower.tile", { level: level + 1, tile: n + 1 })}: ${t(eggs.includes(n) ? "round.egg" : "round.empty")}${chosen[level] === n ? `, ${t("round.picked")}` : ""}`,
    })))} />;
  },
  hilo: ({ cards, right }) => <>{hand(t("hilo.cards"), cards)}<p>{t("round.right", { count: Number(right) })}</p></>,
  videopoker: ({ dealt, cards, hand: made }) => <>{hand(t("round.dealt"), dealt)}{hand(t("poker.cards"), cards, word(String(made)))}</>,
  blackjack: ({ hands, dealer, results }) => (
    <>
      {hand(t("blackjack.dealer"), dealer, String(total(list<string>(dealer))))}
      {list<string[]>(hands).map((cards, i) => hand(t("blackjack.you"), cards, `${total(cards)} · ${word(list<string>(results)[i] ?? "")}`))}
    </>
  ),
};

export function Came({ round }: { round: Round }) {
  const outcome = round.outcome as Values | null;
  if (outcome === null) return round.provider === "casino" ? <p>{t("outcome.void")}</p> : null;
  const teller = TELLERS[round.gameType];
  return (
    <div id="came" data-game={round.gameType}>
      <h3>{t("round.came")}</h3>
      {teller?.(outcome, (round.config ?? {}) as Values)
        ?? <dl class="sums">{Object.entries(outcome).map(([name, value]) => <div key={name}><dt class="muted">{label(name)}</dt><dd>{told(value)}</dd></div>)}</dl>}
    </div>
  );
}
