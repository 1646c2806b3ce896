package treasury_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// state returns the newest comparison of SOL, after checking its difference.
func (h *house) state(difference int64) treasury.TreasuryState {
	h.T.Helper()
	state, known := h.Treasury.Treasury().State(money.SOL)
	if !known {
		h.T.Fatal("nothing is known of SOL")
	}
	apptest.Equal(h.T, "difference", state.Difference(), money.TotalOfInt(difference))
	return state
}

func TestTheTreasuryIsComparedWithTheBook(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.NewPlayer("alice", 60_000)
	h.Chain.Pay("carol", money.SOL, 7_000)
	h.Chain.Pay("mallory", money.SOL, 999)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.RequestWithdrawal(apptest.Caller("alice"), 20_000)
	h.LookAtTreasury(1)
	state := h.state(0)
	apptest.Equal(t, "holding", state.Holding, apptest.Capital+60_000+7_000+999)
	apptest.Equal(t, "booked", state.Booked, money.TotalOf(apptest.Capital+67_000))
	apptest.Equal(t, "unbooked", state.Unbooked, money.TotalOf(999))
	apptest.Equal(t, "players", state.Players, money.TotalOf(40_000))
	apptest.Equal(t, "held", state.Held, money.TotalOf(20_000))
	apptest.Equal(t, "unclaimed", state.Unclaimed, money.TotalOf(7_000))
	apptest.Equal(t, "liabilities", state.Liabilities(), money.TotalOf(67_000))
	apptest.Equal(t, "solvent", state.Solvent(), true)
	apptest.Equal(t, "reconciled", state.Reconciled(), true)
	other, known := h.Treasury.Treasury().State(apptest.ClosingTerms.Mint)
	if !known || other.Holding != apptest.Capital || !other.Reconciled() {
		t.Fatalf("%+v, %v", other, known)
	}
}

func TestAPayoutOnItsWayExplainsADifference(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.ApprovedWithdrawal("alice", 4_000)
	h.PassPayouts(h.Payouts.PayoutWorker())
	for _, landed := range []bool{false, true} {
		difference := int64(0)
		if landed {
			h.Chain.Finalize()
			difference = -4_000 - int64(apptest.Fee)
		}
		h.LookAtTreasury(4)
		apptest.Equal(t, "reconciled", h.state(difference).Reconciled(), true)
	}
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.LookAtTreasury(1)
	apptest.Equal(t, "reconciled", h.state(0).Reconciled(), true)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
}

func TestADifferenceThatLastsAlarms(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		do         func(h *house)
		difference int64
	}{
		"money that nobody booked": {func(h *house) { h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, 1) }, 1},
		"money that is gone": {func(h *house) {
			h.Chain.Fake.Drain(money.SOL)
			h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, apptest.Capital-1)
		}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openWatched(t)
			h.Health().Watch(kernel.ChainCheck, h.Chain.Healthy)
			h.Began()
			change.do(h)
			h.LookAtTreasury(2)
			apptest.Equal(t, "at once", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
			apptest.Equal(t, "health", h.Health().Report().Status, kernel.OK)
			h.LookAtTreasury(1)
			apptest.Equal(t, "when it lasts", h.CountAlarms(alarm.TreasuryDiffers.Message()), 1)
			report := h.Health().Report()
			apptest.Equal(t, "health", report.Status, kernel.Degraded)
			apptest.Equal(t, "of the chain", report.Checks[kernel.ChainCheck].Status, kernel.Degraded)
			apptest.Equal(t, "reconciled", h.state(change.difference).Reconciled(), false)
			h.LookAtTreasury(3)
			apptest.Equal(t, "within ten minutes", h.CountAlarms(alarm.TreasuryDiffers.Message()), 1)
			h.LookAtTreasury(20)
			apptest.Equal(t, "and again", h.CountAlarms(alarm.TreasuryDiffers.Message()), 2)
		})
	}
}

func TestADifferenceThatPassesDoesNotAlarm(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	for range 4 {
		h.Chain.Pay("alice", money.SOL, 5_000)
		h.Chain.Finalize()
		h.LookAtTreasury(2)
		apptest.Equal(t, "reconciled", h.state(5_000).Reconciled(), true)
		h.RunWatcher(h.Deposits.DepositWatcher())
		h.LookAtTreasury(1)
		apptest.Equal(t, "reconciled", h.state(0).Reconciled(), true)
	}
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
}

