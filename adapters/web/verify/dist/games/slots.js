import { Decimal } from "../decimal.js";
import { rules } from "../rules.js";
// Five reels of 32 stops, from stop 0; the first follows the last.
const REELS = [
    "PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
    "PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
    "LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
    "GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
    "SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
];
const ROWS = 3;
const WILD = "W";
const SCATTER = "*";
// The payouts of three, four and five, in tenths of a wager.
const SYMBOLS = {
    D: { name: "diamond", pays: [80n, 300n, 1000n] },
    C: { name: "crown", pays: [50n, 150n, 750n] },
    S: { name: "seven", pays: [20n, 70n, 250n] },
    B: { name: "bell", pays: [15n, 50n, 200n] },
    G: { name: "grapes", pays: [10n, 30n, 100n] },
    P: { name: "plum", pays: [8n, 20n, 60n] },
    L: { name: "lemon", pays: [5n, 12n, 50n] },
    [WILD]: { name: "wild", pays: [0n, 0n, 0n] },
    [SCATTER]: { name: "scatter", pays: [20n, 100n, 500n] },
};
const FREE_SPINS = [8, 10, 12]; // of three, four and five scatters
// The row of each line on each reel, 0 at the top.
const LINES = ["11111", "00000", "22222", "01210", "21012", "00122", "22100", "10001", "12221", "01110"];
/** One spin of five stops; its payouts are multiplied by times. */
function spin(draws, times) {
    const stops = REELS.map((reel) => Number(draws.pick(BigInt(reel.length))));
    const rows = Array.from({ length: ROWS }, (_, row) => REELS.map((reel, i) => reel[(stops[i] + row) % reel.length]));
    const lines = [];
    let tenths = 0n;
    function pay(line, letter, count) {
        const worth = (SYMBOLS[letter].pays[count - 3] ?? 0n) * times;
        if (worth === 0n)
            return;
        tenths += worth;
        lines.push({ line: Decimal.of(BigInt(line)), symbol: SYMBOLS[letter].name, count: Decimal.of(BigInt(count)), pays: Decimal.of(worth, 1) });
    }
    LINES.forEach((line, i) => {
        const letters = Array.from(line, (row, reel) => rows[Number(row)][reel]);
        const symbol = letters[0];
        if (symbol === SCATTER)
            return;
        const end = letters.findIndex((letter) => letter !== symbol && letter !== WILD);
        pay(i + 1, symbol, end < 0 ? letters.length : end);
    });
    const scatters = rows.flat().filter((letter) => letter === SCATTER).length;
    pay(0, SCATTER, scatters);
    const window = rows.map((row) => row.map((letter) => SYMBOLS[letter].name));
    return { shown: { stops: stops.map((stop) => Decimal.of(BigInt(stop))), window, lines }, tenths, scatters };
}
export const slots1 = rules("slots", {}, (_, draws) => {
    const paid = spin(draws, 1n);
    // Free spins pay twice and give no further ones.
    const free = Array.from({ length: FREE_SPINS[paid.scatters - 3] ?? 0 }, () => spin(draws, 2n));
    const tenths = free.reduce((sum, one) => sum + one.tenths, paid.tenths);
    return { outcome: { ...paid.shown, freeSpins: free.map((one) => one.shown) }, multiplier: Decimal.of(tenths, 1) };
});
