// The seed pair that bets are drawn from: which one the player expects, and a client seed of
// the player's own before the first bet of a pair.
/** A client seed that nobody can guess: 128 random bits. */
export function newClientSeed() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
/** Whether a bet was refused because the pair or its nonce is another one: nothing was drawn. */
function isOutdated(failure) {
    const { code, details } = failure;
    return code === "INVALID_STATE" && (details?.field === "expectedServerSeedHash" || details?.field === "expectedNonce");
}
/** Whether a rotation was refused because rounds are open that are drawn from the pair. */
function isHeld(failure) {
    const { code, details } = failure;
    return code === "INVALID_STATE" && details?.status === "open";
}
/** The pair of one session. Its bets are sent one after another, each with the pair and the
 * nonce that it expects. A pair whose client seed isn't the player's is rotated before, with a
 * random one, unless rounds are open that are drawn from it. */
export class ExpectedPair {
    seeds;
    known = null;
    last = Promise.resolve();
    constructor(seeds) {
        this.seeds = seeds;
    }
    /** Sends a bet. Where the pair is another one than expected, because it ended or another
     * device bet, it is read again, and the bet is sent once more. A bet without an answer leaves
     * the expectation as it is, so that sending it again under its key repeats it. */
    bet(send) {
        const sent = this.last.then(() => this.attempt(send));
        this.last = sent.catch(() => undefined);
        return sent;
    }
    /** Has the next bet read the pair again: it was rotated, or somebody else signed in. */
    forget() {
        this.known = null;
    }
    async attempt(send) {
        for (let first = true;; first = false) {
            const pair = (this.known ??= await this.begin());
            try {
                const answer = await send({ expectedServerSeedHash: pair.serverSeedHash, expectedNonce: pair.nonce });
                this.follow(answer.round);
                return answer;
            }
            catch (failure) {
                if (!isOutdated(failure))
                    throw failure;
                this.known = null;
                if (!first)
                    throw failure;
            }
        }
    }
    /** A repeated answer is of an earlier nonce, and changes nothing. A void round ends its pair. */
    follow({ serverSeedHash, nonce, outcome, status }) {
        if (status !== "open" && outcome === null)
            this.known = null;
        if (this.known?.serverSeedHash === serverSeedHash && this.known.nonce === Number(nonce))
            this.known.nonce++;
    }
    async begin() {
        const now = await this.seeds.read();
        if (now.clientSeedSource === "player")
            return { serverSeedHash: now.serverSeedHash, nonce: Number(now.nonce) };
        try {
            const { seed } = await this.seeds.rotate({ clientSeed: newClientSeed(), expectedServerSeedHash: now.serverSeedHash });
            return { serverSeedHash: seed.serverSeedHash, nonce: Number(seed.nonce) };
        }
        catch (failure) {
            if (!isHeld(failure))
                throw failure;
            return { serverSeedHash: now.serverSeedHash, nonce: Number(now.nonce) };
        }
    }
}
