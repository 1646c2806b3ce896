// JSON with exact integers: those that a number can't hold are read as bigint.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG = /^-?\d{16,}$/;
const MARK = "\u0000integer:"; // no text of the service begins with a NUL

/** An integer of the API: a bigint where a number would not be exact. */
export type Integer = number | bigint;

/** Reads JSON. Integers beyond 2^53-1 are bigint, every other number is a number. */
export function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const marked = text.replace(TOKEN, (token) =>
    LONG.test(token) && !Number.isSafeInteger(Number(token)) ? JSON.stringify(MARK + token) : token,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** Writes JSON with every digit of a bigint; undefined members are left out. */
export function stringify(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
