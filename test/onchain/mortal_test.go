package onchain_test

import (
	"context"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
)

// mortalStore is the store of a process that may die at any step. Commits stay; their answers may
// be lost.
type mortalStore struct {
	Store
	*life
}

func (m mortalStore) Commit(ctx context.Context, item player.Item) (receipt player.Receipt, err error) {
	return receipt, m.step(func() error { receipt, err = m.Store.Commit(ctx, item); return err })
}

func (m mortalStore) WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	if m.dead {
		return nil, errDead
	}
	return m.Store.WithdrawalsIn(ctx, status, after, limit)
}

func (m mortalStore) Attempt(ctx context.Context, id string) (withdrawal.Attempt, error) {
	if m.dead {
		return withdrawal.Attempt{}, errDead
	}
	return m.Store.Attempt(ctx, id)
}
