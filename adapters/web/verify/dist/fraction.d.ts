import { Decimal } from "./decimal.js";
/** An exact multiplier of a game whose multipliers are no decimals. */
export declare class Fraction {
    readonly numerator: bigint;
    readonly denominator: bigint;
    constructor(numerator: bigint, denominator: bigint);
    /** As a round shows it: cut where it has more digits. */
    get decimal(): Decimal;
    /** Whether a round that shows this decimal shows the fraction. */
    shownAs(said: Decimal): boolean;
    floorOf(amount: bigint): bigint;
}
