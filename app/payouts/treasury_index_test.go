package payouts_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// restoreDatabase makes the chain show a payment of the withdrawal that the ledger lacks,
// as after a restore to before the signature.
func (h *house) restoreDatabase(w withdrawal.Withdrawal, amount money.Amount) (signature string) {
	h.T.Helper()
	signature = h.Chain.Fake.Spend(fakes.Wallet("alice"), w.Token, amount, treasury.Memo(w.ID, "0123456789abcdef"))
	h.Chain.Finalize()
	return signature
}

func TestWhatWasPaidSinceABackupIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(h *house) withdrawal.Withdrawal{
		"approved": func(h *house) withdrawal.Withdrawal { return h.ApprovedWithdrawal("alice", 4_000) },
		"pending": func(h *house) withdrawal.Withdrawal {
			who := h.NewPlayer("alice", 10_000)
			h.Chain.Give(string(who.Wallet), money.SOL, apptest.RentExempt)
			return h.RequestWithdrawal(who, 4_000)
		},
		"failed before": func(h *house) withdrawal.Withdrawal {
			w := h.ApprovedWithdrawal("alice", 4_000)
			failed(h, w)
			return w
		},
		"sending another attempt": func(h *house) withdrawal.Withdrawal {
			w := h.ApprovedWithdrawal("alice", 4_000)
			h.Chain.Fails["Send"] = []error{apptest.ErrChain, apptest.ErrChain, apptest.ErrChain}
			h.RunPayouts(h.Payouts.PayoutWorker())
			apptest.Equal(h.T, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Sending)
			h.Chain.Expire()
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := prepare(h)
			before := h.StoredWithdrawal(w.ID).Attempt
			signature := h.restoreDatabase(w, w.Amount)
			worker := h.Payouts.PayoutWorker()
			for range 4 {
				h.PassPayouts(worker)
				h.Chain.Finalize()
			}
			done := h.StoredWithdrawal(w.ID)
			apptest.Equal(t, "status", done.Status, withdrawal.Completed)
			apptest.Equal(t, "signature", done.Signature, signature)
			apptest.Equal(t, "attempts", done.Attempt, before)
			apptest.Equal(t, "received", h.Chain.Held(w.Destination, w.Token), apptest.RentExempt+w.Amount)
			apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutProved.Message()), 1)
			apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, false)
			h.CheckSolvent()
			h.CheckAudit()
		})
	}
}

func TestAnybodysLamportWithAMemoPaysNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Give(string(fakes.Wallet("eve")), money.SOL, 10)
	h.Chain.Fake.Remark(fakes.Wallet("eve"), money.SOL, 1, treasury.Memo(w.ID, ""))
	h.Chain.Finalize()
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Completed)
	apptest.Equal(t, "received", h.Chain.Held(w.Destination, w.Token), apptest.RentExempt+w.Amount)
}

func TestAPaymentThatFailedOnChainIsMade(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	failed := h.Chain.Fake.Spend(fakes.Wallet("alice"), w.Token, 1_000_000_000, treasury.Memo(w.ID, ""))
	h.Chain.Finalize()
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	if _, state, err := h.Store.MovementState(h.Ctx, failed); err != nil || state != treasury.Explained {
		t.Errorf("%s, %v", state, err)
	}
}

func TestAPayoutOfAnotherAmountIsForAPerson(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.restoreDatabase(w, w.Amount-1)
	h.checkResumes(func() { h.PassPayouts(h.Payouts.PayoutWorker()) })
	h.PassPayouts(h.Payouts.PayoutWorker())
	stands := h.StoredWithdrawal(w.ID)
	apptest.Equal(t, "status", stands.Status, withdrawal.Approved)
	apptest.Equal(t, "attempts", stands.Attempt, 0)
	if !strings.Contains(stands.Reason, "has paid this withdrawal") {
		t.Errorf("reason %q", stands.Reason)
	}
}

// checkResumes resumes payouts after a pause.
func (h *house) checkResumes(do func()) {
	h.T.Helper()
	do()
	pause := apptest.OK(h.Store.Pause(h.Ctx))(h.T)
	apptest.Equal(h.T, "paused", pause.Paused, true)
	h.Clock.Advance(time.Second)
	apptest.OK(h.payoutSwitch().Set(h.Ctx, false, "looked into"))(h.T)
}

