import { cardName, names, numbered } from "../cards.js";
import { Decimal } from "../decimal.js";
import { severalOf, stepped } from "../stepped.js";
const HAND = 5;
const PAYS = {
    "royal flush": 800n, "straight flush": 50n, "four of a kind": 25n, "full house": 9n, flush: 6n, straight: 4n,
    "three of a kind": 3n, "two pairs": 2n, "jacks or better": 1n, none: 0n,
};
// The sizes of groups of equal ranks, largest first.
const ALIKE = { "4,1": "four of a kind", "3,2": "full house", "3,1,1": "three of a kind", "2,2,1": "two pairs" };
const TEN = 8;
const JACK = 9;
/** The best hand of five cards. */
function best(cards) {
    const ranks = cards.map(({ rank }) => rank).sort((a, b) => a - b);
    const lowest = ranks[0];
    const wheel = String(ranks) === "0,1,2,3,12"; // the ace below the 2
    const straight = wheel || ranks.every((rank, i) => rank === lowest + i);
    const flush = cards.every(({ name }) => name.at(-1) === cards[0].name.at(-1));
    if (straight && flush)
        return lowest === TEN ? "royal flush" : "straight flush";
    if (flush)
        return "flush";
    if (straight)
        return "straight";
    const counts = new Map();
    for (const rank of ranks)
        counts.set(rank, (counts.get(rank) ?? 0) + 1);
    const alike = [...counts.values()].sort((a, b) => b - a);
    if (String(alike) === "2,1,1,1")
        return [...counts].some(([rank, count]) => count === 2 && rank >= JACK) ? "jacks or better" : "none";
    return ALIKE[String(alike)] ?? "none";
}
function* draw(_, draws) {
    const ten = draws.without(52, 2 * HAND, cardName).map(numbered);
    const dealt = ten.slice(0, HAND);
    const others = ten.slice(HAND);
    const { hold } = yield { draw: { hold: severalOf(BigInt(HAND)) } };
    const cards = dealt.map((held, place) => (hold.includes(BigInt(place)) ? held : others.shift()));
    const hand = best(cards);
    return { outcome: { dealt: names(dealt), cards: names(cards), hand }, multiplier: Decimal.of(PAYS[hand]) };
}
export const videopoker1 = stepped("videopoker", {}, draw);
