import type { Rules } from "../rules.js";
import { baccarat1 } from "./baccarat.js";
import { blackjack1 } from "./blackjack.js";
import { coinflip1 } from "./coinflip.js";
import { crash1 } from "./crash.js";
import { diamonds1 } from "./diamonds.js";
import { dice1 } from "./dice.js";
import { dragontower1 } from "./dragontower.js";
import { hilo1 } from "./hilo.js";
import { keno1 } from "./keno.js";
import { limbo1 } from "./limbo.js";
import { mines1 } from "./mines.js";
import { plinko1 } from "./plinko.js";
import { roulette1 } from "./roulette.js";
import { slots1 } from "./slots.js";
import { videopoker1 } from "./videopoker.js";
import { wheel1 } from "./wheel.js";

/** Every version of every game's rules, by the name in a round's rules. */
export const games: ReadonlyMap<string, Rules> = new Map([
  ["dice/1", dice1],
  ["limbo/1", limbo1],
  ["crash/1", crash1],
  ["coinflip/1", coinflip1],
  ["slots/1", slots1],
  ["mines/1", mines1],
  ["plinko/1", plinko1],
  ["keno/1", keno1],
  ["wheel/1", wheel1],
  ["diamonds/1", diamonds1],
  ["roulette/1", roulette1],
  ["baccarat/1", baccarat1],
  ["dragontower/1", dragontower1],
  ["hilo/1", hilo1],
  ["videopoker/1", videopoker1],
  ["blackjack/1", blackjack1],
]);
