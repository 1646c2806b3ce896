package payouts_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestAPayoutIsSignedStoredSentAndFollowed(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	// It is stored before it is sent: the chain never gets an unstored transaction.
	h.Chain.After["Sign"] = func() { apptest.Equal(t, "sent while signing", len(h.Chain.Sent), 0) }
	h.PassPayouts(worker)
	sending := h.StoredWithdrawal(w.ID)
	apptest.Equal(t, "status", sending.Status, withdrawal.Sending)
	attempt := apptest.OK(h.Store.Attempt(h.Ctx, w.ID))(t)
	apptest.Equal(t, "attempt", attempt.Number, 1)
	apptest.Equal(t, "signature", sending.Signature, attempt.Signature)
	apptest.Equal(t, "bytes", h.Chain.Sent[0], string(attempt.Transaction))
	h.CheckBooks("player 6000, hold 4000, chain -10000")

	h.PassPayouts(worker) // landed, not final
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Sending)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	h.CheckBooks("player 6000, fees -5000, chain -1000")

	asked := h.Chain.Calls["Fate"]
	h.CheckUnchanged(func() { h.PassPayouts(worker) })
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 1)
	apptest.Equal(t, "asked", h.Chain.Calls["Fate"], asked)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Rejecting(w.ID))), fault.InvalidState, "status", "completed")
}

func TestALostSendIsRepeatedWithTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]func(*apptest.Chain){
		"never arrived": func(w *apptest.Chain) { w.Fails["Send"] = []error{apptest.ErrChain, apptest.ErrChain} },
		"answer lost":   func(w *apptest.Chain) { w.Lost["Send"] = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.ApprovedWithdrawal("alice", 4_000)
			broken(h.Chain)
			// Another process takes over each time: only the store remembers.
			for range 4 {
				h.RunPayouts(h.Payouts.PayoutWorker())
			}
			h.Chain.Finalize()
			h.PassPayouts(h.Payouts.PayoutWorker())
			h.CheckPaid(w, 1)
			for _, bytes := range h.Chain.Sent {
				apptest.Equal(t, "bytes", bytes, h.Chain.Sent[0])
			}
			h.CheckBooks("player 6000, fees -5000, chain -1000")
		})
	}
}

func TestAPayoutOfUnknownStatusIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.Chain.Fails["Fate"] = []error{apptest.ErrChain}
	h.CheckUnchanged(func() {
		faults := h.RunPayouts(worker)
		apptest.Equal(t, "faults", len(faults), 1)
		apptest.Refused(t, faults[0], fault.External)
	})
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
}

func TestADeadPayoutIsSignedAnewExactlyOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(worker)
	first := apptest.OK(h.Store.Attempt(h.Ctx, w.ID))(t)
	h.Chain.Expire()
	h.PassPayouts(worker) // calls it dead, and then reads the treasury's history
	h.PassPayouts(worker) // proves it dead, and signs again in the same round
	second := apptest.OK(h.Store.Attempt(h.Ctx, w.ID))(t)
	apptest.Equal(t, "attempt", second.Number, 2)
	if second.Signature == first.Signature {
		t.Fatal("the second attempt is the first one")
	}
	for range 3 {
		h.PassPayouts(h.Payouts.PayoutWorker())
	}
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 2)
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 2)
	h.CheckBooks("player 6000, fees -5000, chain -1000")
}

func TestAPayoutThatItsNodeForgotIsNotPaidTwice(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]func(*house){
		"it lands before the look":   func(h *house) { h.Chain.Finalize() },
		"it lands while it is asked": func(h *house) { h.Chain.After["Fate"] = h.Chain.Finalize },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
			h.PassPayouts(worker)
			h.PassPayouts(worker) // the treasury's history is read and doesn't list it
			known := apptest.OK(h.Store.IndexPosition(h.Ctx))(t)
			later(h)
			h.Chain.Forgets = known.Slot + 1
			for range 3 {
				h.PassPayouts(worker)
				h.PassPayouts(h.Payouts.PayoutWorker())
			}
			apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Sending)
			apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
			h.Chain.Forgets = 0
			h.PassPayouts(worker)
			h.CheckPaid(w, 1)
			h.CheckBooks("player 6000, fees -5000, chain -1000")
		})
	}
}

