// Makes rounds.json: rounds of every game by an implementation that shares
// nothing with the Go one. Run it in this folder: node rounds.mjs > rounds.json
import { createHash, createHmac } from "node:crypto";

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

class Draws {
  constructor(serverSeed, clientSeed, nonce) {
    this.message = (cursor) => `${clientSeed}:${nonce}:${cursor}`;
    this.key = serverSeed;
    this.cursor = 0;
    this.block = Buffer.alloc(0);
  }
  next() {
    if (this.block.length === 0) {
      this.block = createHmac("sha256", this.key).update(this.message(this.cursor++)).digest();
    }
    const k = this.block.readUInt32BE(0);
    this.block = this.block.subarray(4);
    return BigInt(k);
  }
  // The published form: the floor of a float below n.
  pick(n) {
    return Math.floor((Number(this.next()) / 2 ** 32) * n);
  }
}

// decimal writes units of 10^-places as an exact decimal without trailing zeros.
function decimal(units, places) {
  const digits = units.toString().padStart(places + 1, "0");
  const point = digits.length - places;
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, "");
}

const hundredths = (text) => BigInt(Math.round(Number(text) * 100));

function dice(draws, { target, direction }) {
  const roll = draws.pick(10001);
  const mark = Number(hundredths(target));
  const chance = direction === "over" ? 10000 - mark : mark;
  const won = direction === "over" ? roll > mark : roll < mark;
  return { outcome: { roll: roll / 100 }, multiplier: won ? decimal(99000000n / BigInt(chance), 4) : "0" };
}

function reach(point, target, name) {
  const shown = point < 100n ? 100n : point;
  return {
    outcome: { [name]: Number(decimal(shown, 2)) },
    multiplier: shown >= hundredths(target) ? decimal(hundredths(target), 2) : "0",
  };
}

const limbo = (draws, { target }) => reach((99n * 2n ** 24n) / (draws.next() / 256n + 1n), target, "multiplier");
const crash = (draws, { cashout }) => reach((99n * 2n ** 32n) / (draws.next() + 1n), cashout, "crash");

function coinflip(draws, { side, flips }) {
  const shown = Array.from({ length: flips }, () => (draws.pick(2) === 1 ? "heads" : "tails"));
  const won = shown.every((face) => face === side);
  return { outcome: { flips: shown }, multiplier: won ? decimal(99n * 2n ** BigInt(flips), 2) : "0" };
}

const names = { D: "diamond", C: "crown", S: "seven", B: "bell", G: "grapes", P: "plum", L: "lemon", W: "wild", "*": "scatter" };
const strips = [
  "PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
  "PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
  "LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
  "GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
  "SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
];
// In tenths of the wager, for three, four and five.
const pays = {
  diamond: [80, 300, 1000], crown: [50, 150, 750], seven: [20, 70, 250], bell: [15, 50, 200],
  grapes: [10, 30, 100], plum: [8, 20, 60], lemon: [5, 12, 50], scatter: [20, 100, 500],
};
const rowsOfLines = ["11111", "00000", "22222", "01210", "21012", "00122", "22100", "10001", "12221", "01110"];

function spin(draws, factor) {
  const stops = strips.map(() => draws.pick(32));
  const columns = strips.map((strip, reel) => [...(strip + strip).slice(stops[reel], stops[reel] + 3)].map((c) => names[c]));
  const window = [0, 1, 2].map((row) => columns.map((column) => column[row]));
  const lines = [];
  const pay = (line, symbol, count) => {
    if (count >= 3) lines.push({ line, symbol, count, tenths: pays[symbol][count - 3] * factor });
  };
  rowsOfLines.forEach((rows, i) => {
    const faces = [...rows].map((row, reel) => columns[reel][row]);
    if (faces[0] === "scatter") return;
    const end = faces.findIndex((face) => face !== faces[0] && face !== "wild");
    pay(i + 1, faces[0], end < 0 ? 5 : end);
  });
  const scatters = window.flat().filter((face) => face === "scatter").length;
  pay(0, "scatter", scatters);
  const tenths = lines.reduce((sum, line) => sum + line.tenths, 0);
  const shown = lines.map(({ line, symbol, count, tenths }) => ({ line, symbol, count, pays: tenths / 10 }));
  return { scatters, tenths, outcome: { stops, window, lines: shown } };
}

function slots(draws) {
  const paid = spin(draws, 1);
  const count = { 3: 8, 4: 10, 5: 12 }[paid.scatters] ?? 0;
  const free = Array.from({ length: count }, () => spin(draws, 2));
  const tenths = free.reduce((sum, one) => sum + one.tenths, paid.tenths);
  return {
    outcome: { ...paid.outcome, freeSpins: free.map((one) => one.outcome) },
    multiplier: decimal(BigInt(tenths), 1),
  };
}

const games = { dice, limbo, crash, coinflip, slots };
const configs = [
  ["dice", 12, { target: "50.00", direction: "over" }],
  ["dice", 12, { target: "98.01", direction: "under" }],
  ["dice", 12, { target: "1.99", direction: "over" }],
  ["dice", 12, { target: "33.33", direction: "under" }],
  ["limbo", 12, { target: "1.01" }],
  ["limbo", 12, { target: "2.00" }],
  ["limbo", 12, { target: "10.25" }],
  ["crash", 12, { cashout: "1.01" }],
  ["crash", 12, { cashout: "2.00" }],
  ["crash", 12, { cashout: "3.50" }],
  ["coinflip", 12, { side: "heads", flips: 1 }],
  ["coinflip", 12, { side: "tails", flips: 2 }],
  ["coinflip", 12, { side: "heads", flips: 20 }],
  ["slots", 400, {}],
];

const rounds = [];
configs.forEach(([game, count, config], i) => {
  const serverSeed = sha256(`rounds of config ${i}`);
  const clientSeed = `client ${i}`;
  for (let nonce = 0; nonce < count; nonce++) {
    const { outcome, multiplier } = games[game](new Draws(serverSeed, clientSeed, nonce), config);
    // Of slots, keep the rounds with free spins and a few others.
    if (game === "slots" && nonce >= 20 && outcome.freeSpins.length === 0) continue;
    rounds.push({ game, config, serverSeed, commitment: sha256(serverSeed), clientSeed, nonce, outcome, multiplier });
  }
});
console.log("[\n" + rounds.map((round) => JSON.stringify(round)).join(",\n") + "\n]");
