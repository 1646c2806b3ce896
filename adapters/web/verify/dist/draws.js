// From seeds to draws. Nothing else decides a round.
import { ascii, hex, hmacSha256, sha256 } from "./sha256.js";
/** The commitment to a server seed: serverSeedHash must have been this before the round. */
export function commitment(serverSeed) {
    return hex(sha256(ascii(serverSeed)));
}
/** The authenticated message of a block of draws. */
export function message(clientSeed, nonce, cursor) {
    return `${clientSeed}:${nonce}:${cursor}`;
}
/** A block of 32 bytes, which are eight draws. */
export function block(serverSeed, clientSeed, nonce, cursor) {
    return hmacSha256(ascii(serverSeed), ascii(message(clientSeed, nonce, cursor)));
}
/** The draws of a round in order. */
export class Draws {
    serverSeed;
    clientSeed;
    nonce;
    blocks = [];
    steps = [];
    constructor(serverSeed, clientSeed, nonce) {
        this.serverSeed = serverSeed;
        this.clientSeed = clientSeed;
        this.nonce = nonce;
    }
    /** The next whole draw k of 0 … 2^32-1. */
    next() {
        return this.take().draw;
    }
    /** The next draw as a number of 0 … n-1: ⌊k · n / 2^32⌋. means is only for displaying the steps. */
    pick(n, means) {
        const step = this.take();
        step.of = n;
        step.pick = (step.draw * n) >> 32n;
        if (means !== undefined)
            step.gives = means(step.pick);
        return step.pick;
    }
    /** Distinct numbers of 0 … n-1, in the order of their draws. */
    without(n, count, means = String) {
        const left = Array.from({ length: n }, (_, number) => BigInt(number));
        const nth = (pick) => left[Number(pick)];
        return Array.from({ length: count }, () => left.splice(Number(this.pick(BigInt(left.length), (pick) => means(nth(pick)))), 1)[0]);
    }
    take() {
        const cursor = this.steps.length >> 3;
        const bytes = (this.blocks[cursor] ??= block(this.serverSeed, this.clientSeed, this.nonce, cursor));
        const at = (this.steps.length & 7) * 4;
        const step = { cursor, bytes: hex(bytes.subarray(at, at + 4)), draw: BigInt(new DataView(bytes.buffer).getUint32(at)) }; // big-endian
        this.steps.push(step);
        return step;
    }
}
