package admin

import (
	"context"
	"database/sql"
	"errors"

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
		var stands string
		err := tx.QueryRowContext(ctx, "SELECT cursor FROM watch_cursors WHERE token = ?", string(token)).Scan(&stands)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return db.Wrap("read the watcher's cursor", err)
		}
		if stands != from {
			return fault.New(fault.InvalidState, "the cursor of %s was moved meanwhile", token).With("status", "moved")
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO watch_cursors (token, cursor, after) VALUES (?, ?, ?)
			ON CONFLICT (token) DO UPDATE SET cursor = excluded.cursor, after = excluded.after`, string(token), to.Cursor, int64(to.After))
		if err != nil {
			return db.Wrap("move the watcher's cursor", err)
		}
		for _, p := range parked {
			if err := writeParked(ctx, tx, p, rows.ParkedDeposits.Insertion()+"ON CONFLICT (signature, token) DO NOTHING"); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeParked(ctx context.Context, tx bun.Tx, p deposit.Parked, statement string) error {
	_, err := tx.ExecContext(ctx, statement, rows.ParkedDeposits.Values(&p)...)
	return db.Wrap("park a deposit", err)
}

// Park serves ports.ParkedDeposits.
func (c *Changes) Park(ctx context.Context, p deposit.Parked) error {
	return c.short(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		return writeParked(ctx, tx, p, rows.ParkedDeposits.Upsert("status", "reason", "amount", "tries", "next_at"))
	})
}

// Unpark serves ports.ParkedDeposits.
func (c *Changes) Unpark(ctx context.Context, ref deposit.Ref) error {
	return c.short(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM parked_deposits WHERE signature = ? AND token = ?", ref.Signature, string(ref.Token))
		return db.Wrap("forget a parked deposit", err)
	})
}
