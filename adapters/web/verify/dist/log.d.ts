import type { Verified } from "./receipts.js";
/** The verifier key of a log or of a witness. */
export interface NoteKey {
    name: string;
    algorithm: number;
    id: string;
    public: Uint8Array;
}
/** What proofs and checkpoints of the public log are checked with. */
export interface Log {
    keys: NoteKey[];
    /** One of them must have cosigned each checkpoint. */
    witnesses?: NoteKey[];
    /** Checkpoints from before, one after another. */
    checkpoints?: string;
    /** Reads a file of the published log by its path, such as checkpoint or tile/0/000; null for one that it lacks. */
    read?: (path: string) => Promise<Uint8Array | null>;
}
export interface LogReport {
    checkpoints: number;
    verified: number;
    /** What is wrong, in plain words. */
    findings: string[];
}
/** The keys of the log in an answer of GET /public/keys, perhaps none. */
export declare function readLogKeys(text: string): NoteKey[];
/** Reads verifier keys of witnesses, one a line. */
export declare function readWitnessKeys(text: string): NoteKey[];
/** Verifies checkpoints from before, the published one, and those of receipts, and that they are of one history. */
export declare function checkLog(log: Log, receipts?: Verified[]): Promise<LogReport>;
