const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
/** A card from an infinite deck. */
export function card(draws) {
    return numbered(draws.pick(52n, cardName));
}
/** The card of a number of 0 … 51. */
export function numbered(number) {
    const picked = Number(number);
    const rank = picked >> 2;
    return { rank, name: RANKS[rank] + "dhsc"[picked & 3] };
}
/** The notation of the card with a number of 0 … 51. */
export function cardName(number) {
    return numbered(number).name;
}
/** Cards in the notation of outcomes. */
export function names(cards) {
    return cards.map(({ name }) => name);
}
