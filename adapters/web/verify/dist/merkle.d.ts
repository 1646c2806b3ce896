import { type Json } from "./json.js";
export declare const HASH_BYTES = 32;
/** The hashes of a list of base64 texts, null for another value. */
export declare function hashesOf(list: Json | undefined): Uint8Array[] | null;
export declare const nodeHash: (left: Uint8Array, right: Uint8Array) => Uint8Array;
/** The root to which an audit path leads, in hexadecimal; null if it is no path of the index. */
export declare function rootOf(leaf: Uint8Array, index: bigint, size: bigint, path: Uint8Array[]): string | null;
