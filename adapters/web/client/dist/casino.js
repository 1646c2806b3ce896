// The client: every call of the contract by name, and methods for the most common ones.
import { Connection } from "./connection.js";
import { Refusal } from "./errors.js";
import { parse } from "./json.js";
import { ExpectedPair, newClientSeed } from "./pair.js";
import { sleep } from "./pauses.js";
import { follow } from "./streams.js";
const POLL_MS = 1_000;
/** A casino's service, called with one session or none. It keeps the seed pair that its next bet
 * expects, and nothing else: the caller has the token, and `as` gives a client that sends it. */
export class Casino {
    connection;
    token;
    pair = new ExpectedPair({
        read: () => this.seed(),
        rotate: (body) => this.call("POST /seed/rotate")({ body }),
    });
    /** base is the service's address with its base path, such as https://casino.example/casino. */
    constructor(base, settings = {}) {
        const { token, ...rest } = settings;
        this.connection = typeof base === "string" ? new Connection(base, rest) : base;
        this.token = token ?? null;
    }
    /** The same service, called with a session's token. */
    as(token) {
        return new Casino(this.connection, { token });
    }
    /** A call of the contract as a function: `call("POST /play")({ body })`. A call that moves
     * money is sent with a key. Calls that may be repeated are sent again, under the same key, if
     * no answer came or the service asks to wait. It fails with a Refusal, SessionEnded or
     * NoAnswer, or with the reason of the signal. */
    call(call) {
        const made = async (options = {}) => {
            const text = await this.connection.text(call, options, this.token);
            return text === "" ? undefined : parse(text);
        };
        return made;
    }
    /** The same with the answer's unchanged text, for example a round for @casino-service/verify. */
    text(call) {
        const made = (options = {}) => this.connection.text(call, options, this.token);
        return made;
    }
    /** The same for a whole list under its filters, as CSV. */
    sheet(call) {
        const made = (options = {}) => this.connection.text(call, { ...options, headers: { Accept: "text/csv" } }, this.token);
        return made;
    }
    /** The pages of a list in order; each is read when it is requested. */
    pages(call) {
        const made = (options = {}) => this.turn(call, options);
        return made;
    }
    /** The items of a list in order, over all its pages. */
    each(call) {
        const turn = (options) => this.turn(call, options);
        async function* made(options = {}) {
            for await (const page of turn(options))
                yield* Object.values(page).find(Array.isArray) ?? []; // a page has one list
        }
        return made;
    }
    async *turn(call, options) {
        for (let query = { ...options.query };;) {
            const page = parse(await this.connection.text(call, { ...options, query }, this.token));
            yield page;
            if (page.nextCursor === null || page.more === false)
                return;
            query = { ...query, page: undefined, cursor: page.nextCursor };
        }
    }
    /** Signs a wallet in: sign gets the bytes that the wallet must sign. If the service finds this
     * machine's time stale, sign is called once more, for the service's time. The caller keeps the
     * session's token. */
    async signIn(wallet, sign, options = {}) {
        const { agentCode, signal } = options;
        const send = async (timestamp) => {
            const signed = await sign(new TextEncoder().encode(`casino-auth:${wallet}:${timestamp}`));
            const signature = typeof signed === "string" ? signed : btoa(String.fromCharCode(...signed));
            const sent = { body: { wallet, timestamp, signature } };
            if (agentCode !== undefined)
                sent.body.agentCode = agentCode;
            if (signal !== undefined)
                sent.signal = signal;
            return this.call("POST /auth/login")(sent);
        };
        return send(Date.now()).catch((failure) => {
            if (failure instanceof Refusal && failure.code === "STALE_TIMESTAMP" && failure.details.serverTime !== undefined) {
                return send(Number(failure.details.serverTime));
            }
            throw failure;
        });
    }
    /** Ends all of the wallet's sessions. */
    signOut(options = {}) {
        return this.call("POST /auth/logout")(options);
    }
    /** The caller's balance of each token, in base units. */
    async balances(options = {}) {
        const { balances } = await this.call("GET /balance")(options);
        return new Map(balances.map((line) => [line.token, BigInt(line.balance)]));
    }
    /** Plays a round that is decided at once. Like openRound it says which seed pair and nonce it
     * expects, and before the first bet of a pair without a client seed of the player's it rotates
     * with a random one. Bets of a client are sent one after another. */
    play(bet, options = {}) {
        return this.pair.bet((expected) => this.call("POST /play")({ body: { ...expected, ...bet }, ...options }));
    }
    /** Opens a round that is played step by step. */
    openRound(bet, options = {}) {
        return this.pair.bet((expected) => this.call("POST /rounds")({ body: { ...expected, ...bet }, ...options }));
    }
    /** Takes one of an open round's choices: the action, with its fields. */
    step(round, action, options = {}) {
        return this.call("POST /rounds/{id}/steps")({ path: { id: round.id }, body: { step: Number(round.step), action: { ...action } }, ...options });
    }
    /** The caller's open rounds, oldest first. */
    async openRounds(options = {}) {
        return (await this.call("GET /rounds")(options)).rounds;
    }
    /** Claims a transaction's payment to the treasury, and returns the claim's present state. */
    deposit(signature, token, options = {}) {
        return this.call("POST /deposit")({ body: { signature, token }, ...options });
    }
    /** Claims a deposit and repeats it until the chain has made it final: it is then credited, or
     * waits for an admin. */
    async finalDeposit(signature, token, options = {}) {
        for (;;) {
            const claim = await this.deposit(signature, token, options);
            if (claim.transaction.status !== "pending")
                return claim;
            await sleep(POLL_MS, options.signal);
        }
    }
    /** Requests a withdrawal. */
    withdraw(order, options = {}) {
        return this.call("POST /withdraw")({ body: order, ...options });
    }
    /** Cancels a withdrawal that is not approved yet. */
    cancelWithdrawal(id, options = {}) {
        return this.call("POST /withdraw/{id}/cancel")({ path: { id }, ...options });
    }
    /** The caller's rounds, newest first. */
    history(query = {}, options = {}) {
        return this.each("GET /history")({ query, ...options });
    }
    /** The caller's deposits, withdrawals and other postings, newest first. */
    transactions(query = {}, options = {}) {
        return this.each("GET /account/transactions")({ query, ...options });
    }
    /** The seed pair for the next round, with the server seed's hash. */
    seed(options = {}) {
        return this.call("GET /seed")(options);
    }
    /** Reveals the server seed and begins the next pair, with the client seed that is given, or a
     * random one. */
    rotateSeed(clientSeed = newClientSeed(), options = {}) {
        this.pair.forget();
        return this.call("POST /seed/rotate")({ body: { clientSeed }, ...options });
    }
    /** The caller's events, as they are committed: each once and in order, however often the
     * connection is lost. The iteration ends with the signal; it fails with SessionEnded when the
     * session is over. */
    events(options = {}) {
        return this.stream("GET /events", {}, options);
    }
    /** The events that an admin may see, or those of one player. */
    adminEvents(options = {}) {
        return this.stream("GET /admin/events", { wallet: options.wallet }, options);
    }
    async *stream(call, query, { cursor, types, ...options }) {
        const what = { call, query: { ...query, types: types?.join(",") }, token: this.token, cursor: cursor ?? null };
        for await (const { value, cursor: after } of follow(this.connection, what, options)) {
            yield { ...value, cursor: after };
        }
    }
    /** The bets of all players as they are made, without names; missed ones are not repeated. */
    async *feed(options = {}) {
        const what = { call: "GET /public/feed", query: {}, token: null, cursor: null };
        for await (const { value } of follow(this.connection, what, options))
            yield value;
    }
    /** The shared crash: the first value of each connection has all of it, later ones what changed. */
    async *crash(options = {}) {
        const what = { call: "GET /crash/stream", query: {}, token: null, cursor: null };
        for await (const { value } of follow(this.connection, what, options))
            yield value;
    }
}
