import type { Draws } from "./draws.js";
import type { Json } from "./json.js";
import type { Result, Rules } from "./rules.js";
import { type Offers } from "./stepped.js";
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
export declare function leaveAlone(rules: Rules, config: Json, draws: Draws, actions: Json[]): Stand;
