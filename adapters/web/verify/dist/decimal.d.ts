/**
 * An exact decimal of a round: units / 10^scale. Doubles are never used, because a number of JSON
 * read as a double is another number (1.1 is 1.100000000000000088…).
 */
export declare class Decimal {
    /** The original text. */
    readonly text: string;
    /** Null for a number with an exponent: the service never writes one, so it equals nothing. */
    readonly units: bigint | null;
    readonly scale: number;
    private constructor();
    /** The number of a JSON text with checked grammar. */
    static read(text: string): Decimal;
    /** units / 10^scale, in the shortest form. */
    static of(units: bigint, scale?: number): Decimal;
    /** Whether both have the same value: 50 is 50.00. */
    equals(other: Decimal): boolean;
    /** The number of units of 10^-scale, or null if it needs more decimals or isn't exact. */
    in(scale: number): bigint | null;
    /** ⌊amount · this⌋ for non-negative values. */
    floorOf(amount: bigint): bigint;
    toString(): string;
}
