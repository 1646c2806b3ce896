// What a round that is played step by step shows after each action: its state, its stakes and its
// choices, as docs/fairness/steps.md says.

import { Decimal } from "./decimal.js";
import { leaveAlone, type Stand } from "./absent.js";
import { Draws } from "./draws.js";
import { Fraction } from "./fraction.js";
import { greatestBySteps, worthAfter } from "./greatest.js";
import { isObject, same, stringify, type Json } from "./json.js";
import type { Rules } from "./rules.js";
import type { Offers } from "./stepped.js";

type Members = { [name: string]: Json };

/** Whether a decimal shows a multiplier, cut off if it has too many digits. */
const isShown = (multiplier: Fraction, decimal: Json | undefined): boolean => decimal instanceof Decimal && (multiplier.shownAs(decimal) || multiplier.decimal.equals(decimal));

/** The cards' points of a blackjack hand, an ace as 11 where that stays within 21. */
function points(cards: string[]): number {
  const low = cards.reduce((sum, card) => sum + (card.startsWith("A") ? 1 : /^(10|[JQK])/.test(card) ? 10 : Number(card[0])), 0);
  return cards.some((card) => card.startsWith("A")) && low <= 11 ? low + 10 : low;
}

function blackjack(outcome: Members, actions: Json[]): Members {
  const hands = outcome["hands"] as string[][];
  const types = actions.map((action) => (isObject(action) ? action["type"] : null));
  const own = types.slice(types.indexOf("split") + 1); // the actions since the hands were two
  const second = hands.length > 1 && (own.some((type) => type === "stand" || type === "double") || points(hands[0]!) >= 21);
  return { hands, dealer: (outcome["dealer"] as Json[]).slice(0, 1), hand: Decimal.of(second ? 1n : 0n) };
}

/** The state that is shown before the end, from what the round ends as if it is left alone. */
const SHOWN: { [game: string]: (outcome: Members, actions: Json[]) => Members } = {
  mines: ({ opened }) => ({ opened: opened! }),
  dragontower: ({ picks }) => ({ picks: picks! }),
  hilo: ({ cards, right }) => ({ cards: cards!, right: right! }),
  videopoker: ({ dealt }) => ({ dealt: dealt! }),
  blackjack,
};

/** Whether a schema of JSON allows a whole number. */
function allows(schema: Json | undefined, value: bigint): boolean {
  if (!isObject(schema)) return false;
  if (isObject(schema["items"])) return allows(schema["items"], value);
  if (Array.isArray(schema["enum"])) return schema["enum"].some((one) => same(one, Decimal.of(value)));
  const [least, most] = ["minimum", "maximum"].map((name) => (schema[name] instanceof Decimal ? (schema[name] as Decimal).in(0) : null));
  return least != null && most != null && value >= least && value <= most;
}

/** Whether the members of a choice are those that its game offers. */
function isOffered(choice: Members, offered: { [name: string]: (name: string, value: Json) => unknown }): boolean {
  const properties = isObject(choice["fields"]) && isObject(choice["fields"]["properties"]) ? choice["fields"]["properties"] : {};
  if (Object.keys(properties).sort().join() !== Object.keys(offered).sort().join()) return false;
  const takes = (name: string, value: bigint): boolean => {
    const list = isObject(properties[name]) && properties[name]["type"] === "array";
    try {
      offered[name]!(name, list ? [Decimal.of(value)] : Decimal.of(value));
      return true;
    } catch {
      return false;
    }
  };
  return Object.keys(offered).every((name) => Array.from({ length: 30 }, (_, i) => BigInt(i)).every((value) => allows(properties[name], value) === takes(name, value)));
}

/** What the round can be ended with after an action, where its game states it. */
function prizeOf(rules: Rules, config: Members, type: string, actions: Json[], { result }: Stand): Fraction | null {
  const now = result.exact ?? new Fraction(result.multiplier.units!, 10n ** BigInt(result.multiplier.scale));
  if (rules.game === "mines" || rules.game === "dragontower") return type === "cashOut" ? now : worthAfter(rules, config, actions.length + 1);
  if (rules.game !== "hilo" || type === "cashOut" || type === "skip") return rules.game === "hilo" ? now : null;
  const rank = "2 3 4 5 6 7 8 9 10 J Q K A".split(" ").indexOf((result.outcome["cards"] as string[]).at(-1)!.slice(0, -1));
  const right = type === "higher" ? (rank === 0 ? 12 : 13 - rank) : rank === 12 ? 12 : rank + 1;
  return new Fraction(now.numerator * 13n, now.denominator * BigInt(right));
}

const STAKES = ["double", "split"];

function choicesFault(rules: Rules, round: Members, wager: bigint, stand: Stand): string | null {
  const choices = Array.isArray(round["choices"]) ? round["choices"].filter(isObject) : [];
  const offers = stand.offers as Offers<any> & { [type: string]: any };
  const typeOf = (choice: Members): string => (isObject(choice["action"]) ? String(choice["action"]["type"]) : "");
  const types = choices.map(typeOf);
  if ([...types].sort().join() !== Object.keys(offers).sort().join()) return `the choices are ${types.join(", ")}, the rules offer ${Object.keys(offers).join(", ")}`;
  for (const choice of choices) {
    const type = typeOf(choice);
    if (!isOffered(choice, offers[type])) return `the choice ${type} has other members than the rules offer`;
    const stake = choice["stake"] instanceof Decimal ? choice["stake"].in(0) : 0n;
    if (stake !== (STAKES.includes(type) ? wager : 0n)) return `the choice ${type} takes ${stake}`;
    const prize = prizeOf(rules, round["config"] as Members, type, round["actions"] as Json[], stand);
    if (prize !== null && !isShown(prize, choice["prize"])) return `the choice ${type} has the prize ${stringify(choice["prize"] ?? null)}, the rules give ${prize.decimal}`;
  }
  return null;
}

/** How the answer of an open round differs from what its seeds and its actions decide; null if it doesn't. */
export function shownFault(rules: Rules, round: Members, serverSeed: string, clientSeed: string, nonce: bigint, wager: bigint, maxPayout: bigint): string | null {
  const actions = round["actions"] as Json[];
  const stand = leaveAlone(rules, round["config"]!, new Draws(serverSeed, clientSeed, nonce), actions);
  if (stand.offers === null) return "the round is open, and by its seeds it has ended";
  const shown = SHOWN[rules.game]!(stand.result.outcome, actions);
  if (!same(round["shown"] ?? null, shown)) return `it shows ${stringify(round["shown"] ?? null)}, its seeds decide ${stringify(shown)}`;
  const staked = wager * (stand.result.staked ?? 1n);
  if (!same(round["stake"] ?? null, Decimal.of(staked))) return `the stake is ${stringify(round["stake"] ?? null)}, the actions stake ${staked}`;
  const most = greatestBySteps(rules, round["config"] as Members, wager, maxPayout);
  if (most === null || !isShown(most, round["maxMultiplier"])) return `maxMultiplier is ${stringify(round["maxMultiplier"] ?? null)}, the rules give ${most?.decimal ?? "none"}`;
  return choicesFault(rules, round, wager, stand);
}
