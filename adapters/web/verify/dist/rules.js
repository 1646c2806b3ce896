// What a game is here: the fields of its config, and what it makes of draws.
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { isObject } from "./json.js";
/** Makes rules of the config's fields and of a function that plays what they allow. */
export function rules(game, fields, play) {
    return {
        game,
        play(config, draws) {
            if (!isObject(config))
                throw unplayable("config", "must be an object");
            for (const name of Object.keys(config)) {
                if (!Object.hasOwn(fields, name))
                    throw unplayable(name, "is no field of the game");
            }
            const read = {};
            for (const name of Object.keys(fields)) {
                read[name] = fields[name](name, Object.hasOwn(config, name) ? config[name] : undefined);
            }
            return play(read, draws);
        },
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
function number(scale, least, most, missing) {
    return (name, value) => {
        if (value === undefined)
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
    const item = whole(0n, most, 0n);
    return (name, value) => {
        if (value === undefined)
            return missing;
        if (!Array.isArray(value) || value.length < 1 || value.length > count)
            throw unplayable(name, `must be a list of 1 to ${count} numbers`);
        const read = value.map((one, i) => item(`${name}[${i}]`, one));
        if (new Set(read).size < read.length)
            throw unplayable(name, "must be different numbers");
        return read;
    };
}
/** One of some words; the first is meant where none is given. */
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
export function unplayable(field, why) {
    return new Unverifiable("config", `config can't be played: ${field} ${why}`);
}
