/** A round that can't be verified, which says nothing about whether it is right. */
export class Unverifiable extends Error {
    reason;
    constructor(reason, message) {
        super(message);
        this.reason = reason;
        this.name = "Unverifiable";
    }
}
