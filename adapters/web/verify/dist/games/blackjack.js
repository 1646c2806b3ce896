import { card, names } from "../cards.js";
import { Fraction } from "../fraction.js";
import { pays } from "../rules.js";
import { stepped } from "../stepped.js";
const ACE = 12;
const MOST = 21;
const DEALER_STANDS = 17;
// The payout of a hand for two staked units.
const PAYS = { blackjack: 5n, win: 4n, push: 2n, lose: 0n, bust: 0n };
/** The points of cards; one ace counts 11 if the total stays within 21. */
function points(cards) {
    const low = cards.reduce((sum, { rank }) => sum + (rank === ACE ? 1 : rank >= 8 ? 10 : rank + 2), 0);
    return cards.some(({ rank }) => rank === ACE) && low + 10 <= MOST ? low + 10 : low;
}
function ended(hands, dealer, results) {
    const staked = hands.reduce((sum, hand) => sum + hand.staked, 0n);
    const paid = hands.reduce((sum, hand, i) => sum + hand.staked * PAYS[results[i]], 0n);
    return { outcome: { hands: hands.map(({ cards }) => names(cards)), dealer: names(dealer), results }, ...pays(new Fraction(paid, 2n * staked)), staked };
}
/** A hand's result against the dealer's points. */
function result(own, dealer) {
    if (own > MOST)
        return "bust";
    if (dealer > MOST || own > dealer)
        return "win";
    return own === dealer ? "push" : "lose";
}
function* table(_, draws) {
    const two = () => [card(draws), card(draws)];
    const hands = [{ cards: two(), staked: 1n, ended: false }];
    const dealer = two();
    const own = points(hands[0].cards) === MOST;
    const theirs = points(dealer) === MOST;
    if (own || theirs)
        return ended(hands, dealer, [own && theirs ? "push" : own ? "blackjack" : "lose"]);
    for (let at = 0; at < hands.length; at++) {
        for (let hand = hands[at]; !hand.ended && points(hand.cards) < MOST; hand = hands[at]) {
            const { cards } = hand;
            const offers = { hit: {}, stand: {} };
            if (cards.length === 2)
                offers.double = {};
            if (cards.length === 2 && hands.length === 1 && cards[0].rank === cards[1].rank)
                offers.split = {};
            const { type } = yield offers;
            if (type === "split") {
                const aces = cards[0].rank === ACE;
                hands.splice(0, 1, ...cards.map((one) => ({ cards: [one, card(draws)], staked: 1n, ended: aces })));
                continue;
            }
            if (type !== "stand")
                cards.push(card(draws));
            if (type === "double")
                hand.staked = 2n;
            hand.ended = type !== "hit";
        }
    }
    if (hands.some(({ cards }) => points(cards) <= MOST)) {
        while (points(dealer) < DEALER_STANDS)
            dealer.push(card(draws));
    }
    return ended(hands, dealer, hands.map(({ cards }) => result(points(cards), points(dealer))));
}
export const blackjack1 = stepped("blackjack", {}, table);
