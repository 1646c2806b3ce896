import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import { numbers, rules, unplayable, whole } from "../rules.js";
import { among, checkBound, maxMultiplier, passes, stepped } from "../stepped.js";
const TILES = 25n;
/** The number of ways to choose b of a things. */
function choose(a, b) {
    let ways = 1n;
    for (let i = 1n; i <= b; i++)
        ways = (ways * (a - b + i)) / i;
    return ways;
}
/** The value of a round after some safe tiles, in ten thousandths. */
function worth(mines, opened) {
    return (9900n * choose(TILES, opened)) / choose(TILES - mines, opened);
}
const atOnce = rules("mines", { mines: whole(1n, 24n, 3n), picks: numbers(24, 24n, [0n]) }, ({ mines, picks }, draws) => {
    const picked = BigInt(picks.length);
    if (picked > TILES - mines)
        throw unplayable("picks", "are more than tiles without a mine");
    const drawn = draws.without(Number(TILES), Number(mines));
    const wins = !picks.some((pick) => drawn.includes(pick));
    return { outcome: { mines: drawn.map((one) => Decimal.of(one)) }, multiplier: Decimal.of(wins ? worth(mines, picked) : 0n, 4) };
});
function* clicks({ mines, maxMultiplier: most }, draws) {
    const after = (tiles) => new Fraction(worth(mines, BigInt(tiles)), 10000n);
    checkBound(after(1), most);
    const drawn = draws.without(Number(TILES), Number(mines));
    const opened = [];
    const ended = (multiplier) => ({ outcome: { opened: opened.map((one) => Decimal.of(one)), mines: drawn.map((one) => Decimal.of(one)) }, multiplier });
    while (BigInt(opened.length) < TILES - mines && !passes(after(opened.length + 1), most)) {
        const closed = Array.from({ length: Number(TILES) }, (_, tile) => BigInt(tile)).filter((tile) => !opened.includes(tile));
        const action = yield { open: { tile: among(closed) }, cashOut: {} };
        if (action.type === "cashOut")
            break;
        opened.push(action.tile);
        if (drawn.includes(action.tile))
            return ended(Decimal.of(0n));
    }
    return ended(Decimal.of(worth(mines, BigInt(opened.length)), 4));
}
export const mines1 = { ...atOnce, ...stepped("mines", { mines: whole(1n, 24n, 3n), maxMultiplier }, clicks, ({ mines }) => new Fraction(worth(mines, TILES - mines), 10000n)) };
