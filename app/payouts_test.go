package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// alive is what an address must hold so that small amounts can be paid to it.
const alive money.Amount = 1_000_000

// approved is a withdrawal of a player with 10000, approved and payable.
func (h *house) approved(name string, amount int64) withdrawal.Withdrawal {
	h.t.Helper()
	who := h.player(name, 10_000)
	h.chain.give(string(who.Wallet), money.SOL, alive)
	w := h.withdraw(who, amount)
	return ok(h.Payouts.ApproveWithdrawal(h.ctx, h.admin("ada", "finance"), approving(w.ID)))(h.t).Withdrawal
}

// work runs a worker for one round and returns its errors.
func (h *house) work(worker *payouts.PayoutWorker) (faults []error) {
	h.t.Helper()
	for range 100 {
		worked, err := worker.Step(h.ctx)
		if err != nil {
			faults = append(faults, err)
		}
		if !worked && err == nil {
			return faults
		}
	}
	h.t.Fatal("a round of the payout worker has no end")
	return nil
}

// pass runs a worker for one round that must not fail.
func (h *house) pass(worker *payouts.PayoutWorker) {
	h.t.Helper()
	if faults := h.work(worker); faults != nil {
		h.t.Fatal(errors.Join(faults...))
	}
}

// paid checks that the withdrawal was paid once and everything is booked.
func (h *house) paid(w withdrawal.Withdrawal, attempts int) {
	h.t.Helper()
	done := h.stands(w.ID)
	equal(h.t, "status", done.Status, withdrawal.Completed)
	equal(h.t, "attempts", done.Attempt, attempts)
	equal(h.t, "received", h.chain.holds(w.Destination, w.Token), alive+w.Amount)
	h.solvent()
	h.audited()
}

func TestAPayoutIsSignedStoredSentAndFollowed(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	// It is stored before it is sent: the chain never gets a transaction that isn't
	// kept.
	h.chain.after["Sign"] = func() { equal(t, "sent while signing", len(h.chain.sent), 0) }
	h.pass(worker)
	sending := h.stands(w.ID)
	equal(t, "status", sending.Status, withdrawal.Sending)
	attempt := ok(h.store.Attempt(h.ctx, w.ID))(t)
	equal(t, "attempt", attempt.Number, 1)
	equal(t, "signature", sending.Signature, attempt.Signature)
	equal(t, "bytes", h.chain.sent[0], string(attempt.Transaction))
	h.books("player 6000, hold 4000, chain -10000")

	h.pass(worker) // landed, not final
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Sending)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)
	h.books("player 6000, fees -5000, chain -1000")

	asked := h.chain.calls["Fate"]
	h.unchanged(func() { h.pass(worker) })
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "sent", len(h.chain.sent), 1)
	equal(t, "asked", h.chain.calls["Fate"], asked)
	refused(t, no(h.Payouts.RejectWithdrawal(h.ctx, caller("ada"), rejecting(w.ID))), fault.InvalidState, "status", "completed")
}

func TestALostSendIsRepeatedWithTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]func(*wire){
		"never arrived": func(w *wire) { w.fails["Send"] = []error{errChain, errChain} },
		"answer lost":   func(w *wire) { w.lost["Send"] = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.approved("alice", 4_000)
			broken(h.chain)
			// Another process takes over each time: only the store remembers.
			for range 4 {
				h.work(h.Payouts.PayoutWorker())
			}
			h.chain.finalize()
			h.pass(h.Payouts.PayoutWorker())
			h.paid(w, 1)
			for _, bytes := range h.chain.sent {
				equal(t, "bytes", bytes, h.chain.sent[0])
			}
			h.books("player 6000, fees -5000, chain -1000")
		})
	}
}

func TestAPayoutOfUnknownStatusIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.chain.fails["Fate"] = []error{errChain}
	h.unchanged(func() {
		faults := h.work(worker)
		equal(t, "faults", len(faults), 1)
		refused(t, faults[0], fault.External)
	})
	h.pass(worker)
	h.paid(w, 1)
}

func TestADeadPayoutIsSignedAnewExactlyOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.chain.fails["Send"] = []error{errChain}
	h.work(worker)
	first := ok(h.store.Attempt(h.ctx, w.ID))(t)
	h.chain.expire()
	h.pass(worker) // calls it dead, and then reads the treasury's history
	h.pass(worker) // proves it dead, and signs again in the same round
	second := ok(h.store.Attempt(h.ctx, w.ID))(t)
	equal(t, "attempt", second.Number, 2)
	if second.Signature == first.Signature {
		t.Fatal("the second attempt is the first one")
	}
	for range 3 {
		h.pass(h.Payouts.PayoutWorker())
	}
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 2)
	equal(t, "signed", h.chain.calls["Sign"], 2)
	h.books("player 6000, fees -5000, chain -1000")
}

