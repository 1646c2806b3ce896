/** A round that can't be verified; it may be correct nevertheless. */
export class Unverifiable extends Error {
    reason;
    constructor(reason, message) {
        super(message);
        this.reason = reason;
        this.name = "Unverifiable";
    }
}
