import { card } from "../cards.js";
import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import { listOf, pays, rules, unplayable, word } from "../rules.js";
const ACE = 12;
/** The ranks at which a guess about the card after this one is right, from and to. */
function rights(guess, rank) {
    if (guess === "skip")
        return [0, ACE];
    if (guess === "higher")
        return [rank === 0 ? 1 : rank, ACE];
    return [0, rank === ACE ? ACE - 1 : rank];
}
export const hilo1 = rules("hilo", { guesses: listOf(15, word("higher", "lower", "skip"), ["higher"]) }, ({ guesses }, draws) => {
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
