package payouts_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// capped sets maximum payouts of SOL.
func capped(payout, hour int64) func(*app.Deps) {
	return func(d *app.Deps) {
		terms := apptest.SOLTerms
		terms.PayoutCap, terms.PayoutCapPerHour = money.Amount(payout), money.Amount(hour)
		d.Tokens = token.NewBook(terms, apptest.ClosingTerms)
	}
}

func (h *house) switchOfCommandLine() payouts.PayoutSwitch {
	return payouts.PayoutSwitch{Controls: h.Store, Clock: h.Clock, Entropy: h.Entropy}
}

func TestPausedPayoutsAreNeitherSignedNorSentAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(h.Payouts.PayoutWorker())
	second := h.ApprovedWithdrawal("bob", 3_000)
	pause := apptest.OK(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("ada"), "odd payouts"))(t)
	apptest.Equal(t, "paused", pause.Paused, true)
	apptest.Equal(t, "by", pause.By, apptest.Caller("ada").Wallet)
	sent := len(h.Chain.Sent)
	for range 3 {
		h.PassPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "sent", len(h.Chain.Sent), sent)
	apptest.Equal(t, "the second", h.StoredWithdrawal(second.ID).Status, withdrawal.Approved)

	apptest.OK(h.switchOfCommandLine().Set(h.Ctx, false, "looked at them"))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(first, 1)
	h.CheckPaid(second, 1)
}

// Payouts are paused between the worker's check and its commit.
func TestThePauseIsSeenInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.After["Sign"] = func() { apptest.OK(h.switchOfCommandLine().Set(h.Ctx, true, "stop"))(t) }
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 0)
}

func TestWhatWasSentBeforeThePauseIsSettled(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.OK(h.switchOfCommandLine().Set(h.Ctx, true, "stop"))(t)
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
}

func TestPausingIsAuthorizedAndRecordedOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewAdmin("ada", "finance")
	h.NewAdmin("rita", "readonly")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("rita"), "why not")), fault.AdminForbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("ada"), "")), fault.Invalid, "field", "reason")
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("ada"), "odd payouts"))(t)
	apptest.OK(h.switchOfCommandLine().Set(h.Ctx, false, "fine"))(t)
	var records []audit.Record
	err := h.Store.Blocks(h.Ctx, func(b ports.Block) error {
		for _, r := range b.Audit {
			if r.Action == audit.PayoutsPaused || r.Action == audit.PayoutsResumed {
				records = append(records, r)
			}
		}
		return nil
	})
	if err != nil || len(records) != 2 {
		t.Fatalf("%+v, %v", records, err)
	}
	apptest.Equal(t, "paused by", records[0].By, apptest.Caller("ada").Wallet)
	apptest.Equal(t, "paused", records[0].After, "paused: odd payouts")
	apptest.Equal(t, "resumed by", records[1].By, "")
	apptest.Equal(t, "before", records[1].Before, "paused: odd payouts")
}

func TestAPayoutAboveItsCapWaitsAndAlarms(t *testing.T) {
	t.Parallel()
	h := open(t, capped(3_999, 100_000))
	w := h.ApprovedWithdrawal("alice", 4_000)
	for range 3 {
		h.PassPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 0)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutCapped.Message()), 1)
	h.Clock.Advance(payouts.StuckAfter)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutCapped.Message()), 2)
	apptest.Equal(t, "stuck", h.CountAlarms(alarm.PayoutStuck.Message()), 1)
}

func TestTheHourlyCapFreesAsTheHourPasses(t *testing.T) {
	t.Parallel()
	h := open(t, capped(5_000, 5_000))
	first, second := h.ApprovedWithdrawal("alice", 4_000), h.ApprovedWithdrawal("bob", 1_001)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "the first", h.StoredWithdrawal(first.ID).Status, withdrawal.Sending)
	apptest.Equal(t, "the second", h.StoredWithdrawal(second.ID).Status, withdrawal.Approved)
	h.Clock.Advance(withdrawal.CapWindow - time.Microsecond)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "an instant early", h.StoredWithdrawal(second.ID).Status, withdrawal.Approved)
	h.Clock.Advance(time.Microsecond)
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "an hour later", h.StoredWithdrawal(second.ID).Status, withdrawal.Sending)
}

