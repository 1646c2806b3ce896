import type { Rules } from "../rules.js";
/** Every version of every game's rules, by what a round says in rules. */
export declare const games: ReadonlyMap<string, Rules>;
