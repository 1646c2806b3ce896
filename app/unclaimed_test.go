package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// exchanged has an exchange's wallet pay the treasury, and returns the request that assigns
// a part of it.
func (h *house) exchanged(paid, amount money.Amount, to string) deposits.AssignRequest {
	h.t.Helper()
	h.chain.pay("exchange", money.SOL, paid)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	return deposits.AssignRequest{
		Sender: string(fakes.Wallet("exchange")), To: string(fakes.Wallet(to)), Token: sol, Amount: amount,
		Reason: "withdrew from the exchange", Evidence: "the exchange's receipt 7",
	}
}

func (h *house) unclaimed() []ports.UnclaimedBalance {
	h.t.Helper()
	return ok(h.Deposits.UnclaimedBalances(h.ctx, caller("finn"), ports.UnclaimedFilter{}, ports.Page{Number: 1, Limit: 10}))(h.t).Balances
}

func TestUnclaimedMoneyIsAssigned(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	finn, _ := h.elders()
	request := h.exchanged(5_000, 3_000, "alice")
	equal(t, "listed", h.unclaimed()[0], ports.UnclaimedBalance{
		Wallet: fakes.Wallet("exchange"), TokenBalance: ports.TokenBalance{Token: money.SOL, Amount: 5_000},
	})
	done := ok(h.Deposits.AssignUnclaimed(h.ctx, finn, request))(t)
	equal(t, "balance", done.Balance, 3_000)
	equal(t, "left", h.unclaimed()[0].Amount, 2_000)
	h.unchanged(func() {
		again := ok(h.Deposits.AssignUnclaimed(h.ctx, finn, request))(t)
		equal(t, "the same again", again.Adjustment, done.Adjustment)
	})
	listed := ok(h.Admin.AdminTransactions(h.ctx, finn, ports.TransactionFilter{Wallet: alice.Wallet, Type: ports.TransactionType(player.Assigned.String())}, ports.Page{Number: 1, Limit: 5}))(t)
	equal(t, "listed once", listed.Total, 1)
	h.enter("exchange")
	equal(t, "the sender's first sign-in", h.balance("exchange"), 2_000)
	equal(t, "unclaimed", len(h.unclaimed()), 0)
	w := h.withdraw(alice, 1_000)
	refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, finn, approving(w.ID))), fault.Forbidden, "reason", "credited")
	h.solvent()
	h.audited()
}

func TestALargeAssignmentTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := watched(t, twoPersonsAbove(2_999))
	h.enter("alice")
	finn, ben := h.elders()
	request := h.exchanged(5_000, 3_000, "alice")
	asked := ok(h.Deposits.AssignUnclaimed(h.ctx, finn, request))(t).Approval
	equal(t, "kind", asked.Kind, approval.UnclaimedAssignment)
	equal(t, "sender", asked.Reference, request.Sender)
	equal(t, "balance", h.balance("alice"), 0)
	refused(t, no(h.Approvals.DecideApproval(h.ctx, finn, consent(asked.ID))), fault.Forbidden)
	ok(h.Approvals.DecideApproval(h.ctx, ben, consent(asked.ID)))(t)
	equal(t, "balance", h.balance("alice"), 3_000)
	h.unchanged(func() {
		equal(t, "the same again", ok(h.Deposits.AssignUnclaimed(h.ctx, finn, request))(t).Balance, 3_000)
	})

	request.Amount, request.Evidence = 2_000, "receipt 8"
	rest := ok(h.Deposits.AssignUnclaimed(h.ctx, ben, request))(t).Approval // counts with the first
	h.enter("exchange")
	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, finn, consent(rest.ID))), fault.AmountOutOfRange, "field", "amount")
	})
	h.audited()
}

