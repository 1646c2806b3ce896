package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutState serves ports.PayoutQueue.
func (r *Reads) PayoutState(ctx context.Context, q withdrawal.PayoutQuery) (withdrawal.PayoutControls, error) {
	now, err := r.StoreTime(ctx)
	if err != nil {
		return withdrawal.PayoutControls{}, err
	}
	return rows.ReadPayoutState(ctx, r.db.Dialect, r.db.Read, q, now)
}

// Pause serves ports.PayoutControls.
func (r *Reads) Pause(ctx context.Context) (withdrawal.Pause, error) {
	return rows.ReadPause(ctx, r.db.Read)
}
