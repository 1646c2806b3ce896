import { Decimal } from "./decimal.js";
export type Json = null | boolean | string | Decimal | Json[] | {
    [name: string]: Json;
};
/** The names of an object's members, in the order of the JSON. */
export declare function members(of: {
    [name: string]: Json;
}): string[];
/** Reads a JSON text; a SyntaxError names the position of an error. */
export declare function parse(text: string): Json;
/** Writes a value as JSON, with the original digits of numbers. */
export declare function stringify(value: Json): string;
export declare function isObject(value: unknown): value is {
    [name: string]: Json;
};
/** Whether both are equal: numbers by value, members in any order, lists in order. */
export declare function same(a: Json, b: Json): boolean;