func (h *house) payoutSwitch() payouts.PayoutSwitch {
	return payouts.PayoutSwitch{Controls: h.Store, Clock: h.Clock, Entropy: h.Entropy}
}

func TestAStaleIndexSignsNothing(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		broken func(h *house)
		alarm  string
	}{
		"the chain can't be asked": {func(h *house) {
			h.Clock.Advance(2 * time.Minute)
			h.Chain.Fails["Signed"] = []error{apptest.ErrChain, apptest.ErrChain, apptest.ErrChain, apptest.ErrChain}
		}, alarm.TreasuryUnindexed.Message()},
		"our clock is an hour behind": {func(h *house) { h.Chain.Fake.Follow(fakes.NewClock(h.Clock.Now().Add(time.Hour))) }, alarm.TreasuryUnindexed.Message()},
		"our clock is an hour ahead":  {func(h *house) { h.Chain.Fake.Follow(fakes.NewClock(h.Clock.Now().Add(-time.Hour))) }, alarm.TreasuryUnindexed.Message()},
		"another worker's is fresh, and old by the commit": {func(h *house) {
			h.Chain.Fake.Follow(fakes.NewClock(h.Clock.Now().Add(-30 * time.Second)))
			h.Chain.After["Sign"] = func() { h.Clock.Advance(40 * time.Second) }
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.PassPayouts(h.Payouts.PayoutWorker())
			w := h.ApprovedWithdrawal("alice", 4_000)
			row.broken(h)
			h.RunPayouts(h.Payouts.PayoutWorker())
			apptest.Equal(t, "attempts", h.StoredWithdrawal(w.ID).Attempt, 0)
			apptest.Equal(t, "sent", len(h.Chain.Sent), 0)
			if row.alarm != "" {
				apptest.Equal(t, "alarms", h.CountAlarms(row.alarm), 1)
			}
		})
	}
}

func TestAHistoryThatNobodyHasIsNoProof(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Clock.Advance(time.Hour)
	h.Chain.Fake.Prune()
	h.Chain.Finalize()
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	apptest.Equal(t, "attempts", h.StoredWithdrawal(w.ID).Attempt, 0)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutUnproved.Message()), 1)
	later := h.ApprovedWithdrawal("bob", 5_000)
	h.PassPayouts(worker)
	apptest.Equal(t, "one that was requested since is signed", h.StoredWithdrawal(later.ID).Attempt, 1)
	apptest.Equal(t, "the first", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
}

func TestALongHistoryIsReadBeforeAnythingIsSigned(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Give(string(fakes.Wallet("eve")), money.SOL, 10_000)
	for range 600 {
		h.Chain.Fake.Deposit(fakes.Wallet("eve"), money.SOL, 1)
	}
	h.restoreDatabase(w, w.Amount)
	worker := h.Payouts.PayoutWorker()
	for range 3 {
		if _, err := worker.Step(h.Ctx); err != nil {
			t.Fatal(err)
		}
		apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
	}
	h.PassPayouts(worker)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Completed)
	apptest.Equal(t, "attempts", h.StoredWithdrawal(w.ID).Attempt, 0)
	apptest.Equal(t, "looks", h.Chain.Calls["Signed"], 3)
}

func TestOneLookServesAHundredPayouts(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewAdmin("ada", "finance")
	h.Chain.Give(h.Chain.TreasuryAddress(), money.SOL, apptest.Capital)
	var all []withdrawal.Withdrawal
	for i := range 25 {
		name := fmt.Sprint("player ", i)
		who := h.NewPlayer(name, 10_000)
		h.Chain.Give(string(who.Wallet), money.SOL, apptest.RentExempt)
		for range 4 {
			w := h.RequestWithdrawal(who, 1_000)
			all = append(all, apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Approving(w.ID)))(t).Withdrawal)
		}
	}
	before := len(h.Chain.Sent)
	worker := h.Payouts.PayoutWorker()
	for range 400 {
		if worked, err := worker.Step(h.Ctx); err != nil || !worked {
			break
		}
	}
	apptest.Equal(t, "sent", len(h.Chain.Sent)-before, len(all))
	apptest.Equal(t, "looks", h.Chain.Calls["Signed"], 1)
}

