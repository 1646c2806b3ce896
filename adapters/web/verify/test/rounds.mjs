// The rounds of the page on games, which are what every verifier is held against.
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../../../docs/fairness/games.md", import.meta.url), "utf8");

export const rounds = [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text]) => text);

/** The page's first round of rules. */
export function round(rules) {
  return rounds.find((text) => text.includes(`"rules": "${rules}"`));
}