// Two requests for the same money would both get their votes, and one would find it gone.
func TestABalanceHasOneOpenAssignment(t *testing.T) {
	t.Parallel()
	usd := closing
	usd.Closing = false
	h := watched(t, twoPersonsAbove(2_999), func(d *app.Deps) {
		limited, _ := d.Tokens.Known(money.SOL)
		d.Tokens = token.NewBook(limited, usd)
	})
	h.enter("alice")
	h.enter("bob")
	finn, ben := h.elders()
	request := h.exchanged(5_000, 3_000, "alice")
	asked := ok(h.Deposits.AssignUnclaimed(h.ctx, finn, request))(t).Approval
	other := request
	other.To = string(fakes.Wallet("bob"))
	small := other
	small.Amount = 1
	h.unchanged(func() {
		equal(t, "the same request", ok(h.Deposits.AssignUnclaimed(h.ctx, ben, request))(t).Approval.ID, asked.ID)
		refused(t, no(h.Deposits.AssignUnclaimed(h.ctx, ben, other)), fault.InvalidState, "status", "open")
		refused(t, no(h.Deposits.AssignUnclaimed(h.ctx, ben, small)), fault.InvalidState, "status", "open")
	})
	h.chain.pay("another exchange", money.SOL, 1_000)
	h.chain.pay("exchange", usd.Mint, 1_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	elsewhere := small
	elsewhere.Sender = string(fakes.Wallet("another exchange"))
	otherToken := small
	otherToken.Token = string(usd.Mint)
	equal(t, "the same sender's balance of another token", ok(h.Deposits.AssignUnclaimed(h.ctx, ben, otherToken))(t).Balance, 1)
	equal(t, "another sender's balance", ok(h.Deposits.AssignUnclaimed(h.ctx, ben, elsewhere))(t).Balance, 1)
	ok(h.Approvals.DecideApproval(h.ctx, ben, approvals.ApprovalDecision{ID: asked.ID}))(t)
	other.Amount, request.Amount = 5_000, 5_000
	first := ok(h.Deposits.AssignUnclaimed(h.ctx, ben, other))(t).Approval
	h.clock.Advance(approval.OpenTime)
	second := ok(h.Deposits.AssignUnclaimed(h.ctx, ben, request))(t).Approval
	refused(t, no(h.Approvals.DecideApproval(h.ctx, finn, consent(first.ID))), fault.InvalidState, "status", "expired")
	ok(h.Approvals.DecideApproval(h.ctx, finn, consent(second.ID)))(t)
	equal(t, "balance", h.balance("alice"), 5_000)
	h.audited()
}

func TestAssigningIsRefused(t *testing.T) {
	t.Parallel()
	h := watched(t, withBranch)
	h.enter("alice")
	h.enter("finn")
	finn, _ := h.elders()
	rita, branch := h.admin("rita", "support"), h.branch("own", "acme")
	good := h.exchanged(5_000, 3_000, "alice")
	equal(t, "an agent's admin sees", len(ok(h.Deposits.UnclaimedBalances(h.ctx, branch, ports.UnclaimedFilter{}, ports.Page{Number: 1, Limit: 5}))(t).Balances), 0)
	h.unchanged(func() {
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
			if err := no(h.Deposits.AssignUnclaimed(h.ctx, row.by, request)); !fault.Is(err, row.kind) {
				t.Errorf("%s: %v, want kind %d", name, err, row.kind)
			}
		}
	})
}

// failing refuses the commit that comes after some more.
type failing struct {
	Store
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

// TestAnInterruptedAssignmentIsCompleted has the service fail at each of the three commits.
func TestAnInterruptedAssignmentIsCompleted(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		store := &failing{}
		h := watched(t, func(d *app.Deps) {
			store.Store = portsOf(*d)
			d.Store = app.StoreOf(store)
		})
		h.enter("alice")
		finn, ben := h.elders()
		request := h.exchanged(5_000, 3_000, "alice")
		store.after = n + 1
		if err := no(h.Deposits.AssignUnclaimed(h.ctx, finn, request)); err == nil {
			t.Fatal("no commit failed")
		}
		store.after = 0
		equal(t, "balance", h.balance("alice"), 0)
		for range 3 {
			ok(h.Treasury.Treasury().Step(h.ctx))(t)
		}
		equal(t, "alarms", h.alarms(alarm.AssignmentInterrupted.Message()), n/2) // what was taken isn't credited
		equal(t, "completed by another admin", ok(h.Deposits.AssignUnclaimed(h.ctx, ben, request))(t).Balance, 3_000)
		equal(t, "left", h.unclaimed()[0].Amount, 2_000)
		h.solvent()
		h.audited()
	}
}

// TestAnApprovalSentAgainCompletesAnAssignment has the service fail after the second person
// approved, at each of the two commits that move the money.
func TestAnApprovalSentAgainCompletesAnAssignment(t *testing.T) {
	t.Parallel()
	for n := range 2 {
		store := &failing{}
		h := watched(t, twoPersonsAbove(2_999), func(d *app.Deps) {
			store.Store = portsOf(*d)
			d.Store = app.StoreOf(store)
		})
		h.enter("alice")
		finn, ben := h.elders()
		decision := consent(ok(h.Deposits.AssignUnclaimed(h.ctx, finn, h.exchanged(5_000, 3_000, "alice")))(t).Approval.ID)
		decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
		store.after = n + 2
		if err := no(h.Approvals.DecideApproval(h.ctx, ben, decision)); err == nil {
			t.Fatal("no commit failed")
		}
		store.after = 0
		equal(t, "balance", h.balance("alice"), 0)
		for range 2 {
			equal(t, "replayed", ok(h.Approvals.DecideApproval(h.ctx, ben, decision))(t).Replayed, true)
			equal(t, "completed once", h.balance("alice"), 3_000)
		}
		h.solvent()
		h.audited()
	}
}
