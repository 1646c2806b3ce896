package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// putBack makes the chain one on which a withdrawal was paid already, in a transaction
// that the books don't have: as a database put back to before the signature finds it.
func (h *house) putBack(w withdrawal.Withdrawal, amount money.Amount) (signature string) {
	h.t.Helper()
	signature = h.chain.fake.Spend(fakes.Wallet("alice"), w.Token, amount, treasury.Memo(w.ID, "0123456789abcdef"))
	h.chain.finalize()
	return signature
}

func TestWhatWasPaidSinceABackupIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(h *house) withdrawal.Withdrawal{
		"approved": func(h *house) withdrawal.Withdrawal { return h.approved("alice", 4_000) },
		"pending": func(h *house) withdrawal.Withdrawal {
			who := h.player("alice", 10_000)
			h.chain.give(string(who.Wallet), money.SOL, alive)
			return h.withdraw(who, 4_000)
		},
		"failed before": func(h *house) withdrawal.Withdrawal {
			w := h.approved("alice", 4_000)
			failed(h, w)
			return w
		},
		"sending another attempt": func(h *house) withdrawal.Withdrawal {
			w := h.approved("alice", 4_000)
			h.chain.fails["Send"] = []error{errChain, errChain, errChain}
			h.work(h.Payouts.PayoutWorker())
			equal(h.t, "status", h.stands(w.ID).Status, withdrawal.Sending)
			h.chain.expire()
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := prepare(h)
			before := h.stands(w.ID).Attempt
			signature := h.putBack(w, w.Amount)
			worker := h.Payouts.PayoutWorker()
			for range 4 {
				h.pass(worker)
				h.chain.finalize()
			}
			done := h.stands(w.ID)
			equal(t, "status", done.Status, withdrawal.Completed)
			equal(t, "signature", done.Signature, signature)
			equal(t, "attempts", done.Attempt, before)
			equal(t, "received", h.chain.holds(w.Destination, w.Token), alive+w.Amount)
			equal(t, "alarms", h.alarms(alarm.PayoutProved.Message()), 1)
			equal(t, "paused", ok(h.store.Pause(h.ctx))(t).Paused, false)
			h.solvent()
			h.audited()
		})
	}
}

func TestAnybodysLamportWithAMemoPaysNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.chain.give(string(fakes.Wallet("eve")), money.SOL, 10)
	h.chain.fake.Remark(fakes.Wallet("eve"), money.SOL, 1, treasury.Memo(w.ID, ""))
	h.chain.finalize()
	worker := h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Completed)
	equal(t, "received", h.chain.holds(w.Destination, w.Token), alive+w.Amount)
}

func TestAPaymentThatFailedOnChainIsMade(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	failed := h.chain.fake.Spend(fakes.Wallet("alice"), w.Token, 1_000_000_000, treasury.Memo(w.ID, ""))
	h.chain.finalize()
	worker := h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)
	if _, state, err := h.store.MovementState(h.ctx, failed); err != nil || state != treasury.Explained {
		t.Errorf("%s, %v", state, err)
	}
}

func TestAPayoutOfAnotherAmountIsForAPerson(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.putBack(w, w.Amount-1)
	h.resumedAfter(func() { h.pass(h.Payouts.PayoutWorker()) })
	h.pass(h.Payouts.PayoutWorker())
	stands := h.stands(w.ID)
	equal(t, "status", stands.Status, withdrawal.Approved)
	equal(t, "attempts", stands.Attempt, 0)
	if !strings.Contains(stands.Reason, "has paid this withdrawal") {
		t.Errorf("reason %q", stands.Reason)
	}
}

// resumedAfter resumes payouts that something paused.
func (h *house) resumedAfter(do func()) {
	h.t.Helper()
	do()
	pause := ok(h.store.Pause(h.ctx))(h.t)
	equal(h.t, "paused", pause.Paused, true)
	h.clock.Advance(time.Second)
	ok(h.payoutSwitch().Set(h.ctx, false, "looked into"))(h.t)
}

func (h *house) payoutSwitch() payouts.PayoutSwitch {
	return payouts.PayoutSwitch{Controls: h.store, Clock: h.clock, Entropy: h.Entropy}
}

