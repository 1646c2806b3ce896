package deposits_test

import (
	"context"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// payFromExchange pays the treasury from an exchange's wallet, and returns a request that
// assigns part of it.
func (h *house) payFromExchange(paid, amount money.Amount, to string) deposits.AssignRequest {
	h.T.Helper()
	h.Chain.Pay("exchange", money.SOL, paid)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	return deposits.AssignRequest{
		Sender: string(fakes.Wallet("exchange")), To: string(fakes.Wallet(to)), Token: apptest.SOL, Amount: amount,
		Reason: "withdrew from the exchange", Evidence: "the exchange's receipt 7",
	}
}

func (h *house) unclaimed() []ports.UnclaimedBalance {
	h.T.Helper()
	return apptest.OK(h.Deposits.UnclaimedBalances(h.Ctx, apptest.Caller("finn"), ports.UnclaimedFilter{}, ports.Page{Number: 1, Limit: 10}))(h.T).Balances
}

func TestUnclaimedMoneyIsAssigned(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice := h.SignIn("alice")
	finn, _ := h.newApprovers()
	request := h.payFromExchange(5_000, 3_000, "alice")
	apptest.Equal(t, "listed", h.unclaimed()[0], ports.UnclaimedBalance{
		Wallet: fakes.Wallet("exchange"), TokenBalance: ports.TokenBalance{Token: money.SOL, Amount: 5_000},
	})
	done := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, request))(t)
	apptest.Equal(t, "balance", done.Balance, 3_000)
	apptest.Equal(t, "left", h.unclaimed()[0].Amount, 2_000)
	h.CheckUnchanged(func() {
		again := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, request))(t)
		apptest.Equal(t, "the same again", again.Adjustment, done.Adjustment)
	})
	listed := apptest.OK(h.Admin.AdminTransactions(h.Ctx, finn, ports.TransactionFilter{Wallet: alice.Wallet, Type: ports.TransactionType(player.Assigned.String())}, ports.Page{Number: 1, Limit: 5}))(t)
	apptest.Equal(t, "listed once", listed.Total, 1)
	h.SignIn("exchange")
	apptest.Equal(t, "the sender's first sign-in", h.Balance("exchange"), 2_000)
	apptest.Equal(t, "unclaimed", len(h.unclaimed()), 0)
	w := h.RequestWithdrawal(alice, 1_000)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, finn, apptest.Approving(w.ID))), fault.Forbidden, "reason", "credited")
	h.CheckSolvent()
	h.CheckAudit()
}

func TestALargeAssignmentTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.TwoPersonsAbove(2_999))
	h.SignIn("alice")
	finn, ben := h.newApprovers()
	request := h.payFromExchange(5_000, 3_000, "alice")
	asked := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, request))(t).Approval
	apptest.Equal(t, "kind", asked.Kind, approval.UnclaimedAssignment)
	apptest.Equal(t, "sender", asked.Reference, request.Sender)
	apptest.Equal(t, "balance", h.Balance("alice"), 0)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(asked.ID))), fault.Forbidden)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID)))(t)
	apptest.Equal(t, "balance", h.Balance("alice"), 3_000)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "the same again", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, request))(t).Balance, 3_000)
	})

	request.Amount, request.Evidence = 2_000, "receipt 8"
	rest := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, request))(t).Approval // counts with the first
	h.SignIn("exchange")
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(rest.ID))), fault.AmountOutOfRange, "field", "amount")
	})
	h.CheckAudit()
}

// Two requests for the same money would both get their votes, and one would find it spent.
func TestABalanceHasOneOpenAssignment(t *testing.T) {
	t.Parallel()
	usd := apptest.ClosingTerms
	usd.Closing = false
	h := openWatched(t, apptest.TwoPersonsAbove(2_999), func(d *app.Deps) {
		limited, _ := d.Tokens.Known(money.SOL)
		d.Tokens = token.NewBook(limited, usd)
	})
	h.SignIn("alice")
	h.SignIn("bob")
	finn, ben := h.newApprovers()
	request := h.payFromExchange(5_000, 3_000, "alice")
	asked := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, request))(t).Approval
	other := request
	other.To = string(fakes.Wallet("bob"))
	small := other
	small.Amount = 1
	h.CheckUnchanged(func() {
		apptest.Equal(t, "the same request", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, request))(t).Approval.ID, asked.ID)
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.AssignUnclaimed(h.Ctx, ben, other)), fault.InvalidState, "status", "open")
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.AssignUnclaimed(h.Ctx, ben, small)), fault.InvalidState, "status", "open")
	})
	h.Chain.Pay("another exchange", money.SOL, 1_000)
	h.Chain.Pay("exchange", usd.Mint, 1_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	elsewhere := small
	elsewhere.Sender = string(fakes.Wallet("another exchange"))
	otherToken := small
	otherToken.Token = string(usd.Mint)
	apptest.Equal(t, "the same sender's balance of another token", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, otherToken))(t).Balance, 1)
	apptest.Equal(t, "another sender's balance", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, elsewhere))(t).Balance, 1)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, approvals.ApprovalDecision{ID: asked.ID}))(t)
	other.Amount, request.Amount = 5_000, 5_000
	first := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, other))(t).Approval
	h.Clock.Advance(approval.OpenTime)
	second := apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, request))(t).Approval
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(first.ID))), fault.InvalidState, "status", "expired")
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(second.ID)))(t)
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	h.CheckAudit()
}

