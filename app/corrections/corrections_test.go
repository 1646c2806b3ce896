package corrections_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/corrections"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestAnAdjustmentIsCorrectedByTwoPersons(t *testing.T) {
	t.Parallel()
	h := open(t)
	id := h.adjusts(400)
	asked := h.asks(h.ada, id) // who booked it may ask
	apptest.Equal(t, "kind", asked.Kind, approval.Correction)
	apptest.Equal(t, "amount", asked.Amount, -400)
	apptest.Equal(t, "balance before the approval", h.Balance("alice"), 1_400)
	h.approves(h.ben, asked)
	apptest.Equal(t, "balance", h.Balance("alice"), 1_000)
	original := h.line(id)
	reversal := h.line(original.CorrectedBy)
	apptest.Equal(t, "links", reversal.Corrects, id)
	apptest.Equal(t, "a correction of its own type", string(reversal.Type), "adjustment_correction")
	apptest.Equal(t, "the original", [2]any{original.Amount, original.Credit}, [2]any{money.Amount(400), true})
	apptest.Equal(t, "adjustments add up to", h.total(ledger.System(ledger.Adjustment)), "0")
	found := 0
	for _, r := range h.AuditRecords() {
		if r.Action == audit.AdjustmentCorrected && r.By == h.ada.Wallet && r.Target == string(h.alice.Wallet) {
			found++
		}
	}
	apptest.Equal(t, "audit records", found, 1)
	announced := ""
	for _, e := range h.CommittedEvents(stream.Filter{}) {
		if b, ok := e.Data.(stream.Balance); ok && b.Cause == "correct" {
			announced += fmt.Sprint(b.Amount, " ", b.Of == reversal.ID, " ", b.Corrects == id, " ", b.Reason)
		}
	}
	apptest.Equal(t, "event", announced, "-400 true true a mistake")
	h.CheckAudit()
	h.CheckSolvent()
}

// A correction of a debit is a credit: both persons have a vote in it.
func TestACorrectedDebitIsACredit(t *testing.T) {
	t.Parallel()
	h := open(t)
	asked := h.asks(h.cora, h.adjusts(-400))
	h.approves(h.ben, asked)
	apptest.Equal(t, "balance", h.Balance("alice"), 1_000)
	w := h.RequestWithdrawal(h.alice, 1_000)
	for _, admin := range []app.Caller{h.cora, h.ben} {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, admin, apptest.Approving(w.ID))), fault.Forbidden, "reason", "credited")
	}
	h.CheckAudit()
}

func TestWhoMayNotCorrect(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithBranch)
	id := h.adjusts(400)
	h.NewAdmin("olga", "ops")
	h.SignIn("ben")
	bens := apptest.OK(h.Admin.AdjustBalance(h.Ctx, h.ada, apptest.Gift("ben", 5)))(t).Adjustment.ID
	elsewhere := h.NewBranchAdmin("bea", "acme")
	h.CheckUnchanged(func() {
		refused := func(by app.Caller, id string, kind fault.Kind, details ...any) {
			t.Helper()
			apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestAdjustment(h.Ctx, by, request(id))), kind, details...)
		}
		refused(h.alice, id, fault.AdminForbidden)
		refused(apptest.Caller("olga"), id, fault.AdminForbidden, "permission", string(rbac.BalancesWrite))
		refused(elsewhere, id, fault.NotFound) // another agent's player
		refused(h.ben, bens, fault.Forbidden)  // his own balance
		refused(h.ada, "none", fault.NotFound)
	})
	asked := h.asks(h.cora, id)
	h.CheckUnchanged(func() {
		refused := func(by app.Caller, kind fault.Kind) {
			t.Helper()
			apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, by, apptest.Consent(asked.ID))), kind)
		}
		refused(h.cora, fault.Forbidden) // asked for it
		refused(h.ada, fault.Forbidden)  // booked it
		refused(h.alice, fault.AdminForbidden)
		refused(elsewhere, fault.NotFound)
	})
	own := h.asks(h.cora, bens)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(own.ID))), fault.Forbidden) // his own balance
	})
	h.approves(h.ben, asked)
}

// An agent's admins with the permission correct adjustments of their own players only.
func TestAnAgentsAdminCorrectsItsOwnPlayersOnly(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) {
		d.Policy = rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
			Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite},
		})...)
	})
	id := h.adjusts(400)
	h.EnsureAgent("rival")
	rival := h.Founder("rival", "branch", "rival")
	asked := h.asks(h.cora, id)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestAdjustment(h.Ctx, rival, request(id))), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, rival, apptest.Consent(asked.ID))), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestCapital(h.Ctx, rival, capital("initial capital"))), fault.NotFound)
	})
	h.EnsureAgent("house")
	apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, h.Founder("own", "branch", "house"), request(id)))(t)
}

