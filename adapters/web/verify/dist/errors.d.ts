/** Why a round can't be verified. */
export type Reason = "not revealed" | "a provider's" | "unknown rules" | "config" | "actions" | "malformed";
/** A round that can't be verified; it may be correct nevertheless. */
export declare class Unverifiable extends Error {
    readonly reason: Reason;
    constructor(reason: Reason, message: string);
}
