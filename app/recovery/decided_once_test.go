package recovery_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/test/apptest"
)

// decisionCounter is a store that counts how often the decision of each item runs.
type decisionCounter struct {
	apptest.Store
	again func(item player.Item, times int)
}

func (d decisionCounter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	decide, times := item.Decide, 0
	item.Decide = func(v player.View) (player.Change, error) {
		times++
		return decide(v)
	}
	receipt, err := d.Store.Commit(ctx, item)
	if times > 1 {
		d.again(item, times)
	}
	return receipt, err
}

// A decision that requests more needs runs its whole batch again. Players' daily actions
// declare all their needs, before a recovery and after it.
func TestWhatPlayersDoIsDecidedOnce(t *testing.T) {
	t.Parallel()
	for name, epochs := range map[string]int{"the first epoch": 0, "a later epoch": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &house{apptest.Open(t, apptest.WithSlots)}
			h.NewSeatedPlayer("acme", "alice", 50_000)
			ada := h.NewAdmin("ada", "finance")
			for range epochs {
				h.recover()
			}
			h = h.Remade(func(d *app.Deps) {
				d.Store.Writer = decisionCounter{apptest.PortsOf(*d), func(item player.Item, times int) {
					t.Errorf("an item with the key %+v was decided %d times", item.Keys[0], times)
				}}
			})
			for range 2 { // the second sign-in finds the pair of this epoch
				apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
			}
			apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("bob", h.Clock.Advance(time.Second))))(t)
			apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("ada", h.Clock.Advance(time.Second))))(t)
			alice := apptest.Caller("alice")
			paid := h.Chain.Pay("alice", money.SOL, 5_000)
			h.Chain.Finalize()
			apptest.OK(h.Deposits.Deposit(h.Ctx, alice, paid, apptest.SOL))(t)
			apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
			h.Transact(alice, "bet", seamless.Debit, "10", "")
			h.Transact(alice, "bet", seamless.Credit, "", "5")
			w := h.RequestWithdrawal(alice, 4_000)
			apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t)
			h.PassPayouts(h.Payouts.PayoutWorker())
		})
	}
}
