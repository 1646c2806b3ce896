/** An integer of the API: a bigint where a number would not be exact. */
export type Integer = number | bigint;
/** Reads JSON. Integers beyond 2^53-1 are bigint, every other number is a number. */
export declare function parse(text: string): unknown;
/** Writes JSON with every digit of a bigint; undefined members are left out. */
export declare function stringify(value: unknown): string;
