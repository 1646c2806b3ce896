import { Decimal } from "../decimal.js";
import { rules, whole, word } from "../rules.js";
export const coinflip1 = rules("coinflip", { side: word("heads", "tails"), flips: whole(1n, 20n, 1n) }, ({ side, flips }, draws) => {
    // All flips are drawn, also after a losing one.
    const shows = (pick) => (pick === 1n ? "heads" : "tails");
    const shown = Array.from({ length: Number(flips) }, () => shows(draws.pick(2n, shows)));
    const wins = shown.every((one) => one === side);
    return { outcome: { flips: shown }, multiplier: Decimal.of(wins ? 99n << flips : 0n, 2) };
});
