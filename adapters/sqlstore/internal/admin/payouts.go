package admin

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/ports"
)

// Lease serves ports.PayoutQueue.
func (c *Changes) Lease(ctx context.Context, id, worker string, now, until time.Time) (given bool, err error) {
	err = c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO payout_leases (withdrawal_id, worker, until) VALUES (?, ?, ?)
			ON CONFLICT (withdrawal_id) DO UPDATE SET worker = excluded.worker, until = excluded.until
			WHERE payout_leases.worker = excluded.worker OR payout_leases.until <= ?`, id, worker, db.Micros(until), db.Micros(now))
		if err != nil {
			return db.Wrap("lease a payout", err)
		}
		leased, err := result.RowsAffected()
		given = leased == 1
		return db.Wrap("lease a payout", err)
	})
	return given && err == nil, err
}

// Release serves ports.PayoutQueue.
func (c *Changes) Release(ctx context.Context, id, worker string) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM payout_leases WHERE withdrawal_id = ? AND worker = ?", id, worker)
		return db.Wrap("release a payout", err)
	})
}

// ChangePause serves ports.PayoutControls.
func (c *Changes) ChangePause(ctx context.Context, decide ports.PauseDecision) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := rows.ReadPause(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, rows.Pauses.Upsert("paused", "actor", "reason", "at"), rows.Pauses.Values(&next)...)
		if err != nil {
			return db.Wrap("turn the switch of payouts", err)
		}
		return c.seal(ctx, tx, record)
	})
}

// KeepWalletProof serves ports.WalletProofs.
func (c *Changes) KeepWalletProof(ctx context.Context, p proof.Proof) error {
	state, err := wire.EncodeProof(p)
	if err != nil {
		return err
	}
	return c.short(ctx, "proofs", func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO players (wallet, key) VALUES (?, ?) ON CONFLICT DO NOTHING", string(p.Wallet), c.key(p.Wallet))
		if err != nil {
			return db.Wrap("keep a wallet", err)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO wallet_proofs (wallet, state, seal) VALUES (?, ?, ?)
			ON CONFLICT (wallet) DO UPDATE SET state = excluded.state, seal = excluded.seal`, c.key(p.Wallet), state, p.Seal)
		return db.Wrap("keep a wallet's proof", err)
	})
}
