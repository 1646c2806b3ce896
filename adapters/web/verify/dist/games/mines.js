import { Decimal } from "../decimal.js";
import { numbers, rules, unplayable, whole } from "../rules.js";
/** The number of ways to choose b of a things. */
function choose(a, b) {
    let ways = 1n;
    for (let i = 1n; i <= b; i++)
        ways = (ways * (a - b + i)) / i;
    return ways;
}
export const mines1 = rules("mines", { mines: whole(1n, 24n, 3n), picks: numbers(24, 24n, [0n]) }, ({ mines, picks }, draws) => {
    const picked = BigInt(picks.length);
    if (picked > 25n - mines)
        throw unplayable("picks", "are more than tiles without a mine");
    const drawn = draws.without(25, Number(mines));
    const wins = !picks.some((pick) => drawn.includes(pick));
    const pays = (9900n * choose(25n, picked)) / choose(25n - mines, picked); // in ten thousandths
    return { outcome: { mines: drawn.map((one) => Decimal.of(one)) }, multiplier: Decimal.of(wins ? pays : 0n, 4) };
});
