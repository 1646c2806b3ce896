// From seeds to draws. Nothing else decides a round.

import { ascii, hex, hmacSha256, sha256 } from "./sha256.js";

/** The commitment to a server seed: serverSeedHash must have been this before the round. */
export function commitment(serverSeed: string): string {
  return hex(sha256(ascii(serverSeed)));
}

/** The authenticated message of a block of draws. */
export function message(clientSeed: string, nonce: bigint, cursor: number): string {
  return `${clientSeed}:${nonce}:${cursor}`;
}

/** A block of 32 bytes, which are eight draws. */
export function block(serverSeed: string, clientSeed: string, nonce: bigint, cursor: number): Uint8Array {
  return hmacSha256(ascii(serverSeed), ascii(message(clientSeed, nonce, cursor)));
}

/** A step for display: the draw k, and its result. */
export interface Step {
  /** Its block. */
  cursor: number;
  /** Its four bytes in the block, in hexadecimal digits. */
  bytes: string;
  /** The same as a number: k. */
  draw: bigint;
  /** For pick(n): n, and the resulting number. */
  of?: bigint;
  pick?: bigint;
  /** The meaning of that number, if its game gives one: a card, a tile, a colour. */
  gives?: string;
}

/** The draws of a round in order. */
export class Draws {
  readonly blocks: Uint8Array[] = [];
  readonly steps: Step[] = [];

  constructor(
    private readonly serverSeed: string,
    private readonly clientSeed: string,
    private readonly nonce: bigint,
  ) {}

  /** The next whole draw k of 0 … 2^32-1. */
  next(): bigint {
    return this.take().draw;
  }

  /** The next draw as a number of 0 … n-1: ⌊k · n / 2^32⌋. means is only for displaying the steps. */
  pick(n: bigint, means?: (pick: bigint) => string): bigint {
    const step = this.take();
    step.of = n;
    step.pick = (step.draw * n) >> 32n;
    if (means !== undefined) step.gives = means(step.pick);
    return step.pick;
  }

  /** Distinct numbers of 0 … n-1, in the order of their draws. */
  without(n: number, count: number, means: (number: bigint) => string = String): bigint[] {
    const left = Array.from({ length: n }, (_, number) => BigInt(number));
    const nth = (pick: bigint): bigint => left[Number(pick)]!;
    return Array.from({ length: count }, () => left.splice(Number(this.pick(BigInt(left.length), (pick) => means(nth(pick)))), 1)[0]!);
  }

  private take(): Step {
    const cursor = this.steps.length >> 3;
    const bytes = (this.blocks[cursor] ??= block(this.serverSeed, this.clientSeed, this.nonce, cursor));
    const at = (this.steps.length & 7) * 4;
    const step = { cursor, bytes: hex(bytes.subarray(at, at + 4)), draw: BigInt(new DataView(bytes.buffer).getUint32(at)) }; // big-endian
    this.steps.push(step);
    return step;
  }
}
