import { type Json } from "./json.js";
import type { Rules } from "./rules.js";
type Members = {
    [name: string]: Json;
};
/** How the answer of an open round differs from what its seeds and its actions decide; null if it doesn't. */
export declare function shownFault(rules: Rules, round: Members, serverSeed: string, clientSeed: string, nonce: bigint, wager: bigint, maxPayout: bigint): string | null;
export {};
