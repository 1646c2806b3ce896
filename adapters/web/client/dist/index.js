// A typed client of a casino's HTTP API. It needs fetch, and nothing else.
export { Casino } from "./casino.js";
export { newKey } from "./connection.js";
export { NoAnswer, Refusal, SessionEnded } from "./errors.js";
export { parse, stringify } from "./json.js";
export { decimal, units } from "./money.js";
export { ExpectedPair, newClientSeed } from "./pair.js";
