package admin_test

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
	"github.com/casino-service/casino/test/apptest"
)

// TestASuperadminWithFreshHatsMovesNothing: new roles of further wallets are too young to
// count, and still one person's tomorrow.
func TestASuperadminWithFreshHatsMovesNothing(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	root := h.NewAdmin("root", rbac.Superadmin)
	mallory := h.NewPlayer("mallory", 1_000)
	for _, hat := range []string{"hat", "cap"} {
		apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address(hat), "finance", ""))(t)
	}
	hat, hood := apptest.Caller("hat"), apptest.Caller("cap")
	w := h.RequestWithdrawal(mallory, 1_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, hat, apptest.Gift("mallory", 1))), fault.Forbidden, "reason", rbac.TooYoung)
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, hood, apptest.Approving(w.ID))), fault.Forbidden, "reason", rbac.TooYoung)
		h.Clock.Advance(rbac.MinAge - time.Microsecond)
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, hood, apptest.Approving(w.ID))), fault.Forbidden, "reason", rbac.TooYoung)
	})
	h.Clock.Advance(time.Microsecond)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, hat, apptest.Gift("mallory", 100_000)))(t)
	second := h.RequestWithdrawal(mallory, 100_000)
	h.CheckUnchanged(func() {
		for _, who := range []app.Caller{hood, root} {
			apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, who, apptest.Approving(second.ID))), fault.Forbidden, "reason", rbac.SameGrantor)
		}
	})
	h.NewAdmin("ada", "finance")
	apptest.Equal(t, "by an independent person", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Approving(second.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.CheckAudit()
}

func TestYoungRolesStopEverything(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	ada := h.NewAdmin("ada", "admin")
	alice := h.NewPlayer("alice", 10_000)
	w, approved := h.RequestWithdrawal(alice, 1_000), h.RequestWithdrawal(alice, 2_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(approved.ID)))(t)
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 900_000)))(t).Approval
	young := h.NewAppointee("young", "admin")
	apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, young, apptest.Rejecting(w.ID)))(t)
	apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, young, apptest.Rejecting(approved.ID)))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, young, approvals.ApprovalDecision{ID: asked.ID}))(t)
	apptest.OK(h.Accounts.SetFrozen(h.Ctx, young, apptest.Address("alice"), "odd", true))(t)
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, young, "odd"))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RequestPayoutResumption(h.Ctx, young, "fine")), fault.Forbidden, "reason", rbac.TooYoung)
	root := h.NewAppointee("root", rbac.Superadmin)
	if err := h.Admin.RevokeRole(h.Ctx, root, apptest.Address("ada")); err != nil {
		t.Errorf("a young superadmin revokes: %v", err)
	}
}

// TestARevokedAdminsVotesAreVoid: of a withdrawal, and of a request.
func TestARevokedAdminsVotesAreVoid(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	eve, ada, ben := h.NewAdmin("eve", "finance"), h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	w := h.RequestWithdrawal(h.NewPlayer("mark", 900_000), 900_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, eve, apptest.Approving(w.ID)))(t)
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, eve, apptest.Gift("mark", 900_000)))(t).Approval
	if err := h.RoleCommands().Revoke(h.Ctx, eve.Wallet); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "shown before the next decision", len(apptest.OK(h.Payouts.AdminWithdrawal(h.Ctx, ada, w.ID))(t).Approvals), 0)
	answer := apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t).Withdrawal
	apptest.Equal(t, "after one person who has a role", answer.Status, withdrawal.Pending)
	apptest.Equal(t, "approvals", len(answer.Approvals), 1)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ada, apptest.Consent(asked.ID))), fault.InvalidState, "status", "void")
	})
	// Granting the role again doesn't restore the vote.
	h.NewAdmin("eve", "finance")
	apptest.Equal(t, "shown", len(apptest.OK(h.Payouts.AdminWithdrawal(h.Ctx, ben, w.ID))(t).Approvals), 1)
	apptest.Equal(t, "after two", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ben, apptest.Approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	apptest.Equal(t, "shown of what was approved", len(apptest.OK(h.Payouts.AdminWithdrawal(h.Ctx, ben, w.ID))(t).Approvals), 2)
	h.CheckAudit()
}

// TestAnApprovalMetByAnotherIsMadeAnew: a vote that comes in between counts with the role
// of its admin, read under lock.
func TestAnApprovalMetByAnotherIsMadeAnew(t *testing.T) {
	t.Parallel()
	store := &apptest.BeforeChange{}
	h := apptest.Open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	eve, ada := h.NewAdmin("eve", "finance"), h.NewAdmin("ada", "finance")
	w := h.RequestWithdrawal(h.NewPlayer("mark", 900_000), 900_000)
	store.Do = func() { apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, eve, apptest.Approving(w.ID)))(t) }
	decision := apptest.Approving(w.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	apptest.Equal(t, "approved", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, decision))(t).Withdrawal.Status, withdrawal.Approved)
	apptest.Equal(t, "again", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, decision))(t).Replayed, true)
}