func TestAStaleIndexSignsNothing(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		broken func(h *house)
		alarm  string
	}{
		"the chain can't be asked": {func(h *house) {
			h.clock.Advance(2 * time.Minute)
			h.chain.fails["Signed"] = []error{errChain, errChain, errChain, errChain}
		}, alarm.TreasuryUnindexed.Message()},
		"our clock is an hour behind": {func(h *house) { h.chain.fake.Follow(fakes.NewClock(h.clock.Now().Add(time.Hour))) }, alarm.TreasuryUnindexed.Message()},
		"our clock is an hour ahead":  {func(h *house) { h.chain.fake.Follow(fakes.NewClock(h.clock.Now().Add(-time.Hour))) }, alarm.TreasuryUnindexed.Message()},
		"another worker's is fresh, and old by the commit": {func(h *house) {
			h.chain.fake.Follow(fakes.NewClock(h.clock.Now().Add(-30 * time.Second)))
			h.chain.after["Sign"] = func() { h.clock.Advance(40 * time.Second) }
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.pass(h.Payouts.PayoutWorker())
			w := h.approved("alice", 4_000)
			row.broken(h)
			h.work(h.Payouts.PayoutWorker())
			equal(t, "attempts", h.stands(w.ID).Attempt, 0)
			equal(t, "sent", len(h.chain.sent), 0)
			if row.alarm != "" {
				equal(t, "alarms", h.alarms(row.alarm), 1)
			}
		})
	}
}

func TestAHistoryThatNobodyHasIsNoProof(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.clock.Advance(time.Hour)
	h.chain.fake.Prune()
	h.chain.finalize()
	worker := h.Payouts.PayoutWorker()
	h.pass(worker)
	equal(t, "attempts", h.stands(w.ID).Attempt, 0)
	equal(t, "alarms", h.alarms(alarm.PayoutUnproved.Message()), 1)
	later := h.approved("bob", 5_000)
	h.pass(worker)
	equal(t, "one that was requested since is signed", h.stands(later.ID).Attempt, 1)
	equal(t, "the first", h.stands(w.ID).Status, withdrawal.Approved)
}

func TestALongHistoryIsReadBeforeAnythingIsSigned(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.chain.give(string(fakes.Wallet("eve")), money.SOL, 10_000)
	for range 600 {
		h.chain.fake.Deposit(fakes.Wallet("eve"), money.SOL, 1)
	}
	h.putBack(w, w.Amount)
	worker := h.Payouts.PayoutWorker()
	for range 3 {
		if _, err := worker.Step(h.ctx); err != nil {
			t.Fatal(err)
		}
		equal(t, "status", h.stands(w.ID).Status, withdrawal.Approved)
	}
	h.pass(worker)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Completed)
	equal(t, "attempts", h.stands(w.ID).Attempt, 0)
	equal(t, "looks", h.chain.calls["Signed"], 3)
}

func TestOneLookServesAHundredPayouts(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.admin("ada", "finance")
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, capital)
	var all []withdrawal.Withdrawal
	for i := range 25 {
		name := fmt.Sprint("player ", i)
		who := h.player(name, 10_000)
		h.chain.give(string(who.Wallet), money.SOL, alive)
		for range 4 {
			w := h.withdraw(who, 1_000)
			all = append(all, ok(h.Payouts.ApproveWithdrawal(h.ctx, caller("ada"), approving(w.ID)))(t).Withdrawal)
		}
	}
	before := len(h.chain.sent)
	worker := h.Payouts.PayoutWorker()
	for range 400 {
		if worked, err := worker.Step(h.ctx); err != nil || !worked {
			break
		}
	}
	equal(t, "sent", len(h.chain.sent)-before, len(all))
	equal(t, "looks", h.chain.calls["Signed"], 1)
}