// failed lands a payout with an error, as if the treasury were empty.
func failed(h *house, w withdrawal.Withdrawal) {
	h.T.Helper()
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(h.Payouts.PayoutWorker())
	left := h.Chain.Held(h.Chain.TreasuryAddress(), money.SOL)
	h.Chain.Fake.Drain(money.SOL)
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, apptest.Fee)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, left-apptest.Fee)
	stands := h.StoredWithdrawal(w.ID)
	apptest.Equal(h.T, "status", stands.Status, withdrawal.Failed)
	if stands.Reason == "" || len(stands.Approvals) != 0 {
		h.T.Fatalf("failed: %+v", stands)
	}
	h.CheckSolvent()
}

func TestAFailedPayoutIsApprovedAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	failed(h, w)
	h.CheckBooks("player 6000, hold 4000, fees -5000, chain -5000")
	h.CheckUnchanged(func() { h.PassPayouts(h.Payouts.PayoutWorker()) }) // it isn't paid without a new vote
	h.Clock.Advance(time.Second)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Approving(w.ID)))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 2)
	h.CheckBooks("player 6000, fees -10000, chain 4000")
}

func TestAFailedPayoutIsRejectedWithARefund(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	failed(h, w)
	apptest.Equal(t, "balance", apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Rejecting(w.ID)))(t).Balance, 10_000)
	h.CheckBooks("player 10000, fees -5000, chain -5000")
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "received", h.Chain.Held(w.Destination, money.SOL), apptest.RentExempt)
	h.CheckSolvent()
	h.CheckAudit()
}

// Each time one worker has its response from the chain, the other one runs too.
func TestTwoWorkersDoNotDoTheSameWork(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.Chain.After["Sign"] = func() { h.PassPayouts(fast) }
	h.PassPayouts(slow)
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 1)
	h.Chain.Finalize()
	asked := h.Chain.Calls["Fate"]
	h.Chain.After["Fate"] = func() { h.PassPayouts(fast) }
	h.PassPayouts(slow)
	apptest.Equal(t, "asked", h.Chain.Calls["Fate"], asked+1)
	h.CheckPaid(w, 1)
}

// overtaken runs a worker after the other one's lease expired.
func (h *house) overtaken(by *payouts.PayoutWorker) func() {
	return func() {
		h.Clock.Advance(withdrawal.LeaseTime)
		h.PassPayouts(by)
	}
}

// A worker that was delayed beyond its lease finds that another one continued: after each
// response of the chain, the other worker overtakes it.
func TestTwoWorkersPayOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.Chain.After["Sign"] = h.overtaken(fast)
	h.PassPayouts(slow)
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 2)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 1) // the unstored transaction isn't sent
	h.Chain.Finalize()
	h.Chain.After["Fate"] = h.overtaken(fast)
	h.PassPayouts(slow)
	h.CheckPaid(w, 1)
	h.CheckBooks("player 6000, fees -5000, chain -1000")
}

// A worker that saw attempt 1 dead is late: attempt 2 is in flight already.
func TestALateWorkerDoesNotTouchTheNextAttempt(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, slow, fast := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker(), h.Payouts.PayoutWorker()
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(slow)
	h.Chain.Expire()
	h.Chain.After["Fate"] = h.overtaken(fast)
	if _, err := slow.Step(h.Ctx); err != nil {
		t.Fatal(err)
	}
	stands := h.StoredWithdrawal(w.ID)
	apptest.Equal(t, "status", stands.Status, withdrawal.Sending)
	apptest.Equal(t, "attempt", stands.Attempt, 2)
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 2)
}

