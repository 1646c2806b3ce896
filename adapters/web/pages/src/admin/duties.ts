// Who may decide what waits: the rules of the service, so that nobody is sent to what they can't do.

/** The permission to decide a request of a kind as its second person. */
export function decides(kind: string): "withdraw:approve" | "balances:write" {
  return kind === "payouts.resume" ? "withdraw:approve" : "balances:write";
}

/** Whether an admin may decide a request as its second person: never their own. */
export function isSecond(request: { kind: string; by: string }, wallet: string, may: (permission: ReturnType<typeof decides>) => boolean): boolean {
  return request.by !== wallet && may(decides(request.kind));
}

/** Whether an admin may still approve a withdrawal: neither their own, nor twice. */
export function isToApprove(withdrawal: { wallet: string }, approvals: readonly { by: string }[], wallet: string): boolean {
  return withdrawal.wallet !== wallet && !approvals.some((each) => each.by === wallet);
}

type Payout = { id: string; destination: string | null; status: string; updatedAt: number | bigint };

/** Whether a withdrawal's address was paid before, by others of the player's transactions: before
 * it was paid itself, if it was. */
export function wasPaidBefore(withdrawal: Payout, transactions: readonly (Payout & { type: string })[]): boolean {
  return transactions.some((each) => each.type === "withdrawal" && each.status === "completed" && each.destination === withdrawal.destination
    && (withdrawal.status !== "completed" || each.updatedAt < withdrawal.updatedAt));
}

const ROLE_AGE_MS = 24 * 3_600_000;

/** Whether a role is old enough to move money. */
export function isOldEnough(role: { founding: boolean; grantedAt: number | bigint }, now: number): boolean {
  return role.founding || now >= Number(role.grantedAt) + ROLE_AGE_MS;
}
