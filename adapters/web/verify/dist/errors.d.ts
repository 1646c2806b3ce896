/** Why a round can't be verified. */
export type Reason = "not revealed" | "a provider's" | "unknown rules" | "config" | "actions" | "malformed";
/** A round that can't be verified, which says nothing about whether it is right. */
export declare class Unverifiable extends Error {
    readonly reason: Reason;
    constructor(reason: Reason, message: string);
}
