package sqlstore

import (
	"context"
	"time"
)

// PruneMax is how many claims one step of pruning forgets.
const PruneMax = 1000

// Prune forgets claims whose time is over: used login messages that no window
// accepts any more, and clients' keys after their time. It is a step: true says
// that there may be more. Nothing else is ever deleted.
func (s *Store) Prune(ctx context.Context, now time.Time) (worked bool, err error) {
	result, err := s.db.Write.ExecContext(ctx, `DELETE FROM claims WHERE (kind, scope, id) IN
		(SELECT kind, scope, id FROM claims WHERE keep_until < ? ORDER BY keep_until LIMIT ?)`, micros(now), PruneMax)
	if err != nil {
		return false, wrap("prune claims", err)
	}
	forgotten, err := result.RowsAffected()
	return forgotten > 0, wrap("prune claims", err)
}