// On a busy service, each comparison finds other money on its way.
func TestDepositsOnTheirWayExplainADifference(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	arrive := func(looks int) {
		h.T.Helper()
		for range looks {
			h.Chain.Pay("alice", money.SOL, 5_000)
			h.Chain.Finalize()
			h.LookAtTreasury(1)
			h.RunWatcher(h.Deposits.DepositWatcher())
		}
	}
	arrive(12)
	apptest.Equal(t, "reconciled", h.state(5_000).Reconciled(), true)
	apptest.Equal(t, "on its way", h.state(5_000).OnTheWay, money.TotalOf(5_000))
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
	// Unbooked money still shows a difference.
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, 1)
	arrive(2)
	apptest.Equal(t, "at once", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
	arrive(1)
	apptest.Equal(t, "when it lasts", h.CountAlarms(alarm.TreasuryDiffers.Message()), 1)
	apptest.Equal(t, "reconciled", h.state(5_001).Reconciled(), false)
}

// A deposit booked between two comparisons is in the ledger of the second one, although
// nodes list it again from the cursor.
func TestWhatIsBookedIsNotOnItsWay(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.LookAtTreasury(1)
	apptest.Equal(t, "before", h.state(5_000).OnTheWay, money.TotalOf(5_000))
	// Registered by the player, so that the watcher's cursor stays.
	apptest.OK(h.Deposits.Deposit(h.Ctx, apptest.Caller("alice"), signature, apptest.SOL))(t)
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, 5_000)
	h.LookAtTreasury(1)
	apptest.Equal(t, "on its way", h.state(5_000).OnTheWay, money.Total{})
	apptest.Equal(t, "reconciled", h.state(5_000).Reconciled(), false)
}

// Money from before the watch is the operator's own, and no watcher books it.
func TestWhatArrivedBeforeTheWatchIsNotOnItsWay(t *testing.T) {
	t.Parallel()
	h := &house{unwatched(t).Capitalized()}
	h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
		t.Fatal(err)
	}
	h.LookAtTreasury(1)
	apptest.Equal(t, "on its way", h.state(5_000).OnTheWay, money.Total{})
}

// Without a watcher a receipt doesn't stay on its way.
func TestADepositThatIsNotDealtWithAlarms(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.LookAtTreasury(5)
	apptest.Equal(t, "for a while", h.CountAlarms(alarm.TreasuryDiffers.Message()), 0)
	h.LookAtTreasury(1)
	apptest.Equal(t, "then", h.CountAlarms(alarm.TreasuryDiffers.Message()), 1)
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.LookAtTreasury(1)
	apptest.Equal(t, "reconciled", h.state(0).Reconciled(), true)
}

func TestInsolvencyAlarms(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.NewPlayer("alice", 60_000)
	h.Chain.Fake.Drain(money.SOL)
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, 60_000)
	h.LookAtTreasury(3)
	apptest.Equal(t, "just enough", h.CountAlarms(alarm.Insolvent.Message()), 0)
	h.Chain.Fake.Drain(money.SOL)
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, 59_999)
	h.LookAtTreasury(3)
	apptest.Equal(t, "one short", h.CountAlarms(alarm.Insolvent.Message()), 1)
	state, _ := h.Treasury.Treasury().State(money.SOL)
	apptest.Equal(t, "solvent", state.Solvent(), false)
}

func TestWithoutAResponseTheLastComparisonIsShownForAWhile(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	apptest.Equal(t, "before the first look", len(h.Treasury.Treasury().States()), 0)
	h.LookAtTreasury(1)
	h.Chain.Fake.SetUnreachable(true)
	h.Clock.Advance(5 * time.Minute)
	apptest.Refused(t, apptest.ErrorOf(h.Treasury.Treasury().Step(h.Ctx)), fault.External)
	apptest.Equal(t, "five minutes later", len(h.Treasury.Treasury().States()), 2)
	h.Clock.Advance(time.Microsecond)
	apptest.Equal(t, "and then", len(h.Treasury.Treasury().States()), 0)
}

func TestLittleSOLForFeesAlarms(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		floor  money.Amount
		alarms int
	}{"below": {apptest.Capital + 1, 1}, "at the floor": {apptest.Capital, 0}, "by default": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openWatched(t, func(d *app.Deps) { d.Settings.FeeFloor = row.floor })
			h.LookAtTreasury(2)
			apptest.Equal(t, "alarms", h.CountAlarms(alarm.LowFees.Message()), row.alarms)
		})
	}
}

// Fees are paid in SOL even if SOL isn't accepted.
func TestSOLIsComparedWhereItIsNotAccepted(t *testing.T) {
	t.Parallel()
	h := openWatched(t, func(d *app.Deps) { d.Tokens = token.NewBook(apptest.ClosingTerms) })
	h.LookAtTreasury(1)
	apptest.Equal(t, "tokens", len(h.Treasury.Treasury().States()), 2)
	apptest.Equal(t, "holding", h.state(0).Holding, apptest.Capital)
	apptest.Equal(t, "floor", kernel.FeeFloorDefault > fakes.ChainFee, true)
}
