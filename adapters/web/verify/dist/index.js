/**
 * Recomputes rounds of the casino from their revealed seeds, as docs/fairness says, and
 * compares them. Needs nothing: no network, no WebCrypto, no other package.
 *
 *     const { verified, differences } = verify(text); // what GET /history/{id} answered
 *
 * @module
 */
export { checkAnchor, memoRequest, readMemo } from "./anchors.js";
export { checkCapture } from "./captures.js";
export { betOf, couldPay, publishedGames } from "./bets.js";
export { crashNetwork, crashPoint, readCrash, readCrashBlock, verifyCrash, } from "./crash.js";
export { crashEndOf, crashMultiplierAt, crashTimeOf } from "./crashtable.js";
export { Decimal } from "./decimal.js";
export { block, commitment, Draws, message } from "./draws.js";
export { Unverifiable } from "./errors.js";
export { Fraction } from "./fraction.js";
export { games } from "./games/index.js";
export { isObject, parse, same, stringify } from "./json.js";
export { checkLog, readLogKeys, readWitnessKeys } from "./log.js";
export { checkReceipts, contradictions, differencesOf, verifyReceipt, } from "./receipts.js";
export { judgeRefusal, mustBeSigned } from "./refusals.js";
export { Selection } from "./selection.js";
export { verifySolvency } from "./solvency.js";
export { StatementFault } from "./statements.js";
export { NoEd25519, readReceiptKeys } from "./signatures.js";
export { ascii, hex, hmacSha256, sha256 } from "./sha256.js";
export { committed, inputsOf, notes, openedBound, recompute, roundOf, steps, trace, verify, } from "./verify.js";
