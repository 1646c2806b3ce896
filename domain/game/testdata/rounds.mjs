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

// What buckets pay from the left edge, by risk and rows.
const buckets = {
  low: {
    8: [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6],
    9: [5.6, 2, 1.6, 1, 0.7, 0.7, 1, 1.6, 2, 5.6],
    10: [8.9, 3, 1.4, 1.1, 1, 0.5, 1, 1.1, 1.4, 3, 8.9],
    11: [8.4, 3, 1.9, 1.3, 1, 0.7, 0.7, 1, 1.3, 1.9, 3, 8.4],
    12: [10, 3, 1.6, 1.4, 1.1, 1, 0.5, 1, 1.1, 1.4, 1.6, 3, 10],
    13: [8.1, 4, 3, 1.9, 1.2, 0.9, 0.7, 0.7, 0.9, 1.2, 1.9, 3, 4, 8.1],
    14: [7.1, 4, 1.9, 1.4, 1.3, 1.1, 1, 0.5, 1, 1.1, 1.3, 1.4, 1.9, 4, 7.1],
    15: [15, 8, 3, 2, 1.5, 1.1, 1, 0.7, 0.7, 1, 1.1, 1.5, 2, 3, 8, 15],
    16: [16, 9, 2, 1.4, 1.4, 1.2, 1.1, 1, 0.5, 1, 1.1, 1.2, 1.4, 1.4, 2, 9, 16],
  },
  medium: {
    8: [13, 3, 1.3, 0.7, 0.4, 0.7, 1.3, 3, 13],
    9: [18, 4, 1.7, 0.9, 0.5, 0.5, 0.9, 1.7, 4, 18],
    10: [22, 5, 2, 1.4, 0.6, 0.4, 0.6, 1.4, 2, 5, 22],
    11: [24, 6, 3, 1.8, 0.7, 0.5, 0.5, 0.7, 1.8, 3, 6, 24],
    12: [33, 11, 4, 2, 1.1, 0.6, 0.3, 0.6, 1.1, 2, 4, 11, 33],
    13: [43, 13, 6, 3, 1.3, 0.7, 0.4, 0.4, 0.7, 1.3, 3, 6, 13, 43],
    14: [58, 15, 7, 4, 1.9, 1, 0.5, 0.2, 0.5, 1, 1.9, 4, 7, 15, 58],
    15: [88, 18, 11, 5, 3, 1.3, 0.5, 0.3, 0.3, 0.5, 1.3, 3, 5, 11, 18, 88],
    16: [110, 41, 10, 5, 3, 1.5, 1, 0.5, 0.3, 0.5, 1, 1.5, 3, 5, 10, 41, 110],
  },
  high: {
    8: [29, 4, 1.5, 0.3, 0.2, 0.3, 1.5, 4, 29],
    9: [43, 7, 2, 0.6, 0.2, 0.2, 0.6, 2, 7, 43],
    10: [76, 10, 3, 0.9, 0.3, 0.2, 0.3, 0.9, 3, 10, 76],
    11: [120, 14, 5.2, 1.4, 0.4, 0.2, 0.2, 0.4, 1.4, 5.2, 14, 120],
    12: [170, 24, 8.1, 2, 0.7, 0.2, 0.2, 0.2, 0.7, 2, 8.1, 24, 170],
    13: [260, 37, 11, 4, 1, 0.2, 0.2, 0.2, 0.2, 1, 4, 11, 37, 260],
    14: [420, 56, 18, 5, 1.9, 0.3, 0.2, 0.2, 0.2, 0.3, 1.9, 5, 18, 56, 420],
    15: [620, 83, 27, 8, 3, 0.5, 0.2, 0.2, 0.2, 0.2, 0.5, 3, 8, 27, 83, 620],
    16: [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000],
  },
  expert: {
    8: [50, 4.6, 1.1, 0.1, 0.1, 0.1, 1.1, 4.6, 50],
    9: [100, 7.8, 1.5, 0.2, 0.1, 0.1, 0.2, 1.5, 7.8, 100],
    10: [201, 11, 2, 0.6, 0.1, 0.1, 0.1, 0.6, 2, 11, 201],
    11: [324, 16, 4, 1.1, 0.2, 0.1, 0.1, 0.2, 1.1, 4, 16, 324],
    12: [619, 30, 6, 1.5, 0.4, 0.1, 0.1, 0.1, 0.4, 1.5, 6, 30, 619],
    13: [1012, 52, 10, 3, 0.6, 0.1, 0.1, 0.1, 0.1, 0.6, 3, 10, 52, 1012],
    14: [2369, 80, 16, 3, 1.2, 0.2, 0.1, 0.1, 0.1, 0.2, 1.2, 3, 16, 80, 2369],
    15: [5000, 125, 23, 6, 1.8, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 1.8, 6, 23, 125, 5000],
    16: [10000, 216, 26, 7, 2.5, 1.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1.1, 2.5, 7, 26, 216, 10000],
  },
};
// What hits pay from none, by risk and numbers picked.
const hitPays = {
  classic: {
    1: [0, 3.96],
    2: [0, 1.9, 4.5],
    3: [0, 1, 3.1, 10.4],
    4: [0, 0.8, 1.8, 5, 22.5],
    5: [0, 0.25, 1.4, 4.1, 16.5, 36],
    6: [0, 0, 1, 3.68, 7, 16.5, 40],
    7: [0, 0, 0.47, 3, 4.5, 14, 31, 60],
    8: [0, 0, 0, 2.2, 4, 13, 22, 55, 70],
    9: [0, 0, 0, 1.55, 3, 8, 15, 44, 60, 85],
    10: [0, 0, 0, 1.4, 2.25, 4.5, 8, 17, 50, 80, 100],
  },
  low: {
    1: [0.7, 1.85],
    2: [0, 2, 3.8],
    3: [0, 1.1, 1.38, 26],
    4: [0, 0, 2.2, 7.9, 90],
    5: [0, 0, 1.5, 4.2, 13, 300],
    6: [0, 0, 1.1, 2, 6.2, 100, 700],
    7: [0, 0, 1.1, 1.6, 3.5, 15, 225, 700],
    8: [0, 0, 1.1, 1.5, 2, 5.5, 39, 100, 800],
    9: [0, 0, 1.1, 1.3, 1.7, 2.5, 7.5, 50, 250, 1000],
    10: [0, 0, 1.1, 1.2, 1.3, 1.8, 3.5, 13, 50, 250, 1000],
  },
  medium: {
    1: [0.4, 2.75],
    2: [0, 1.8, 5.1],
    3: [0, 0, 2.8, 50],
    4: [0, 0, 1.7, 10, 100],
    5: [0, 0, 1.4, 4, 14, 390],
    6: [0, 0, 0, 3, 9, 180, 710],
    7: [0, 0, 0, 2, 7, 30, 400, 800],
    8: [0, 0, 0, 2, 4, 11, 67, 400, 900],
    9: [0, 0, 0, 2, 2.5, 5, 15, 100, 500, 1000],
    10: [0, 0, 0, 1.6, 2, 4, 7, 26, 100, 500, 1000],
  },
  high: {
    1: [0, 3.96],
    2: [0, 0, 17.1],
    3: [0, 0, 0, 81.5],
    4: [0, 0, 0, 10, 259],
    5: [0, 0, 0, 4.5, 48, 450],
    6: [0, 0, 0, 0, 11, 350, 710],
    7: [0, 0, 0, 0, 7, 90, 400, 800],
    8: [0, 0, 0, 0, 5, 20, 270, 600, 900],
    9: [0, 0, 0, 0, 4, 11, 56, 500, 800, 1000],
    10: [0, 0, 0, 0, 3.5, 8, 13, 63, 500, 800, 1000],
  },
};
// What segments pay with medium risk.
const middleWheels = {
  10: [0, 1.9, 0, 1.5, 0, 2, 0, 1.5, 0, 3],
  20: [1.5, 0, 2, 0, 2, 0, 2, 0, 1.5, 0, 3, 0, 1.8, 0, 2, 0, 2, 0, 2, 0],
  30: [1.5, 0, 1.5, 0, 2, 0, 1.5, 0, 2, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 2, 0, 2, 0, 1.7, 0, 4, 0, 1.5, 0, 2, 0],
  40: [2, 0, 3, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 1.5, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 2, 0, 2, 0, 1.6, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 2, 0, 1.5, 0],
  50: [2, 0, 1.5, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 1.5, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 2, 0, 1.5, 0, 2, 0, 2, 0, 1.5, 0, 3, 0, 1.5, 0, 2, 0, 1.5, 0, 1.5, 0, 5, 0, 1.5, 0, 2, 0, 1.5, 0],
};

