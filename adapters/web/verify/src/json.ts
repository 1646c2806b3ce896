// A JSON reader (RFC 8259) that keeps the text of numbers, and rejects duplicate members, because
// two readers could take different ones for the round.

import { Decimal } from "./decimal.js";

export type Json = null | boolean | string | Decimal | Json[] | { [name: string]: Json };

// The names of objects' members in the order of their text: JavaScript moves those that are integers
// to the front.
const orders = new WeakMap<object, string[]>();

/** The names of an object's members, in the order of the JSON. */
export function members(of: { [name: string]: Json }): string[] {
  return orders.get(of) ?? Object.keys(of);
}

const DEPTH_MAX = 32;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANKS = /[ \t\r\n]*/y;

/** Reads a JSON text; a SyntaxError names the position of an error. */
export function parse(text: string): Json {
  let at = 0;

  function fail(what: string): never {
    throw new SyntaxError(`${what} at character ${at + 1}`);
  }
  function match(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[0];
  }
  function skip(mark: string): boolean {
    match(BLANKS);
    if (text[at] !== mark) return false;
    at++;
    return true;
  }
  function string(): string {
    const found = match(STRING) ?? fail("no string");
    return JSON.parse(found) as string; // its grammar was checked: this undoes the escapes
  }
  function list(depth: number): Json[] {
    const items: Json[] = [];
    if (skip("]")) return items;
    do items.push(value(depth)); while (skip(","));
    return skip("]") ? items : fail("no , or ]");
  }
  function object(depth: number): Json {
    // Without a prototype: __proto__ is an ordinary name, and constructor is missing.
    const members = Object.create(null) as { [name: string]: Json };
    const order: string[] = [];
    orders.set(members, order);
    if (skip("}")) return members;
    do {
      match(BLANKS);
      const name = string();
      if (name in members) fail(`member ${name} is there twice`);
      if (!skip(":")) fail("no :");
      members[name] = value(depth);
      order.push(name);
    } while (skip(","));
    return skip("}") ? members : fail("no , or }");
  }
  function value(depth: number): Json {
    if (depth > DEPTH_MAX) fail("too deep");
    if (skip("{")) return object(depth + 1);
    if (skip("[")) return list(depth + 1);
    if (text[at] === '"') return string();
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]] as const) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    return Decimal.read(match(NUMBER) ?? fail("no value"));
  }

  const all = value(0);
  match(BLANKS);
  return at === text.length ? all : fail("something follows the value");
}

/** Writes a value as JSON, with the original digits of numbers. */
export function stringify(value: Json): string {
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`;
  if (isObject(value)) {
    return `{${Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}:${stringify(of)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

export function isObject(value: unknown): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Whether both are equal: numbers by value, members in any order, lists in order. */
export function same(a: Json, b: Json): boolean {
  if (a instanceof Decimal) return b instanceof Decimal && a.equals(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]!));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name]!, b[name]!));
}
