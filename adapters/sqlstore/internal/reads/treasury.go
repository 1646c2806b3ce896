package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/treasury"
)

// IndexPosition serves ports.TreasuryIndex.
func (r *Reads) IndexPosition(ctx context.Context) (treasury.Position, error) {
	return rows.ReadIndexPosition(ctx, r.db.Read)
}

// Movements serves ports.TreasuryIndex.
func (r *Reads) Movements(ctx context.Context, withdrawalID string) ([]treasury.Movement, error) {
	return from(r, rows.PlainMovements).where("m.withdrawal_id = ? AND m.withdrawal_id <> ''", withdrawalID).order("m.slot, m.signature").
		all(ctx, "list movements of the treasury")
}

// MovementsIn serves ports.TreasuryReview.
func (r *Reads) MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error) {
	return from(r, rows.PlainMovements).where("m.state = ? AND m.state <> 'explained'", db.Word(state)).order("m.slot, m.signature").
		limit(limit).all(ctx, "list movements of the treasury")
}

// MovementState serves ports.TreasuryReview.
func (r *Reads) MovementState(ctx context.Context, signature string) (treasury.Movement, treasury.State, error) {
	found, err := from(r, rows.Movements).where("m.signature = ?", signature).
		one(ctx, "read a movement of the treasury", fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature))
	return found.Movement, found.State, err
}

// AttemptKnown serves ports.TreasuryReview.
func (r *Reads) AttemptKnown(ctx context.Context, signature string) (known bool, err error) {
	err = r.db.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM payout_attempts WHERE signature = ?)", signature).Scan(&known)
	return known, db.Wrap("look for a payout attempt", err)
}

// OpenSweeps serves ports.TreasurySweeps.
func (r *Reads) OpenSweeps(ctx context.Context, at time.Time) ([]treasury.Sweep, error) {
	return from(r, rows.Sweeps).where("w.signature = '' AND w.until >= ?", db.Micros(at)).order("w.at, w.id").all(ctx, "list announced sweeps")
}