// without draws count of the numbers below n, none of them twice.
function without(draws, n, count) {
  const left = Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: count }, () => left.splice(draws.pick(left.length), 1)[0]);
}

function ways(n, k) {
  let product = 1n;
  for (let i = 1n; i <= BigInt(k); i++) product = (product * (BigInt(n) - i + 1n)) / i;
  return product;
}

// fraction writes a number as an exact decimal, or as a fraction in lowest terms.
function fraction(above, below) {
  let [a, b] = [above, below];
  while (b > 0n) [a, b] = [b, a % b];
  const [top, bottom] = [above / a, below / a];
  for (let places = 0n; places < 20n; places++) {
    if (10n ** places % bottom === 0n) return decimal((top * 10n ** places) / bottom, Number(places)).replace(/\.0*$/, "");
  }
  return `${top}/${bottom}`;
}

function mines(draws, { mines: count, picks }) {
  const hidden = without(draws, 25, count);
  const lost = picks.some((tile) => hidden.includes(tile));
  const prize = (9900n * ways(25, picks.length)) / ways(25 - count, picks.length);
  return { outcome: { mines: hidden }, multiplier: lost ? "0" : decimal(prize, 4) };
}

function plinko(draws, { rows, risk }) {
  const path = Array.from({ length: rows }, () => draws.pick(2));
  const bucket = path.filter((turn) => turn === 1).length;
  return { outcome: { path, bucket }, multiplier: String(buckets[risk][rows][bucket]) };
}