// Both workers have read the sum before either commits.
func TestTheHourlyCapIsCountedInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := open(t, capped(5_000, 5_000))
	first, second := h.ApprovedWithdrawal("alice", 4_000), h.ApprovedWithdrawal("bob", 4_000)
	h.Chain.After["Sign"] = func() { h.PassPayouts(h.Payouts.PayoutWorker()) }
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 2)
	apptest.Equal(t, "the first", h.StoredWithdrawal(first.ID).Status, withdrawal.Approved)
	apptest.Equal(t, "the second", h.StoredWithdrawal(second.ID).Status, withdrawal.Sending)
}

func TestAPayoutThatDoesNotLandAlarms(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(h.Payouts.PayoutWorker())
	for range 3 {
		h.Chain.Fails["Fate"] = []error{apptest.ErrChain}
		h.RunPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "at once", h.CountAlarms(alarm.PayoutStuck.Message()), 0)
	h.Clock.Advance(payouts.StuckAfter)
	for range 3 {
		h.Chain.Fails["Fate"] = []error{apptest.ErrChain}
		h.RunPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "stuck", h.CountAlarms(alarm.PayoutStuck.Message()), 1)
}

// A dead worker's lease doesn't delay payment for long.
func TestALeaseOfADeadWorkerRunsOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	now := h.Clock.Now()
	if !apptest.OK(h.Store.Lease(h.Ctx, w.ID, "dead", now, now.Add(withdrawal.LeaseTime)))(t) {
		t.Fatal("no lease")
	}
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 0)
	queue := apptest.OK(payouts.ListPayouts(h.Ctx, h.Store, 10, now))(t)
	apptest.Equal(t, "listed", queue.Waiting[0].Lease.Worker, "dead")
	h.Clock.Advance(withdrawal.LeaseTime)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	apptest.Equal(t, "waiting", len(apptest.OK(payouts.ListPayouts(h.Ctx, h.Store, 10, now))(t).Waiting), 0)
}

func TestTwoPersonsResumePayouts(t *testing.T) {
	t.Parallel()
	h := open(t)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "why")), fault.InvalidState, "status", "running")
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "odd payouts"))(t)
	h.NewAdmin("sue", "support")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RequestPayoutResumption(h.Ctx, apptest.Caller("sue"), "why")), fault.AdminForbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "")), fault.Invalid, "field", "reason")
	request := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "looked at them"))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ada, apptest.Consent(request.ID))), fault.Forbidden)
	apptest.Equal(t, "after one person", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
	decision := apptest.Consent(request.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, decision))(t)
	stands := apptest.OK(h.Store.Pause(h.Ctx))(t)
	apptest.Equal(t, "after two", stands.Paused, false)
	apptest.Equal(t, "by", stands.By, ben.Wallet)
	apptest.Equal(t, "why", stands.Reason, "looked at them")

	// After another pause the old agreement no longer counts, even when repeated.
	h.Clock.Advance(time.Minute)
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "odd again"))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, decision))(t)
	apptest.Equal(t, "paused anew", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
	second := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "fine"))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, approvals.ApprovalDecision{ID: second.ID}))(t)
	apptest.Equal(t, "after a rejection", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
}

