// The seed pair that bets are drawn from: which one the player expects, and a client seed of
// the player's own before the first bet of a pair.

import type { Schemas } from "./calls.js";

type Seed = Pick<Schemas["Seed"], "serverSeedHash" | "nonce" | "clientSeedSource">;
type Drawn = Pick<Schemas["Round"], "serverSeedHash" | "nonce"> & { outcome?: unknown; status?: string };

/** What a bet says of the pair that it expects. */
export interface Expected {
  expectedServerSeedHash: string;
  expectedNonce: number;
}

/** How the pair is read, and how the next one is begun. */
export interface Seeds {
  read: () => Promise<Seed>;
  rotate: (body: { clientSeed: string; expectedServerSeedHash: string }) => Promise<{ seed: Seed }>;
}

/** A client seed that nobody can guess: 128 random bits. */
export function newClientSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a bet was refused because the pair or its nonce is another one: nothing was drawn. */
function isOutdated(failure: unknown): boolean {
  const { code, details } = failure as { code?: unknown; details?: { field?: unknown } };
  return code === "INVALID_STATE" && (details?.field === "expectedServerSeedHash" || details?.field === "expectedNonce");
}

/** Whether a rotation was refused because rounds are open that are drawn from the pair. */
function isHeld(failure: unknown): boolean {
  const { code, details } = failure as { code?: unknown; details?: { status?: unknown } };
  return code === "INVALID_STATE" && details?.status === "open";
}

/** The pair of one session. Its bets are sent one after another, each with the pair and the
 * nonce that it expects. A pair whose client seed isn't the player's is rotated before, with a
 * random one, unless rounds are open that are drawn from it. */
export class ExpectedPair {
  private known: { serverSeedHash: string; nonce: number } | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly seeds: Seeds) {}

  /** Sends a bet. Where the pair is another one than expected, because it ended or another
   * device bet, it is read again, and the bet is sent once more. A bet without an answer leaves
   * the expectation as it is, so that sending it again under its key repeats it. */
  bet<T extends { round: Drawn }>(send: (expected: Expected) => Promise<T>): Promise<T> {
    const sent = this.last.then(() => this.attempt(send));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  /** Has the next bet read the pair again: it was rotated, or somebody else signed in. */
  forget(): void {
    this.known = null;
  }

  private async attempt<T extends { round: Drawn }>(send: (expected: Expected) => Promise<T>): Promise<T> {
    for (let first = true; ; first = false) {
      const pair = (this.known ??= await this.begin());
      try {
        const answer = await send({ expectedServerSeedHash: pair.serverSeedHash, expectedNonce: pair.nonce });
        this.follow(answer.round);
        return answer;
      } catch (failure) {
        if (!isOutdated(failure)) throw failure;
        this.known = null;
        if (!first) throw failure;
      }
    }
  }

  /** A repeated answer is of an earlier nonce, and changes nothing. A void round ends its pair. */
  private follow({ serverSeedHash, nonce, outcome, status }: Drawn): void {
    if (status !== "open" && outcome === null) this.known = null;
    if (this.known?.serverSeedHash === serverSeedHash && this.known.nonce === Number(nonce)) this.known.nonce++;
  }

  private async begin(): Promise<{ serverSeedHash: string; nonce: number }> {
    const now = await this.seeds.read();
    if (now.clientSeedSource === "player") return { serverSeedHash: now.serverSeedHash, nonce: Number(now.nonce) };
    try {
      const { seed } = await this.seeds.rotate({ clientSeed: newClientSeed(), expectedServerSeedHash: now.serverSeedHash });
      return { serverSeedHash: seed.serverSeedHash, nonce: Number(seed.nonce) };
    } catch (failure) {
      if (!isHeld(failure)) throw failure;
      return { serverSeedHash: now.serverSeedHash, nonce: Number(now.nonce) };
    }
  }
}
