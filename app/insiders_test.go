package app_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// freeze freezes a player, or releases them.
func (h *house) freeze(name string, frozen bool) {
	h.t.Helper()
	ok(h.Accounts.SetFrozen(h.ctx, caller("olga"), address(name), "under review", frozen))(h.t)
}

// TestASuperadminWithFreshHatsMovesNothing: the second and third hat are too young
// today, and one person's tomorrow.
func TestASuperadminWithFreshHatsMovesNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.admin("root", rbac.Superadmin)
	mallory := h.player("mallory", 1_000)
	for _, hat := range []string{"hat", "cap"} {
		ok(h.Admin.GrantRole(h.ctx, root, address(hat), "finance", ""))(t)
	}
	hat, hood := caller("hat"), caller("cap")
	w := h.withdraw(mallory, 1_000)
	h.unchanged(func() {
		refused(t, no(h.Admin.AdjustBalance(h.ctx, hat, gift("mallory", 1))), fault.Forbidden, "reason", rbac.TooYoung)
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, hood, approving(w.ID))), fault.Forbidden, "reason", rbac.TooYoung)
		h.clock.Advance(rbac.MinAge - time.Microsecond)
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, hood, approving(w.ID))), fault.Forbidden, "reason", rbac.TooYoung)
	})
	h.clock.Advance(time.Microsecond)
	ok(h.Admin.AdjustBalance(h.ctx, hat, gift("mallory", 100_000)))(t)
	second := h.withdraw(mallory, 100_000)
	h.unchanged(func() {
		for _, who := range []app.Caller{hood, root} {
			refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, who, approving(second.ID))), fault.Forbidden, "reason", rbac.SameGrantor)
		}
	})
	h.admin("ada", "finance")
	equal(t, "by an independent person", ok(h.Payouts.ApproveWithdrawal(h.ctx, caller("ada"), approving(second.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.audited()
}

func TestYoungRolesStopEverything(t *testing.T) {
	t.Parallel()
	h := open(t)
	ada := h.admin("ada", "admin")
	alice := h.player("alice", 10_000)
	w, approved := h.withdraw(alice, 1_000), h.withdraw(alice, 2_000)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(approved.ID)))(t)
	asked := ok(h.Admin.AdjustBalance(h.ctx, ada, gift("alice", 900_000)))(t).Approval
	young := h.newcomer("young", "admin")
	ok(h.Payouts.RejectWithdrawal(h.ctx, young, rejecting(w.ID)))(t)
	ok(h.Payouts.RejectWithdrawal(h.ctx, young, rejecting(approved.ID)))(t)
	ok(h.Approvals.DecideApproval(h.ctx, young, approvals.ApprovalDecision{ID: asked.ID}))(t)
	ok(h.Accounts.SetFrozen(h.ctx, young, address("alice"), "odd", true))(t)
	ok(h.Payouts.PausePayouts(h.ctx, young, "odd"))(t)
	refused(t, no(h.Payouts.RequestPayoutResumption(h.ctx, young, "fine")), fault.Forbidden, "reason", rbac.TooYoung)
	root := h.newcomer("root", rbac.Superadmin)
	if err := h.Admin.RevokeRole(h.ctx, root, address("ada")); err != nil {
		t.Errorf("a young superadmin revokes: %v", err)
	}
}

// TestARevokedAdminsVotesAreVoid: of a withdrawal, and of a request.
func TestARevokedAdminsVotesAreVoid(t *testing.T) {
	t.Parallel()
	h := open(t)
	eve, ada, ben := h.admin("eve", "finance"), h.admin("ada", "finance"), h.admin("ben", "finance")
	w := h.withdraw(h.player("mark", 900_000), 900_000)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, eve, approving(w.ID)))(t)
	asked := ok(h.Admin.AdjustBalance(h.ctx, eve, gift("mark", 900_000)))(t).Approval
	if err := h.roleCommands().Revoke(h.ctx, eve.Wallet); err != nil {
		t.Fatal(err)
	}
	equal(t, "shown before the next decision", len(ok(h.Payouts.AdminWithdrawal(h.ctx, ada, w.ID))(t).Approvals), 0)
	answer := ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID)))(t).Withdrawal
	equal(t, "after one person who has a role", answer.Status, withdrawal.Pending)
	equal(t, "approvals", len(answer.Approvals), 1)
	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, ada, consent(asked.ID))), fault.InvalidState, "status", "void")
	})
	// A role that is granted anew doesn't bring the vote back.
	h.admin("eve", "finance")
	equal(t, "shown", len(ok(h.Payouts.AdminWithdrawal(h.ctx, ben, w.ID))(t).Approvals), 1)
	equal(t, "after two", ok(h.Payouts.ApproveWithdrawal(h.ctx, ben, approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	equal(t, "shown of what was approved", len(ok(h.Payouts.AdminWithdrawal(h.ctx, ben, w.ID))(t).Approvals), 2)
	h.audited()
}

// TestAnApprovalMetByAnotherIsMadeAnew: the vote that came in between counts with the
// role of whoever gave it, read under lock.
func TestAnApprovalMetByAnotherIsMadeAnew(t *testing.T) {
	t.Parallel()
	store := &before{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	eve, ada := h.admin("eve", "finance"), h.admin("ada", "finance")
	w := h.withdraw(h.player("mark", 900_000), 900_000)
	store.commit = func() { ok(h.Payouts.ApproveWithdrawal(h.ctx, eve, approving(w.ID)))(t) }
	decision := approving(w.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	equal(t, "approved", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, decision))(t).Withdrawal.Status, withdrawal.Approved)
	equal(t, "again", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, decision))(t).Replayed, true)
}