func TestAPayoutThatItsNodeForgotIsNotPaidTwice(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]func(*house){
		"it lands before the look":   func(h *house) { h.chain.finalize() },
		"it lands while it is asked": func(h *house) { h.chain.after["Fate"] = h.chain.finalize },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
			h.pass(worker)
			h.pass(worker) // the treasury's history is read, and has nothing of it
			known := ok(h.store.IndexPosition(h.ctx))(t)
			later(h)
			h.chain.forgets = known.Slot + 1
			for range 3 {
				h.pass(worker)
				h.pass(h.Payouts.PayoutWorker())
			}
			equal(t, "status", h.stands(w.ID).Status, withdrawal.Sending)
			equal(t, "signed", h.chain.calls["Sign"], 1)
			h.chain.forgets = 0
			h.pass(worker)
			h.paid(w, 1)
			h.books("player 6000, fees -5000, chain -1000")
		})
	}
}

// failed is a payout that landed with an error: the treasury was empty just then.
func failed(h *house, w withdrawal.Withdrawal) {
	h.t.Helper()
	h.chain.fails["Send"] = []error{errChain}
	h.work(h.Payouts.PayoutWorker())
	left := h.chain.holds(h.chain.TreasuryAddress(), money.SOL)
	h.chain.fake.Drain(money.SOL)
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, fee)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.chain.give(h.chain.TreasuryAddress(), money.SOL, left-fee)
	stands := h.stands(w.ID)
	equal(h.t, "status", stands.Status, withdrawal.Failed)
	if stands.Reason == "" || len(stands.Approvals) != 0 {
		h.t.Fatalf("failed: %+v", stands)
	}
	h.solvent()
}

func TestAFailedPayoutIsApprovedAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	failed(h, w)
	h.books("player 6000, hold 4000, fees -5000, chain -5000")
	h.unchanged(func() { h.pass(h.Payouts.PayoutWorker()) }) // nobody pays it without a new vote
	h.clock.Advance(time.Second)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, caller("ada"), approving(w.ID)))(t)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 2)
	h.books("player 6000, fees -10000, chain 4000")
}

func TestAFailedPayoutIsRejectedWithARefund(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	failed(h, w)
	equal(t, "balance", ok(h.Payouts.RejectWithdrawal(h.ctx, caller("ada"), rejecting(w.ID)))(t).Balance, 10_000)
	h.books("player 10000, fees -5000, chain -5000")
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "received", h.chain.holds(w.Destination, money.SOL), alive)
	h.solvent()
	h.audited()
}

// Each time one worker has its response from the chain, the other one runs too.
func TestTwoWorkersDoNotDoTheSameWork(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.approved("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.chain.after["Sign"] = func() { h.pass(fast) }
	h.pass(slow)
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "sent", len(h.chain.sent), 1)
	h.chain.finalize()
	asked := h.chain.calls["Fate"]
	h.chain.after["Fate"] = func() { h.pass(fast) }
	h.pass(slow)
	equal(t, "asked", h.chain.calls["Fate"], asked+1)
	h.paid(w, 1)
}

// overtaken runs a worker after the other one's lease expired.
func (h *house) overtaken(by *payouts.PayoutWorker) func() {
	return func() {
		h.clock.Advance(withdrawal.LeaseTime)
		h.pass(by)
	}
}

// A worker that was delayed for longer than its lease finds that another one continued:
// each time one has its response from the chain, the other one overtakes it.
func TestTwoWorkersPayOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.approved("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.chain.after["Sign"] = h.overtaken(fast)
	h.pass(slow)
	equal(t, "signed", h.chain.calls["Sign"], 2)
	equal(t, "sent", len(h.chain.sent), 1) // what wasn't stored isn't sent
	h.chain.finalize()
	h.chain.after["Fate"] = h.overtaken(fast)
	h.pass(slow)
	h.paid(w, 1)
	h.books("player 6000, fees -5000, chain -1000")
}

// A worker that saw attempt 1 dead is late: attempt 2 is in flight already.
func TestALateWorkerDoesNotTouchTheNextAttempt(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.approved("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.chain.fails["Send"] = []error{errChain}
	h.work(slow)
	h.chain.expire()
	h.chain.after["Fate"] = h.overtaken(fast)
	if _, err := slow.Step(h.ctx); err != nil {
		t.Fatal(err)
	}
	stands := h.stands(w.ID)
	equal(t, "status", stands.Status, withdrawal.Sending)
	equal(t, "attempt", stands.Attempt, 2)
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 2)
}

