import type { Draws } from "../draws.js";
import { type Result } from "../rules.js";
export declare const hilo1: {
    game: string;
    play?: (config: import("../json.js").Json, draws: Draws) => Result;
    take?: (config: import("../json.js").Json, draws: Draws, actions: import("../json.js").Json[]) => Result;
};
