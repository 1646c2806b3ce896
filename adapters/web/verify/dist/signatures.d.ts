import { type Json } from "./json.js";
/** This program can't verify signatures. */
export declare class NoEd25519 extends Error {
    constructor();
}
/** The public keys for receipts, by their names. */
export type ReceiptKeys = Map<string, Uint8Array[]>;
export declare const MAX: bigint;
export declare const SIGNATURE_BYTES = 64;
export declare const utf8: (text: string) => Uint8Array;
export declare const textOf: (bytes: Uint8Array) => string;
/** The bytes of a base64 text of any length, null for another text. */
export declare function base64OfAny(value: Json | undefined): Uint8Array | null;
/** The bytes of a base64 text of one length, null for another text. */
export declare function base64(value: Json | undefined, length: number): Uint8Array | null;
/** Reads an answer of GET /public/keys. */
export declare function readReceiptKeys(text: string): ReceiptKeys;
/** The keys for receipts in an answer of GET /public/keys, perhaps none. */
export declare const receiptKeysOf: (answer: Json) => ReceiptKeys;
/** The keys of a use in an answer of GET /public/keys. */
export declare function keysFor(answer: Json, use: string): ReceiptKeys;
/** An integer of 64 bits, from a number or a text; null for another value. */
export declare function integerOf(value: Json | undefined): bigint | null;
/** Byte sequences, one after the other. */
export declare function joined(...parts: Uint8Array[]): Uint8Array;
/** Whether one of the keys of a name has signed a text, or bytes. */
export declare function isSigned(keys: ReceiptKeys, kid: string, message: string | Uint8Array, signature: Uint8Array): Promise<boolean>;
