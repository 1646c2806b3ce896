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
var expired = []struct{ what, delete string }{
	{"prune unique keys", `DELETE FROM unique_keys WHERE (kind, scope, id, place) IN
		(SELECT kind, scope, id, place FROM unique_keys WHERE keep_until < ? ORDER BY keep_until LIMIT ?)`},
	{"prune sessions", `DELETE FROM sessions WHERE (wallet, issued_at) IN
		(SELECT wallet, issued_at FROM sessions WHERE keep_until < ? ORDER BY keep_until LIMIT ?)`},
}

// Prune forgets what is expired. It is a step: true says that there may be more. Nothing
// else is ever deleted.
func (c *Changes) Prune(ctx context.Context, now time.Time) (worked bool, err error) {
	for _, kind := range expired {
		result, failed := c.db.Write.ExecContext(ctx, kind.delete, db.Micros(now), PruneMax)
		if failed != nil {
			err = errors.Join(err, db.Wrap(kind.what, failed))
			continue
		}
		forgotten, failed := result.RowsAffected()
		worked, err = worked || forgotten > 0, errors.Join(err, db.Wrap(kind.what, failed))
	}
	return worked, err
}
