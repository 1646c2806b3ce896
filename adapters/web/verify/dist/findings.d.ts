/** The checks of a capture, by their names in docs/fairness/capture.md. */
export type CheckName = "form" | "rules" | "commitment" | "client seed" | "nonce" | "bound" | "hidden" | "asked" | "time" | "outcome" | "void" | "history" | "refusal" | "limits" | "balance" | "receipt" | "solvency" | "selection" | "shared crash";
export interface Finding {
    check: CheckName;
    /** The number of its line in the file, from 1. */
    line: number;
    text: string;
}
/** Collects findings: the first of each check, and how many there are of all. */
export declare class Findings {
    readonly shown: Finding[];
    readonly counts: Map<CheckName, number>;
    add(check: CheckName, line: number, text: string): void;
    /** Adds a finding unless something is as it must be. */
    expect(holds: boolean, check: CheckName, line: number, text: () => string): boolean;
}
