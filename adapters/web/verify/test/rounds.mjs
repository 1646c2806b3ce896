// The rounds of the pages on games and on steps; every verifier is compared with them.
import { readFileSync } from "node:fs";

const page = ["games.md", "steps.md"].map((name) => readFileSync(new URL("../../../../docs/fairness/" + name, import.meta.url), "utf8")).join("\n");

export const rounds = [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text]) => text);

/** The pages' first round of rules. */
export function round(rules) {
  return rounds.find((text) => text.includes(`"rules": "${rules}"`));
}
