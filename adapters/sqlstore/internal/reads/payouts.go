package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutState serves ports.PayoutQueue.
func (r *Reads) PayoutState(ctx context.Context, q withdrawal.PayoutQuery) (withdrawal.PayoutControls, error) {
	var now int64
	if err := r.db.Read.QueryRowContext(ctx, "SELECT "+r.db.Dialect.Clock()).Scan(&now); err != nil {
		return withdrawal.PayoutControls{}, r.db.Unreachable("read the clock", err)
	}
	return rows.ReadPayoutState(ctx, r.db.Read, q, r.db.Now(db.Moment(now)))
}

// Pause serves ports.PayoutControls.
func (r *Reads) Pause(ctx context.Context) (withdrawal.Pause, error) {
	return rows.ReadPause(ctx, r.db.Read)
}
