package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
)

// skewed is a store with an imbalance of one unit.
type skewed struct{ apptest.Store }

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
	alice := h.NewPlayer("alice", 10_000)
	h.RequestWithdrawal(alice, 4_000)
	h.Clock.Advance(time.Minute)
	second := h.RequestWithdrawal(alice, 1_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, h.NewAdmin("finance", "finance"), apptest.Approving(second.ID)))(t)
	h.Clock.Advance(time.Minute)

	if solOf(t, apptest.OK(h.Operations.OperationsStatus(h.Ctx))(t)).Treasury != nil {
		t.Error("the treasury is known before the first comparison")
	}
	apptest.OK(h.Treasury.Treasury().Step(h.Ctx))(t)
	seen := apptest.OK(h.Operations.OperationsStatus(h.Ctx))(t)
	want := map[withdrawal.Status]operations.OpenWithdrawals{
		withdrawal.Pending:  {Status: withdrawal.Pending, Count: 1, Oldest: 2 * time.Minute},
		withdrawal.Approved: {Status: withdrawal.Approved, Count: 1, Oldest: time.Minute},
		withdrawal.Sending:  {Status: withdrawal.Sending},
		withdrawal.Failed:   {Status: withdrawal.Failed},
	}
	apptest.Equal(t, "states", len(seen.Withdrawals), len(want))
	for _, open := range seen.Withdrawals {
		apptest.Equal(t, string(open.Status), open, want[open.Status])
	}
	sol := solOf(t, seen)
	apptest.Equal(t, "owed", sol.Liabilities, money.TotalOf(10_000))
	apptest.Equal(t, "bankroll", sol.Bankroll, money.TotalOf(apptest.Capital))
	apptest.Equal(t, "imbalance", sol.Imbalance.Sign(), 0)
	apptest.Equal(t, "treasury", sol.Treasury.Holding, apptest.Capital+10_000)
	apptest.Equal(t, "solvent", sol.Treasury.Solvent(), true)
	apptest.Equal(t, "lanes", len(seen.Heads), 1)

	boss := h.NewAdmin("boss", "superadmin")
	difference := func() money.Total {
		for _, row := range apptest.OK(h.Admin.Overview(h.Ctx, boss, time.Time{}))(t).Tokens {
			if row.Token == money.SOL {
				return row.Treasury.Difference()
			}
		}
		t.Fatal("SOL is missing")
		return money.Total{}
	}
	apptest.Equal(t, "difference", difference(), money.Total{})

	h.Chain.Fake.Drain(money.SOL)
	apptest.OK(h.Treasury.Treasury().Step(h.Ctx))(t)
	apptest.Equal(t, "difference when drained", difference(), money.TotalOf(apptest.Capital+10_000).Neg())
	apptest.Equal(t, "solvent when drained", solOf(t, apptest.OK(h.Operations.OperationsStatus(h.Ctx))(t)).Treasury.Solvent(), false)
}

func TestStatusShowsABrokenLedger(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Store = app.StoreOf(skewed{apptest.PortsOf(*d)}) })
	apptest.Equal(t, "imbalance", solOf(t, apptest.OK(h.Operations.OperationsStatus(h.Ctx))(t)).Imbalance, money.TotalOf(1))
}
