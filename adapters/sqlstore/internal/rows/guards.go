package rows

import "github.com/casino-service/casino/adapters/sqlstore/internal/db"

// PayoutsGuard is what everybody locks who signs a payout, leases one, or turns the
// switch. A batch locks it after its wallets and claims and before its lane.
const PayoutsGuard = "payouts"

// lockGuards locks rows of guards.
var lockGuards = db.NewQuery("UPDATE guards SET kind = guards.kind FROM {sent} AS s WHERE guards.kind = s.kind", "kind")

// LockGuard locks the row of a kind of writes that come one after the other, until the
// transaction ends.
func LockGuard(a *db.Asks, kind string) { a.Ask("lock "+kind, lockGuards, [][]any{{kind}}, nil) }