func TestAPayoutThatCannotBeSignedStaysApprovedAndSaysWhy(t *testing.T) {
	t.Parallel()
	h := open(t)
	first, second := h.ApprovedWithdrawal("alice", 4_000), h.ApprovedWithdrawal("bob", 3_000)
	unpayable := fault.New(fault.InvalidDestination, "can't be paid")
	h.Chain.Fails["Sign"] = []error{unpayable, nil, unpayable, unpayable}
	worker := h.Payouts.PayoutWorker()
	for range 3 {
		h.PassPayouts(worker)
	}
	stands := h.StoredWithdrawal(first.ID)
	apptest.Equal(t, "the first", stands.Status, withdrawal.Approved)
	apptest.Equal(t, "why", stands.Reason, withdrawal.HinderedReason(unpayable.Error()))
	apptest.Equal(t, "the one behind it", h.StoredWithdrawal(second.ID).Status, withdrawal.Sending)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutUnsignable.Message()), 1)
	// An admin can reject it.
	apptest.Equal(t, "balance", apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Rejecting(first.ID)))(t).Balance, 10_000)
}

// TestAPayoutThatWaitsSaysWhy: a late payout always has a reason, and signing clears it.
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
		"paused":                          {begin: func(h *house) { apptest.OK(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("ada"), "odd payouts"))(h.T) }, late: true, why: "payouts are paused"},
		"above the cap of a payout":       {options: []func(*app.Deps){capped(3_999, 100_000)}, why: "above the cap of 3999 a payout"},
		"above the cap of an hour":        {options: []func(*app.Deps){capped(4_000, 3_999)}, why: "above the cap of 3999 an hour"},
		"the chain can't be reached":      {fails: apptest.ErrChain, late: true, why: apptest.ErrChain.Error()},
		"the chain refuses it":            {fails: fmt.Errorf("node 1: %w", fault.New(fault.External, "the chain refuses this payout")), late: true, why: "the chain refuses this payout"},
		"the signer refuses it":           {fails: fault.New(fault.AmountOutOfRange, "the signer refused the payment"), why: "the signer refused the payment"},
		"the signer is broken":            {fails: errors.New("secret address 10.0.0.1"), late: true, why: "see its log"},
		"the destination can't be paid":   {fails: fault.New(fault.InvalidDestination, "destination: is frozen"), why: "destination: is frozen", mayGo: true},
		"too small for a new destination": {fails: tooSmall, why: "too small to keep the account", mayGo: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, c.options...)
			w := h.ApprovedWithdrawal("alice", 4_000)
			if c.begin != nil {
				c.begin(h)
			}
			steps := func() {
				for range 3 {
					if c.fails != nil {
						h.Chain.Fails["Sign"] = []error{c.fails}
					}
					worker := h.Payouts.PayoutWorker()
					for range 4 {
						_, _ = worker.Step(h.Ctx) // the error is only logged
					}
				}
			}
			steps()
			if c.late {
				apptest.Equal(t, "at once", h.StoredWithdrawal(w.ID).Reason, "")
			}
			h.Clock.Advance(payouts.StuckAfter)
			steps()
			stands := h.StoredWithdrawal(w.ID)
			apptest.Equal(t, "status", stands.Status, withdrawal.Approved)
			if !strings.Contains(stands.Reason, c.why) || strings.Contains(stands.Reason, "10.0.0.1") {
				t.Errorf("the reason is %q, want %q", stands.Reason, c.why)
			}
			apptest.Equal(t, "may cancel", stands.Cancellable(), c.mayGo)
			if c.mayGo {
				apptest.Equal(t, "balance", apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, apptest.Caller("alice"), w.ID))(t).Balance, 10_000)
				return
			}
			apptest.Equal(t, "balance", apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Rejecting(w.ID)))(t).Balance, 10_000)
		})
	}
}

