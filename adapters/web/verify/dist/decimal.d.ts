/**
 * A decimal as it stands in a round: units / 10^scale, exactly. A number of JSON that is
 * read as a double is another number (1.1 is 1.100000000000000088…), so none is.
 */
export declare class Decimal {
    /** As it was written. */
    readonly text: string;
    /** Null for a number with an exponent: the service writes none, so it equals nothing. */
    readonly units: bigint | null;
    readonly scale: number;
    private constructor();
    /** The number that JSON writes so; the reader has looked at its grammar. */
    static read(text: string): Decimal;
    /** units / 10^scale, written as short as can be. */
    static of(units: bigint, scale?: number): Decimal;
    /** Whether both are worth the same: 50 is 50.00. */
    equals(other: Decimal): boolean;
    /** How many units of 10^-scale it is, or null where it needs more decimals or is none. */
    in(scale: number): bigint | null;
    /** ⌊amount · this⌋ for what is not negative. */
    floorOf(amount: bigint): bigint;
    toString(): string;
}
