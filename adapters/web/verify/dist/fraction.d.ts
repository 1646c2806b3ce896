import { Decimal } from "./decimal.js";
/** An exact multiplier of a game with multipliers that no decimal represents. */
export declare class Fraction {
    readonly numerator: bigint;
    readonly denominator: bigint;
    constructor(numerator: bigint, denominator: bigint);
    /** The decimal in a round: cut off if it has more digits. */
    get decimal(): Decimal;
    /** Whether a round with this decimal has this fraction. */
    shownAs(said: Decimal): boolean;
    floorOf(amount: bigint): bigint;
}
