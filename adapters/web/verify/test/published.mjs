// Recomputes rounds published by other houses, given as a file of rows: by our games if the rules
// are the same, else by our draws. Prints how many rows of each scheme match; fails if one doesn't,
// or if a scheme has none or is unknown.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ascii, block, commitment, crashPoint, Draws, games, hmacSha256, parse, recompute, stringify } from "../dist/index.js";

function played(rules, config, { serverSeed, clientSeed, nonce }, actions = null) {
  if (!/^[0-9a-f]{64}$/.test(serverSeed)) {
    // Seeds of another form are drawn from alike, and refused as a round's.
    assert.throws(() => recompute({ rules, config, serverSeed, clientSeed, nonce, actions }), /64 hexadecimal digits/);
    const [game, draws] = [games.get(rules), new Draws(serverSeed, clientSeed, BigInt(nonce))];
    const { outcome } = actions === null ? game.play(parse(config), draws) : game.take(parse(config), draws, parse(actions));
    return JSON.parse(stringify(outcome));
  }
  return JSON.parse(stringify(recompute({ rules, config, serverSeed, clientSeed, nonce, actions }).outcome));
}

const OUT = '{"type":"cashOut"}';

/** The mines of a round in one call, and of a step-by-step round that opens the only safe tile. */
function mines(row) {
  const left = Array.from({ length: 25 }, (_, tile) => tile).find((tile) => !row.expected.includes(tile));
  assert.deepEqual(played("mines/1", '{"mines":24}', row, `[{"type":"open","tile":${left}}]`).mines, row.expected);
  return played("mines/1", '{"mines":24}', row).mines;
}

function levels(row) {
  const config = JSON.stringify({ difficulty: row.difficulty });
  assert.deepEqual(played("dragontower/1", config, row, `[${OUT}]`).levels, row.expected);
  return played("dragontower/1", config, row).levels;
}

function bytes({ serverSeed, clientSeed, nonce, offset = 0, expected }) {
  const stream = Array.from({ length: 8 }, (_, cursor) => [...block(serverSeed, clientSeed, BigInt(nonce), cursor)]).flat();
  return stream.slice(offset, offset + expected.length);
}

const SHARE = 2n ** 32n;

function drawsOf({ serverSeed, clientSeed, nonce }) {
  return new Draws(serverSeed, clientSeed, BigInt(nonce));
}

/** Some draws from an offset on. */
function wholes(row, count) {
  const draws = drawsOf(row);
  return Array.from({ length: (row.offset ?? 0) + count }, () => draws.next()).slice(row.offset ?? 0);
}

function crashDraw({ gameHash, salt }) {
  return BigInt("0x" + Buffer.from(hmacSha256(ascii(gameHash), ascii(salt))).subarray(0, 4).toString("hex"));
}

/** Crash before it is rounded down, and a game with another house's edge: published as doubles. */
function crashed(row, hundredths) {
  const point = Number((10n ** 18n * hundredths * SHARE) / (100n * (crashDraw(row) + 1n))) / 1e18;
  assert.ok(Math.abs(Math.max(1, point) / row.expected - 1) < 1e-15);
}

/** Where the reels of another house's slots stop, in each spin of a round. */
function stops(row) {
  const draws = drawsOf(row);
  return row.expected.map(() => [30n, 30n, 30n, 30n, 41n].map((length) => Number(draws.pick(length))));
}

/** Two hands of diamonds, whose pink is called orange there. */
function gems(row) {
  const draws = drawsOf(row);
  const hand = () => JSON.parse(stringify(games.get("diamonds/1").play({}, draws).outcome)).gems;
  return [...hand(), ...hand()].map((gem) => gem.replace("pink", "orange"));
}

const NAMES = "TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING ACE".split(" ");
const SUITS = ["DIAMOND", "HEART", "SPADE", "CLUB"];

/** A card by its number, as some publish it. */
function spelled(place) {
  return `${NAMES[place >> 2]} ${SUITS[place & 3]}`;
}

/** A card in another notation: 10-heart. */
function dashed(place) {
  return `${RANKS[place >> 2]}-${SUITS[place & 3].toLowerCase()}`;
}

// There crash is drawn from a chain of hashes; the formula for a draw is ours.
function crash(row) {
  const k = crashDraw(row);
  const point = Number(crashPoint(row.gameHash, row.salt)) / 100;
  const { outcome } = games.get("crash/1").play({}, { next: () => k, pick: () => assert.fail() });
  assert.equal(Number(String(outcome.crash)), point);
  return point;
}

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** Cards in another notation: 4 times the rank, plus the suit. */
function places(cards) {
  return cards.map((one) => RANKS.indexOf(one.slice(0, -1)) * 4 + "dhsc".indexOf(one.at(-1)));
}

function hiloPlaces(row) {
  const skips = row.expected.slice(1).map(() => '{"type":"skip"},');
  return places(played("hilo/1", "{}", row, `[${skips.join("")}${OUT}]`).cards);
}

/** As many cards as were published, from an infinite deck. */
function cardPlaces(row) {
  const draws = drawsOf(row);
  return row.expected.map(() => Number(draws.pick(52n)));
}

