import { Decimal } from "../decimal.js";
import { hundredths, rules } from "../rules.js";

export const limbo1 = rules("limbo", { target: hundredths(101n, 1000000n, 200n) }, ({ target }, draws) => {
  const n = (draws.next() >> 8n) + 1n; // the upper 24 bits, and one
  const fair = (99n << 24n) / n; // in hundredths
  const multiplier = fair > 100n ? fair : 100n;
  return { outcome: { multiplier: Decimal.of(multiplier, 2) }, multiplier: Decimal.of(multiplier >= target ? target : 0n, 2) };
});
