// Stepped rounds that are left alone, as docs/fairness/steps.md says: what the house ends them by.
import { Decimal } from "./decimal.js";
import { readAction } from "./stepped.js";
const CASH_OUT = { type: "cashOut" };
const ALONE = {
    mines: CASH_OUT,
    dragontower: CASH_OUT,
    hilo: CASH_OUT,
    videopoker: { type: "draw", hold: [0n, 1n, 2n, 3n, 4n].map((place) => Decimal.of(place)) },
    blackjack: { type: "stand" },
};
/** Takes actions, and leaves the round alone from there on. */
export function leaveAlone(rules, config, draws, actions) {
    const round = rules.begin(config, draws);
    let now = round.next();
    actions.forEach((action, i) => {
        if (!now.done)
            now = round.next(readAction(now.value, action, `actions[${i}]`));
    });
    const offers = now.done ? null : now.value;
    let left = 0;
    for (; !now.done; left++)
        now = round.next(readAction(now.value, ALONE[rules.game], "alone"));
    return { offers, left, result: now.value };
}