func TestASignatureThatNobodyAskedForPausesPayoutsOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.Chain.Give(string(fakes.Wallet("eve")), money.SOL, apptest.RentExempt)
	stolen := h.Chain.Fake.Spend(fakes.Wallet("eve"), money.SOL, 50, "")
	h.Chain.Finalize()
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.checkResumes(func() { h.PassPayouts(h.Payouts.PayoutWorker()) })
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.TreasuryForeign.Message()), 1)
	took := []string{fmt.Sprintf("50 of %s to %s", money.SOL, fakes.Wallet("eve"))}
	if said, _ := h.AlarmFact(alarm.TreasuryForeign.Message(), "payments").([]string); !slices.Equal(said, took) {
		t.Errorf("the alarm says %q, the chain shows %q", said, took)
	}
	apptest.Equal(t, "attempts", h.StoredWithdrawal(w.ID).Attempt, 0)
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	apptest.Equal(t, "paused again", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, false)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Completed)

	apptest.OK(h.treasuryCommands().Accept(h.Ctx, stolen, "lost for good"))(t)
	apptest.Refused(t, apptest.ErrorOf(h.treasuryCommands().Accept(h.Ctx, stolen, "again")), fault.InvalidState, "status", "explained")
	h.CheckSolvent()
	h.CheckAudit()
}

func (h *house) treasuryCommands() apptreasury.TreasuryCommands {
	return apptreasury.TreasuryCommands{Store: h.Store, Writer: h.Store, Clock: h.Clock, Entropy: h.Entropy}
}

func TestAPauseForASignatureOutlivesAnEarlierAgreement(t *testing.T) {
	t.Parallel()
	h := open(t)
	apptest.OK(h.payoutSwitch().Set(h.Ctx, true, "a drill"))(t)
	h.Clock.Advance(time.Second)
	h.Chain.Give(string(fakes.Wallet("eve")), money.SOL, apptest.RentExempt)
	stolen := h.Chain.Fake.Spend(fakes.Wallet("eve"), money.SOL, 50, "")
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	pause := apptest.OK(h.Store.Pause(h.Ctx))(t)
	if !pause.Paused || !strings.Contains(pause.Reason, stolen) || !pause.At.Equal(h.Clock.Now().UTC()) {
		t.Errorf("%+v", pause)
	}
}

func TestAnAnnouncedSweepIsBooked(t *testing.T) {
	t.Parallel()
	h := open(t)
	eve := fakes.Wallet("eve")
	h.Chain.Give(string(eve), money.SOL, apptest.RentExempt)
	apptest.OK(h.treasuryCommands().Announce(h.Ctx, treasury.Payment{Token: money.SOL, Amount: 70_000, Destination: string(eve)}, "profit of May", time.Hour))(t)
	h.Chain.Fake.Spend(eve, money.SOL, 70_000, "")
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, false)
	apptest.Equal(t, "announced still", len(apptest.OK(h.Store.OpenSweeps(h.Ctx, h.Clock.Now()))(t)), 0)
	h.CheckBooks("fees -5000, chain 75000")
	h.CheckSolvent()
	h.CheckAudit()

	// A second such transaction was not announced; it is accounted for afterwards.
	again := h.Chain.Fake.Spend(eve, money.SOL, 70_000, "")
	h.Chain.Finalize()
	h.checkResumes(func() { h.PassPayouts(h.Payouts.PayoutWorker()) })
	apptest.OK(h.treasuryCommands().Announce(h.Ctx, treasury.Payment{Token: money.SOL, Amount: 70_000, Destination: string(eve)}, "June", time.Hour))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	if _, state, err := h.Store.MovementState(h.Ctx, again); err != nil || state != treasury.Explained {
		t.Errorf("%s, %v", state, err)
	}
	h.CheckSolvent()
	h.CheckAudit()
}

func TestAPayoutPaidTwiceIsSeen(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	h.restoreDatabase(w, w.Amount)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.TreasuryForeign.Message()), 1)
}

// TestWithoutAHistoryTheBooksDecideAlone: payouts are signed without reading the chain.
func TestWithoutAHistoryTheBooksDecideAlone(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.TreasuryHistory = nil })
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	apptest.Equal(t, "looks", h.Chain.Calls["Signed"], 0)
}
