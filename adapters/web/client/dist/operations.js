// Written by contract.mjs from the published contract.
/** The calls that happen once under a key. */
export const keyed = new Set([
    "POST /withdraw",
    "POST /play",
    "POST /rounds",
    "POST /crash/bets",
    "POST /seed/rotate",
    "POST /admin/legacy/agents/{id}/funds",
    "PATCH /admin/balances/{user}",
    "POST /admin/withdraw/approve",
    "POST /admin/withdraw/reject",
    "POST /admin/transactions/{id}/correct",
    "POST /admin/capital/correct",
    "POST /admin/approvals/{id}"
]);
