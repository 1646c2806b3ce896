// The client: every call of the contract by name, and methods for the most common ones.

import type { Answer, AnyOptions, Call, Calls, Common, Items, ListCall, Options, Pages, Schemas, SheetCall, Texts } from "./calls.js";
import { Connection, type Settings } from "./connection.js";
import { Refusal } from "./errors.js";
import { parse } from "./json.js";
import { ExpectedPair, newClientSeed } from "./pair.js";
import { sleep } from "./pauses.js";
import { follow, type StreamOptions } from "./streams.js";

/** Signs the bytes of a text with a wallet's key: 64 bytes, or their base64. */
export type Sign = (message: Uint8Array<ArrayBuffer>) => Uint8Array | string | Promise<Uint8Array | string>;

/** A committed event, with the position after it; pass that as cursor to continue there. */
export type CasinoEvent = Schemas["Event"] & { cursor: string };

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

const POLL_MS = 1_000;

/** A casino's service, called with one session or none. It keeps the seed pair that its next bet
 * expects, and nothing else: the caller has the token, and `as` gives a client that sends it. */
export class Casino {
  private readonly connection: Connection;
  private readonly token: string | null;
  private readonly pair = new ExpectedPair({
    read: () => this.seed(),
    rotate: (body) => this.call("POST /seed/rotate")({ body }),
  });

  /** base is the service's address with its base path, such as https://casino.example/casino. */
  constructor(base: string | Connection, settings: Settings & { token?: string } = {}) {
    const { token, ...rest } = settings;
    this.connection = typeof base === "string" ? new Connection(base, rest) : base;
    this.token = token ?? null;
  }

  /** The same service, called with a session's token. */
  as(token: string): Casino {
    return new Casino(this.connection, { token });
  }

  /** A call of the contract as a function: `call("POST /play")({ body })`. A call that moves
   * money is sent with a key. Calls that may be repeated are sent again, under the same key, if
   * no answer came or the service asks to wait. It fails with a Refusal, SessionEnded or
   * NoAnswer, or with the reason of the signal. */
  call<C extends Call>(call: C): Calls[C] {
    const made = async (options: AnyOptions = {}) => {
      const text = await this.connection.text(call, options, this.token);
      return text === "" ? undefined : parse(text);
    };
    return made as Calls[C];
  }

  /** The same with the answer's unchanged text, for example a round for @casino-service/verify. */
  text<C extends Call>(call: C): Texts[C] {
    const made = (options: AnyOptions = {}) => this.connection.text(call, options, this.token);
    return made as Texts[C];
  }

  /** The same for a whole list under its filters, as CSV. */
  sheet<C extends SheetCall>(call: C): Texts[C] {
    const made = (options: AnyOptions = {}) => this.connection.text(call, { ...options, headers: { Accept: "text/csv" } }, this.token);
    return made as Texts[C];
  }

  /** The pages of a list in order; each is read when it is requested. */
  pages<C extends ListCall>(call: C): Pages[C] {
    const made = (options: AnyOptions = {}) => this.turn(call, options);
    return made as Pages[C];
  }

  /** The items of a list in order, over all its pages. */
  each<C extends ListCall>(call: C): Items[C] {
    const turn = (options: AnyOptions) => this.turn(call, options);
    async function* made(options: AnyOptions = {}): AsyncGenerator<unknown, void, void> {
      for await (const page of turn(options)) yield* Object.values(page).find(Array.isArray) ?? []; // a page has one list
    }
    return made as Items[C];
  }

  private async *turn(call: string, options: AnyOptions): AsyncGenerator<object, void, void> {
    for (let query: object = { ...options.query }; ; ) {
      const page = parse(await this.connection.text(call, { ...options, query }, this.token)) as { nextCursor: string | null; more?: boolean };
      yield page;
      if (page.nextCursor === null || page.more === false) return;
      query = { ...query, page: undefined, cursor: page.nextCursor };
    }
  }

  /** Signs a wallet in: sign gets the bytes that the wallet must sign. If the service finds this
   * machine's time stale, sign is called once more, for the service's time. The caller keeps the
   * session's token. */
  async signIn(wallet: string, sign: Sign, options: Common & { agentCode?: string } = {}): Promise<Schemas["Session"]> {
    const { agentCode, signal } = options;
    const send = async (timestamp: number) => {
      const signed = await sign(new TextEncoder().encode(`casino-auth:${wallet}:${timestamp}`));
      const signature = typeof signed === "string" ? signed : btoa(String.fromCharCode(...signed));
      const sent: Options<"POST /auth/login"> = { body: { wallet, timestamp, signature } };
      if (agentCode !== undefined) sent.body.agentCode = agentCode;
      if (signal !== undefined) sent.signal = signal;
      return this.call("POST /auth/login")(sent);
    };
    return send(Date.now()).catch((failure: unknown) => {
      if (failure instanceof Refusal && failure.code === "STALE_TIMESTAMP" && failure.details.serverTime !== undefined) {
        return send(Number(failure.details.serverTime));
      }
      throw failure;
    });
  }

  /** Ends all of the wallet's sessions. */
  signOut(options: Common = {}): Promise<undefined> {
    return this.call("POST /auth/logout")(options);
  }

  /** The caller's balance of each token, in base units. */
  async balances(options: Common = {}): Promise<Map<string, bigint>> {
    const { balances } = await this.call("GET /balance")(options);
    return new Map(balances.map((line) => [line.token, BigInt(line.balance)]));
  }

