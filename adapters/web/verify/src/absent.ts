// Stepped rounds that are left alone, as docs/fairness/steps.md says: what the house ends them by.

import { Decimal } from "./decimal.js";
import type { Draws } from "./draws.js";
import type { Json } from "./json.js";
import type { Result, Rules } from "./rules.js";
import { readAction, type Offers, type Round } from "./stepped.js";

const CASH_OUT: Json = { type: "cashOut" };
const ALONE: { [game: string]: Json } = {
  mines: CASH_OUT,
  dragontower: CASH_OUT,
  hilo: CASH_OUT,
  videopoker: { type: "draw", hold: [0n, 1n, 2n, 3n, 4n].map((place) => Decimal.of(place)) },
  blackjack: { type: "stand" },
};

/** A round after some actions. */
export interface Stand {
  /** The actions that are offered, null when the round has ended. */
  offers: Offers<any> | null;
  /** How often the player would have to leave it alone until it ends. */
  left: number;
  /** What it ends as if it is left alone from here on. */
  result: Result;
}

/** Takes actions, and leaves the round alone from there on. */
export function leaveAlone(rules: Rules, config: Json, draws: Draws, actions: Json[]): Stand {
  const round: Round<any> = rules.begin!(config, draws);
  let now = round.next();
  actions.forEach((action, i) => {
    if (!now.done) now = round.next(readAction(now.value, action, `actions[${i}]`));
  });
  const offers = now.done ? null : now.value;
  let left = 0;
  for (; !now.done; left++) now = round.next(readAction(now.value, ALONE[rules.game]!, "alone"));
  return { offers, left, result: now.value };
}