func TestWhatCantBeCorrected(t *testing.T) {
	t.Parallel()
	h := open(t)
	round := apptest.OK(h.Play.Play(h.Ctx, h.alice, apptest.Flip(100)))(t).Round
	id := h.adjusts(400)
	h.approves(h.ben, h.asks(h.ada, id))
	reversal := h.line(id).CorrectedBy
	h.adjusts(1_000)
	w := h.RequestWithdrawal(h.alice, 1_000)
	h.CheckUnchanged(func() {
		for what, c := range map[string]struct {
			id     string
			kind   fault.Kind
			status string
		}{
			"a bet":              {round.ID, fault.NotFound, ""},
			"a withdrawal":       {w.ID, fault.NotFound, ""},
			"a correction":       {reversal, fault.InvalidState, "adjustment_correction"},
			"a corrected entry":  {id, fault.InvalidState, "corrected"},
			"capital by this id": {"initial capital", fault.NotFound, ""},
		} {
			err := apptest.ErrorOf(h.Corrections.RequestAdjustment(h.Ctx, h.cora, request(c.id)))
			if c.status == "" {
				apptest.Refused(t, err, c.kind)
			} else {
				apptest.Refused(t, err, c.kind, "status", c.status)
			}
			if err == nil {
				t.Errorf("%s was accepted", what)
			}
		}
	})
}

// The money must come back in another way.
func TestACorrectionNeverOverdrawsThePlayer(t *testing.T) {
	t.Parallel()
	h := open(t)
	id := h.adjusts(400)
	asked := h.asks(h.ada, id)
	h.RequestWithdrawal(h.alice, 1_001)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(asked.ID))), fault.InsufficientFunds, "balance", int64(399))
		apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestAdjustment(h.Ctx, h.ada, request(id))), fault.InsufficientFunds, "token", apptest.SOL)
	})
	h.adjusts(1)
	h.approves(h.ben, asked)
	apptest.Equal(t, "balance", h.Balance("alice"), 0)
	h.CheckAudit()
}

func TestRacingApprovalsCorrectOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	id := h.adjusts(400)
	all := []approval.Approval{h.asks(h.ada, id), h.asks(h.ada, id), h.asks(h.cora, id)}
	errs := make([]error, len(all))
	var done sync.WaitGroup
	for i, asked := range all {
		done.Go(func() { errs[i] = apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(asked.ID))) })
	}
	done.Wait()
	approved := 0
	for _, err := range errs {
		if err == nil {
			approved++
			continue
		}
		apptest.Refused(t, err, fault.InvalidState, "status", "corrected")
	}
	apptest.Equal(t, "approved", approved, 1)
	apptest.Equal(t, "balance", h.Balance("alice"), 1_000)
	h.CheckAudit()
}

func TestARepeatedKeyCorrectsOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	asking := request(h.adjusts(400))
	asking.Idempotency = app.Idempotency{Key: "ask", Fingerprint: "print"}
	first := apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, h.ada, asking))(t)
	decision := apptest.Consent(first.Approval.ID)
	decision.Idempotency = app.Idempotency{Key: "decide", Fingerprint: "print"}
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, h.ben, decision))(t)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "asked again", apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, h.ada, asking))(t).Approval.ID, first.Approval.ID)
		apptest.Equal(t, "decided again", apptest.OK(h.Approvals.DecideApproval(h.Ctx, h.ben, decision))(t).Replayed, true)
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(first.Approval.ID))), fault.InvalidState)
	})
}

func capital(reference string) corrections.CapitalRequest {
	return corrections.CapitalRequest{Token: apptest.SOL, Reference: reference, Reason: "typed twice"}
}

func TestCapitalIsCorrectedAndBookedAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "paper"))(t), true)
	before := h.total(ledger.System(ledger.Capital))
	asked := apptest.OK(h.Corrections.RequestCapital(h.Ctx, h.ada, capital("paper")))(t).Approval
	apptest.Equal(t, "amount", asked.Amount, -700)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ada, apptest.Consent(asked.ID))), fault.Forbidden)
	h.approves(h.ben, asked)
	if h.total(ledger.System(ledger.Capital)) == before {
		t.Error("the capital is as before")
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestCapital(h.Ctx, h.ada, capital("paper"))), fault.InvalidState, "status", "corrected")
		apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestCapital(h.Ctx, h.ada, capital("none"))), fault.NotFound)
	})
	apptest.Equal(t, "booked again", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "paper"))(t), true)
	apptest.Equal(t, "and again", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "paper"))(t), false)
	apptest.Equal(t, "capital", h.total(ledger.System(ledger.Capital)), before)
	asked = apptest.OK(h.Corrections.RequestCapital(h.Ctx, h.ada, capital("paper")))(t).Approval
	apptest.Equal(t, "the newest booking", asked.Reference, "paper#2")
	h.approves(h.cora, asked)
	h.CheckAudit()
}

