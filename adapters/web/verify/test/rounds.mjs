// The rounds of the page on games, which are what every verifier is held against. Those of
// a game that isn't here are passed over; a test in Go names it.
import { readFileSync } from "node:fs";
import { games } from "../dist/index.js";

const page = readFileSync(new URL("../../../../docs/fairness/games.md", import.meta.url), "utf8");

export const rounds = [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text]) => text).filter((text) => games.has(JSON.parse(text).rules));

/** The page's first round of rules. */
export function round(rules) {
  return rounds.find((text) => text.includes(`"rules": "${rules}"`));
}