func TestASignatureThatNobodyAskedForPausesPayoutsOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.chain.give(string(fakes.Wallet("eve")), money.SOL, alive)
	stolen := h.chain.fake.Spend(fakes.Wallet("eve"), money.SOL, 50, "")
	h.chain.finalize()
	w := h.approved("alice", 4_000)
	h.resumedAfter(func() { h.pass(h.Payouts.PayoutWorker()) })
	equal(t, "alarms", h.alarms(alarm.TreasuryForeign.Message()), 1)
	took := []string{fmt.Sprintf("50 of %s to %s", money.SOL, fakes.Wallet("eve"))}
	if said, _ := h.fact(alarm.TreasuryForeign.Message(), "payments").([]string); !slices.Equal(said, took) {
		t.Errorf("the alarm says %q, the chain shows %q", said, took)
	}
	equal(t, "attempts", h.stands(w.ID).Attempt, 0)
	worker := h.Payouts.PayoutWorker()
	h.pass(worker)
	equal(t, "paused again", ok(h.store.Pause(h.ctx))(t).Paused, false)
	h.chain.finalize()
	h.pass(worker)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Completed)

	ok(h.treasuryCommands().Accept(h.ctx, stolen, "lost for good"))(t)
	refused(t, no(h.treasuryCommands().Accept(h.ctx, stolen, "again")), fault.InvalidState, "status", "explained")
	h.solvent()
	h.audited()
}

func (h *house) treasuryCommands() apptreasury.TreasuryCommands {
	return apptreasury.TreasuryCommands{Store: h.store, Writer: h.store, Clock: h.clock, Entropy: h.Entropy}
}

func TestAPauseForASignatureOutlivesAnEarlierAgreement(t *testing.T) {
	t.Parallel()
	h := open(t)
	ok(h.payoutSwitch().Set(h.ctx, true, "a drill"))(t)
	h.clock.Advance(time.Second)
	h.chain.give(string(fakes.Wallet("eve")), money.SOL, alive)
	stolen := h.chain.fake.Spend(fakes.Wallet("eve"), money.SOL, 50, "")
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	pause := ok(h.store.Pause(h.ctx))(t)
	if !pause.Paused || !strings.Contains(pause.Reason, stolen) || !pause.At.Equal(h.clock.Now().UTC()) {
		t.Errorf("%+v", pause)
	}
}

func TestAnAnnouncedSweepIsBooked(t *testing.T) {
	t.Parallel()
	h := open(t)
	eve := fakes.Wallet("eve")
	h.chain.give(string(eve), money.SOL, alive)
	ok(h.treasuryCommands().Announce(h.ctx, treasury.Payment{Token: money.SOL, Amount: 70_000, Destination: string(eve)}, "profit of May", time.Hour))(t)
	h.chain.fake.Spend(eve, money.SOL, 70_000, "")
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "paused", ok(h.store.Pause(h.ctx))(t).Paused, false)
	equal(t, "announced still", len(ok(h.store.OpenSweeps(h.ctx, h.clock.Now()))(t)), 0)
	h.books("fees -5000, chain 75000")
	h.solvent()
	h.audited()

	// A second one alike was not announced; accounting for it afterwards is enough.
	again := h.chain.fake.Spend(eve, money.SOL, 70_000, "")
	h.chain.finalize()
	h.resumedAfter(func() { h.pass(h.Payouts.PayoutWorker()) })
	ok(h.treasuryCommands().Announce(h.ctx, treasury.Payment{Token: money.SOL, Amount: 70_000, Destination: string(eve)}, "June", time.Hour))(t)
	h.pass(h.Payouts.PayoutWorker())
	if _, state, err := h.store.MovementState(h.ctx, again); err != nil || state != treasury.Explained {
		t.Errorf("%s, %v", state, err)
	}
	h.solvent()
	h.audited()
}

func TestAPayoutPaidTwiceIsSeen(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)
	h.putBack(w, w.Amount)
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "paused", ok(h.store.Pause(h.ctx))(t).Paused, true)
	equal(t, "alarms", h.alarms(alarm.TreasuryForeign.Message()), 1)
}

// TestWithoutAHistoryTheBooksDecideAlone: payouts are signed without asking the chain.
func TestWithoutAHistoryTheBooksDecideAlone(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.TreasuryHistory = nil })
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)
	equal(t, "looks", h.chain.calls["Signed"], 0)
}
