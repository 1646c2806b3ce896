// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). WebCrypto isn't used, because browsers have it only on
// secure origins, and not in a page that was saved to disk. All operations are on 32-bit integers.
const BLOCK = 64;
// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and
// of the square roots of the first eight.
const K = new Int32Array([
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const W = new Int32Array(64);
/** Takes one block of 64 bytes into the state. */
function compress(state, bytes, at) {
    for (let i = 0; i < 16; i++, at += 4) {
        W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i++) {
        const x = W[i - 15];
        const y = W[i - 2];
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
        const S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (h + S1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
        const S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + t1) | 0;
        d = c;
        c = b;
        b = a;
        a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i] + value) | 0));
}
export function sha256(message) {
    // The message, a bit of 1, zeros, and the length in bits as 64 bits, big-endian.
    const padded = new Uint8Array((message.length + 9 + BLOCK - 1) & -BLOCK);
    padded.set(message);
    padded[message.length] = 0x80;
    new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
    const state = Int32Array.from(START);
    for (let at = 0; at < padded.length; at += BLOCK)
        compress(state, padded, at);
    const digest = new Uint8Array(32);
    const view = new DataView(digest.buffer);
    state.forEach((word, i) => view.setInt32(i * 4, word));
    return digest;
}
/** SHA-256 of bytes that come in parts. */
export class Sha256 {
    state = Int32Array.from(START);
    rest = new Uint8Array(BLOCK);
    length = 0;
    add(bytes) {
        let at = 0;
        const held = this.length % BLOCK;
        this.length += bytes.length;
        if (held > 0) {
            at = BLOCK - held < bytes.length ? BLOCK - held : bytes.length;
            this.rest.set(bytes.subarray(0, at), held);
            if (held + at < BLOCK)
                return;
            compress(this.state, this.rest, 0);
        }
        for (; at + BLOCK <= bytes.length; at += BLOCK)
            compress(this.state, bytes, at);
        this.rest.set(bytes.subarray(at));
    }
    digest() {
        const held = this.length % BLOCK;
        const length = BigInt(this.length) * 8n;
        const end = new Uint8Array(held + 9 <= BLOCK ? BLOCK - held : 2 * BLOCK - held);
        end[0] = 0x80;
        new DataView(end.buffer).setBigUint64(end.length - 8, length);
        this.add(end);
        const digest = new Uint8Array(32);
        const view = new DataView(digest.buffer);
        this.state.forEach((word, i) => view.setInt32(i * 4, word));
        return digest;
    }
}
export function hmacSha256(key, message) {
    const short = key.length > BLOCK ? sha256(key) : key;
    const inner = new Uint8Array(BLOCK + message.length);
    const outer = new Uint8Array(BLOCK + 32);
    for (let i = 0; i < BLOCK; i++) {
        const byte = short[i] ?? 0;
        inner[i] = byte ^ 0x36;
        outer[i] = byte ^ 0x5c;
    }
    inner.set(message, BLOCK);
    outer.set(sha256(inner), BLOCK);
    return sha256(outer);
}
/** The bytes of an ASCII text; seeds are ASCII. */
export function ascii(text) {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code > 0x7f)
            throw new RangeError("the text has characters that are not ASCII");
        bytes[i] = code;
    }
    return bytes;
}
const DIGITS = "0123456789abcdef";
export function hex(bytes) {
    let text = "";
    for (const byte of bytes)
        text += DIGITS[byte >> 4] + DIGITS[byte & 15];
    return text;
}