function keno(draws, { picks, risk }) {
  const drawn = without(draws, 40, 10);
  const hits = picks.filter((number) => drawn.includes(number)).length;
  return { outcome: { draws: drawn, hits }, multiplier: String(hitPays[risk][picks.length][hits]) };
}

function wheel(draws, { segments, risk }) {
  const index = draws.pick(segments);
  const pays = {
    low: [1.5, 1.2, 1.2, 1.2, 0, 1.2, 1.2, 1.2, 1.2, 0][index % 10],
    medium: middleWheels[segments][index],
    high: index === segments - 1 ? (segments * 99) / 100 : 0,
  };
  return { outcome: { index }, multiplier: String(pays[risk]) };
}

const reds = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];
const covers = {
  red: (n) => reds.includes(n), black: (n) => n > 0 && !reds.includes(n),
  odd: (n) => n % 2 === 1, even: (n) => n > 0 && n % 2 === 0, low: (n) => n >= 1 && n <= 18, high: (n) => n >= 19,
  dozen1: (n) => n >= 1 && n <= 12, dozen2: (n) => n >= 13 && n <= 24, dozen3: (n) => n >= 25,
  column1: (n) => n % 3 === 1, column2: (n) => n % 3 === 2, column3: (n) => n > 0 && n % 3 === 0,
};

function roulette(draws, { bets }) {
  const number = draws.pick(37);
  let [paid, total] = [0n, 0n];
  for (const { type, numbers, amount } of bets) {
    const on = numbers ? (n) => numbers.includes(n) : covers[type];
    const count = Array.from({ length: 37 }, (_, n) => n).filter(on).length;
    total += BigInt(amount);
    if (on(number)) paid += BigInt((36 / count) * amount);
  }
  return { outcome: { number }, multiplier: fraction(paid, total) };
}

const colours = ["green", "purple", "yellow", "red", "cyan", "pink", "blue"];

function diamonds(draws) {
  const gems = Array.from({ length: 5 }, () => colours[draws.pick(7)]);
  const alike = colours.map((colour) => gems.filter((gem) => gem === colour).length).sort().reverse();
  const [hand, pays] = {
    50: ["five of a kind", 50], 41: ["four of a kind", 5], 32: ["full house", 4], 31: ["three of a kind", 3],
    22: ["two pairs", 2], 21: ["pair", 0.1], 11: ["none", 0],
  }[`${alike[0]}${alike[1]}`];
  return { outcome: { gems, hand }, multiplier: String(pays) };
}

const ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const card = (draws) => draws.pick(52);
const shown = (card) => ranks[Math.floor(card / 4)] + "dhsc"[card % 4];
const points = (hand) => hand.reduce((sum, one) => sum + [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1][Math.floor(one / 4)], 0) % 10;

function baccarat(draws, { bets }) {
  const player = [card(draws), card(draws)];
  const banker = [card(draws), card(draws)];
  if (points(player) < 8 && points(banker) < 8) {
    let limit = 5;
    if (points(player) < 6) {
      player.push(card(draws));
      // The most on which the banker draws, by the player's third card.
      limit = [3, 3, 4, 4, 5, 5, 6, 6, 2, 3][points(player.slice(2))];
    }
    if (points(banker) <= limit) banker.push(card(draws));
  }
  const lead = points(player) - points(banker);
  const winner = lead > 0 ? "player" : lead < 0 ? "banker" : "tie";
  const pays = { player: { player: 200n, tie: 100n }, banker: { banker: 195n, tie: 100n }, tie: { tie: 900n } };
  const total = bets.reduce((sum, bet) => sum + BigInt(bet.amount), 0n);
  const paid = bets.reduce((sum, bet) => sum + BigInt(bet.amount) * (pays[bet.on][winner] ?? 0n), 0n);
  return { outcome: { player: player.map(shown), banker: banker.map(shown), winner }, multiplier: fraction(paid, total * 100n) };
}

