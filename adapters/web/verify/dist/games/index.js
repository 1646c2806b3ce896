import { coinflip1 } from "./coinflip.js";
import { crash1 } from "./crash.js";
import { dice1 } from "./dice.js";
import { limbo1 } from "./limbo.js";
import { slots1 } from "./slots.js";
/** Every version of every game's rules, by what a round says in rules. */
export const games = new Map([
    ["dice/1", dice1],
    ["limbo/1", limbo1],
    ["crash/1", crash1],
    ["coinflip/1", coinflip1],
    ["slots/1", slots1],
]);
