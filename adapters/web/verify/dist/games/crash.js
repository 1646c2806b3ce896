import { Decimal } from "../decimal.js";
import { hundredths, rules } from "../rules.js";
export const crash1 = rules("crash", { cashout: hundredths(101n, 100000000n, 200n) }, ({ cashout }, draws) => {
    const fair = (99n << 32n) / (draws.next() + 1n); // in hundredths
    const crash = fair > 100n ? fair : 100n;
    return { outcome: { crash: Decimal.of(crash, 2) }, multiplier: Decimal.of(crash >= cashout ? cashout : 0n, 2) };
});
