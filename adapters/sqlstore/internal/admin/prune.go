package admin

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// PruneMax is how many rows of a kind one step of pruning forgets.
const PruneMax = 1000

// expired are what is forgotten when its time is over: used login messages that no window
// accepts any more and clients' keys after their time, and what sessions that have expired
// began with.
var expired = []struct{ what, table, key string }{
	{"prune unique keys", "unique_keys", "kind, scope, id, place"},
	{"prune sessions", "sessions", "wallet, issued_at"},
}

// Prune forgets what is expired. It is a step: true says that there may be more. Nothing
// else is ever deleted.
func (c *Changes) Prune(ctx context.Context, now time.Time) (worked bool, err error) {
	for _, kind := range expired {
		which := c.db.Write.NewSelect().Table(kind.table).ColumnExpr(kind.key).Where("keep_until < ?", db.Micros(now)).Order("keep_until").Limit(PruneMax)
		forgotten, failed := changed(c.db.Write.NewDelete().Table(kind.table).Where("("+kind.key+") IN (?)", which).Exec(ctx))
		worked, err = worked || forgotten > 0, errors.Join(err, db.Wrap(kind.what, failed))
	}
	return worked, err
}
