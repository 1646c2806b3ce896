package app_test

import (
	"context"
	"sync"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// sourced is a writer that keeps from whom items come.
type sourced struct {
	ports.Writer
	mu   sync.Mutex
	seen []player.Source
}

func (s *sourced) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	s.mu.Lock()
	s.seen = append(s.seen, item.Source)
	s.mu.Unlock()
	return s.Writer.Commit(ctx, item)
}

// TestItemsSayFromWhomTheyCome: it decides which places of a writer's queue they take.
func TestItemsSayFromWhomTheyCome(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots)
	h.admin("olga", "admin")
	alice := h.seated("acme", "alice", 10_000)
	w := h.approved("bob", 4_000)
	h.chain.pay("carol", money.SOL, 5_000) // nobody registers it
	h.chain.finalize()
	writer := &sourced{Writer: h.deps.Store.Writer}
	h = h.remade(func(d *app.Deps) { d.Store.Writer = writer })
	for _, step := range []struct {
		what string
		do   func()
		from player.Source
	}{
		{"a bet", func() { ok(h.Play.Play(h.ctx, alice, flip(100)))(t) }, player.FromPlayer},
		{"a rotation", func() { ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t) }, player.FromPlayer},
		{"a player's own limits", func() { ok(h.Accounts.SetLimits(h.ctx, alice, []protection.LimitRequest{}))(t) }, player.FromPlayer},
		{"a provider's bet", func() { h.transact(alice, "t", seamless.Debit, "100", "") }, player.FromPlayer},
		{"a provider's credit", func() { h.transact(alice, "t", seamless.Credit, "", "50") }, player.FromProvider},
		{"a sign-in", func() { h.enter("erin") }, player.FromSession},
		{"a sign-out", func() { ok(0, h.Accounts.SignOut(h.ctx, caller("erin")))(t) }, player.FromSession},
		{"a freeze", func() { h.freeze("alice", true) }, player.FromAdmin},
		{"an adjustment", func() { ok(h.Admin.AdjustBalance(h.ctx, caller("olga"), gift("bob", 1)))(t) }, player.FromAdmin},
		{"a rejection", func() {
			ok(h.Payouts.RejectWithdrawal(h.ctx, caller("olga"), payouts.WithdrawalDecision{ID: w.ID, Reason: "asked for"}))(t)
		}, player.FromAdmin},
		{"a payout", func() { h.approved("dave", 4_000); writer.seen = nil; h.pass(h.Payouts.PayoutWorker()) }, player.FromWorker},
		{"a deposit that was found", func() { h.round(h.Deposits.DepositWatcher()) }, player.FromWorker},
	} {
		writer.seen = nil
		step.do()
		if len(writer.seen) == 0 {
			t.Errorf("%s: nothing was committed", step.what)
		}
		for _, from := range writer.seen {
			if from != step.from {
				t.Errorf("%s comes from %d, want %d", step.what, from, step.from)
			}
		}
	}
}