func TestAPayoutThatCannotBeSignedStaysApprovedAndSaysWhy(t *testing.T) {
	t.Parallel()
	h := open(t)
	first, second := h.approved("alice", 4_000), h.approved("bob", 3_000)
	unpayable := fault.New(fault.InvalidDestination, "can't be paid")
	h.chain.fails["Sign"] = []error{unpayable, nil, unpayable, unpayable}
	worker := h.Payouts.PayoutWorker()
	for range 3 {
		h.pass(worker)
	}
	stands := h.stands(first.ID)
	equal(t, "the first", stands.Status, withdrawal.Approved)
	equal(t, "why", stands.Reason, withdrawal.HinderedReason(unpayable.Error()))
	equal(t, "the one behind it", h.stands(second.ID).Status, withdrawal.Sending)
	equal(t, "alarms", h.alarms(alarm.PayoutUnsignable.Message()), 1)
	// An admin can reject it.
	equal(t, "balance", ok(h.Payouts.RejectWithdrawal(h.ctx, caller("ada"), rejecting(first.ID)))(t).Balance, 10_000)
}

// TestAPayoutThatWaitsSaysWhy: whatever keeps a payout from being signed, nobody finds it
// approved without a reason once it is late, and signing it clears the reason.
func TestAPayoutThatWaitsSaysWhy(t *testing.T) {
	t.Parallel()
	tooSmall := fault.New(fault.AmountOutOfRange, "amount: too small to keep the account").With("field", "amount")
	for name, c := range map[string]struct {
		options []func(*app.Deps)
		begin   func(h *house)
		fails   error
		late    bool // only after StuckAfter
		why     string
		mayGo   bool // the player may cancel it
	}{
		"paused":                          {begin: func(h *house) { ok(h.Payouts.PausePayouts(h.ctx, caller("ada"), "odd payouts"))(h.t) }, late: true, why: "payouts are paused"},
		"above the cap of a payout":       {options: []func(*app.Deps){capped(3_999, 100_000)}, why: "above the cap of 3999 a payout"},
		"above the cap of an hour":        {options: []func(*app.Deps){capped(4_000, 3_999)}, why: "above the cap of 3999 an hour"},
		"the chain can't be reached":      {fails: errChain, late: true, why: errChain.Error()},
		"the chain refuses it":            {fails: fmt.Errorf("node 1: %w", fault.New(fault.External, "the chain refuses this payout")), late: true, why: "the chain refuses this payout"},
		"the signer refuses it":           {fails: fault.New(fault.AmountOutOfRange, "the signer refused the payment"), why: "the signer refused the payment"},
		"the signer is broken":            {fails: errors.New("secret address 10.0.0.1"), late: true, why: "its log says why"},
		"the destination can't be paid":   {fails: fault.New(fault.InvalidDestination, "destination: is frozen"), why: "destination: is frozen", mayGo: true},
		"too small for a new destination": {fails: tooSmall, why: "too small to keep the account", mayGo: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, c.options...)
			w := h.approved("alice", 4_000)
			if c.begin != nil {
				c.begin(h)
			}
			steps := func() {
				for range 3 {
					if c.fails != nil {
						h.chain.fails["Sign"] = []error{c.fails}
					}
					worker := h.Payouts.PayoutWorker()
					for range 4 {
						_, _ = worker.Step(h.ctx) // its error is for the log
					}
				}
			}
			steps()
			if c.late {
				equal(t, "at once", h.stands(w.ID).Reason, "")
			}
			h.clock.Advance(payouts.StuckAfter)
			steps()
			stands := h.stands(w.ID)
			equal(t, "status", stands.Status, withdrawal.Approved)
			if !strings.Contains(stands.Reason, c.why) || strings.Contains(stands.Reason, "10.0.0.1") {
				t.Errorf("the reason is %q, want %q", stands.Reason, c.why)
			}
			equal(t, "may cancel", stands.Cancellable(), c.mayGo)
			if c.mayGo {
				equal(t, "balance", ok(h.Payouts.CancelWithdrawal(h.ctx, caller("alice"), w.ID))(t).Balance, 10_000)
				return
			}
			equal(t, "balance", ok(h.Payouts.RejectWithdrawal(h.ctx, caller("ada"), rejecting(w.ID)))(t).Balance, 10_000)
		})
	}
}

