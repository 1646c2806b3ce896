import { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
import type { Rules } from "./rules.js";
type Members = {
    [name: string]: Json;
};
/** The greatest multiplier of a config of a game that is decided in one call; null if it isn't known here. */
export declare function greatestAtOnce(rules: Rules, config: Json): Fraction | null;
/** What a round of a config is worth after some steps without a loss, null after the last one. */
export declare function worthAfter(rules: Rules, config: Members, steps: number): Fraction | null;
/** The greatest multiplier of a stepped round as it is opened; null if the round can't be opened, because even its first step passes its bound. */
export declare function greatestBySteps(rules: Rules, asked: Members, wager: bigint, maxPayout: bigint): Fraction | null;
export {};
