import { Decimal } from "../decimal.js";
import { numbers, rules, word } from "../rules.js";
import { table, type Table } from "../tables.js";

// Risk and number of picks, then the payouts for 0, 1, 2, … hits.
const PAYS: Table = table(`
classic 1  0 3.96
classic 2  0 1.9 4.5
classic 3  0 1 3.1 10.4
classic 4  0 0.8 1.8 5 22.5
classic 5  0 0.25 1.4 4.1 16.5 36
classic 6  0 0 1 3.68 7 16.5 40
classic 7  0 0 0.47 3 4.5 14 31 60
classic 8  0 0 0 2.2 4 13 22 55 70
classic 9  0 0 0 1.55 3 8 15 44 60 85
classic 10  0 0 0 1.4 2.25 4.5 8 17 50 80 100
low 1  0.7 1.85
low 2  0 2 3.8
low 3  0 1.1 1.38 26
low 4  0 0 2.2 7.9 90
low 5  0 0 1.5 4.2 13 300
low 6  0 0 1.1 2 6.2 100 700
low 7  0 0 1.1 1.6 3.5 15 225 700
low 8  0 0 1.1 1.5 2 5.5 39 100 800
low 9  0 0 1.1 1.3 1.7 2.5 7.5 50 250 1000
low 10  0 0 1.1 1.2 1.3 1.8 3.5 13 50 250 1000
medium 1  0.4 2.75
medium 2  0 1.8 5.1
medium 3  0 0 2.8 50
medium 4  0 0 1.7 10 100
medium 5  0 0 1.4 4 14 390
medium 6  0 0 0 3 9 180 710
medium 7  0 0 0 2 7 30 400 800
medium 8  0 0 0 2 4 11 67 400 900
medium 9  0 0 0 2 2.5 5 15 100 500 1000
medium 10  0 0 0 1.6 2 4 7 26 100 500 1000
high 1  0 3.96
high 2  0 0 17.1
high 3  0 0 0 81.5
high 4  0 0 0 10 259
high 5  0 0 0 4.5 48 450
high 6  0 0 0 0 11 350 710
high 7  0 0 0 0 7 90 400 800
high 8  0 0 0 0 5 20 270 600 900
high 9  0 0 0 0 4 11 56 500 800 1000
high 10  0 0 0 0 3.5 8 13 63 500 800 1000
`);

export const keno1 = rules("keno", { picks: numbers(10, 39n, [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]), risk: word("classic", "low", "medium", "high") }, ({ picks, risk }, draws) => {
  const drawn = draws.without(40, 10);
  const hits = picks.filter((pick) => drawn.includes(pick)).length;
  return {
    outcome: { draws: drawn.map((one) => Decimal.of(one)), hits: Decimal.of(BigInt(hits)) },
    multiplier: PAYS.get(`${risk} ${picks.length}`)![hits]!,
  };
});
