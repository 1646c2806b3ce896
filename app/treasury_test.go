package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// looks runs the treasury's comparison so many times.
func (h *house) looks(n int) {
	h.t.Helper()
	for range n {
		h.clock.Advance(treasury.TreasuryInterval)
		if _, err := h.Treasury.Treasury().Step(h.ctx); err != nil {
			h.t.Fatal(err)
		}
	}
}

// state returns the newest comparison of SOL, after checking its difference.
func (h *house) state(difference int64) treasury.TreasuryState {
	h.t.Helper()
	state, known := h.Treasury.Treasury().State(money.SOL)
	if !known {
		h.t.Fatal("nothing is known of SOL")
	}
	equal(h.t, "difference", state.Difference(), money.TotalOfInt(difference))
	return state
}

func TestTheTreasuryIsComparedWithTheBook(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.player("alice", 60_000)
	h.chain.pay("carol", money.SOL, 7_000)
	h.chain.pay("mallory", money.SOL, 999)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	h.withdraw(caller("alice"), 20_000)
	h.looks(1)
	state := h.state(0)
	equal(t, "holding", state.Holding, capital+60_000+7_000+999)
	equal(t, "booked", state.Booked, money.TotalOf(capital+67_000))
	equal(t, "unbooked", state.Unbooked, money.TotalOf(999))
	equal(t, "players", state.Players, money.TotalOf(40_000))
	equal(t, "held", state.Held, money.TotalOf(20_000))
	equal(t, "unclaimed", state.Unclaimed, money.TotalOf(7_000))
	equal(t, "liabilities", state.Liabilities(), money.TotalOf(67_000))
	equal(t, "solvent", state.Solvent(), true)
	equal(t, "reconciled", state.Reconciled(), true)
	other, known := h.Treasury.Treasury().State(closing.Mint)
	if !known || other.Holding != capital || !other.Reconciled() {
		t.Fatalf("%+v, %v", other, known)
	}
}

func TestAPayoutOnItsWayExplainsADifference(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.approved("alice", 4_000)
	h.pass(h.Payouts.PayoutWorker())
	for _, landed := range []bool{false, true} {
		difference := int64(0)
		if landed {
			h.chain.finalize()
			difference = -4_000 - int64(fee)
		}
		h.looks(4)
		equal(t, "reconciled", h.state(difference).Reconciled(), true)
	}
	h.pass(h.Payouts.PayoutWorker())
	h.looks(1)
	equal(t, "reconciled", h.state(0).Reconciled(), true)
	equal(t, "alarms", h.alarms(alarm.TreasuryDiffers.Message()), 0)
}

func TestADifferenceThatLastsAlarms(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		do         func(h *house)
		difference int64
	}{
		"money that nobody booked": {func(h *house) { h.chain.give(h.chain.TreasuryAddress(), money.SOL, 1) }, 1},
		"money that is gone": {func(h *house) {
			h.chain.fake.Drain(money.SOL)
			h.chain.give(h.chain.TreasuryAddress(), money.SOL, capital-1)
		}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := watched(t)
			h.Health().Watch(kernel.ChainCheck, h.chain.Healthy)
			h.Began()
			change.do(h)
			h.looks(2)
			equal(t, "at once", h.alarms(alarm.TreasuryDiffers.Message()), 0)
			equal(t, "health", h.Health().Report().Status, kernel.OK)
			h.looks(1)
			equal(t, "when it lasts", h.alarms(alarm.TreasuryDiffers.Message()), 1)
			report := h.Health().Report()
			equal(t, "health", report.Status, kernel.Degraded)
			equal(t, "of the chain", report.Checks[kernel.ChainCheck].Status, kernel.Degraded)
			equal(t, "reconciled", h.state(change.difference).Reconciled(), false)
			h.looks(3)
			equal(t, "within ten minutes", h.alarms(alarm.TreasuryDiffers.Message()), 1)
			h.looks(20)
			equal(t, "and again", h.alarms(alarm.TreasuryDiffers.Message()), 2)
		})
	}
}

func TestADifferenceThatPassesDoesNotAlarm(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	for range 4 {
		h.chain.pay("alice", money.SOL, 5_000)
		h.chain.finalize()
		h.looks(2)
		equal(t, "reconciled", h.state(5_000).Reconciled(), true)
		h.round(h.Deposits.DepositWatcher())
		h.looks(1)
		equal(t, "reconciled", h.state(0).Reconciled(), true)
	}
	equal(t, "alarms", h.alarms(alarm.TreasuryDiffers.Message()), 0)
}

