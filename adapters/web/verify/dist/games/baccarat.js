import { card } from "../cards.js";
import { Fraction } from "../fraction.js";
import { AMOUNT, listOf, pays, record, rules, sumOf, unplayable, word } from "../rules.js";
// The payout of a winning bet, in hundredths of its amount.
const PAYS = { player: 200n, banker: 195n, tie: 900n };
function value({ rank }) {
    if (rank === 12)
        return 1; // an ace
    return rank < 8 ? rank + 2 : 0;
}
function worth(hand) {
    return hand.reduce((sum, one) => sum + value(one), 0) % 10;
}
/** Whether the banker draws, with or without a third card of the player. */
function bankerDraws(banker, third) {
    if (third === undefined)
        return banker <= 5;
    const counts = value(third);
    if (banker <= 2)
        return true;
    if (banker === 3)
        return counts !== 8;
    // With 4, 5 and 6 the banker draws if the third card is from 2, 4 and 6 up to 7.
    return banker <= 6 && counts >= (banker - 3) * 2 && counts <= 7;
}
const bet = record({ on: word("player", "banker", "tie"), amount: AMOUNT }, ["on", "amount"]);
// A bet of the whole wager.
const STANDARD = [{ on: "player", amount: 1n }];
export const baccarat1 = rules("baccarat", { bets: listOf(3, bet, STANDARD) }, ({ bets }, draws) => {
    if (new Set(bets.map(({ on }) => on)).size < bets.length)
        throw unplayable("bets", "must be at most one a side");
    const sum = sumOf(bets);
    const player = [card(draws), card(draws)];
    const banker = [card(draws), card(draws)];
    if (worth(player) < 8 && worth(banker) < 8) {
        if (worth(player) <= 5)
            player.push(card(draws));
        if (bankerDraws(worth(banker), player[2]))
            banker.push(card(draws));
    }
    const ahead = worth(player) - worth(banker);
    const winner = ahead === 0 ? "tie" : ahead > 0 ? "player" : "banker";
    const paid = bets.reduce((all, { on, amount }) => all + amount * (on === winner ? PAYS[on] : winner === "tie" ? 100n : 0n), 0n);
    const names = (hand) => hand.map(({ name }) => name);
    return { outcome: { player: names(player), banker: names(banker), winner }, ...pays(new Fraction(paid, 100n * sum)), ...(bets === STANDARD ? {} : { sum }) };
});
