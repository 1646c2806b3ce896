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
	"github.com/casino-service/casino/test/apptest"
)

// sourced is a writer that records the sources of items.
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

// TestItemsSayFromWhomTheyCome: the source decides on an item's place in the writer's
// queue.
func TestItemsSayFromWhomTheyCome(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t, apptest.WithSlots)
	h.NewAdmin("olga", "admin")
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	w := h.ApprovedWithdrawal("bob", 4_000)
	h.Chain.Pay("carol", money.SOL, 5_000) // no player claims it
	h.Chain.Finalize()
	writer := &sourced{Writer: h.Deps.Store.Writer}
	h = h.Remade(func(d *app.Deps) { d.Store.Writer = writer })
	for _, step := range []struct {
		what string
		do   func()
		from player.Source
	}{
		{"a bet", func() { apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t) }, player.FromPlayer},
		{"a rotation", func() { apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t) }, player.FromPlayer},
		{"a player's own limits", func() { apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, []protection.LimitRequest{}))(t) }, player.FromPlayer},
		{"a provider's bet", func() { h.Transact(alice, "t", seamless.Debit, "100", "") }, player.FromPlayer},
		{"a provider's credit", func() { h.Transact(alice, "t", seamless.Credit, "", "50") }, player.FromProvider},
		{"a sign-in", func() { h.SignIn("erin") }, player.FromSession},
		{"a sign-out", func() { apptest.OK(0, h.Accounts.SignOut(h.Ctx, apptest.Caller("erin")))(t) }, player.FromSession},
		{"a freeze", func() { h.FreezePlayer("alice", true) }, player.FromAdmin},
		{"an adjustment", func() { apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("olga"), apptest.Gift("bob", 1)))(t) }, player.FromAdmin},
		{"a rejection", func() {
			apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("olga"), payouts.WithdrawalDecision{ID: w.ID, Reason: "asked for"}))(t)
		}, player.FromAdmin},
		{"a payout", func() {
			h.ApprovedWithdrawal("dave", 4_000)
			writer.seen = nil
			h.PassPayouts(h.Payouts.PayoutWorker())
		}, player.FromWorker},
		{"a deposit that was found", func() { h.RunWatcher(h.Deposits.DepositWatcher()) }, player.FromWorker},
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
