package app_test

import (
	"context"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// hearsBalances checks, when a test has ended, that the balances of players follow from
// what is announced of them alone: every change of a balance begins with what another
// ended with, but for the first, which begins with nothing, and the last.
func (h *house) hearsBalances() {
	type account struct {
		wallet wallet.Address
		token  money.Token
	}
	ctx := context.Background()
	open := map[account]map[money.Amount]int{} // how often a balance was reached, less how often it was left
	count := func(a account, balance money.Amount, by int) {
		if open[a] == nil {
			open[a] = map[money.Amount]int{}
		}
		if open[a][balance] += by; open[a][balance] == 0 {
			delete(open[a], balance)
		}
	}
	err := h.store.Blocks(ctx, func(b ports.Block) error {
		for _, e := range stream.Events(blockOf(b)) {
			if changed, is := e.Data.(stream.Balance); is {
				a := account{e.Wallet, changed.Token}
				count(a, changed.After-money.Amount(changed.Amount), -1)
				count(a, changed.After, 1)
			}
		}
		return nil
	})
	if err == nil {
		err = h.store.LiabilityBalances(ctx, func(b ledger.Balance) error {
			if b.Account.Kind == ledger.Player {
				amount, _ := b.Amount.Amount()
				count(account{wallet.Address(b.Account.Owner), b.Token}, amount, -1)
				count(account{wallet.Address(b.Account.Owner), b.Token}, 0, 1)
			}
			return nil
		})
	}
	if err != nil {
		h.t.Errorf("what was announced can't be read: %v", err)
	}
	for a, balances := range open {
		if len(balances) > 0 {
			h.t.Errorf("by what was announced, balances of %s in %s were reached less left %v", a.wallet, a.token, balances)
		}
	}
}

// blockOf has the rows of a block, in no order.
func blockOf(b ports.Block) *stream.Block {
	of := &stream.Block{Head: b.Head, At: b.At, Epoch: b.Epoch}
	for i := range b.Rounds {
		of.Rows = append(of.Rows, stream.Row{Round: &b.Rounds[i]})
	}
	for i := range b.Seamless {
		of.Rows = append(of.Rows, stream.Row{Seamless: &b.Seamless[i]})
	}
	for i := range b.Audit {
		of.Rows = append(of.Rows, stream.Row{Audit: &b.Audit[i]})
	}
	for i := range b.Events {
		of.Rows = append(of.Rows, stream.Row{Thing: &b.Events[i]})
	}
	return of
}
