package admin

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// watchGuard is what everybody locks who moves a cursor or parks a deposit.
const watchGuard = "deposits"

// Advance serves ports.DepositCursors.
func (c *Changes) Advance(ctx context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error {
	return c.short(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands rows.WatchCursor
		if _, err := db.Found(tx.NewSelect().Model(&stands).Where("c.token = ?", token).Scan(ctx)); err != nil {
			return db.Wrap("read the watcher's cursor", err)
		}
		if stands.Cursor != from {
			return fault.New(fault.InvalidState, "the cursor of %s was moved meanwhile", token).With("status", "moved")
		}
		_, err := tx.NewInsert().Model(&rows.WatchCursor{Token: token, Cursor: to.Cursor, After: to.After}).
			On("CONFLICT (token) DO UPDATE").Exec(ctx)
		if err != nil {
			return db.Wrap("move the watcher's cursor", err)
		}
		for _, p := range parked {
			if _, err := tx.NewInsert().Model(rows.ParkedDeposits.Row(&p)).On("CONFLICT (signature, token) DO NOTHING").Exec(ctx); err != nil {
				return db.Wrap("park a deposit", err)
			}
		}
		return nil
	})
}

// Park serves ports.ParkedDeposits.
func (c *Changes) Park(ctx context.Context, p deposit.Parked) error {
	return c.short(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(rows.ParkedDeposits.Row(&p)).On("CONFLICT (signature, token) DO UPDATE").
			Set(rows.Excluded("status", "reason", "amount", "tries", "next_at")).Exec(ctx)
		return db.Wrap("park a deposit", err)
	})
}

// Unpark serves ports.ParkedDeposits.
func (c *Changes) Unpark(ctx context.Context, ref deposit.Ref) error {
	return c.short(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model((*rows.ParkedDepositRow)(nil)).Where("signature = ? AND token = ?", ref.Signature, ref.Token).Exec(ctx)
		return db.Wrap("forget a parked deposit", err)
	})
}
