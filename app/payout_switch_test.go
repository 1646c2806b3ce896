package app_test

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
)

// capped makes a casino that pays out these amounts of SOL at most.
func capped(payout, hour int64) func(*app.Deps) {
	return func(d *app.Deps) {
		terms := solTerms
		terms.PayoutCap, terms.PayoutCapPerHour = money.Amount(payout), money.Amount(hour)
		d.Tokens = token.NewBook(terms, closing)
	}
}

func (h *house) commandLine() payouts.PayoutSwitch {
	return payouts.PayoutSwitch{Controls: h.store, Clock: h.clock, Entropy: h.Entropy}
}

func TestPausedPayoutsAreNeitherSignedNorSentAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := h.approved("alice", 4_000)
	h.chain.fails["Send"] = []error{errChain}
	h.work(h.Payouts.PayoutWorker())
	second := h.approved("bob", 3_000)
	pause := ok(h.Payouts.PausePayouts(h.ctx, caller("ada"), "odd payouts"))(t)
	equal(t, "paused", pause.Paused, true)
	equal(t, "by", pause.By, caller("ada").Wallet)
	sent := len(h.chain.sent)
	for range 3 {
		h.pass(h.Payouts.PayoutWorker())
	}
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "sent", len(h.chain.sent), sent)
	equal(t, "the second", h.stands(second.ID).Status, withdrawal.Approved)

	ok(h.commandLine().Set(h.ctx, false, "looked at them"))(t)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(first, 1)
	h.paid(second, 1)
}

// Payouts are paused after the worker looked and before it commits.
func TestThePauseIsSeenInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.chain.after["Sign"] = func() { ok(h.commandLine().Set(h.ctx, true, "stop"))(t) }
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Approved)
	equal(t, "sent", len(h.chain.sent), 0)
}

func TestWhatWasSentBeforeThePauseIsSettled(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	h.pass(h.Payouts.PayoutWorker())
	ok(h.commandLine().Set(h.ctx, true, "stop"))(t)
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
}

func TestPausingIsAuthorizedAndRecordedOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.admin("ada", "finance")
	h.admin("rita", "readonly")
	refused(t, no(h.Payouts.PausePayouts(h.ctx, caller("rita"), "why not")), fault.AdminForbidden)
	refused(t, no(h.Payouts.PausePayouts(h.ctx, caller("ada"), "")), fault.Invalid, "field", "reason")
	ok(h.Payouts.PausePayouts(h.ctx, caller("ada"), "odd payouts"))(t)
	ok(h.commandLine().Set(h.ctx, false, "fine"))(t)
	var records []audit.Record
	err := h.store.Blocks(h.ctx, func(b ports.Block) error {
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
	equal(t, "paused by", records[0].By, caller("ada").Wallet)
	equal(t, "paused", records[0].After, "paused: odd payouts")
	equal(t, "resumed by", records[1].By, "")
	equal(t, "before", records[1].Before, "paused: odd payouts")
}

func TestAPayoutAboveItsCapWaitsAndAlarms(t *testing.T) {
	t.Parallel()
	h := open(t, capped(3_999, 100_000))
	w := h.approved("alice", 4_000)
	for range 3 {
		h.pass(h.Payouts.PayoutWorker())
	}
	equal(t, "signed", h.chain.calls["Sign"], 0)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Approved)
	equal(t, "alarms", h.alarms(alarm.PayoutCapped.Message()), 1)
	h.clock.Advance(payouts.StuckAfter)
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "alarms", h.alarms(alarm.PayoutCapped.Message()), 2)
	equal(t, "stuck", h.alarms(alarm.PayoutStuck.Message()), 1)
}

func TestTheHourlyCapFreesAsTheHourPasses(t *testing.T) {
	t.Parallel()
	h := open(t, capped(5_000, 5_000))
	first, second := h.approved("alice", 4_000), h.approved("bob", 1_001)
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "the first", h.stands(first.ID).Status, withdrawal.Sending)
	equal(t, "the second", h.stands(second.ID).Status, withdrawal.Approved)
	h.clock.Advance(withdrawal.CapWindow - time.Microsecond)
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "an instant early", h.stands(second.ID).Status, withdrawal.Approved)
	h.clock.Advance(time.Microsecond)
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "an hour later", h.stands(second.ID).Status, withdrawal.Sending)
}

