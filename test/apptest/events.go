package apptest

import (
	"context"
	"fmt"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// checkHeardBalances checks, at the end of a test, that players' balances follow from their
// events alone: every change begins with the balance that another one ended with, except the
// first, which begins with zero.
func (h *House) checkHeardBalances() {
	type account struct {
		wallet wallet.Address
		token  money.Token
	}
	ctx := context.Background()
	open := map[account]map[money.Amount]int{} // how often a balance was reached minus how often it was left
	count := func(a account, balance money.Amount, by int) {
		if open[a] == nil {
			open[a] = map[money.Amount]int{}
		}
		if open[a][balance] += by; open[a][balance] == 0 {
			delete(open[a], balance)
		}
	}
	err := h.Store.Blocks(ctx, func(b ports.Block) error {
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
		err = h.Store.LiabilityBalances(ctx, func(b ledger.Balance) error {
			if b.Account.Kind == ledger.Player {
				amount, _ := b.Amount.Amount()
				count(account{wallet.Address(b.Account.Owner), b.Token}, amount, -1)
				count(account{wallet.Address(b.Account.Owner), b.Token}, 0, 1)
			}
			return nil
		})
	}
	if err != nil {
		h.T.Errorf("what was announced can't be read: %v", err)
	}
	for a, balances := range open {
		if len(balances) > 0 {
			h.T.Errorf("by what was announced, balances of %s in %s were reached less left %v", a.wallet, a.token, balances)
		}
	}
}

// blockOf returns the rows of a block, in no order.
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

// CommittedEvents returns all events that match a filter.
func (h *House) CommittedEvents(f stream.Filter) (all []stream.Event) {
	h.T.Helper()
	return h.CommittedEventsAfter(stream.Cursor{}, f)
}

// CommittedEventsAfter returns those after a cursor.
func (h *House) CommittedEventsAfter(at stream.Cursor, f stream.Filter) (all []stream.Event) {
	h.T.Helper()
	for {
		page := OK(h.Events.Events(h.Ctx, at, f, 1_000))(h.T)
		if all, at = append(all, page.Events...), page.Next; !page.More {
			return all
		}
	}
}

// HookURL is the address of an agent's endpoint.
const HookURL = "https://hooks.example.com/acme"

// PlainEncoder encodes an event as Go prints it.
type PlainEncoder struct{}

// EncodeEvent implements ports.EventEncoder.
func (PlainEncoder) EncodeEvent(ledger string, e stream.Event) ([]byte, error) {
	return fmt.Appendf(nil, "ledger %q: %s %s of %s, agent %q: %+v", ledger, e.ID, e.Type, e.Subject, e.Agent, e.Data), nil
}

// OpenWithWebhooks opens a casino that sends events to these endpoints.
func OpenWithWebhooks(t *testing.T, sites ports.WebhookSite) *House {
	t.Helper()
	return Open(t, func(d *app.Deps) { d.WebhookSite, d.EventEncoder = sites, PlainEncoder{} })
}