function dragontower(draws, { difficulty, picks }) {
  const [tiles, eggs] = { easy: [4, 3], medium: [3, 2], hard: [2, 1], expert: [3, 1], master: [4, 1] }[difficulty];
  const levels = Array.from({ length: 9 }, () => without(draws, tiles, eggs));
  const climbed = picks.every((tile, level) => levels[level].includes(tile));
  const height = BigInt(picks.length);
  return { outcome: { levels }, multiplier: climbed ? fraction(99n * BigInt(tiles) ** height, 100n * BigInt(eggs) ** height) : "0" };
}

function hilo(draws, { guesses }) {
  const cards = Array.from({ length: guesses.length + 1 }, () => card(draws));
  const all = ranks.map((_, rank) => rank);
  let [above, below, right] = [99n, 100n, 0];
  guesses.forEach((guess, i) => {
    const [now, next] = [Math.floor(cards[i] / 4), Math.floor(cards[i + 1] / 4)];
    const fits = {
      skip: () => true,
      higher: (rank) => (now === 0 ? rank > now : rank >= now),
      lower: (rank) => (now === 12 ? rank < now : rank <= now),
    }[guess];
    if (right === i && fits(next)) right = i + 1;
    if (guess === "skip") return;
    above *= 13n;
    below *= BigInt(all.filter(fits).length);
  });
  return { outcome: { cards: cards.map(shown), right }, multiplier: right === guesses.length ? fraction(above, below) : "0" };
}

const games = { dice, limbo, crash, coinflip, slots, mines, plinko, keno, wheel, roulette, diamonds, baccarat, dragontower, hilo };
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
  ["mines", 12, { mines: 3, picks: [0] }],
  ["mines", 12, { mines: 1, picks: [24, 12, 3, 7, 0] }],
  ["mines", 12, { mines: 24, picks: [13] }],
  ["mines", 12, { mines: 5, picks: [1, 22] }],
  ["plinko", 12, { rows: 16, risk: "medium" }],
  ["plinko", 12, { rows: 8, risk: "expert" }],
  ["plinko", 12, { rows: 11, risk: "low" }],
  ["plinko", 12, { rows: 13, risk: "high" }],
  ["keno", 12, { picks: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], risk: "classic" }],
  ["keno", 12, { picks: [39, 0, 17], risk: "low" }],
  ["keno", 12, { picks: [5], risk: "medium" }],
  ["keno", 12, { picks: [30, 31, 32, 33, 34, 35], risk: "high" }],
  ["wheel", 12, { segments: 10, risk: "low" }],
  ["wheel", 12, { segments: 30, risk: "medium" }],
  ["wheel", 12, { segments: 10, risk: "high" }],
  ["roulette", 12, { bets: [{ type: "red", amount: 1 }] }],
  ["roulette", 12, { bets: [{ type: "straight", numbers: [0], amount: 1 }, { type: "dozen2", amount: 5 }, { type: "column1", amount: 5 }] }],
  ["roulette", 12, {
    bets: [
      { type: "split", numbers: [17, 20], amount: 7 }, { type: "street", numbers: [34, 35, 36], amount: 11 },
      { type: "corner", numbers: [1, 2, 4, 5], amount: 13 }, { type: "line", numbers: [7, 8, 9, 10, 11, 12], amount: 17 },
      { type: "even", amount: 19 }, { type: "high", amount: 23 },
    ],
  }],
  ["diamonds", 24, {}],
  ["baccarat", 12, { bets: [{ on: "player", amount: 1 }] }],
  ["baccarat", 12, { bets: [{ on: "banker", amount: 3 }, { on: "tie", amount: 1 }] }],
  ["baccarat", 12, { bets: [{ on: "tie", amount: 2 }, { on: "player", amount: 5 }, { on: "banker", amount: 4 }] }],
  ["dragontower", 12, { difficulty: "easy", picks: [0, 1, 2, 3, 0] }],
  ["dragontower", 12, { difficulty: "medium", picks: [2, 0] }],
  ["dragontower", 12, { difficulty: "hard", picks: [1] }],
  ["dragontower", 12, { difficulty: "expert", picks: [1] }],
  ["dragontower", 12, { difficulty: "master", picks: [3] }],
  ["hilo", 12, { guesses: ["higher"] }],
  ["hilo", 24, { guesses: ["lower", "skip", "higher"] }],
  ["hilo", 12, { guesses: ["skip", "skip", "lower"] }],
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
