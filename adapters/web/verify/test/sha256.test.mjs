import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import test from "node:test";
import { ascii, hex, hmacSha256, sha256 } from "../dist/index.js";

// A sequence of bytes that is the same in every run.
function bytes(length, from) {
  return Uint8Array.from({ length }, (_, i) => (i * 167 + from * 59 + (i >> 3)) & 255);
}

test("SHA-256 is that of the published vectors", () => {
  // FIPS 180-4's examples.
  assert.equal(hex(sha256(ascii(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(hex(sha256(ascii("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(hex(sha256(ascii("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  assert.equal(hex(sha256(ascii("a".repeat(1000000)))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
});

test("HMAC is that of the published vectors", () => {
  // RFC 4231, cases 1, 2, 6 and 7: the last two have keys of more than a block.
  for (const [key, message, is] of [
    [new Uint8Array(20).fill(0x0b), ascii("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [ascii("Jefe"), ascii("what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    [new Uint8Array(131).fill(0xaa), ascii("Test Using Larger Than Block-Size Key - Hash Key First"), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"],
    [new Uint8Array(131).fill(0xaa), ascii("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."), "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"],
  ]) {
    assert.equal(hex(hmacSha256(key, message)), is);
  }
});

test("both are those of another implementation for every length around the blocks", () => {
  for (let length = 0; length <= 260; length++) {
    const message = bytes(length, length);
    assert.equal(hex(sha256(message)), createHash("sha256").update(message).digest("hex"), `SHA-256 of ${length} bytes`);
    for (const keyLength of [0, 1, 63, 64, 65, 128, length]) {
      const key = bytes(keyLength, 7);
      assert.equal(hex(hmacSha256(key, message)), createHmac("sha256", key).update(message).digest("hex"), `HMAC of ${length} bytes under ${keyLength}`);
    }
  }
});

test("texts that are not ASCII are refused", () => {
  assert.throws(() => ascii("é"), RangeError);
});