// TestWhatCanNeverBePaidIsCancelledByItsPlayer: the money isn't held until an admin
// decides, and nothing is paid afterwards.
func TestWhatCanNeverBePaidIsCancelledByItsPlayer(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, small := h.ApprovedWithdrawal("alice", 4_000), h.ApprovedWithdrawal("bob", 3_000)
	alice, bob := apptest.Caller("alice"), apptest.Caller("bob")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID)), fault.InvalidState, "status", "approved")
	h.Chain.Fails["Sign"] = []error{
		fault.New(fault.InvalidDestination, "destination: belongs to a program"), fault.New(fault.AmountOutOfRange, "amount: too small"),
	}
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, bob, small.ID)), fault.InvalidState, "status", "approved")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, bob, w.ID)), fault.NotFound)
	strict := h.Remade(func(d *app.Deps) { d.Settings.NoWithdrawCancel = true })
	cancelled := apptest.OK(strict.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID))(t)
	apptest.Equal(t, "status", cancelled.Withdrawal.Status, withdrawal.Cancelled)
	apptest.Equal(t, "balance", cancelled.Balance, 10_000)
	for range 2 {
		h.PassPayouts(h.Payouts.PayoutWorker())
		h.Chain.Finalize()
	}
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 3)
	h.CheckPaid(small, 1)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID)), fault.InvalidState, "status", "cancelled")
	h.CheckAudit()
}

func TestAnObstacleIsClearedWhenItIsSignedAfterAll(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Fails["Sign"] = []error{fault.New(fault.InvalidDestination, "can't be paid")}
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.PassPayouts(h.Payouts.PayoutWorker())
	stands := h.StoredWithdrawal(w.ID)
	apptest.Equal(t, "status", stands.Status, withdrawal.Sending)
	apptest.Equal(t, "why", stands.Reason, "")
}

func TestAPayoutOfAClosingTokenBooksItsCostInSOL(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada, ben := h.SignIn("alice"), h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	old := string(apptest.ClosingTerms.Mint)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, ben, admin.AdjustmentRequest{User: string(alice.Wallet), Token: old, Amount: 5_000, Reason: "gift"}))(t)
	request := apptest.RequestOf(alice, 5_000)
	request.Token = old
	w := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t).Withdrawal
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Completed)
	apptest.Equal(t, "received", h.Chain.Held(string(alice.Wallet), apptest.ClosingTerms.Mint), 5_000)
	apptest.Equal(t, "cost", fakes.ChainFee+fakes.ChainAccountRent, 2_044_280)
	h.CheckBooks("fees -2044280, chain 2044280")
	h.CheckSolvent()
	h.CheckAudit()
}

// The fee for a token account is held with the amount. It is kept if the account had to be
// opened, and returned otherwise.
func TestTheFeeForANewAccountIsKeptOnlyWhenOneIsOpened(t *testing.T) {
	t.Parallel()
	terms := apptest.ClosingTerms
	terms.NewAccountFee = 300
	h := open(t, func(d *app.Deps) { d.Tokens = token.NewBook(apptest.SOLTerms, terms) })
	alice, ada, ben := h.SignIn("alice"), h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	old := string(terms.Mint)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, ben, admin.AdjustmentRequest{User: string(alice.Wallet), Token: old, Amount: 5_000, Reason: "gift"}))(t)
	// The first one opens the account, the second one finds it.
	for _, row := range []struct{ balance, after money.Amount }{{2_700, 2_700}, {400, 700}} {
		request := apptest.RequestOf(alice, 2_000)
		request.Token = old
		answer := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t)
		apptest.Equal(t, "fee", answer.Withdrawal.Fee, 300)
		apptest.Equal(t, "balance", answer.Balance, row.balance)
		apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(answer.Withdrawal.ID)))(t)
		h.PassPayouts(h.Payouts.PayoutWorker())
		h.Chain.Finalize()
		h.PassPayouts(h.Payouts.PayoutWorker())
		apptest.Equal(t, "status", h.StoredWithdrawal(answer.Withdrawal.ID).Status, withdrawal.Completed)
		for _, b := range apptest.OK(h.Accounts.Balances(h.Ctx, alice, time.Time{}))(t) {
			if b.Token == terms.Mint {
				apptest.Equal(t, "balance afterwards", b.Amount, row.after)
			}
		}
	}
	apptest.Equal(t, "received", h.Chain.Held(string(alice.Wallet), terms.Mint), 4_000)
	h.CheckSolvent()
	h.CheckAudit()
}
