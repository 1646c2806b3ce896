import { Decimal } from "../decimal.js";
import { rules, unplayable, whole, word } from "../rules.js";
import { table, type Table } from "../tables.js";

// Risk and segments, then the payouts of the segments from 0.
const PAYS: Table = table(`
low 10  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium 10  0 1.9 0 1.5 0 2 0 1.5 0 3
high 10  0 0 0 0 0 0 0 0 0 9.9
low 20  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium 20  1.5 0 2 0 2 0 2 0 1.5 0 3 0 1.8 0 2 0 2 0 2 0
high 20  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 19.8
low 30  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium 30  1.5 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.7 0 4 0 1.5 0 2 0
high 30  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 29.7
low 40  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium 40  2 0 3 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.6 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0
high 40  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 39.6
low 50  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium 50  2 0 1.5 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 1.5 0 5 0 1.5 0 2 0 1.5 0
high 50  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 49.5
`);

export const wheel1 = rules("wheel", { segments: whole(10n, 50n, 10n), risk: word("low", "medium", "high") }, ({ segments, risk }, draws) => {
  const pays = PAYS.get(`${risk} ${segments}`);
  if (pays === undefined) throw unplayable("segments", "must be one of 10, 20, 30, 40, 50");
  const index = draws.pick(segments);
  return { outcome: { index: Decimal.of(index) }, multiplier: pays[Number(index)]! };
});
