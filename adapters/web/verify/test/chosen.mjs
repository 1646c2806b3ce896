// Plays games with chosen draws, for which no seeds are known. Reads lines of {"rules", "config",
// "draws", "outcome", "multiplier"}, with "actions" for step-by-step rounds, and prints the
// differences of each, "" for none. The multiplier is a text, because in some games it is a
// fraction.
import { readFileSync } from "node:fs";
import { Draws, games, parse, same, stringify } from "../dist/index.js";

function differs(line) {
  const given = parse(line);
  let taken = 0;
  const next = () => {
    if (taken === given.draws.length) throw new Error("takes more draws");
    return given.draws[taken++].units;
  };
  try {
    const draws = { next, pick: (n) => (next() * n) >> 32n, without: Draws.prototype.without };
    const rules = games.get(given.rules);
    const { outcome, multiplier, exact } = given.actions ? rules.take(given.config, draws, given.actions) : rules.play(given.config, draws);
    if (!same(given.outcome, outcome)) return "outcome: " + stringify(outcome);
    const [numerator, denominator] = given.multiplier.split("/");
    const equal = denominator ? exact.numerator * BigInt(denominator) === exact.denominator * BigInt(numerator) : same(parse(numerator), multiplier);
    if (!equal) return "multiplier: " + multiplier;
  } catch (error) {
    return error.message;
  }
  return given.actions || taken === given.draws.length ? "" : `takes ${given.draws.length - taken} draws less`;
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) console.log(JSON.stringify(differs(line)));
