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
		leased, err := changed(tx.NewInsert().Model(&rows.PayoutLease{WithdrawalID: id, Worker: worker, Until: until}).
			On("CONFLICT (withdrawal_id) DO UPDATE").Set(rows.Excluded("worker", "until")).
			Where("l.worker = EXCLUDED.worker OR l.until <= ?", db.Micros(now)).Exec(ctx))
		given = leased == 1
		return db.Wrap("lease a payout", err)
	})
	return given && err == nil, err
}

// Release serves ports.PayoutQueue.
func (c *Changes) Release(ctx context.Context, id, worker string) error {
	return c.short(ctx, rows.PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model((*rows.PayoutLease)(nil)).Where("withdrawal_id = ? AND worker = ?", id, worker).Exec(ctx)
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
		_, err = tx.NewInsert().Model(rows.Pauses.Row(&next)).On("CONFLICT (id) DO UPDATE").Exec(ctx)
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
		_, err := tx.NewInsert().Model(&rows.WalletRow{Wallet: p.Wallet, Key: p.Wallet}).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return db.Wrap("keep a wallet", err)
		}
		_, err = tx.NewInsert().Model(&rows.WalletProof{Wallet: p.Wallet, State: state, Seal: p.Seal}).On("CONFLICT (wallet) DO UPDATE").Exec(ctx)
		return db.Wrap("keep a wallet's proof", err)
	})
}
