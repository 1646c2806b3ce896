package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// PayoutsGuard is what everybody locks who signs a payout, leases one, or turns the
// switch. A batch locks it after its wallets and claims and before its lane.
const PayoutsGuard = "payouts"

// guardRow is a row of guards, which is there to be locked.
type guardRow struct {
	bun.BaseModel `bun:"table:guards,alias:g"`
	Kind          string `bun:",pk"`
}

// lockGuards locks rows of guards.
var lockGuards = db.NewQuery("UPDATE guards SET kind = guards.kind FROM {sent} AS s WHERE guards.kind = s.kind", sent(modelOf[guardRow, guardRow]().columns)...)

// LockGuard locks the row of a kind of writes that come one after the other, until the
// transaction ends.
func LockGuard(a *db.Asks, kind string) { a.Ask("lock "+kind, lockGuards, [][]any{{kind}}, nil) }
