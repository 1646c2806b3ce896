// Keys and signatures: Ed25519 by WebCrypto, and the bytes that are signed.

import { Decimal } from "./decimal.js";
import { isObject, parse, type Json } from "./json.js";
import { hex } from "./sha256.js";

/** This program can't verify signatures. */
export class NoEd25519 extends Error {
  constructor() {
    super("Ed25519 is missing: WebCrypto has it in Node.js 20 and in browsers from 2025, in pages over HTTPS alone");
  }
}

/** The public keys for receipts, by their names. */
export type ReceiptKeys = Map<string, Uint8Array[]>;

export const MAX = (1n << 63n) - 1n;
export const SIGNATURE_BYTES = 64;
const SPKI = "302a300506032b6570032100"; // of every Ed25519 key (RFC 8410)
const KEY_BYTES = 44;

// What the platform has, and TypeScript's library for it would bring: a reader of text, and WebCrypto.
interface Subtle {
  importKey(format: "raw", key: Uint8Array, algorithm: string, extractable: boolean, usages: string[]): Promise<unknown>;
  verify(algorithm: string, key: unknown, signature: Uint8Array, message: Uint8Array): Promise<boolean>;
}
interface Platform {
  TextEncoder: new () => { encode(text: string): Uint8Array };
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
  crypto?: { subtle?: Subtle };
}
const platform = globalThis as unknown as Platform;
let encoder: InstanceType<Platform["TextEncoder"]> | null = null;
export const utf8 = (text: string): Uint8Array => (encoder ??= new platform.TextEncoder()).encode(text);
export const textOf = (bytes: Uint8Array): string => new platform.TextDecoder().decode(bytes);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes of a base64 text of any length, null for another text. */
export function base64OfAny(value: Json | undefined): Uint8Array | null {
  return typeof value === "string" ? base64(value, (value.length / 4) * 3 - (/=*$/.exec(value)![0].length)) : null;
}

/** The bytes of a base64 text of one length, null for another text. */
export function base64(value: Json | undefined, length: number): Uint8Array | null {
  const padding = (3 - (length % 3)) % 3;
  if (typeof value !== "string" || value.length * 3 !== (length + padding) * 4) return null;
  if (!value.endsWith("=".repeat(padding))) return null;
  const bytes = new Uint8Array(length);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of value.slice(0, value.length - padding)) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    held = (held << 6) | digit;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 && at === length ? bytes : null;
}

/** Reads an answer of GET /public/keys. */
export function readReceiptKeys(text: string): ReceiptKeys {
  const keys = receiptKeysOf(parse(text));
  if (keys.size === 0) throw new Error("the keys have none for receipts");
  return keys;
}

/** The keys for receipts in an answer of GET /public/keys, perhaps none. */
export const receiptKeysOf = (answer: Json): ReceiptKeys => keysFor(answer, "receipts");

/** The keys of a use in an answer of GET /public/keys. */
export function keysFor(answer: Json, use: string): ReceiptKeys {
  const keys: ReceiptKeys = new Map();
  const list = isObject(answer) && Array.isArray(answer["keys"]) ? answer["keys"] : [];
  for (const key of list) {
    if (!isObject(key) || key["use"] !== use || typeof key["kid"] !== "string") continue;
    const der = base64(key["publicKey"], KEY_BYTES);
    if (der === null || !hex(der).startsWith(SPKI)) continue;
    keys.set(key["kid"], [...(keys.get(key["kid"]) ?? []), der.slice(SPKI.length / 2)]);
  }
  return keys;
}

/** An integer of 64 bits, from a number or a text; null for another value. */
export function integerOf(value: Json | undefined): bigint | null {
  const text = value instanceof Decimal ? value.text : value;
  if (typeof text !== "string" || !/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return null;
  const n = BigInt(text);
  return n <= MAX && n >= -MAX - 1n ? n : null;
}

/** Byte sequences, one after the other. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// Imported keys, because a capture has thousands of signatures by one key.
const imported = new WeakMap<Uint8Array, Promise<unknown>>();

/** Whether one of the keys of a name has signed a text, or bytes. */
export async function isSigned(keys: ReceiptKeys, kid: string, message: string | Uint8Array, signature: Uint8Array): Promise<boolean> {
  const subtle = platform.crypto?.subtle;
  if (subtle === undefined) throw new NoEd25519();
  const bytes = typeof message === "string" ? utf8(message) : message;
  for (const raw of keys.get(kid) ?? []) {
    const key = imported.get(raw) ?? subtle.importKey("raw", raw, "Ed25519", false, ["verify"]).catch(() => {
      throw new NoEd25519();
    });
    imported.set(raw, key);
    if (await subtle.verify("Ed25519", await key, signature, bytes)) return true;
  }
  return false;
}

