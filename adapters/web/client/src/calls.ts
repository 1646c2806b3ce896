// The calls of the published contract as types: a name such as "POST /play" determines the options
// and the answer.

import type { components } from "./contract.js";
import type { Operations } from "./operations.js";

/** The contract's schemas by name. */
export type Schemas = components["schemas"];

/** Every call of the contract: method and path as in the document. */
export type Call = keyof Operations;

type Json<R> = R extends { content: { "application/json": infer B } } ? B : R extends { content: { "*/*": infer B } } ? B : never;
type Path<O> = O extends { parameters: { path: infer T } } ? { path: T } : {};
type Query<O> = O extends { parameters: { query?: infer T } } ? ([NonNullable<T>] extends [never] ? {} : { query?: NonNullable<T> }) : {};
type Body<O> = O extends { requestBody: infer B extends object } ? { body: Json<B> }
  : O extends { requestBody?: infer B } ? ([NonNullable<B>] extends [never] ? {} : { body?: Json<NonNullable<B>> }) : {};
type Key<O> = O extends { parameters: { header?: { "Idempotency-Key"?: infer T } } }
  ? ([T] extends [string | undefined] ? { idempotencyKey?: string } : {})
  : {};

/** Options of every call. */
export interface Common {
  /** Ends the call; it then fails with the signal's reason. */
  signal?: AbortSignal;
}

type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;
type OptionsOf = { [C in Call]: Flat<Path<Operations[C]> & Query<Operations[C]> & Body<Operations[C]> & Key<Operations[C]> & Common> };

/** The options of a call: path, query and body members, and a key if it moves money. */
export type Options<C extends Call> = OptionsOf[C];

type AnswerOf = {
  [C in Call]: Operations[C] extends { responses: infer R } ? (204 extends keyof R ? undefined : Flat<Json<R[keyof R & (200 | 201 | 202)]>>) : never;
};

/** The answer of a call; undefined for 204. */
export type Answer<C extends Call> = AnswerOf[C];

type With<O, R> = {} extends O ? (options?: O) => R : (options: O) => R;

/** A call as a function of its options. The types are looked up by name, not computed from it:
 * otherwise compilers compare the options of all calls with each other. */
export type Calls = { [C in Call]: With<OptionsOf[C], Promise<AnswerOf[C]>> };

/** A call as a function that answers with a text. */
export type Texts = { [C in Call]: With<OptionsOf[C], Promise<string>> };

/** The calls that answer with pages of a list. */
export type ListCall = { [C in Call]: [Answer<C>] extends [never] ? never : Answer<C> extends { nextCursor: string | null } ? C : never }[Call];

/** The items of a list. */
export type Item<C extends ListCall> = { [K in keyof Answer<C>]-?: Answer<C>[K] extends (infer I)[] ? I : never }[keyof Answer<C>];

/** The calls that can also answer with CSV. */
export type SheetCall = { [C in Call]: Operations[C] extends { responses: { 200: { content: { "text/csv": unknown } } } } ? C : never }[Call];

/** A list as a function of its options that returns its pages. */
export type Pages = { [C in ListCall]: With<OptionsOf[C], AsyncGenerator<AnswerOf[C], void, void>> };

/** A list as a function of its options that returns its items. */
export type Items = { [C in ListCall]: With<OptionsOf[C], AsyncGenerator<Item<C>, void, void>> };

/** Options of any call. */
export interface AnyOptions extends Common {
  path?: object;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
}
