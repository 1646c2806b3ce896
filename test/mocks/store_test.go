package mocks_test

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// start is when the withdrawal was approved.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var (
	terms    = token.Terms{Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, PayoutCap: 1_000, PayoutCapPerHour: 1_000, BankrollShare: money.Ratio{Num: 1, Den: 100}}
	approved = withdrawal.Withdrawal{
		ID: "w1", Wallet: fakes.Wallet("alice"), Token: money.SOL, Amount: 1_000,
		Destination: string(fakes.Wallet("alice")), Status: withdrawal.Approved, UpdatedAt: start,
	}
	attempt = withdrawal.Attempt{WithdrawalID: "w1", Number: 1, Signature: "signature"}
	receipt player.Receipt
)

// approvedStore is a memory store with one approved withdrawal, whose writes go to
// the given writer.
func approvedStore(store *memory.Store, writer ports.Writer) app.Store {
	all := app.StoreOf(store)
	all.Writer, all.Withdrawals, all.Players = writer, waiting{store}, unfrozen{store}
	return all
}

type unfrozen struct{ ports.Players }

// Player returns the player of any wallet.
func (unfrozen) Player(_ context.Context, w wallet.Address) (player.Player, error) {
	return player.Player{Wallet: w}, nil
}

type waiting struct{ ports.Withdrawals }

// WithdrawalsIn lists the one approved withdrawal.
func (waiting) WithdrawalsIn(_ context.Context, status withdrawal.Status, after string, _ int) ([]withdrawal.Withdrawal, error) {
	if status == withdrawal.Approved && after == "" {
		return []withdrawal.Withdrawal{approved}, nil
	}
	return nil, nil
}

// Withdrawal returns the one approved withdrawal.
func (waiting) Withdrawal(context.Context, string) (withdrawal.Withdrawal, error) {
	return approved, nil
}