// Both workers have read the sum before either commits.
func TestTheHourlyCapIsCountedInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := open(t, capped(5_000, 5_000))
	first, second := h.approved("alice", 4_000), h.approved("bob", 4_000)
	h.chain.after["Sign"] = func() { h.pass(h.Payouts.PayoutWorker()) }
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "signed", h.chain.calls["Sign"], 2)
	equal(t, "the first", h.stands(first.ID).Status, withdrawal.Approved)
	equal(t, "the second", h.stands(second.ID).Status, withdrawal.Sending)
}

func TestAPayoutThatDoesNotLandAlarms(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.approved("alice", 4_000)
	h.chain.fails["Send"] = []error{errChain}
	h.work(h.Payouts.PayoutWorker())
	for range 3 {
		h.chain.fails["Fate"] = []error{errChain}
		h.work(h.Payouts.PayoutWorker())
	}
	equal(t, "at once", h.alarms(alarm.PayoutStuck.Message()), 0)
	h.clock.Advance(payouts.StuckAfter)
	for range 3 {
		h.chain.fails["Fate"] = []error{errChain}
		h.work(h.Payouts.PayoutWorker())
	}
	equal(t, "stuck", h.alarms(alarm.PayoutStuck.Message()), 1)
}

// A worker that dies with the lease keeps nobody from paying for long.
func TestALeaseOfADeadWorkerRunsOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	now := h.clock.Now()
	if !ok(h.store.Lease(h.ctx, w.ID, "dead", now, now.Add(withdrawal.LeaseTime)))(t) {
		t.Fatal("no lease")
	}
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "signed", h.chain.calls["Sign"], 0)
	queue := ok(payouts.ListPayouts(h.ctx, h.store, 10, now))(t)
	equal(t, "listed", queue.Waiting[0].Lease.Worker, "dead")
	h.clock.Advance(withdrawal.LeaseTime)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
	equal(t, "waiting", len(ok(payouts.ListPayouts(h.ctx, h.store, 10, now))(t).Waiting), 0)
}

func TestTwoPersonsResumePayouts(t *testing.T) {
	t.Parallel()
	h := open(t)
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "finance")
	refused(t, no(h.Payouts.RequestPayoutResumption(h.ctx, ada, "why")), fault.InvalidState, "status", "running")
	ok(h.Payouts.PausePayouts(h.ctx, ada, "odd payouts"))(t)
	h.admin("sue", "support")
	refused(t, no(h.Payouts.RequestPayoutResumption(h.ctx, caller("sue"), "why")), fault.AdminForbidden)
	refused(t, no(h.Payouts.RequestPayoutResumption(h.ctx, ada, "")), fault.Invalid, "field", "reason")
	request := ok(h.Payouts.RequestPayoutResumption(h.ctx, ada, "looked at them"))(t)
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ada, consent(request.ID))), fault.Forbidden)
	equal(t, "after one person", ok(h.store.Pause(h.ctx))(t).Paused, true)
	decision := consent(request.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	ok(h.Approvals.DecideApproval(h.ctx, ben, decision))(t)
	stands := ok(h.store.Pause(h.ctx))(t)
	equal(t, "after two", stands.Paused, false)
	equal(t, "by", stands.By, ben.Wallet)
	equal(t, "why", stands.Reason, "looked at them")

	// After another pause the old agreement is worth nothing, also when it is repeated.
	h.clock.Advance(time.Minute)
	ok(h.Payouts.PausePayouts(h.ctx, ada, "odd again"))(t)
	ok(h.Approvals.DecideApproval(h.ctx, ben, decision))(t)
	equal(t, "paused anew", ok(h.store.Pause(h.ctx))(t).Paused, true)
	second := ok(h.Payouts.RequestPayoutResumption(h.ctx, ada, "fine"))(t)
	ok(h.Approvals.DecideApproval(h.ctx, ben, approvals.ApprovalDecision{ID: second.ID}))(t)
	equal(t, "after a rejection", ok(h.store.Pause(h.ctx))(t).Paused, true)
}

