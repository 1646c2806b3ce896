package admin

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/treasury"
)

// ExtendIndex serves ports.TreasuryIndex.
func (c *Changes) ExtendIndex(ctx context.Context, from string, next treasury.Position, movements []treasury.Movement) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		stands, err := rows.ReadIndexPosition(ctx, tx)
		switch {
		case err != nil:
			return err
		case stands.Cursor != from:
			return fault.New(fault.InvalidState, "the treasury's index was extended meanwhile").With("status", "moved")
		}
		_, err = tx.ExecContext(ctx, rows.IndexPositions.Upsert("cursor", "slot", "at", "since"), rows.IndexPositions.Values(&next)...)
		if err != nil {
			return db.Wrap("extend the treasury's index", err)
		}
		for _, m := range movements {
			row := rows.Movement{Movement: m, State: treasury.New}
			_, err := tx.ExecContext(ctx, rows.Movements.Insertion()+"ON CONFLICT (signature) DO NOTHING", rows.Movements.Values(&row)...)
			if err != nil {
				return db.Wrap("index a movement of the treasury", err)
			}
		}
		return nil
	})
}

// Review serves ports.TreasuryReview.
func (c *Changes) Review(ctx context.Context, signature string, from, to treasury.State) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands treasury.State
		err := tx.QueryRowContext(ctx, "SELECT state FROM treasury_movements WHERE signature = ?", signature).Scan(&stands)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature)
		case err != nil:
			return db.Wrap("read the state of a movement", err)
		case stands != from || !from.Next(to):
			return fault.New(fault.InvalidState, "the transaction is %s", stands).With("status", string(stands))
		}
		_, err = tx.ExecContext(ctx, "UPDATE treasury_movements SET state = ? WHERE signature = ?", string(to), signature)
		return db.Wrap("keep the state of a movement", err)
	})
}

// AnnounceSweep serves ports.TreasurySweeps.
func (c *Changes) AnnounceSweep(ctx context.Context, sweep treasury.Sweep, record audit.Record) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, rows.Sweeps.Insertion(), rows.Sweeps.Values(&sweep)...); err != nil {
			return db.Wrap("announce a sweep", err)
		}
		return c.seal(ctx, tx, record)
	})
}

// LandSweep serves ports.TreasurySweeps.
func (c *Changes) LandSweep(ctx context.Context, id, signature string) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE treasury_sweeps SET signature = ? WHERE id = ? AND signature = ''", signature, id)
		if err != nil {
			return db.Wrap("land a sweep", err)
		}
		landed, err := result.RowsAffected()
		if err == nil && landed == 0 {
			return fault.New(fault.InvalidState, "no sweep %q waits for its transaction", id).With("status", "landed")
		}
		return db.Wrap("land a sweep", err)
	})
}