func TestAssigningIsRefused(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.WithBranch)
	h.SignIn("alice")
	h.SignIn("finn")
	finn, _ := h.newApprovers()
	rita, branch := h.NewAdmin("rita", "support"), h.NewBranchAdmin("own", "acme")
	good := h.payFromExchange(5_000, 3_000, "alice")
	apptest.Equal(t, "an agent's admin sees", len(apptest.OK(h.Deposits.UnclaimedBalances(h.Ctx, branch, ports.UnclaimedFilter{}, ports.Page{Number: 1, Limit: 5}))(t).Balances), 0)
	h.CheckUnchanged(func() {
		for name, row := range map[string]struct {
			by     app.Caller
			change func(*deposits.AssignRequest)
			kind   fault.Kind
		}{
			"without the permission":  {rita, func(*deposits.AssignRequest) {}, fault.AdminForbidden},
			"by an agent's admin":     {branch, func(*deposits.AssignRequest) {}, fault.Forbidden},
			"to themself":             {finn, func(r *deposits.AssignRequest) { r.To = string(fakes.Wallet("finn")) }, fault.Forbidden},
			"to the sender":           {finn, func(r *deposits.AssignRequest) { r.To = r.Sender }, fault.Invalid},
			"to nobody who signed in": {finn, func(r *deposits.AssignRequest) { r.To = string(fakes.Wallet("stranger")) }, fault.NotFound},
			"more than is unclaimed":  {finn, func(r *deposits.AssignRequest) { r.Amount = 5_001 }, fault.AmountOutOfRange},
			"nothing":                 {finn, func(r *deposits.AssignRequest) { r.Amount = 0 }, fault.Invalid},
			"of a player":             {finn, func(r *deposits.AssignRequest) { r.Sender = string(fakes.Wallet("finn")) }, fault.AmountOutOfRange},
			"a broken sender":         {finn, func(r *deposits.AssignRequest) { r.Sender = "x" }, fault.Invalid},
			"a broken token":          {finn, func(r *deposits.AssignRequest) { r.Token = "x" }, fault.Invalid},
			"without a reason":        {finn, func(r *deposits.AssignRequest) { r.Reason = "" }, fault.Invalid},
			"without evidence":        {finn, func(r *deposits.AssignRequest) { r.Evidence = "" }, fault.Invalid},
		} {
			request := good
			row.change(&request)
			if err := apptest.ErrorOf(h.Deposits.AssignUnclaimed(h.Ctx, row.by, request)); !fault.Is(err, row.kind) {
				t.Errorf("%s: %v, want kind %d", name, err, row.kind)
			}
		}
	})
}

// failing fails a commit after some successful ones.
type failing struct {
	apptest.Store
	after int
}

func (f *failing) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if f.after > 0 {
		if f.after--; f.after == 0 {
			return player.Receipt{}, fault.New(fault.Unavailable, "the database is gone")
		}
	}
	return f.Store.Commit(ctx, item)
}

// TestAnInterruptedAssignmentIsCompleted fails at each of the three commits.
func TestAnInterruptedAssignmentIsCompleted(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		store := &failing{}
		h := openWatched(t, func(d *app.Deps) {
			store.Store = apptest.PortsOf(*d)
			d.Store = app.StoreOf(store)
		})
		h.SignIn("alice")
		finn, ben := h.newApprovers()
		request := h.payFromExchange(5_000, 3_000, "alice")
		store.after = n + 1
		if err := apptest.ErrorOf(h.Deposits.AssignUnclaimed(h.Ctx, finn, request)); err == nil {
			t.Fatal("no commit failed")
		}
		store.after = 0
		apptest.Equal(t, "balance", h.Balance("alice"), 0)
		for range 3 {
			apptest.OK(h.Treasury.Treasury().Step(h.Ctx))(t)
		}
		apptest.Equal(t, "alarms", h.CountAlarms(alarm.AssignmentInterrupted.Message()), n/2) // the taken money isn't credited
		apptest.Equal(t, "completed by another admin", apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, ben, request))(t).Balance, 3_000)
		apptest.Equal(t, "left", h.unclaimed()[0].Amount, 2_000)
		h.CheckSolvent()
		h.CheckAudit()
	}
}

// TestAnApprovalSentAgainCompletesAnAssignment fails after the second person's approval, at
// each of the two commits that move the money.
func TestAnApprovalSentAgainCompletesAnAssignment(t *testing.T) {
	t.Parallel()
	for n := range 2 {
		store := &failing{}
		h := openWatched(t, apptest.TwoPersonsAbove(2_999), func(d *app.Deps) {
			store.Store = apptest.PortsOf(*d)
			d.Store = app.StoreOf(store)
		})
		h.SignIn("alice")
		finn, ben := h.newApprovers()
		decision := apptest.Consent(apptest.OK(h.Deposits.AssignUnclaimed(h.Ctx, finn, h.payFromExchange(5_000, 3_000, "alice")))(t).Approval.ID)
		decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
		store.after = n + 2
		if err := apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, decision)); err == nil {
			t.Fatal("no commit failed")
		}
		store.after = 0
		apptest.Equal(t, "balance", h.Balance("alice"), 0)
		for range 2 {
			apptest.Equal(t, "replayed", apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, decision))(t).Replayed, true)
			apptest.Equal(t, "completed once", h.Balance("alice"), 3_000)
		}
		h.CheckSolvent()
		h.CheckAudit()
	}
}
