import { type Json } from "./json.js";
import { type ReceiptKeys } from "./signatures.js";
/** The lines of a statement after its first, in order. */
export type Facts = [name: string, value: string][];
/** The names that every statement begins with. */
export declare const HEADER: string[];
/** Why a statement proves nothing, in plain words. */
export declare class StatementFault extends Error {
}
/** Reads the text of a statement with a purpose. */
export declare function factsOf(text: string, purpose: string): Facts;
/** Verifies a signed statement, and returns what it states. */
export declare function verifyStatement(signed: Json | undefined, keys: ReceiptKeys, purpose: string): Promise<Facts>;
/** The only value of a name in a statement. */
export declare function factOf(facts: Facts, name: string): string;
/** An amount or a time in a statement: a whole number of 0 … 2^63-1. */
export declare function wholeOf(text: string, name: string): bigint;
