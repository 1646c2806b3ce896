// The curve of the shared crash (docs/fairness/shared-crash.md): the multiplier of each millisecond
// in hundredths, computed with integers as far as it is asked for.
const GROWTH = 1106837849225996n; // ⌊(e^0.00006 - 1) · 2^64⌋
const MAX = 100_000_000;
const table = [100];
let x = 100n << 64n;
function extend(enough) {
    for (let last = table[table.length - 1]; last < MAX && !enough(last); table.push(last)) {
        x += (x * GROWTH) >> 64n;
        last = Number(x >> 64n);
        if (last > MAX)
            last = MAX;
    }
}
/** The curve's height in hundredths, t whole milliseconds after the start: 100 before it, 100,000,000
 * after the table's end. */
export function crashMultiplierAt(t) {
    if (t <= 0)
        return 100;
    extend(() => table.length > t);
    return table[t] ?? MAX;
}
/** The first millisecond at which the curve is at or above a height in hundredths. */
export function crashTimeOf(height) {
    const aim = height < MAX ? height : MAX;
    extend((last) => last >= aim);
    let [low, high] = [0, table.length - 1];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (table[middle] < aim)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/** The millisecond at which the curve of a round ends: the first at which it is above the point, or
 * at the cap. */
export function crashEndOf(point, cap) {
    return crashTimeOf(point < cap ? point + 1 : cap);
}
