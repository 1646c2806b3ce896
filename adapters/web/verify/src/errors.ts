/** Why a round can't be verified. */
export type Reason = "not revealed" | "a provider's" | "unknown rules" | "config" | "actions" | "malformed";

/** A round that can't be verified; it may be correct nevertheless. */
export class Unverifiable extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
    this.name = "Unverifiable";
  }
}
