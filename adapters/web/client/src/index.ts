// A typed client of a casino's HTTP API. It needs fetch, and nothing else.

export { Casino, type CasinoEvent, type EventOptions, type Once, type Sign } from "./casino.js";
export type { Answer, Call, Calls, Common, Item, Items, ListCall, Options, Pages, Schemas, SheetCall, Texts } from "./calls.js";
export type { Settings } from "./connection.js";
export type { Patience } from "./pauses.js";
export { newKey } from "./connection.js";
export type { components, operations, paths } from "./contract.js";
export { NoAnswer, Refusal, SessionEnded, type ErrorCode } from "./errors.js";
export { parse, stringify, type Integer } from "./json.js";
export { decimal, units } from "./money.js";
export { ExpectedPair, newClientSeed, type Expected, type Seeds } from "./pair.js";
export type { StreamOptions } from "./streams.js";
