import type { Draws } from "../draws.js";
import { Fraction } from "../fraction.js";
import { type Result } from "../rules.js";
import { type Round } from "../stepped.js";
export declare const mines1: {
    game: string;
    play?: (config: import("../json.js").Json, draws: Draws) => Result;
    take?: (config: import("../json.js").Json, draws: Draws, actions: import("../json.js").Json[]) => Result;
    begin?: (config: import("../json.js").Json, draws: Draws) => Round<any>;
    greatest?: (config: import("../json.js").Json) => Fraction;
};