// TestADayOfAllAdminsHasALimit splits amounts over admins, players and destinations.
func TestADayOfAllAdminsHasALimit(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t, func(d *app.Deps) {
		terms := apptest.SOLTerms
		terms.TwoPersonAbovePerDay = 1_000_000
		d.Tokens = token.NewBook(terms, apptest.ClosingTerms)
	})
	names := []string{"a", "b", "c", "d"}
	for _, name := range names {
		h.NewAdmin(name, "finance")
	}
	approve := func(by, whose string, amount money.Amount) withdrawal.Status {
		t.Helper()
		return apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller(by), apptest.Approving(h.RequestWithdrawal(h.NewPlayer(whose, amount), int64(amount)).ID)))(t).Withdrawal.Status
	}
	apptest.Equal(t, "the first", approve("a", "p1", 400_000), withdrawal.Approved)
	apptest.Equal(t, "the second", approve("b", "p2", 400_000), withdrawal.Approved)
	apptest.Equal(t, "up to the limit", approve("c", "p3", 200_000), withdrawal.Approved)
	last := h.RequestWithdrawal(h.NewPlayer("p4", 2_000), 1_000)
	apptest.Equal(t, "above it", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller("d"), apptest.Approving(last.ID)))(t).Withdrawal.Status, withdrawal.Pending)
	apptest.Equal(t, "by two", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller("a"), apptest.Approving(last.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.Clock.Advance(player.VoteWindow)
	apptest.Equal(t, "a day later", approve("a", "p5", 1_000), withdrawal.Pending)
	h.Clock.Advance(player.VoteSlot)
	apptest.Equal(t, "and a step", approve("a", "p6", 1_000), withdrawal.Approved)
	h.CheckAudit()
}

// TestAFrozenPlayersPayoutsWait: while the player is frozen, nothing is signed or sent
// again, and no alarm is raised. Payment continues after the release.
func TestAFrozenPlayersPayoutsWait(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewAdmin("olga", "admin")
	w, other := h.ApprovedWithdrawal("alice", 4_000), h.ApprovedWithdrawal("bob", 3_000)
	h.FreezePlayer("alice", true)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(other, 1)
	for range 3 {
		h.Clock.Advance(payouts.StuckAfter)
		h.PassPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	stands := h.StoredWithdrawal(w.ID)
	apptest.Equal(t, "status", stands.Status, withdrawal.Approved)
	apptest.Equal(t, "says why", stands.Reason, player.FrozenReason)
	apptest.Equal(t, "listed", apptest.OK(payouts.ListPayouts(h.Ctx, h.Store, 10, h.Clock.Now()))(t).Waiting[0].Reason, player.FrozenReason)
	h.FreezePlayer("alice", false)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	apptest.Equal(t, "says nothing any more", h.StoredWithdrawal(w.ID).Reason, "")
	for _, alarm := range []string{alarm.PayoutStuck.Message(), alarm.PayoutUnsignable.Message(), alarm.PayoutFailed.Message(), alarm.PayoutCapped.Message()} {
		apptest.Equal(t, alarm, h.CountAlarms(alarm), 0)
	}
}

// TestTheFreezeIsSeenInTheSigningCommit freezes the player after the worker's first check.
func TestTheFreezeIsSeenInTheSigningCommit(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewAdmin("olga", "admin")
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.After["Sign"] = func() { h.FreezePlayer("alice", true) }
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Approved)
	apptest.Equal(t, "sent", len(h.Chain.Sent), 0)
}

func TestWhatIsSignedIsNotSentAgainWhileThePlayerIsFrozen(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewAdmin("olga", "admin")
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.Chain.Fails["Send"] = []error{apptest.ErrChain}
	h.RunPayouts(h.Payouts.PayoutWorker())
	h.FreezePlayer("alice", true)
	tried := len(h.Chain.Sent)
	for range 3 {
		h.PassPayouts(h.Payouts.PayoutWorker())
	}
	apptest.Equal(t, "sent", len(h.Chain.Sent), tried)
	h.FreezePlayer("alice", false)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
}

// TestAPauseOverAPauseCounts: an agreement about an earlier pause must not end a later one.
func TestAPauseOverAPauseCounts(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	h.NewAdmin("sue", "support")
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "maintenance"))(t)
	request := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "done"))(t)
	h.Clock.Advance(time.Second)
	again := apptest.OK(h.Payouts.PausePayouts(h.Ctx, apptest.Caller("sue"), "payouts that nobody asked for"))(t)
	apptest.Equal(t, "by", again.By, apptest.Caller("sue").Wallet)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(request.ID))), fault.InvalidState, "status", withdrawal.PausedStatus)
	})
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
	h.Clock.Advance(time.Second)
	anew := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "looked at them"))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(anew.ID)))(t)
	apptest.Equal(t, "resumed", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, false)
}

// TestAPauseDuringTheAgreementStays pauses again while the second person agrees to end the
// earlier pause.
func TestAPauseDuringTheAgreementStays(t *testing.T) {
	t.Parallel()
	store := &apptest.BeforeChange{}
	h := apptest.Open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "maintenance"))(t)
	request := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "done"))(t)
	h.Clock.Advance(time.Second)
	store.Do = func() { apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "odd payouts"))(t) }
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(request.ID))), fault.InvalidState, "status", withdrawal.PausedStatus)
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
}