// Where players pay in all the time, each comparison meets other money on its way.
func TestDepositsOnTheirWayExplainADifference(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	arrive := func(looks int) {
		h.t.Helper()
		for range looks {
			h.chain.pay("alice", money.SOL, 5_000)
			h.chain.finalize()
			h.looks(1)
			h.round(h.Deposits.DepositWatcher())
		}
	}
	arrive(12)
	equal(t, "reconciled", h.state(5_000).Reconciled(), true)
	equal(t, "on its way", h.state(5_000).OnTheWay, money.TotalOf(5_000))
	equal(t, "alarms", h.alarms(alarm.TreasuryDiffers.Message()), 0)
	// What nobody booked shows beside them.
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, 1)
	arrive(2)
	equal(t, "at once", h.alarms(alarm.TreasuryDiffers.Message()), 0)
	arrive(1)
	equal(t, "when it lasts", h.alarms(alarm.TreasuryDiffers.Message()), 1)
	equal(t, "reconciled", h.state(5_001).Reconciled(), false)
}

// A deposit that is booked between two comparisons is in the book of the second, though
// nodes list it again from the cursor.
func TestWhatIsBookedIsNotOnItsWay(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.looks(1)
	equal(t, "before", h.state(5_000).OnTheWay, money.TotalOf(5_000))
	// Registered by the player, so that the watcher's cursor stays.
	ok(h.Deposits.Deposit(h.ctx, caller("alice"), signature, sol))(t)
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, 5_000)
	h.looks(1)
	equal(t, "on its way", h.state(5_000).OnTheWay, money.Total{})
	equal(t, "reconciled", h.state(5_000).Reconciled(), false)
}

// What arrived before the watch began is the operator's own, which no watcher books.
func TestWhatArrivedBeforeTheWatchIsNotOnItsWay(t *testing.T) {
	t.Parallel()
	h := unwatched(t).capitalized()
	h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	if err := h.Deposits.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	h.looks(1)
	equal(t, "on its way", h.state(5_000).OnTheWay, money.Total{})
}

// Without a watcher nothing stays on its way.
func TestADepositThatIsNotDealtWithAlarms(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.looks(5)
	equal(t, "for a while", h.alarms(alarm.TreasuryDiffers.Message()), 0)
	h.looks(1)
	equal(t, "then", h.alarms(alarm.TreasuryDiffers.Message()), 1)
	h.round(h.Deposits.DepositWatcher())
	h.looks(1)
	equal(t, "reconciled", h.state(0).Reconciled(), true)
}

func TestInsolvencyAlarms(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.player("alice", 60_000)
	h.chain.fake.Drain(money.SOL)
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, 60_000)
	h.looks(3)
	equal(t, "just enough", h.alarms(alarm.Insolvent.Message()), 0)
	h.chain.fake.Drain(money.SOL)
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, 59_999)
	h.looks(3)
	equal(t, "one short", h.alarms(alarm.Insolvent.Message()), 1)
	state, _ := h.Treasury.Treasury().State(money.SOL)
	equal(t, "solvent", state.Solvent(), false)
}

func TestWithoutAResponseTheLastComparisonIsShownForAWhile(t *testing.T) {
	t.Parallel()
	h := watched(t)
	equal(t, "before the first look", len(h.Treasury.Treasury().States()), 0)
	h.looks(1)
	h.chain.fake.SetUnreachable(true)
	h.clock.Advance(5 * time.Minute)
	refused(t, no(h.Treasury.Treasury().Step(h.ctx)), fault.External)
	equal(t, "five minutes later", len(h.Treasury.Treasury().States()), 2)
	h.clock.Advance(time.Microsecond)
	equal(t, "and then", len(h.Treasury.Treasury().States()), 0)
}

func TestLittleSOLForFeesAlarms(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		floor  money.Amount
		alarms int
	}{"below": {capital + 1, 1}, "at the floor": {capital, 0}, "by default": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := watched(t, func(d *app.Deps) { d.Settings.FeeFloor = row.floor })
			h.looks(2)
			equal(t, "alarms", h.alarms(alarm.LowFees.Message()), row.alarms)
		})
	}
}

// Fees are paid in SOL also where SOL isn't accepted.
func TestSOLIsComparedWhereItIsNotAccepted(t *testing.T) {
	t.Parallel()
	h := watched(t, func(d *app.Deps) { d.Tokens = token.NewBook(closing) })
	h.looks(1)
	equal(t, "tokens", len(h.Treasury.Treasury().States()), 2)
	equal(t, "holding", h.state(0).Holding, capital)
	equal(t, "floor", kernel.FeeFloorDefault > fakes.ChainFee, true)
}
