import type { Rules } from "../rules.js";
/** Every version of every game's rules, by the name in a round's rules. */
export declare const games: ReadonlyMap<string, Rules>;