function hilo(row) {
  assert.deepEqual(hiloPlaces(row), row.expected);
  const guesses = ["higher", ...row.expected.map(() => "skip")].slice(0, 15);
  return places(played("hilo/1", JSON.stringify({ guesses }), row).cards).slice(0, row.expected.length);
}

function baccarat(row) {
  const { player, banker } = played("baccarat/1", "{}", row);
  return places([...player.slice(0, 2), ...banker.slice(0, 2), ...player.slice(2), ...banker.slice(2)]);
}

/** The player's cards, the dealer's, and the cards taken; a player who stands takes none. */
function blackjack(row) {
  let shown;
  try {
    shown = played("blackjack/1", "{}", row, "[]");
  } catch {
    shown = played("blackjack/1", "{}", row, '[{"type":"stand"}]');
  }
  const cards = places([...shown.hands[0], ...shown.dealer]);
  const together = Math.min(cards.length, row.expected.length);
  assert.ok(together >= 4);
  assert.deepEqual(cards.slice(0, together), row.expected.slice(0, together));
}

/** The cards that are dealt, and their replacements if none is held. */
function videoPoker(row) {
  const { dealt, cards } = played("videopoker/1", "{}", row, '[{"type":"draw","hold":[]}]');
  return places([...dealt, ...cards]);
}

const schemes = {
  "stake.dice": (row) => assert.equal(played("dice/1", "{}", row).roll, Number(row.expected)),
  "stake.limbo.v2": (row) => assert.equal(played("limbo/1", "{}", row).multiplier, Number(row.expected)),
  "stake.crash": (row) => assert.equal(crash(row), Number(row.expected)),
  "stake.flip": (row) => assert.equal(played("coinflip/1", '{"flips":20}', row).flips.map((side) => side[0].toUpperCase()).join(""), row.expected),
  "stake.roulette": (row) => assert.equal(played("roulette/1", "{}", row).number, row.expected),
  "stake.wheel": (row) => assert.equal(played("wheel/1", `{"segments":${row.expected.segments}}`, row).index, row.expected.result),
  "stake.keno": (row) => assert.deepEqual(played("keno/1", "{}", row).draws, row.expected),
  "stake.mines": (row) => assert.deepEqual(mines(row), row.expected),
  "stake.plinko.directions": (row) => assert.deepEqual(played("plinko/1", "{}", row).path, row.expected.map((way) => (way === "R" ? 1 : 0))),
  "stake.baccarat": (row) => assert.deepEqual(baccarat(row), row.expected),
  "stake.blackjack": blackjack,
  "stake.videopoker": (row) => assert.deepEqual(videoPoker(row), row.expected),
  "stake.hilo": (row) => assert.deepEqual(hilo(row), row.expected),
  "stake.diamonds": (row) => assert.deepEqual(played("diamonds/1", "{}", row).gems, row.expected.map((gem) => gem.toLowerCase())),
  "stake.dragontower": (row) => assert.deepEqual(levels(row), row.expected),
  "stake.limbo.v1": (row) => assert.equal(Number((99n * SHARE) / wholes(row, 1)[0]) / 100, Number(row.expected)),
  "stake.crash.raw": (row) => crashed(row, 99n),
  "stake.slide.raw": (row) => crashed(row, 98n),
  "stake.slots.scarab": (row) => assert.deepEqual(stops(row), row.expected),
  "stake.diamondpoker": (row) => assert.deepEqual(gems(row), row.expected),
  "stake.wheel.index": (row) => assert.equal(played("wheel/1", `{"segments":${row.segments}}`, row).index, row.expected),
  "stake.plinko.index": (row) => assert.equal(played("plinko/1", JSON.stringify({ rows: row.rows, risk: row.risk }), row).bucket, row.expected),
  "stake.keno.1based": (row) => assert.deepEqual(played("keno/1", "{}", row).draws.map((number) => number + 1), row.expected),
  "stake.mines.1based.sorted24": (row) => assert.deepEqual(played("mines/1", '{"mines":24}', row).mines.map((tile) => tile + 1).sort((a, b) => a - b), row.expected),
  "stake.videopoker.cards": (row) => assert.deepEqual(videoPoker(row).map(spelled), row.expected),
  "stake.hilo.cards": (row) => assert.deepEqual(hiloPlaces(row).map(dashed), row.expected),
  "stake.cards.infinite": (row) => assert.deepEqual(cardPlaces(row).map(spelled), row.expected),
  "stake.floats": (row) => wholes(row, row.expected.length).forEach((k, i) => assert.ok(Math.abs(Number(k) / 2 ** 32 - row.expected[i]) < 0.6e-12)),
  "chain.sha256hex": (row) => assert.equal(commitment(row.hash), row.expected),
  "stake.bytes": (row) => assert.deepEqual(bytes(row), row.expected),
  "commit.sha256utf8": (row) => assert.equal(commitment(row.serverSeed), row.expected),
};
const seen = {};
for (const row of JSON.parse(readFileSync(process.argv[2], "utf8")).vectors) {
  assert.ok(row.scheme in schemes, `${row.scheme} is not known here`);
  schemes[row.scheme](row);
  seen[row.scheme] = (seen[row.scheme] ?? 0) + 1;
}
for (const scheme of Object.keys(schemes)) assert.ok(seen[scheme], `no row of ${scheme}`);
console.log(JSON.stringify(seen));