// TestADayOfAllAdminsHasALimit splits over admins, players and destinations.
func TestADayOfAllAdminsHasALimit(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) {
		terms := solTerms
		terms.TwoPersonAbovePerDay = 1_000_000
		d.Tokens = token.NewBook(terms, closing)
	})
	names := []string{"a", "b", "c", "d"}
	for _, name := range names {
		h.admin(name, "finance")
	}
	approve := func(by, whose string, amount money.Amount) withdrawal.Status {
		t.Helper()
		return ok(h.Payouts.ApproveWithdrawal(h.ctx, caller(by), approving(h.withdraw(h.player(whose, amount), int64(amount)).ID)))(t).Withdrawal.Status
	}
	equal(t, "the first", approve("a", "p1", 400_000), withdrawal.Approved)
	equal(t, "the second", approve("b", "p2", 400_000), withdrawal.Approved)
	equal(t, "up to the limit", approve("c", "p3", 200_000), withdrawal.Approved)
	last := h.withdraw(h.player("p4", 2_000), 1_000)
	equal(t, "above it", ok(h.Payouts.ApproveWithdrawal(h.ctx, caller("d"), approving(last.ID)))(t).Withdrawal.Status, withdrawal.Pending)
	equal(t, "by two", ok(h.Payouts.ApproveWithdrawal(h.ctx, caller("a"), approving(last.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.clock.Advance(player.VoteWindow)
	equal(t, "a day later", approve("a", "p5", 1_000), withdrawal.Pending)
	h.clock.Advance(player.VoteSlot)
	equal(t, "and a step", approve("a", "p6", 1_000), withdrawal.Approved)
	h.audited()
}

// TestAFrozenPlayersPayoutsWait: from the freeze on nothing is signed and nothing is sent
// again; it goes on when the player is released, and nobody is alarmed meanwhile.
func TestAFrozenPlayersPayoutsWait(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.admin("olga", "admin")
	w, other := h.approved("alice", 4_000), h.approved("bob", 3_000)
	h.freeze("alice", true)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(other, 1)
	for range 3 {
		h.clock.Advance(payouts.StuckAfter)
		h.pass(h.Payouts.PayoutWorker())
	}
	equal(t, "signed", h.chain.calls["Sign"], 1)
	stands := h.stands(w.ID)
	equal(t, "status", stands.Status, withdrawal.Approved)
	equal(t, "says why", stands.Reason, player.FrozenReason)
	equal(t, "listed", ok(payouts.ListPayouts(h.ctx, h.store, 10, h.clock.Now()))(t).Waiting[0].Reason, player.FrozenReason)
	h.freeze("alice", false)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
	equal(t, "says nothing any more", h.stands(w.ID).Reason, "")
	for _, alarm := range []string{alarm.PayoutStuck.Message(), alarm.PayoutUnsignable.Message(), alarm.PayoutFailed.Message(), alarm.PayoutCapped.Message()} {
		equal(t, alarm, h.alarms(alarm), 0)
	}
}

// TestTheFreezeIsSeenInTheSigningCommit: the worker looked before it.
func TestTheFreezeIsSeenInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.admin("olga", "admin")
	w := h.approved("alice", 4_000)
	h.chain.after["Sign"] = func() { h.freeze("alice", true) }
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "signed", h.chain.calls["Sign"], 1)
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Approved)
	equal(t, "sent", len(h.chain.sent), 0)
}

