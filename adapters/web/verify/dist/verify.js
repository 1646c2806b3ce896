// Recomputes a round and compares it.
import { Decimal } from "./decimal.js";
import { commitment, Draws, message } from "./draws.js";
import { Unverifiable } from "./errors.js";
import { games } from "./games/index.js";
import { isObject, parse, same, stringify } from "./json.js";
import { hex } from "./sha256.js";
import { openedConfig } from "./stepped.js";
const AMOUNT_MAX = (1n << 63n) - 1n;
const CLIENT_SEED = /^[\x20-\x7e]{1,64}$/;
const SERVER_SEED = /^[0-9a-f]{64}$/;
/** The result of the seeds, with its blocks and draws. */
export function steps(inputs) {
    const { serverSeed, clientSeed } = inputs;
    const known = games.get(inputs.rules);
    if (known === undefined)
        throw new Unverifiable("unknown rules", `rules ${inputs.rules} are not known here`);
    if (typeof serverSeed !== "string" || !SERVER_SEED.test(serverSeed))
        throw malformed("serverSeed is not 64 hexadecimal digits in lower case");
    if (typeof clientSeed !== "string" || !CLIENT_SEED.test(clientSeed))
        throw malformed("clientSeed is no text of 1 to 64 printable ASCII characters");
    if (typeof inputs.nonce !== "bigint" && !Number.isSafeInteger(inputs.nonce))
        throw malformed("nonce is no integer");
    const nonce = BigInt(inputs.nonce);
    if (nonce < 0n || nonce > AMOUNT_MAX)
        throw malformed(`nonce is no integer from 0 to ${AMOUNT_MAX}`);
    const draws = new Draws(serverSeed, clientSeed, nonce);
    const config = typeof inputs.config === "string" ? read(inputs.config) : inputs.config;
    return {
        ...decide(known, config, draws, typeof inputs.actions === "string" ? read(inputs.actions) : (inputs.actions ?? null)),
        commitment: commitment(serverSeed),
        blocks: draws.blocks.map((bytes, cursor) => ({ message: message(clientSeed, nonce, cursor), hmac: hex(bytes) })),
        draws: draws.steps,
    };
}
/** The rules' result for draws, in one call or step by step. */
function decide(known, config, draws, actions) {
    if (actions === null) {
        if (known.play === undefined)
            throw new Unverifiable("actions", `gameType ${known.game} is played step by step alone: the round has no actions`);
        return known.play(config, draws);
    }
    if (known.take === undefined)
        throw new Unverifiable("actions", `gameType ${known.game} isn't played step by step: the round has actions`);
    if (!Array.isArray(actions))
        throw new Unverifiable("actions", "actions must be a list");
    return known.take(config, draws, actions);
}
/** The result of the seeds. */
export function recompute(inputs) {
    const { blocks: _blocks, draws: _draws, ...decided } = steps(inputs);
    return decided;
}
/**
 * Compares a round with the result of its seeds. text is the JSON text of GET /history/{id}, or the
 * result of parse. Throws Unverifiable if the round can't be compared.
 */