// exchange is a casino whose watcher found a payment of 5,000 from an exchange's wallet.
func exchange(t *testing.T) (h *house, signature string) {
	t.Helper()
	h = newHouse(apptest.OpenWatched(t))
	signature = h.Chain.Pay("exchange", money.SOL, 5_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	return h, signature
}

func assign(to string) deposits.AssignRequest {
	return deposits.AssignRequest{
		Sender: string(fakes.Wallet("exchange")), To: string(fakes.Wallet(to)), Token: apptest.SOL, Amount: 3_000, Reason: "the exchange's", Evidence: "receipt",
	}
}

func TestACorrectedAssignmentIsUnclaimedAgain(t *testing.T) {
	t.Parallel()
	h, _ := exchange(t)
	h.SignIn("bob")
	id := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, h.ada, assign("alice")))(t).Adjustment.ID
	h.approves(h.ben, h.asks(h.ada, id))
	apptest.Equal(t, "alice", h.Balance("alice"), 1_000)
	apptest.Equal(t, "unclaimed", h.total(ledger.Account{Kind: ledger.Unclaimed}), "5000")
	apptest.Equal(t, "type", string(h.line(h.line(id).CorrectedBy).Type), "assignment_correction")
	h.CheckAudit()
	apptest.Equal(t, "bob", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, h.ada, assign("bob")))(t).Balance, 3_000)
	h.CheckSolvent()
	h.CheckAudit()
}

func TestACorrectedAssignmentGoesToASenderWhoSignedIn(t *testing.T) {
	t.Parallel()
	h, _ := exchange(t)
	id := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, h.ada, assign("alice")))(t).Adjustment.ID
	asked := h.asks(h.ada, id)
	h.SignIn("exchange")
	h.approves(h.ben, asked)
	apptest.Equal(t, "the sender", h.Balance("exchange"), 5_000)
	apptest.Equal(t, "on the way", h.total(ledger.System(ledger.Assigned)), "0")
	h.CheckAudit()
}

// The commit that returns the money fails: asking again returns it.
func TestAnInterruptedCorrectionIsCompleted(t *testing.T) {
	t.Parallel()
	h, _ := exchange(t)
	id := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, h.ada, assign("alice")))(t).Adjustment.ID
	asked := h.asks(h.ada, id)
	mocked, m := h.Mocked()
	gomock.InOrder(m.Commit(), m.Writer.EXPECT().Commit(gomock.Any(), gomock.Any()).Return(player.Receipt{}, apptest.ErrUnknown))
	if err := apptest.ErrorOf(mocked.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(asked.ID))); !errors.Is(err, apptest.ErrUnknown) {
		t.Fatal(err)
	}
	apptest.Equal(t, "on the way", h.total(ledger.System(ledger.Assigned)), "3000")
	apptest.Refused(t, apptest.ErrorOf(h.Corrections.RequestAdjustment(h.Ctx, h.ada, request(id))), fault.InvalidState, "status", "corrected")
	apptest.Equal(t, "unclaimed", h.total(ledger.Account{Kind: ledger.Unclaimed}), "5000")
	apptest.Equal(t, "alice", h.Balance("alice"), 1_000)
	h.CheckAudit()
}

// Capital that was a wallet's deposit is that wallet's again.
func TestACapitalThatWasADepositIsUnclaimedAgain(t *testing.T) {
	t.Parallel()
	h, signature := exchange(t)
	apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 5_000, signature))(t), true)
	asked := apptest.OK(h.Corrections.RequestCapital(h.Ctx, h.ada, capital(signature)))(t).Approval
	second := apptest.OK(h.Corrections.RequestCapital(h.Ctx, h.ada, capital(signature)))(t).Approval
	h.approves(h.ben, asked)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, h.ben, apptest.Consent(second.ID))), fault.InvalidState, "status", "corrected")
	apptest.Equal(t, "unclaimed", h.total(ledger.Account{Kind: ledger.Unclaimed}), "5000")
	h.CheckAudit()
	apptest.Equal(t, "booked again", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 5_000, signature))(t), true)
	h.approves(h.cora, apptest.OK(h.Corrections.RequestCapital(h.Ctx, h.ada, capital(signature)))(t).Approval)
	h.SignIn("exchange")
	apptest.Equal(t, "the sender", h.Balance("exchange"), 5_000)
	h.CheckSolvent()
	h.CheckAudit()
}
