// What is found in a capture.
const SHOWN_MAX = 20; // findings of a check
/** Collects findings: the first of each check, and how many there are of all. */
export class Findings {
    shown = [];
    counts = new Map();
    add(check, line, text) {
        const count = (this.counts.get(check) ?? 0) + 1;
        this.counts.set(check, count);
        if (count <= SHOWN_MAX)
            this.shown.push({ check, line, text });
    }
    /** Adds a finding unless something is as it must be. */
    expect(holds, check, line, text) {
        if (!holds)
            this.add(check, line, text());
        return holds;
    }
}
