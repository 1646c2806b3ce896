/**
 * Recomputes rounds of the casino from their revealed seeds, as docs/fairness says, and
 * compares them. Needs nothing: no network, no WebCrypto, no other package.
 *
 *     const { verified, differences } = verify(text); // what GET /history/{id} answered
 *
 * @module
 */
export { checkAnchor, memoRequest, readMemo, type Memo } from "./anchors.js";
export { checkCapture, type CaptureReport } from "./captures.js";
export { betOf, couldPay, publishedGames, type Bet, type PublishedGame } from "./bets.js";
export {
  crashNetwork, crashPoint, readCrash, readCrashBlock, verifyCrash, type CrashAnswer, type CrashBlock, type CrashCheck, type CrashReport,
} from "./crash.js";
export { crashEndOf, crashMultiplierAt, crashTimeOf } from "./crashtable.js";
export { Decimal } from "./decimal.js";
export { block, commitment, Draws, message, type Step } from "./draws.js";
export { Unverifiable, type Reason } from "./errors.js";
export type { CheckName, Finding } from "./findings.js";
export { Fraction } from "./fraction.js";
export { games } from "./games/index.js";
export { isObject, parse, same, stringify, type Json } from "./json.js";
export { checkLog, readLogKeys, readWitnessKeys, type Log, type LogReport, type NoteKey } from "./log.js";
export {
  checkReceipts, contradictions, differencesOf, verifyReceipt,
  type Contradiction, type ReceiptReport, type ReceiptVerdict, type SignedHead, type Verified,
} from "./receipts.js";
export { judgeRefusal, mustBeSigned } from "./refusals.js";
export { Selection, type DeclinedBet, type DeclinedNonce, type Selected } from "./selection.js";
export { verifySolvency, type Owed, type Solvency } from "./solvency.js";
export { StatementFault } from "./statements.js";
export type { Result, Rules } from "./rules.js";
export { NoEd25519, readReceiptKeys, type ReceiptKeys } from "./signatures.js";
export { ascii, hex, hmacSha256, sha256 } from "./sha256.js";
export {
  committed, inputsOf, notes, openedBound, recompute, roundOf, steps, trace, verify,
  type Check, type Commitment, type Difference, type Inputs, type Recomputed, type Steps, type Trace, type Verdict,
} from "./verify.js";
