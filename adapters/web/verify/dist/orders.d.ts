import { type Json } from "./json.js";
/** The digest of a bet: its route, its Idempotency-Key (empty for none), and the body that was sent. */
export declare function orderDigest(route: "/play" | "/rounds", key: string, body: {
    [name: string]: Json;
}): string;
