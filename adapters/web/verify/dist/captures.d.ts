import { type Finding } from "./findings.js";
export interface CaptureReport {
    rounds: number;
    /** Pairs with rounds that were revealed. */
    pairs: number;
    players: number;
    /** Receipts whose signature, path and content hold. */
    receipts: number;
    /** The first findings of each check, in the order of the file. */
    findings: Finding[];
    /** How many findings there are in all. */
    found: number;
    /** What could not be checked, in sentences. */
    leftOut: string[];
}
/** Checks the lines of a capture, without their line feeds. Fails with NoEd25519 where signatures can't be verified. */
export declare function checkCapture(lines: AsyncIterable<string> | Iterable<string>): Promise<CaptureReport>;