export function verify(text) {
    const { verified, differences, void: nothing } = trace(text);
    return { verified, differences, void: nothing };
}
/** The same with all steps: the draws, and every comparison. */
export function trace(text) {
    const round = roundOf(text);
    const inputs = inputsOf(round);
    const hash = wordOf(round, "serverSeedHash");
    const wager = integer(round, "wager");
    const payout = integer(round, "payout");
    const multiplier = member(round, "multiplier");
    const outcome = member(round, "outcome");
    if (!SERVER_SEED.test(inputs.serverSeed))
        throw malformed("serverSeed is not 64 hexadecimal digits in lower case");
    // Nothing was drawn of a void round: whatever its rules and config are, the stake went back.
    const drawn = outcome === null ? null : steps(inputs);
    const is = drawn ?? { outcome, multiplier: Decimal.of(1n), commitment: commitment(inputs.serverSeed) };
    const checks = [];
    const compare = (name, said, decided, alike = same(said, decided)) => {
        checks.push({ name, said: stringify(said), is: stringify(decided), same: alike });
    };
    const opened = openedOf(text);
    if (opened !== null && opened["id"] !== round["id"])
        throw malformed("opened is no opening of this round");
    if (opened !== null)
        compare("config", inputs.config, openedBound(inputs.rules, opened));
    compare("serverSeedHash", hash, is.commitment);
    compare("outcome", outcome, is.outcome);
    const shown = is.exact !== undefined && multiplier instanceof Decimal && is.exact.shownAs(multiplier);
    compare("multiplier", multiplier, is.multiplier, shown || same(multiplier, is.multiplier));
    compare("wager", Decimal.of(wager), allowed(is, wager));
    compare("payout", Decimal.of(payout), Decimal.of((is.exact ?? is.multiplier).floorOf(wager)));
    const differences = checks.filter((check) => !check.same).map(({ same: _, ...difference }) => difference);
    return { verified: differences.length === 0, differences, void: drawn === null, inputs, steps: drawn, checks };
}
/** How a stepped round was opened: what POST /rounds answered, which stands beside the round as opened. */
function openedOf(text) {
    const answer = typeof text === "string" ? read(text) : text;
    return isObject(answer) && Object.hasOwn(answer, "opened") ? roundOf(answer["opened"]) : null;
}
/** The config that a round was opened with, by the published function of what was asked for: members asked, wager and maxPayout. */
export function openedBound(rules, opened) {
    const known = games.get(rules);
    if (known === undefined)
        throw new Unverifiable("unknown rules", `rules ${rules} are not known here`);
    const wager = integer(opened, "wager");
    if (wager === 0n)
        throw malformed("opened.wager is 0");
    return openedConfig(known, members(opened, "asked"), wager, integer(opened, "maxPayout"));
}
const UNPROVEN = {
    server: "The house chose both seeds (clientSeedSource server): it could have tried many until they suited it, so the round proves nothing against the house.",
    repeated: "The house knew the client seed when it drew the server seed (clientSeedSource repeated): it could have drawn one that suits it, so the round proves nothing against the house.",
};
/** What a round doesn't prove, and of a void one what its seeds would have paid, in sentences for people. */
export function notes(text) {
    const round = roundOf(text);
    const said = [];
    if (round["outcome"] === null)
        said.push(`The round is void: its stake was returned. ${instead(round)}`);
    const source = round["clientSeedSource"];
    if (typeof source === "string" && Object.hasOwn(UNPROVEN, source))
        said.push(UNPROVEN[source]);
    if (Array.isArray(round["actions"]) && games.get(String(round["rules"]))?.greatest !== undefined && openedOf(text) === null) {
        said.push("What was asked for at the opening isn't in the file: whether the round's bound is the published one was not checked (docs/fairness/steps.md).");
    }
    return said;
}
/** What the seeds of a void round would have paid. */
function instead(round) {
    try {
        const would = recompute(inputsOf(round));
        const payout = (would.exact ?? would.multiplier).floorOf(integer(round, "wager"));
        return `Its seeds decide a multiplier of ${would.multiplier}, which would have paid ${payout}. Seeds can't show why a round failed: a house that voids wins has void rounds that would have paid.`;
    }
    catch (error) {
        if (!(error instanceof Unverifiable))
            throw error;
        return `What its seeds would have paid can't be told: ${error.message}`;
    }
}
/** What a round is bound to, which can be held against what was shown before it at any time. */
export function committed(text) {
    const round = roundOf(text);
    houses(round);
    const clientSeed = wordOf(round, "clientSeed");
    const nonce = integer(round, "nonce");
    return { serverSeedHash: wordOf(round, "serverSeedHash"), clientSeed, nonce, message: message(clientSeed, nonce, 0) };
}
/** The wager, or the value it should have had. */
function allowed({ sum, staked = 1n }, wager) {
    if (sum !== undefined)
        return Decimal.of(sum);
    return wager % staked === 0n ? Decimal.of(wager) : `a whole first wager ${staked} times`;
}
/** The inputs in a round. */
export function inputsOf(answer) {
    const round = roundOf(answer);
    houses(round);
    if ((round["serverSeed"] ?? null) === null)
        throw new Unverifiable("not revealed", "the server seed is not revealed yet: rotate the seeds and take the round again");
    const rules = wordOf(round, "rules");
    const game = wordOf(round, "gameType");
    if (games.has(rules) && games.get(rules).game !== game)
        throw new Unverifiable("unknown rules", `rules ${rules} are not of the game ${game}`);
    return {
        rules,
        config: members(round, "config"),
        serverSeed: wordOf(round, "serverSeed"),
        clientSeed: wordOf(round, "clientSeed"),
        nonce: integer(round, "nonce"),
        actions: listOf(round, "actions"),
    };
}
function houses(round) {
    const provider = round["provider"] ?? "casino";
    if (provider !== "casino")
        throw new Unverifiable("a provider's", "a provider of games drew the round: it has no seeds to recompute it from");
}
function malformed(why) {
    return new Unverifiable("malformed", `no round: ${why}`);
}
function read(text) {
    try {
        return parse(text);
    }
    catch (error) {
        throw malformed(error.message);
    }
}
/** The round itself, from a JSON text or the result of parse; GET /history/{id} returns it as
 * the member round. */
export function roundOf(text) {
    const answer = typeof text === "string" ? read(text) : text;
    const round = isObject(answer) && Object.hasOwn(answer, "round") ? answer["round"] : answer;
    if (!isObject(round))
        throw malformed("it is no object");
    return round;
}
function member(round, name) {
    const value = Object.hasOwn(round, name) ? round[name] : undefined;
    if (value === undefined)
        throw malformed(`${name} is missing`);
    // JSON.parse converts numbers to doubles, which differ from the round's numbers.
    if (typeof value === "number")
        throw malformed(`${name} is no exact number: read the round with parse`);
    return value;
}
function wordOf(round, name) {
    const value = member(round, name);
    if (typeof value !== "string")
        throw malformed(`${name} is no text`);
    return value;
}
function members(round, name) {
    const value = member(round, name);
    if (!isObject(value))
        throw malformed(`${name} is no object`);
    return value;
}
/** A list that may be missing. */
function listOf(round, name) {
    const value = Object.hasOwn(round, name) ? member(round, name) : null;
    if (value !== null && !Array.isArray(value))
        throw new Unverifiable("actions", `${name} must be a list`);
    return value;
}
function integer(round, name) {
    const value = member(round, name);
    const units = value instanceof Decimal ? value.in(0) : null;
    if (units === null || units < 0n || units > AMOUNT_MAX)
        throw malformed(`${name} is no integer from 0 to ${AMOUNT_MAX}`);
    return units;
}
