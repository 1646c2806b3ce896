// Signed refusals, as docs/fairness/refusals.md says: what they state is held against the bet that was
// sent, the pair that waited, the balance, and the published limits.
import { isObject } from "./json.js";
import { orderDigest } from "./orders.js";
import { MAX } from "./signatures.js";
import { HEADER, StatementFault, verifyStatement, wholeOf } from "./statements.js";
const ALWAYS = [
    "WAGER_OUT_OF_RANGE", "INSUFFICIENT_USER_FUNDS", "LIMIT_EXCEEDED", "PLAYER_EXCLUDED", "PLAYER_FROZEN", "BLOCKED_AGENT",
    "GAME_DISABLED", "TOKEN_NOT_ACCEPTED", "TOO_MANY_OPEN",
];
const SIGNED_WITH = { API_CHECKING: ["paused"], RATE_LIMITED: ["pace"], FORBIDDEN: ["review", "deny"], INVALID_STATE: ["exhausted", "rotated", "played"] };
const NAMES = [
    ...HEADER, "wallet", "order", "game", "wager", "token", "server-seed-hash", "nonce", "code", "reason", "min-wager", "max-wager", "max-payout",
    "room", "could-pay", "balance", "open-rounds",
];
const SKEW = 180000n; // milliseconds
function reasonOf(error) {
    const details = isObject(error["details"]) ? error["details"] : {};
    const said = [details["reason"], details["limit"], details["status"]].find((value) => typeof value === "string" && value !== "");
    return said ?? "none";
}
/** Whether a refusal with this error has to be signed. */
export function mustBeSigned(error) {
    const code = String(error["code"]);
    return ALWAYS.includes(code) || (Object.hasOwn(SIGNED_WITH, code) && SIGNED_WITH[code].includes(reasonOf(error)));
}
/** Judges the refusal of a bet. */
export async function judgeRefusal(bet, error, keys, known) {
    if (error["receipt"] === undefined)
        return { faults: mustBeSigned(error) ? ["the refusal is not signed"] : [], limits: null };
    try {
        const facts = await verifyStatement(error["receipt"], keys, "refusal");
        if (facts.length !== NAMES.length || NAMES.some((name, i) => facts[i][0] !== name))
            throw new StatementFault(`its lines are not ${NAMES.join(", ")}`);
        const stated = Object.fromEntries(facts);
        const whole = (name) => wholeOf(stated[name], name);
        const limits = { token: stated["token"], minWager: whole("min-wager"), maxWager: whole("max-wager"), maxPayout: whole("max-payout") };
        return { faults: [...identityFaults(bet, error, stated, known, whole("time")), ...expectationFaults(bet, stated), ...figureFaults(bet, stated["code"], whole, known, limits)], limits };
    }
    catch (fault) {
        if (!(fault instanceof StatementFault))
            throw fault;
        return { faults: [fault.message], limits: null };
    }
}
/** Where a statement is not about this bet, at its nonce and time. */
function identityFaults(bet, error, stated, known, time) {
    const { key, ...body } = bet.asked;
    const expected = [
        ["wallet", known.wallet ?? undefined],
        ["order", orderDigest(bet.route, typeof key === "string" ? key : "", body)],
        ["game", bet.game],
        ["wager", String(bet.wager)],
        ["token", bet.token],
        ["server-seed-hash", known.commitment ?? undefined],
        ["nonce", known.commitment === null ? undefined : String(known.nonce)],
        ["code", String(error["code"])],
        ["reason", reasonOf(error)],
        ["balance", known.balance === null ? undefined : String(known.balance)],
        ["open-rounds", known.openRounds === null ? undefined : String(known.openRounds)],
    ];
    const faults = expected.filter(([name, value]) => value !== undefined && stated[name] !== value).map(([name, value]) => `the statement has the ${name} ${stated[name]}, in fact it is ${value}`);
    const late = time > known.at ? time - known.at : known.at - time;
    return late > SKEW ? [...faults, `the statement is of ${time}, the answer of ${known.at}`] : faults;
}
/** A bet that is refused because of the pair that it expects, while that pair waits. */
function expectationFaults({ asked }, stated) {
    const expected = {
        rotated: [stated["server-seed-hash"], asked["expectedServerSeedHash"]],
        played: [stated["nonce"], asked["expectedNonce"]],
    };
    const [is, sent] = stated["code"] === "INVALID_STATE" ? (expected[stated["reason"]] ?? []) : [];
    return sent !== undefined && String(sent) === is ? [`the bet expects the pair that waits, and the refusal has the reason ${stated["reason"]}`] : [];
}
/** Where the stated figures are wrong, or allow the bet. */
function figureFaults(bet, code, whole, known, { minWager, maxWager, maxPayout }) {
    const [room, stated, balance] = ["room", "could-pay", "balance"].map(whole);
    if (code === "TOKEN_NOT_ACCEPTED")
        return [];
    const most = known.couldPay(maxPayout);
    const faults = most === null || most === stated ? [] : [`the statement has the could-pay ${stated}, by the rules it is ${most}`];
    const { wager } = bet;
    const allowed = code === "WAGER_OUT_OF_RANGE" ? wager >= minWager && wager <= maxWager && stated <= maxPayout && stated <= room && balance - wager + stated <= MAX
        : code === "INSUFFICIENT_USER_FUNDS" ? wager <= balance
            : false;
    return allowed ? [...faults, "the stated figures allow the bet"] : faults;
}