func TestWhatIsSignedIsNotSentAgainWhileThePlayerIsFrozen(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.admin("olga", "admin")
	w := h.approved("alice", 4_000)
	h.chain.fails["Send"] = []error{errChain}
	h.work(h.Payouts.PayoutWorker())
	h.freeze("alice", true)
	tried := len(h.chain.sent)
	for range 3 {
		h.pass(h.Payouts.PayoutWorker())
	}
	equal(t, "sent", len(h.chain.sent), tried)
	h.freeze("alice", false)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
}

// TestAPauseOverAPauseCounts: who presses the switch must not find it released by an
// agreement about the pause before.
func TestAPauseOverAPauseCounts(t *testing.T) {
	t.Parallel()
	h := open(t)
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "finance")
	h.admin("sue", "support")
	ok(h.Payouts.PausePayouts(h.ctx, ada, "maintenance"))(t)
	request := ok(h.Payouts.RequestPayoutResumption(h.ctx, ada, "done"))(t)
	h.clock.Advance(time.Second)
	again := ok(h.Payouts.PausePayouts(h.ctx, caller("sue"), "payouts that nobody asked for"))(t)
	equal(t, "by", again.By, caller("sue").Wallet)
	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(request.ID))), fault.InvalidState, "status", withdrawal.PausedStatus)
	})
	equal(t, "paused", ok(h.store.Pause(h.ctx))(t).Paused, true)
	h.clock.Advance(time.Second)
	anew := ok(h.Payouts.RequestPayoutResumption(h.ctx, ada, "looked at them"))(t)
	ok(h.Approvals.DecideApproval(h.ctx, ben, consent(anew.ID)))(t)
	equal(t, "resumed", ok(h.store.Pause(h.ctx))(t).Paused, false)
}

// TestAPauseDuringTheAgreementStays pauses anew while the second person agrees to resume:
// they agreed to the end of another pause.
func TestAPauseDuringTheAgreementStays(t *testing.T) {
	t.Parallel()
	store := &before{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "finance")
	ok(h.Payouts.PausePayouts(h.ctx, ada, "maintenance"))(t)
	request := ok(h.Payouts.RequestPayoutResumption(h.ctx, ada, "done"))(t)
	h.clock.Advance(time.Second)
	store.commit = func() { ok(h.Payouts.PausePayouts(h.ctx, ada, "odd payouts"))(t) }
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(request.ID))), fault.InvalidState, "status", withdrawal.PausedStatus)
	equal(t, "paused", ok(h.store.Pause(h.ctx))(t).Paused, true)
}
