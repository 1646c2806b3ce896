// The search over games, and the origins of games that may be framed.

/** A text without case and diacritics. */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Whether texts have every word of a query, in any order. */
export function matches(query: string, ...texts: string[]): boolean {
  const all = fold(texts.join(" "));
  return fold(query).split(/\s+/).every((word) => all.includes(word));
}

/** Whether an address is of one of the origins, of which * stands for a part, as in
 * https://*.games.example. */
export function isOf(origins: readonly string[], address: string): boolean {
  const { origin } = new URL(address);
  return origins.some((each) => new RegExp(`^${each.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace("*", "[^/]+")}$`).test(origin));
}
