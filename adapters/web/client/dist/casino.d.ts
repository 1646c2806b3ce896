import type { Answer, Call, Calls, Common, Items, ListCall, Options, Pages, Schemas, SheetCall, Texts } from "./calls.js";
import { Connection, type Settings } from "./connection.js";
import { type StreamOptions } from "./streams.js";
/** Signs the bytes of a text with a wallet's key: 64 bytes, or their base64. */
export type Sign = (message: Uint8Array<ArrayBuffer>) => Uint8Array | string | Promise<Uint8Array | string>;
/** A committed event, with the position after it; pass that as cursor to continue there. */
export type CasinoEvent = Schemas["Event"] & {
    cursor: string;
};
/** Options of a write that moves money, beside its body. */
export interface Once extends Common {
    /** The idempotency key; without one a new key is drawn. */
    idempotencyKey?: string;
}
/** Which events, and from which position. */
export interface EventOptions extends StreamOptions {
    /** The position to continue from, an event's cursor; without one the stream begins now. */
    cursor?: string;
    /** Only these types, such as "round.settled". */
    types?: string[];
}
/** A casino's service, called with one session or none. It keeps the seed pair that its next bet
 * expects, and nothing else: the caller has the token, and `as` gives a client that sends it. */
export declare class Casino {
    private readonly connection;
    private readonly token;
    private readonly pair;
    /** base is the service's address with its base path, such as https://casino.example/casino. */
    constructor(base: string | Connection, settings?: Settings & {
        token?: string;
    });
    /** The same service, called with a session's token. */
    as(token: string): Casino;
    /** A call of the contract as a function: `call("POST /play")({ body })`. A call that moves
     * money is sent with a key. Calls that may be repeated are sent again, under the same key, if
     * no answer came or the service asks to wait. It fails with a Refusal, SessionEnded or
     * NoAnswer, or with the reason of the signal. */
    call<C extends Call>(call: C): Calls[C];
    /** The same with the answer's unchanged text, for example a round for @casino-service/verify. */
    text<C extends Call>(call: C): Texts[C];
    /** The same for a whole list under its filters, as CSV. */
    sheet<C extends SheetCall>(call: C): Texts[C];
    /** The pages of a list in order; each is read when it is requested. */
    pages<C extends ListCall>(call: C): Pages[C];
    /** The items of a list in order, over all its pages. */
    each<C extends ListCall>(call: C): Items[C];
    private turn;
    /** Signs a wallet in: sign gets the bytes that the wallet must sign. If the service finds this
     * machine's time stale, sign is called once more, for the service's time. The caller keeps the
     * session's token. */
    signIn(wallet: string, sign: Sign, options?: Common & {
        agentCode?: string;
    }): Promise<Schemas["Session"]>;
    /** Ends all of the wallet's sessions. */
    signOut(options?: Common): Promise<undefined>;
    /** The caller's balance of each token, in base units. */
    balances(options?: Common): Promise<Map<string, bigint>>;
    /** Plays a round that is decided at once. Like openRound it says which seed pair and nonce it
     * expects, and before the first bet of a pair without a client seed of the player's it rotates
     * with a random one. Bets of a client are sent one after another. */
    play(bet: Options<"POST /play">["body"], options?: Once): Promise<Answer<"POST /play">>;
    /** Opens a round that is played step by step. */
    openRound(bet: Options<"POST /rounds">["body"], options?: Once): Promise<Answer<"POST /rounds">>;
    /** Takes one of an open round's choices: the action, with its fields. */
    step(round: Pick<Schemas["OpenRound"], "id" | "step">, action: object, options?: Common): Promise<Answer<"POST /rounds/{id}/steps">>;
    /** The caller's open rounds, oldest first. */
    openRounds(options?: Common): Promise<Schemas["OpenRound"][]>;
    /** Claims a transaction's payment to the treasury, and returns the claim's present state. */
    deposit(signature: string, token: string, options?: Common): Promise<Answer<"POST /deposit">>;
    /** Claims a deposit and repeats it until the chain has made it final: it is then credited, or
     * waits for an admin. */
    finalDeposit(signature: string, token: string, options?: Common): Promise<Answer<"POST /deposit">>;
    /** Requests a withdrawal. */
    withdraw(order: Options<"POST /withdraw">["body"], options?: Once): Promise<Answer<"POST /withdraw">>;
    /** Cancels a withdrawal that is not approved yet. */
    cancelWithdrawal(id: string, options?: Common): Promise<Answer<"POST /withdraw/{id}/cancel">>;
    /** The caller's rounds, newest first. */
    history(query?: NonNullable<Options<"GET /history">["query"]>, options?: Common): AsyncGenerator<Schemas["Round"], void, void>;
    /** The caller's deposits, withdrawals and other postings, newest first. */
    transactions(query?: NonNullable<Options<"GET /account/transactions">["query"]>, options?: Common): AsyncGenerator<Schemas["Transaction"], void, void>;
    /** The seed pair for the next round, with the server seed's hash. */
    seed(options?: Common): Promise<Schemas["Seed"]>;
    /** Reveals the server seed and begins the next pair, with the client seed that is given, or a
     * random one. */
    rotateSeed(clientSeed?: string, options?: Once): Promise<Answer<"POST /seed/rotate">>;
    /** The caller's events, as they are committed: each once and in order, however often the
     * connection is lost. The iteration ends with the signal; it fails with SessionEnded when the
     * session is over. */
    events(options?: EventOptions): AsyncGenerator<CasinoEvent, void, void>;
    /** The events that an admin may see, or those of one player. */
    adminEvents(options?: EventOptions & {
        wallet?: string;
    }): AsyncGenerator<CasinoEvent, void, void>;
    private stream;
    /** The bets of all players as they are made, without names; missed ones are not repeated. */
    feed(options?: StreamOptions): AsyncGenerator<Schemas["RecentBet"], void, void>;
    /** The shared crash: the first value of each connection has all of it, later ones what changed. */
    crash(options?: StreamOptions): AsyncGenerator<Schemas["CrashNews"], void, void>;
}
