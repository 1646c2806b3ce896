import { Decimal } from "../decimal.js";
import { rules, whole, word } from "../rules.js";
import { table, type Table } from "../tables.js";

// Risk and rows, then the payouts of the buckets from 0 to the middle.
const PAYS: Table = table(`
low 8  5.6 2.1 1.1 1 0.5
low 9  5.6 2 1.6 1 0.7
low 10  8.9 3 1.4 1.1 1 0.5
low 11  8.4 3 1.9 1.3 1 0.7
low 12  10 3 1.6 1.4 1.1 1 0.5
low 13  8.1 4 3 1.9 1.2 0.9 0.7
low 14  7.1 4 1.9 1.4 1.3 1.1 1 0.5
low 15  15 8 3 2 1.5 1.1 1 0.7
low 16  16 9 2 1.4 1.4 1.2 1.1 1 0.5
medium 8  13 3 1.3 0.7 0.4
medium 9  18 4 1.7 0.9 0.5
medium 10  22 5 2 1.4 0.6 0.4
medium 11  24 6 3 1.8 0.7 0.5
medium 12  33 11 4 2 1.1 0.6 0.3
medium 13  43 13 6 3 1.3 0.7 0.4
medium 14  58 15 7 4 1.9 1 0.5 0.2
medium 15  88 18 11 5 3 1.3 0.5 0.3
medium 16  110 41 10 5 3 1.5 1 0.5 0.3
high 8  29 4 1.5 0.3 0.2
high 9  43 7 2 0.6 0.2
high 10  76 10 3 0.9 0.3 0.2
high 11  120 14 5.2 1.4 0.4 0.2
high 12  170 24 8.1 2 0.7 0.2 0.2
high 13  260 37 11 4 1 0.2 0.2
high 14  420 56 18 5 1.9 0.3 0.2 0.2
high 15  620 83 27 8 3 0.5 0.2 0.2
high 16  1000 130 26 9 4 2 0.2 0.2 0.2
expert 8  50 4.6 1.1 0.1 0.1
expert 9  100 7.8 1.5 0.2 0.1
expert 10  201 11 2 0.6 0.1 0.1
expert 11  324 16 4 1.1 0.2 0.1
expert 12  619 30 6 1.5 0.4 0.1 0.1
expert 13  1012 52 10 3 0.6 0.1 0.1
expert 14  2369 80 16 3 1.2 0.2 0.1 0.1
expert 15  5000 125 23 6 1.8 0.2 0.1 0.1
expert 16  10000 216 26 7 2.5 1.1 0.1 0.1 0.1
`);

export const plinko1 = rules("plinko", { rows: whole(8n, 16n, 16n), risk: word("medium", "low", "high", "expert") }, ({ rows, risk }, draws) => {
  const path = Array.from({ length: Number(rows) }, () => draws.pick(2n)); // 0 is left, 1 right
  const bucket = path.reduce((sum, step) => sum + step, 0n);
  const nearer = bucket < rows - bucket ? bucket : rows - bucket; // both sides pay the same
  return { outcome: { path: path.map((step) => Decimal.of(step)), bucket: Decimal.of(bucket) }, multiplier: PAYS.get(`${risk} ${rows}`)![Number(nearer)]! };
});