// TestWhatCanNeverBePaidIsCancelledByItsPlayer: the money isn't held until an admin finds
// the time, and nothing is paid afterwards.
func TestWhatCanNeverBePaidIsCancelledByItsPlayer(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, small := h.approved("alice", 4_000), h.approved("bob", 3_000)
	alice, bob := caller("alice"), caller("bob")
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID)), fault.InvalidState, "status", "approved")
	h.chain.fails["Sign"] = []error{
		fault.New(fault.InvalidDestination, "destination: belongs to a program"), fault.New(fault.AmountOutOfRange, "amount: too small"),
	}
	h.pass(h.Payouts.PayoutWorker())
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, bob, small.ID)), fault.InvalidState, "status", "approved")
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, bob, w.ID)), fault.NotFound)
	strict := h.remade(func(d *app.Deps) { d.Settings.NoWithdrawCancel = true })
	cancelled := ok(strict.Payouts.CancelWithdrawal(h.ctx, alice, w.ID))(t)
	equal(t, "status", cancelled.Withdrawal.Status, withdrawal.Cancelled)
	equal(t, "balance", cancelled.Balance, 10_000)
	for range 2 {
		h.pass(h.Payouts.PayoutWorker())
		h.chain.finalize()
	}
	equal(t, "signed", h.chain.calls["Sign"], 3)
	h.paid(small, 1)
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID)), fault.InvalidState, "status", "cancelled")
	h.audited()
}

func TestAnObstacleIsClearedWhenItIsSignedAfterAll(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.chain.fails["Sign"] = []error{fault.New(fault.InvalidDestination, "can't be paid")}
	h.pass(h.Payouts.PayoutWorker())
	h.pass(h.Payouts.PayoutWorker())
	stands := h.stands(w.ID)
	equal(t, "status", stands.Status, withdrawal.Sending)
	equal(t, "why", stands.Reason, "")
}

func TestAPayoutOfAClosingTokenBooksItsCostInSOL(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada, ben := h.enter("alice"), h.admin("ada", "finance"), h.admin("ben", "finance")
	old := string(closing.Mint)
	ok(h.Admin.AdjustBalance(h.ctx, ben, admin.AdjustmentRequest{User: string(alice.Wallet), Token: old, Amount: 5_000, Reason: "gift"}))(t)
	request := requestOf(alice, 5_000)
	request.Token = old
	w := ok(h.Payouts.Withdraw(h.ctx, alice, request))(t).Withdrawal
	ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID)))(t)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Completed)
	equal(t, "received", h.chain.holds(string(alice.Wallet), closing.Mint), 5_000)
	equal(t, "cost", fakes.ChainFee+fakes.ChainAccountRent, 2_044_280)
	h.books("fees -2044280, chain 2044280")
	h.solvent()
	h.audited()
}

// The fee for a token account is held with the amount; it is kept when the account
// had to be opened, and comes back when it was there.
func TestTheFeeForANewAccountIsKeptOnlyWhenOneIsOpened(t *testing.T) {
	t.Parallel()
	terms := closing
	terms.NewAccountFee = 300
	h := open(t, func(d *app.Deps) { d.Tokens = token.NewBook(solTerms, terms) })
	alice, ada, ben := h.enter("alice"), h.admin("ada", "finance"), h.admin("ben", "finance")
	old := string(terms.Mint)
	ok(h.Admin.AdjustBalance(h.ctx, ben, admin.AdjustmentRequest{User: string(alice.Wallet), Token: old, Amount: 5_000, Reason: "gift"}))(t)
	// The first one opens the account, the second one finds it.
	for _, row := range []struct{ balance, after money.Amount }{{2_700, 2_700}, {400, 700}} {
		request := requestOf(alice, 2_000)
		request.Token = old
		answer := ok(h.Payouts.Withdraw(h.ctx, alice, request))(t)
		equal(t, "fee", answer.Withdrawal.Fee, 300)
		equal(t, "balance", answer.Balance, row.balance)
		ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(answer.Withdrawal.ID)))(t)
		h.pass(h.Payouts.PayoutWorker())
		h.chain.finalize()
		h.pass(h.Payouts.PayoutWorker())
		equal(t, "status", h.stands(answer.Withdrawal.ID).Status, withdrawal.Completed)
		for _, b := range ok(h.Accounts.Balances(h.ctx, alice))(t) {
			if b.Token == terms.Mint {
				equal(t, "balance afterwards", b.Amount, row.after)
			}
		}
	}
	equal(t, "received", h.chain.holds(string(alice.Wallet), terms.Mint), 4_000)
	h.solvent()
	h.audited()
}
