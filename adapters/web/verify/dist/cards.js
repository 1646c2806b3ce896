const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
/** A card from a deck that never ends. */
export function card(draws) {
    const picked = Number(draws.pick(52n));
    const rank = picked >> 2;
    return { rank, name: RANKS[rank] + "dhsc"[picked & 3] };
}
