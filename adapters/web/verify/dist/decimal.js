/**
 * An exact decimal of a round: units / 10^scale. Doubles are never used, because a number of JSON
 * read as a double is another number (1.1 is 1.100000000000000088…).
 */
export class Decimal {
    text;
    units;
    scale;
    constructor(
    /** The original text. */
    text, 
    /** Null for a number with an exponent: the service never writes one, so it equals nothing. */
    units, scale) {
        this.text = text;
        this.units = units;
        this.scale = scale;
    }
    /** The number of a JSON text with checked grammar. */
    static read(text) {
        if (/[eE]/.test(text))
            return new Decimal(text, null, 0);
        const [whole, fraction = ""] = text.split(".");
        return new Decimal(text, BigInt(whole + fraction), fraction.length);
    }
    /** units / 10^scale, in the shortest form. */
    static of(units, scale = 0) {
        while (scale > 0 && units % 10n === 0n) {
            units /= 10n;
            scale--;
        }
        const sign = units < 0n ? "-" : "";
        const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
        const cut = digits.length - scale;
        return new Decimal(sign + digits.slice(0, cut) + (scale > 0 ? "." + digits.slice(cut) : ""), units, scale);
    }
    /** Whether both have the same value: 50 is 50.00. */
    equals(other) {
        if (this.units === null || other.units === null)
            return false;
        return this.units * 10n ** BigInt(other.scale) === other.units * 10n ** BigInt(this.scale);
    }
    /** The number of units of 10^-scale, or null if it needs more decimals or isn't exact. */
    in(scale) {
        if (this.units === null || this.scale > scale)
            return null;
        return this.units * 10n ** BigInt(scale - this.scale);
    }
    /** ⌊amount · this⌋ for non-negative values. */
    floorOf(amount) {
        if (this.units === null || this.units < 0n || amount < 0n)
            throw new RangeError("not a multiplier and an amount");
        return (amount * this.units) / 10n ** BigInt(this.scale);
    }
    toString() {
        return this.text;
    }
}
