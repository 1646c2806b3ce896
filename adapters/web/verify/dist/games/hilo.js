import { card } from "../cards.js";
import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import { listOf, pays, rules, unplayable, word } from "../rules.js";
import { checkBound, maxMultiplier, passes, stepped } from "../stepped.js";
const ACE = 12;
/** The range of ranks of the next card for which a guess is right. */
function rights(guess, rank) {
    if (guess === "skip")
        return [0, ACE];
    if (guess === "higher")
        return [rank === 0 ? 1 : rank, ACE];
    return [0, rank === ACE ? ACE - 1 : rank];
}
const atOnce = rules("hilo", { guesses: listOf(15, word("higher", "lower", "skip"), ["higher"]) }, ({ guesses }, draws) => {
    if (guesses.every((guess) => guess === "skip"))
        throw unplayable("guesses", "are all skips");
    const cards = Array.from({ length: guesses.length + 1 }, () => card(draws));
    let numerator = 99n;
    let denominator = 100n;
    let right = guesses.length;
    guesses.forEach((guess, i) => {
        const [from, to] = rights(guess, cards[i].rank);
        if (guess !== "skip") {
            numerator *= 13n;
            denominator *= BigInt(to - from + 1);
        }
        const next = cards[i + 1].rank;
        if ((next < from || next > to) && i < right)
            right = i;
    });
    const wins = right === guesses.length;
    return { outcome: { cards: cards.map(({ name }) => name), right: Decimal.of(BigInt(right)) }, ...pays(new Fraction(wins ? numerator : 0n, denominator)) };
});
const GUESSES = 15;
const CARDS = 52;
/** The value of a round after a guess that was right for some of the 13 ranks. */
function after({ numerator, denominator }, ranks) {
    return new Fraction(numerator * 13n, denominator * BigInt(ranks));
}
function* guess({ maxMultiplier: most }, draws) {
    let worth = new Fraction(99n, 100n);
    let guesses = 0;
    checkBound(after(worth, 12), most);
    const cards = [card(draws)];
    const ended = (multiplier, right) => ({ outcome: { cards: cards.map(({ name }) => name), right: Decimal.of(BigInt(right)) }, ...pays(multiplier) });
    while (guesses < GUESSES && cards.length < CARDS && !passes(after(worth, 12), most)) {
        const { rank } = cards.at(-1);
        const offers = { skip: {}, cashOut: {} };
        for (const guess of ["higher", "lower"]) {
            const [from, to] = rights(guess, rank);
            if (!passes(after(worth, to - from + 1), most))
                offers[guess] = {};
        }
        const { type } = yield offers;
        if (type === "cashOut")
            break;
        const next = card(draws);
        cards.push(next);
        if (type === "skip")
            continue;
        const [from, to] = rights(type, rank);
        if (next.rank < from || next.rank > to)
            return ended(new Fraction(0n, 1n), cards.length - 2);
        worth = after(worth, to - from + 1);
        guesses++;
    }
    return ended(worth, cards.length - 1);
}
export const hilo1 = { ...atOnce, ...stepped("hilo", { maxMultiplier }, guess, () => new Fraction(99n * 13n ** BigInt(GUESSES), 100n)) };
