// Step-by-step rounds: the offered actions at each point, and the effect of an action, as in
// docs/fairness/steps.md.
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { isObject } from "./json.js";
import { record, Unplayable, unplayable } from "./rules.js";
/** Makes rules of a stepped game of the config's fields and of a function that plays what they allow. */
export function stepped(game, fields, begin, greatest) {
    return {
        game,
        ...(greatest && { greatest: (config) => greatest(record(fields)("config", config)) }),
        begin: (config, draws) => begin(record(fields)("config", config), draws),
        take(config, draws, actions) {
            const round = begin(record(fields)("config", config), draws);
            let now = round.next();
            actions.forEach((action, i) => {
                if (now.done)
                    throw untakeable("actions", `must be ${i}: the round has ended after them`);
                now = round.next(readAction(now.value, action, `actions[${i}]`));
            });
            if (!now.done)
                throw untakeable("actions", "are not all: the round goes on after them");
            return now.value;
        },
    };
}
/** An action as its game takes it, if it is one of the offered actions. */
export function readAction(offers, action, place) {
    if (!isObject(action))
        throw untakeable(place, "must be an object");
    const { type, ...said } = action;
    if (typeof type !== "string" || !Object.hasOwn(offers, type))
        throw untakeable(`${place}.type`, `must be one of ${Object.keys(offers).join(", ")}`);
    const fields = offers[type];
    const taken = { type };
    for (const name of Object.keys(said)) {
        if (!Object.hasOwn(fields, name))
            throw untakeable(`${place}.${name}`, `is no member of ${type}`);
    }
    for (const [name, field] of Object.entries(fields)) {
        try {
            taken[name] = field(`${place}.${name}`, said[name]);
        }
        catch (error) {
            if (!(error instanceof Unplayable))
                throw error;
            throw untakeable(error.field, error.why);
        }
    }
    return taken;
}
function untakeable(place, why) {
    return new Unverifiable("actions", `${place} ${why}`);
}
/** One of several whole numbers. */
export function among(numbers) {
    return (name, value) => {
        const said = value instanceof Decimal ? value.in(0) : null;
        if (said === null || !numbers.includes(said))
            throw unplayable(name, `must be one of ${numbers.join(", ")}`);
        return said;
    };
}
/** Distinct whole numbers of 0 … below - 1, possibly none. */
export function severalOf(below) {
    const one = among(Array.from({ length: Number(below) }, (_, number) => BigInt(number)));
    return (name, value) => {
        if (!Array.isArray(value))
            throw unplayable(name, "must be a list");
        const read = value.map((item, i) => one(`${name}[${i}]`, item));
        if (new Set(read).size < read.length)
            throw unplayable(name, "must be different numbers");
        return read;
    };
}
const RESERVE_MULTIPLE = 500000n; // 50, with the decimals of maxMultiplier
/** The config that a round is opened with: the one that was asked for, bounded by the published function of it, the first wager and the token's maxPayout. */
export function openedConfig({ greatest }, asked, wager, maxPayout) {
    if (greatest === undefined)
        return asked;
    const named = maxMultiplier("maxMultiplier", asked["maxMultiplier"]);
    const wanted = named ?? RESERVE_MULTIPLE;
    const limit = (maxPayout * 10n ** BigInt(SCALE)) / wager;
    const bound = limit < wanted ? limit : wanted;
    if (named === null && !passes(greatest(asked), bound))
        return asked;
    return { ...asked, maxMultiplier: Decimal.of(bound, SCALE) };
}
const SCALE = 4; // decimals of maxMultiplier
/** The maximum value of a round, in units of its last decimal; null if there is none. */
export const maxMultiplier = (name, value) => {
    if (value === undefined)
        return null;
    const units = value instanceof Decimal ? value.in(SCALE) : null;
    if (units === null || units < 10n ** 4n || units > 10n ** 15n)
        throw unplayable(name, `must be a number from 1 to 100000000000 with at most ${SCALE} decimals`);
    return units;
};
/** Whether a round would exceed its maximum value. */
export function passes(worth, most) {
    return most !== null && worth.numerator * 10n ** BigInt(SCALE) > most * worth.denominator;
}
/** Rejects a maximum that the first step already exceeds. */
export function checkBound(first, most) {
    if (passes(first, most))
        throw unplayable("maxMultiplier", "is less than the first step pays");
}
