package reads

import (
	"context"
	"math"
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
	return r.movements(ctx, "m.withdrawal_id = ? AND m.withdrawal_id <> ''", withdrawalID, math.MaxInt32)
}

// MovementsIn serves ports.TreasuryReview.
func (r *Reads) MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error) {
	return r.movements(ctx, "m.state = ? AND m.state <> 'explained'", db.Word(state), limit)
}

func (r *Reads) movements(ctx context.Context, which string, argument any, limit int) ([]treasury.Movement, error) {
	return every(ctx, r, "list movements of the treasury", rows.Movements.Select()+" WHERE "+which+rows.MovementsInOrder+" LIMIT ?",
		[]any{argument, limit}, movement)
}

func movement(row db.Row) (treasury.Movement, error) {
	m, err := rows.Movements.Scan(row)
	return m.Movement, err
}

// MovementState serves ports.TreasuryReview.
func (r *Reads) MovementState(ctx context.Context, signature string) (treasury.Movement, treasury.State, error) {
	var found rows.Movement
	err := r.db.One(ctx, "read a movement of the treasury", rows.Movements.Select()+" WHERE m.signature = ?", []any{signature},
		func(row db.Row) (err error) {
			found, err = rows.Movements.Scan(row)
			return err
		}, fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature))
	if err != nil {
		return treasury.Movement{}, "", err
	}
	return found.Movement, found.State, nil
}

// AttemptKnown serves ports.TreasuryReview.
func (r *Reads) AttemptKnown(ctx context.Context, signature string) (known bool, err error) {
	err = r.db.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM payout_attempts WHERE signature = ?)", signature).Scan(&known)
	return known, db.Wrap("look for a payout attempt", err)
}

// OpenSweeps serves ports.TreasurySweeps.
func (r *Reads) OpenSweeps(ctx context.Context, at time.Time) ([]treasury.Sweep, error) {
	return every(ctx, r, "list announced sweeps", rows.Sweeps.Select()+" WHERE w.signature = '' AND w.until >= ? ORDER BY w.at, w.id",
		[]any{db.Micros(at)}, rows.Sweeps.Scan)
}