// TestWhetherPayoutsArePaused is visible to every admin; the deciding admin and the reason
// are hidden from roles bound to an agent.
func TestWhetherPayoutsArePaused(t *testing.T) {
	t.Parallel()
	h := open(t)
	support, operator := h.NewAdmin("sam", "support"), h.Founder("opal", "operator", "house")
	apptest.Equal(t, "before", apptest.OK(h.Payouts.PayoutPause(h.Ctx, support))(t), withdrawal.Pause{})
	pause := apptest.OK(h.Payouts.PausePayouts(h.Ctx, support, "odd payouts"))(t)
	apptest.Equal(t, "support", apptest.OK(h.Payouts.PayoutPause(h.Ctx, support))(t), pause)
	apptest.Equal(t, "an operator", apptest.OK(h.Payouts.PayoutPause(h.Ctx, operator))(t), withdrawal.Pause{Paused: true, At: pause.At})
	_, err := h.Payouts.PayoutPause(h.Ctx, apptest.Caller("alice"))
	apptest.Refused(t, err, fault.AdminForbidden, "permission", "admin:read")
}

// TestAnInstanceGoesOnWithItsLeases: the successor of a killed instance continues its
// leases at once, other instances wait until the leases expire.
func TestAnInstanceGoesOnWithItsLeases(t *testing.T) {
	t.Parallel()
	h := open(t)
	named := func(name string) *house {
		return h.Remade(func(d *app.Deps) { d.Settings.Instance = name })
	}
	w := h.ApprovedWithdrawal("alice", 4_000)
	now := h.Clock.Now() // a kill leaves the lease
	if !apptest.OK(h.Store.Lease(h.Ctx, w.ID, "here", now, now.Add(withdrawal.LeaseTime)))(t) {
		t.Fatal("no lease")
	}
	for _, name := range []string{"elsewhere", ""} {
		h.PassPayouts(named(name).Payouts.PayoutWorker())
		apptest.Equal(t, "signed by another instance", h.Chain.Calls["Sign"], 0)
	}
	h.PassPayouts(named("here").Payouts.PayoutWorker())
	apptest.Equal(t, "signed by the one that took its place", h.Chain.Calls["Sign"], 1)
	h.Chain.Finalize()
	h.PassPayouts(named("here").Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	h.CheckSolvent()
	h.CheckAudit()
}

// TestTwoInstancesOfOneNamePayOnce: if the lease doesn't separate them, the signing commit
// does, even if the first continues after the second one's attempt died.
func TestTwoInstancesOfOneNamePayOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	same := h.Remade(func(d *app.Deps) { d.Settings.Instance = "here" })
	slow, fast := same.Payouts.PayoutWorker(), same.Payouts.PayoutWorker()
	h.Chain.After["Sign"] = func() { h.PassPayouts(fast) }
	h.PassPayouts(slow)
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 2)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 1)
	h.Chain.Finalize()
	h.Chain.After["Fate"] = func() { h.PassPayouts(fast) }
	h.PassPayouts(slow)
	h.CheckPaid(w, 1)
	h.CheckSolvent()
	h.CheckAudit()
}

// TestAWorkerThatLostItsLeaseSignsNothing lets another worker lease the payout while the
// first one proves that it may sign again.
func TestAWorkerThatLostItsLeaseSignsNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(worker)
	h.Chain.Expire()
	taken := false
	var take func()
	take = func() {
		if h.StoredWithdrawal(w.ID).Status != withdrawal.Approved { // the attempt is still followed
			h.Chain.After["Fate"] = take
			return
		}
		now := h.Clock.Advance(withdrawal.LeaseTime)
		taken = apptest.OK(h.Store.Lease(h.Ctx, w.ID, "another", now, now.Add(withdrawal.LeaseTime)))(t)
	}
	take()
	for range 3 { // passes until the attempt is known to be dead
		h.PassPayouts(worker)
	}
	apptest.Equal(t, "taken", taken, true)
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
}

// TestAWorkerRenewsItsLeaseBeforeItSigns: its checks may have taken long.
func TestAWorkerRenewsItsLeaseBeforeItSigns(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(worker)
	h.Chain.Expire()
	var slow func()
	slow = func() {
		h.Clock.Advance(withdrawal.LeaseTime)
		h.Chain.After["Fate"] = slow
	}
	slow()
	for range 3 { // passes until the attempt is known to be dead and the next one is signed
		h.PassPayouts(worker)
	}
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 2)
	delete(h.Chain.After, "Fate")
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 2)
}
