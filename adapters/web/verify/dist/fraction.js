import { Decimal } from "./decimal.js";
const DIGITS = 18; // digits of a multiplier in a round, before and after the point together
const NEAR = 9; // decimals in which a cut multiplier must agree
/** An exact multiplier of a game with multipliers that no decimal represents. */
export class Fraction {
    numerator;
    denominator;
    constructor(numerator, denominator) {
        this.numerator = numerator;
        this.denominator = denominator;
    }
    /** The decimal in a round: cut off if it has more digits. */
    get decimal() {
        const scale = DIGITS - (this.numerator / this.denominator).toString().length;
        return Decimal.of((this.numerator * 10n ** BigInt(scale)) / this.denominator, scale);
    }
    /** Whether a round with this decimal has this fraction. */
    shownAs(said) {
        if (said.units === null)
            return false;
        const { units, scale } = this.decimal;
        const cut = units * this.denominator !== this.numerator * 10n ** BigInt(scale);
        const apart = said.units * this.denominator - this.numerator * 10n ** BigInt(said.scale);
        const most = cut ? this.denominator * 10n ** BigInt(said.scale) : 0n;
        return (apart < 0n ? -apart : apart) * 10n ** BigInt(NEAR) <= most;
    }
    floorOf(amount) {
        return (amount * this.numerator) / this.denominator;
    }
}
