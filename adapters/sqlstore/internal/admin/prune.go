package admin

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// PruneMax is how many claims one step of pruning forgets.
const PruneMax = 1000

// Prune forgets claims whose time is over: used login messages that no window
// accepts any more, and clients' keys after their time. It is a step: true says
// that there may be more. Nothing else is ever deleted.
func (c *Changes) Prune(ctx context.Context, now time.Time) (worked bool, err error) {
	result, err := c.db.Write.ExecContext(ctx, `DELETE FROM unique_keys WHERE (kind, scope, id) IN
		(SELECT kind, scope, id FROM unique_keys WHERE keep_until < ? ORDER BY keep_until LIMIT ?)`, db.Micros(now), PruneMax)
	if err != nil {
		return false, db.Wrap("prune unique keys", err)
	}
	forgotten, err := result.RowsAffected()
	return forgotten > 0, db.Wrap("prune unique keys", err)
}
