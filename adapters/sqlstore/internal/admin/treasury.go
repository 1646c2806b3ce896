package admin

import (
	"context"

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
		if _, err = tx.NewInsert().Model(rows.IndexPositions.Row(&next)).On("CONFLICT (id) DO UPDATE").Exec(ctx); err != nil {
			return db.Wrap("extend the treasury's index", err)
		}
		for _, m := range movements {
			row := rows.Movement{Movement: m, State: treasury.New}
			if _, err := tx.NewInsert().Model(&row).On("CONFLICT (signature) DO NOTHING").Exec(ctx); err != nil {
				return db.Wrap("index a movement of the treasury", err)
			}
		}
		return nil
	})
}

// Review serves ports.TreasuryReview.
func (c *Changes) Review(ctx context.Context, signature string, from, to treasury.State) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands rows.Movement
		there, err := db.Found(tx.NewSelect().Model(&stands).Where("m.signature = ?", signature).Scan(ctx))
		switch {
		case err != nil:
			return db.Wrap("read the state of a movement", err)
		case !there:
			return fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature)
		case stands.State != from || !from.Next(to):
			return fault.New(fault.InvalidState, "the transaction is %s", stands.State).With("status", string(stands.State))
		}
		_, err = tx.NewUpdate().Model(&stands).Set("state = ?", to).Where("signature = ?", signature).Exec(ctx)
		return db.Wrap("keep the state of a movement", err)
	})
}

// AnnounceSweep serves ports.TreasurySweeps.
func (c *Changes) AnnounceSweep(ctx context.Context, sweep treasury.Sweep, record audit.Record) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(rows.Sweeps.Row(&sweep)).Exec(ctx); err != nil {
			return db.Wrap("announce a sweep", err)
		}
		return c.seal(ctx, tx, record)
	})
}

// LandSweep serves ports.TreasurySweeps.
func (c *Changes) LandSweep(ctx context.Context, id, signature string) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		landed, err := changed(tx.NewUpdate().Model((*rows.SweepRow)(nil)).Set("signature = ?", signature).
			Where("id = ? AND signature = ''", id).Exec(ctx))
		if err == nil && landed == 0 {
			return fault.New(fault.InvalidState, "no sweep %q waits for its transaction", id).With("status", "landed")
		}
		return db.Wrap("land a sweep", err)
	})
}
