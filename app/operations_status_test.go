package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// skewed is a store whose book shows one unit too much.
type skewed struct{ Store }

func (s skewed) Totals(ctx context.Context) ([]ledger.Balance, error) {
	totals, err := s.Store.Totals(ctx)
	return append(totals, ledger.Balance{Account: ledger.System(ledger.House), Token: money.SOL, Amount: money.TotalOf(1)}), err
}

// solOf returns the status of SOL.
func solOf(t *testing.T, seen operations.OperationsStatus) operations.TokenStatus {
	t.Helper()
	for _, line := range seen.Tokens {
		if line.Token == money.SOL {
			return line
		}
	}
	t.Fatal("there is no status of SOL")
	return operations.TokenStatus{}
}

func TestStatusShowsWhatIsOwedAndWhatCoversIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	h.withdraw(alice, 4_000)
	h.clock.Advance(time.Minute)
	second := h.withdraw(alice, 1_000)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, h.admin("finance", "finance"), approving(second.ID)))(t)
	h.clock.Advance(time.Minute)

	if solOf(t, ok(h.Operations.OperationsStatus(h.ctx))(t)).Treasury != nil {
		t.Error("the treasury is known before the first comparison")
	}
	ok(h.Treasury.Treasury().Step(h.ctx))(t)
	seen := ok(h.Operations.OperationsStatus(h.ctx))(t)
	want := map[withdrawal.Status]operations.OpenWithdrawals{
		withdrawal.Pending:  {Status: withdrawal.Pending, Count: 1, Oldest: 2 * time.Minute},
		withdrawal.Approved: {Status: withdrawal.Approved, Count: 1, Oldest: time.Minute},
		withdrawal.Sending:  {Status: withdrawal.Sending},
		withdrawal.Failed:   {Status: withdrawal.Failed},
	}
	equal(t, "states", len(seen.Withdrawals), len(want))
	for _, open := range seen.Withdrawals {
		equal(t, string(open.Status), open, want[open.Status])
	}
	sol := solOf(t, seen)
	equal(t, "owed", sol.Liabilities, money.TotalOf(10_000))
	equal(t, "bankroll", sol.Bankroll, money.TotalOf(capital))
	equal(t, "imbalance", sol.Imbalance.Sign(), 0)
	equal(t, "treasury", sol.Treasury.Holding, capital+10_000)
	equal(t, "solvent", sol.Treasury.Solvent(), true)
	equal(t, "lanes", len(seen.Heads), 1)

	boss := h.admin("boss", "superadmin")
	difference := func() money.Total {
		for _, row := range ok(h.Admin.Overview(h.ctx, boss))(t).Tokens {
			if row.Token == money.SOL {
				return row.Treasury.Difference()
			}
		}
		t.Fatal("SOL is missing")
		return money.Total{}
	}
	equal(t, "difference", difference(), money.Total{})

	h.chain.fake.Drain(money.SOL)
	ok(h.Treasury.Treasury().Step(h.ctx))(t)
	equal(t, "difference when drained", difference(), money.TotalOf(capital+10_000).Neg())
	equal(t, "solvent when drained", solOf(t, ok(h.Operations.OperationsStatus(h.ctx))(t)).Treasury.Solvent(), false)
}

func TestStatusShowsABrokenLedger(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Store = app.StoreOf(skewed{portsOf(*d)}) })
	equal(t, "imbalance", solOf(t, ok(h.Operations.OperationsStatus(h.ctx))(t)).Imbalance, money.TotalOf(1))
}