  /** Plays a round that is decided at once. Like openRound it says which seed pair and nonce it
   * expects, and before the first bet of a pair without a client seed of the player's it rotates
   * with a random one. Bets of a client are sent one after another. */
  play(bet: Options<"POST /play">["body"], options: Once = {}): Promise<Answer<"POST /play">> {
    return this.pair.bet((expected) => this.call("POST /play")({ body: { ...expected, ...bet }, ...options }));
  }

  /** Opens a round that is played step by step. */
  openRound(bet: Options<"POST /rounds">["body"], options: Once = {}): Promise<Answer<"POST /rounds">> {
    return this.pair.bet((expected) => this.call("POST /rounds")({ body: { ...expected, ...bet }, ...options }));
  }

  /** Takes one of an open round's choices: the action, with its fields. */
  step(round: Pick<Schemas["OpenRound"], "id" | "step">, action: object, options: Common = {}): Promise<Answer<"POST /rounds/{id}/steps">> {
    return this.call("POST /rounds/{id}/steps")({ path: { id: round.id }, body: { step: Number(round.step), action: { ...action } }, ...options });
  }

  /** The caller's open rounds, oldest first. */
  async openRounds(options: Common = {}): Promise<Schemas["OpenRound"][]> {
    return (await this.call("GET /rounds")(options)).rounds;
  }

  /** Claims a transaction's payment to the treasury, and returns the claim's present state. */
  deposit(signature: string, token: string, options: Common = {}): Promise<Answer<"POST /deposit">> {
    return this.call("POST /deposit")({ body: { signature, token }, ...options });
  }

  /** Claims a deposit and repeats it until the chain has made it final: it is then credited, or
   * waits for an admin. */
  async finalDeposit(signature: string, token: string, options: Common = {}): Promise<Answer<"POST /deposit">> {
    for (;;) {
      const claim = await this.deposit(signature, token, options);
      if (claim.transaction.status !== "pending") return claim;
      await sleep(POLL_MS, options.signal);
    }
  }

  /** Requests a withdrawal. */
  withdraw(order: Options<"POST /withdraw">["body"], options: Once = {}): Promise<Answer<"POST /withdraw">> {
    return this.call("POST /withdraw")({ body: order, ...options });
  }

  /** Cancels a withdrawal that is not approved yet. */
  cancelWithdrawal(id: string, options: Common = {}): Promise<Answer<"POST /withdraw/{id}/cancel">> {
    return this.call("POST /withdraw/{id}/cancel")({ path: { id }, ...options });
  }

  /** The caller's rounds, newest first. */
  history(query: NonNullable<Options<"GET /history">["query"]> = {}, options: Common = {}): AsyncGenerator<Schemas["Round"], void, void> {
    return this.each("GET /history")({ query, ...options });
  }

  /** The caller's deposits, withdrawals and other postings, newest first. */
  transactions(query: NonNullable<Options<"GET /account/transactions">["query"]> = {}, options: Common = {}): AsyncGenerator<Schemas["Transaction"], void, void> {
    return this.each("GET /account/transactions")({ query, ...options });
  }

  /** The seed pair for the next round, with the server seed's hash. */
  seed(options: Common = {}): Promise<Schemas["Seed"]> {
    return this.call("GET /seed")(options);
  }

  /** Reveals the server seed and begins the next pair, with the client seed that is given, or a
   * random one. */
  rotateSeed(clientSeed = newClientSeed(), options: Once = {}): Promise<Answer<"POST /seed/rotate">> {
    this.pair.forget();
    return this.call("POST /seed/rotate")({ body: { clientSeed }, ...options });
  }

  /** The caller's events, as they are committed: each once and in order, however often the
   * connection is lost. The iteration ends with the signal; it fails with SessionEnded when the
   * session is over. */
  events(options: EventOptions = {}): AsyncGenerator<CasinoEvent, void, void> {
    return this.stream("GET /events", {}, options);
  }

  /** The events that an admin may see, or those of one player. */
  adminEvents(options: EventOptions & { wallet?: string } = {}): AsyncGenerator<CasinoEvent, void, void> {
    return this.stream("GET /admin/events", { wallet: options.wallet }, options);
  }

  private async *stream(call: string, query: object, { cursor, types, ...options }: EventOptions): AsyncGenerator<CasinoEvent, void, void> {
    const what = { call, query: { ...query, types: types?.join(",") }, token: this.token, cursor: cursor ?? null };
    for await (const { value, cursor: after } of follow(this.connection, what, options)) {
      yield { ...(value as Schemas["Event"]), cursor: after };
    }
  }

  /** The bets of all players as they are made, without names; missed ones are not repeated. */
  async *feed(options: StreamOptions = {}): AsyncGenerator<Schemas["RecentBet"], void, void> {
    const what = { call: "GET /public/feed", query: {}, token: null, cursor: null };
    for await (const { value } of follow(this.connection, what, options)) yield value as Schemas["RecentBet"];
  }

  /** The shared crash: the first value of each connection has all of it, later ones what changed. */
  async *crash(options: StreamOptions = {}): AsyncGenerator<Schemas["CrashNews"], void, void> {
    const what = { call: "GET /crash/stream", query: {}, token: null, cursor: null };
    for await (const { value } of follow(this.connection, what, options)) yield value as Schemas["CrashNews"];
  }
}
