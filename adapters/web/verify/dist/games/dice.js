import { Decimal } from "../decimal.js";
import { hundredths, rules, unplayable, word } from "../rules.js";
const LEAST_PAID = 10100n; // 1.01 in ten thousandths
export const dice1 = rules("dice", { target: hundredths(1n, 9999n, 5000n), direction: word("over", "under") }, ({ target, direction }, draws) => {
    const ways = direction === "over" ? 10000n - target : target;
    const pays = 99000000n / ways; // in ten thousandths
    if (pays < LEAST_PAID)
        throw unplayable("target", "pays less than 1.01");
    const roll = draws.pick(10001n); // in hundredths
    const wins = direction === "over" ? roll > target : roll < target;
    return { outcome: { roll: Decimal.of(roll, 2) }, multiplier: Decimal.of(wins ? pays : 0n, 4) };
});
