// What is found in a capture.

/** The checks of a capture, by their names in docs/fairness/capture.md. */
export type CheckName =
  | "form" | "rules" | "commitment" | "client seed" | "nonce" | "bound" | "hidden" | "asked" | "time" | "outcome" | "void" | "history"
  | "refusal" | "limits" | "balance" | "receipt" | "solvency" | "selection" | "shared crash";

export interface Finding {
  check: CheckName;
  /** The number of its line in the file, from 1. */
  line: number;
  text: string;
}

const SHOWN_MAX = 20; // findings of a check

/** Collects findings: the first of each check, and how many there are of all. */
export class Findings {
  readonly shown: Finding[] = [];
  readonly counts = new Map<CheckName, number>();

  add(check: CheckName, line: number, text: string): void {
    const count = (this.counts.get(check) ?? 0) + 1;
    this.counts.set(check, count);
    if (count <= SHOWN_MAX) this.shown.push({ check, line, text });
  }

  /** Adds a finding unless something is as it must be. */
  expect(holds: boolean, check: CheckName, line: number, text: () => string): boolean {
    if (!holds) this.add(check, line, text());
    return holds;
  }
}
