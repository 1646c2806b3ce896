import { Decimal } from "./decimal.js";
export type Json = null | boolean | string | Decimal | Json[] | {
    [name: string]: Json;
};
/** Reads a JSON text; a SyntaxError says where it is none. */
export declare function parse(text: string): Json;
/** Writes a value as JSON, numbers with the digits they have. */
export declare function stringify(value: Json): string;
export declare function isObject(value: unknown): value is {
    [name: string]: Json;
};
/** Whether both say the same: numbers by their worth, members in any order, lists in theirs. */
export declare function same(a: Json, b: Json): boolean;