// TestWhetherPayoutsArePaused is for every admin to see; who decided that and why isn't for a
// role that is bound to an agent.
func TestWhetherPayoutsArePaused(t *testing.T) {
	t.Parallel()
	h := open(t)
	support, operator := h.admin("sam", "support"), h.founder("opal", "operator", "house")
	equal(t, "before", ok(h.Payouts.PayoutPause(h.ctx, support))(t), withdrawal.Pause{})
	pause := ok(h.Payouts.PausePayouts(h.ctx, support, "odd payouts"))(t)
	equal(t, "support", ok(h.Payouts.PayoutPause(h.ctx, support))(t), pause)
	equal(t, "an operator", ok(h.Payouts.PayoutPause(h.ctx, operator))(t), withdrawal.Pause{Paused: true, At: pause.At})
	_, err := h.Payouts.PayoutPause(h.ctx, caller("alice"))
	refused(t, err, fault.AdminForbidden, "permission", "admin:read")
}

// TestAnInstanceGoesOnWithItsLeases: the one that takes the place of a killed one pays at once
// what that had leased, others wait until the lease runs out.
func TestAnInstanceGoesOnWithItsLeases(t *testing.T) {
	t.Parallel()
	h := open(t)
	named := func(name string) *house {
		return h.remade(func(d *app.Deps) { d.Settings.Instance = name })
	}
	w := h.approved("alice", 4_000)
	now := h.clock.Now() // what a kill leaves: the lease
	if !ok(h.store.Lease(h.ctx, w.ID, "here", now, now.Add(withdrawal.LeaseTime)))(t) {
		t.Fatal("no lease")
	}
	for _, name := range []string{"elsewhere", ""} {
		h.pass(named(name).Payouts.PayoutWorker())
		equal(t, "signed by another instance", h.chain.calls["Sign"], 0)
	}
	h.pass(named("here").Payouts.PayoutWorker())
	equal(t, "signed by the one that took its place", h.chain.calls["Sign"], 1)
	h.chain.finalize()
	h.pass(named("here").Payouts.PayoutWorker())
	h.paid(w, 1)
	h.solvent()
	h.audited()
}

// TestTwoInstancesOfOneNamePayOnce: what a lease doesn't keep apart the signing commit does,
// also where the one that was thought dead goes on after the other one's attempt died.
func TestTwoInstancesOfOneNamePayOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	same := h.remade(func(d *app.Deps) { d.Settings.Instance = "here" })
	slow, fast := same.Payouts.PayoutWorker(), same.Payouts.PayoutWorker()
	h.chain.after["Sign"] = func() { h.pass(fast) }
	h.pass(slow)
	equal(t, "signed", h.chain.calls["Sign"], 2)
	equal(t, "sent", len(h.chain.sent), 1)
	h.chain.finalize()
	h.chain.after["Fate"] = func() { h.pass(fast) }
	h.pass(slow)
	h.paid(w, 1)
	h.solvent()
	h.audited()
}

// TestAWorkerThatLostItsLeaseSignsNothing has another worker lease the payout while the first
// one proves that it may sign again.
func TestAWorkerThatLostItsLeaseSignsNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.chain.fails["Send"] = []error{errChain}
	h.work(worker)
	h.chain.expire()
	taken := false
	var take func()
	take = func() {
		if h.stands(w.ID).Status != withdrawal.Approved { // the attempt is still followed
			h.chain.after["Fate"] = take
			return
		}
		now := h.clock.Advance(withdrawal.LeaseTime)
		taken = ok(h.store.Lease(h.ctx, w.ID, "another", now, now.Add(withdrawal.LeaseTime)))(t)
	}
	take()
	for range 3 { // rounds until the attempt is known to be dead, and the next one is to be signed
		h.pass(worker)
	}
	equal(t, "taken", taken, true)
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Approved)
}

// TestAWorkerRenewsItsLeaseBeforeItSigns: what it looked at before may have taken long.
func TestAWorkerRenewsItsLeaseBeforeItSigns(t *testing.T) {
	t.Parallel()
	h := open(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.chain.fails["Send"] = []error{errChain}
	h.work(worker)
	h.chain.expire()
	var slow func()
	slow = func() {
		h.clock.Advance(withdrawal.LeaseTime)
		h.chain.after["Fate"] = slow
	}
	slow()
	for range 3 { // rounds until the attempt is known to be dead, and the next one is signed
		h.pass(worker)
	}
	equal(t, "signed", h.chain.calls["Sign"], 2)
	delete(h.chain.after, "Fate")
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 2)
}
