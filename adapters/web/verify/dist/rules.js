// The parts of a game: the fields of its config, and its function of draws.
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { isObject } from "./json.js";
/** The payout of a game with fractions as multipliers. */
export function pays(exact) {
    return { multiplier: exact.decimal, exact };
}
/** Makes rules from the config's fields and a function that plays a valid config. */
export function rules(game, fields, play) {
    return {
        game,
        play(config, draws) {
            return play(record(fields)("config", config), draws);
        },
    };
}
/** An object of fields; those in needed are required. */
export function record(fields, needed = []) {
    return (name, value) => {
        if (!isObject(value))
            throw unplayable(name, "must be an object");
        for (const member of Object.keys(value)) {
            if (!Object.hasOwn(fields, member))
                throw unplayable(member, "is no field of the game");
        }
        for (const member of needed) {
            if (!Object.hasOwn(value, member))
                throw unplayable(`${name}.${member}`, "is missing");
        }
        const read = {};
        for (const member of Object.keys(fields)) {
            read[member] = fields[member](member, Object.hasOwn(value, member) ? value[member] : undefined);
        }
        return read;
    };
}
/** A list of 1 … count items. */
export function listOf(count, item, missing) {
    return (name, value) => {
        if (value === undefined)
            return missing;
        if (!Array.isArray(value) || value.length < 1 || value.length > count)
            throw unplayable(name, `must be a list of 1 to ${count}`);
        return value.map((one, i) => item(`${name}[${i}]`, one));
    };
}
/** A decimal with at most two places, in hundredths. */
export function hundredths(least, most, missing) {
    return number(2, least, most, missing);
}
/** An integer, written without decimals. */
export function whole(least, most, missing) {
    return number(0, least, most, missing);
}
/** A bet's amount in base units; the sum of a round's bets has the same limits. */
export const AMOUNT = whole(1n, 10n ** 17n, null);
export function sumOf(bets) {
    const sum = bets.reduce((all, { amount }) => all + amount, 0n);
    if (sum > 10n ** 17n)
        throw unplayable("bets", "add up to too much");
    return sum;
}
function number(scale, least, most, missing) {
    return (name, value) => {
        if (value === undefined && missing !== null)
            return missing;
        const units = value instanceof Decimal ? value.in(scale) : null;
        if (units === null || units < least || units > most) {
            const decimals = scale === 0 ? "without decimals" : `with at most ${scale} decimals`;
            throw unplayable(name, `must be a number from ${Decimal.of(least, scale)} to ${Decimal.of(most, scale)} ${decimals}`);
        }
        return units;
    };
}
/** A list of 1 … count different integers of 0 … most. */
export function numbers(count, most, missing) {
    const list = listOf(count, whole(0n, most, null), missing);
    return (name, value) => {
        const read = list(name, value);
        if (new Set(read).size < read.length)
            throw unplayable(name, "must be different numbers");
        return read;
    };
}
/** One of several words; the first is the default. */
export function word(...words) {
    return (name, value) => {
        if (value === undefined)
            return words[0];
        return words.find((known) => known === value) ?? fail(name, `must be one of ${words.join(", ")}`);
    };
}
function fail(field, why) {
    throw unplayable(field, why);
}
/** A field with an invalid value. */
export class Unplayable extends Unverifiable {
    field;
    why;
    constructor(field, why) {
        super("config", `config can't be played: ${field} ${why}`);
        this.field = field;
        this.why = why;
    }
}
export function unplayable(field, why) {
    return new Unplayable(field, why);
}
