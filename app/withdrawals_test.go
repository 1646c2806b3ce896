package app_test

import (
	"context"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// requestOf is a withdrawal of SOL to the caller's own wallet.
func requestOf(who app.Caller, amount int64) payouts.WithdrawalRequest {
	return payouts.WithdrawalRequest{Amount: amount, Token: sol, Destination: string(who.Wallet)}
}

// withdraw requests a withdrawal to the caller's own wallet.
func (h *house) withdraw(who app.Caller, amount int64) withdrawal.Withdrawal {
	h.t.Helper()
	return ok(h.Payouts.Withdraw(h.ctx, who, requestOf(who, amount)))(h.t).Withdrawal
}

// stands returns the stored withdrawal.
func (h *house) stands(id string) withdrawal.Withdrawal {
	h.t.Helper()
	return ok(h.store.Withdrawal(h.ctx, id))(h.t)
}

func approving(id string) payouts.WithdrawalDecision {
	return payouts.WithdrawalDecision{ID: id, Note: "fine"}
}
func rejecting(id string) payouts.WithdrawalDecision {
	return payouts.WithdrawalDecision{ID: id, Reason: "odd"}
}

// before runs something once, right before the next commit.
type before struct {
	Store
	commit func()
}

func (b *before) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if do := b.commit; do != nil {
		b.commit = nil
		do()
	}
	return b.Store.Commit(ctx, item)
}

func TestAWithdrawalHoldsTheMoneyAndCancellingReturnsIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	answer := ok(h.Payouts.Withdraw(h.ctx, alice, requestOf(alice, 4_000)))(t)
	w := answer.Withdrawal
	equal(t, "status", w.Status, withdrawal.Pending)
	equal(t, "balance", answer.Balance, 6_000)
	h.books("player 6000, hold 4000, chain -10000")
	h.player("bob", 1_000)
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, caller("bob"), w.ID)), fault.NotFound)
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, alice, "none")), fault.NotFound)

	cancelled := ok(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID))(t)
	equal(t, "status", cancelled.Withdrawal.Status, withdrawal.Cancelled)
	equal(t, "balance", cancelled.Balance, 10_000)
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID)), fault.InvalidState, "status", "cancelled")
	h.books("player 11000, chain -11000")
}

func TestWithdrawalRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	with := func(change func(*payouts.WithdrawalRequest)) payouts.WithdrawalRequest {
		request := requestOf(alice, 4_000)
		change(&request)
		return request
	}
	to := func(address string) payouts.WithdrawalRequest {
		return with(func(r *payouts.WithdrawalRequest) { r.Destination = address })
	}
	for _, c := range []struct {
		name    string
		request payouts.WithdrawalRequest
		kind    fault.Kind
		field   any
	}{
		{"nothing", requestOf(alice, 0), fault.Invalid, "amount"},
		{"no token", with(func(r *payouts.WithdrawalRequest) { r.Token = "?" }), fault.Invalid, "token"},
		{"unknown token", with(func(r *payouts.WithdrawalRequest) { r.Token = string(fakes.Mint("other")) }), fault.TokenNotAccepted, nil},
		{"no address", to("?"), fault.InvalidDestination, "destination"},
		{"off the curve", to(sol), fault.InvalidDestination, "destination"},
		{"the treasury", to(h.chain.TreasuryAddress()), fault.InvalidDestination, "destination"},
		{"too little", requestOf(alice, 999), fault.AmountOutOfRange, "amount"},
		{"too much", requestOf(alice, 1_000_001), fault.AmountOutOfRange, "amount"},
		{"not covered", requestOf(alice, 10_001), fault.InsufficientFunds, nil},
	} {
		h.unchanged(func() {
			c.request.Idempotency = app.Idempotency{Key: "key", Fingerprint: c.name}
			err := no(h.Payouts.Withdraw(h.ctx, alice, c.request))
			if !fault.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want kind %d", c.name, err, c.kind)
			}
			refused(t, err, c.kind, "field", c.field)
		})
	}
	h.books("player 10000, chain -10000")
}

func TestWithdrawalsMayBeBoundToTheOwnWallet(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Settings.WithdrawOwnOnly = true })
	alice := h.player("alice", 10_000)
	elsewhere := requestOf(alice, 4_000)
	elsewhere.Destination = string(fakes.Wallet("elsewhere"))
	refused(t, no(h.Payouts.Withdraw(h.ctx, alice, elsewhere)), fault.InvalidDestination)
	h.withdraw(alice, 4_000)
}

func TestOpenWithdrawalsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	var last withdrawal.Withdrawal
	for range withdrawal.OpenMax {
		last = h.withdraw(alice, 1_000)
	}
	refused(t, no(h.Payouts.Withdraw(h.ctx, alice, requestOf(alice, 1_000))), fault.TooManyOpen)
	ok(h.Payouts.CancelWithdrawal(h.ctx, alice, last.ID))(t)
	h.withdraw(alice, 1_000)
	h.books("player 5000, hold 5000, chain -10000")
}

func TestARepeatedWithdrawalIsRequestedOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 4_000)
	request := requestOf(alice, 4_000)
	request.Idempotency = app.Idempotency{Key: "key", Fingerprint: "print"}
	first := ok(h.Payouts.Withdraw(h.ctx, alice, request))(t)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, h.admin("ada", "finance"), approving(first.Withdrawal.ID)))(t)
	h.unchanged(func() {
		again := ok(h.Payouts.Withdraw(h.ctx, alice, request))(t)
		equal(t, "replayed", again.Replayed, true)
		equal(t, "id", again.Withdrawal.ID, first.Withdrawal.ID)
		equal(t, "status then", again.Withdrawal.Status, withdrawal.Pending)
		request.Idempotency.Fingerprint = "another"
		refused(t, no(h.Payouts.Withdraw(h.ctx, alice, request)), fault.IdempotencyConflict)
	})
}

func TestAnAdminApprovesOrRejects(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
	first, second := h.withdraw(alice, 4_000), h.withdraw(alice, 3_000)

	request := approving(first.ID)
	request.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	approved := ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, request))(t).Withdrawal
	equal(t, "status", approved.Status, withdrawal.Approved)
	equal(t, "note", approved.Note, "fine")
	equal(t, "by", approved.Approvals[0].By, ada.Wallet)
	equal(t, "replayed", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, request))(t).Replayed, true)
	refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(first.ID))), fault.InvalidState, "status", "approved")
	refused(t, no(h.Payouts.CancelWithdrawal(h.ctx, alice, first.ID)), fault.InvalidState, "status", "approved")

	rejected := ok(h.Payouts.RejectWithdrawal(h.ctx, ada, rejecting(second.ID)))(t)
	equal(t, "status", rejected.Withdrawal.Status, withdrawal.Rejected)
	equal(t, "reason", rejected.Withdrawal.Reason, "odd")
	equal(t, "balance", rejected.Balance, 6_000)
	// What is approved and not yet signed can still be rejected.
	equal(t, "balance", ok(h.Payouts.RejectWithdrawal(h.ctx, ada, rejecting(first.ID)))(t).Balance, 10_000)
	h.books("player 10000, chain -10000")

	var seen []string
	for _, r := range h.records() {
		if r.By == ada.Wallet {
			seen = append(seen, string(r.Action)+" "+r.Target+" "+r.RequestID)
		}
	}
	equal(t, "records", strings.Join(seen, "\n"), strings.Join([]string{
		string(audit.WithdrawalApproved) + " " + first.ID + " request of ada",
		string(audit.WithdrawalRejected) + " " + second.ID + " request of ada",
		string(audit.WithdrawalRejected) + " " + first.ID + " request of ada",
	}, "\n"))
}

func TestDecisionsRefuseInOrder(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
	support, reader := h.admin("sue", "support"), h.admin("rob", "readonly")
	w, long := h.withdraw(alice, 4_000), strings.Repeat("ü", 501)
	h.unchanged(func() {
		approve := func(who app.Caller, d payouts.WithdrawalDecision) error {
			return no(h.Payouts.ApproveWithdrawal(h.ctx, who, d))
		}
		reject := func(who app.Caller, d payouts.WithdrawalDecision) error {
			return no(h.Payouts.RejectWithdrawal(h.ctx, who, d))
		}
		refused(t, approve(alice, payouts.WithdrawalDecision{}), fault.AdminForbidden, "permission", string(rbac.WithdrawApprove))
		refused(t, approve(support, approving(w.ID)), fault.AdminForbidden, "permission", string(rbac.WithdrawApprove))
		refused(t, reject(reader, payouts.WithdrawalDecision{}), fault.AdminForbidden, "permission", string(rbac.WithdrawReject))
		refused(t, approve(ada, payouts.WithdrawalDecision{Note: long}), fault.Invalid, "field", "id")
		refused(t, approve(ada, payouts.WithdrawalDecision{ID: "none", Note: long}), fault.Invalid, "field", "note")
		refused(t, reject(ada, payouts.WithdrawalDecision{ID: "none"}), fault.Invalid, "field", "reason")
		refused(t, reject(ada, payouts.WithdrawalDecision{ID: "none", Reason: long}), fault.Invalid, "field", "reason")
		refused(t, reject(ada, rejecting("none")), fault.NotFound)
	})
	ok(h.Payouts.RejectWithdrawal(h.ctx, support, payouts.WithdrawalDecision{ID: w.ID, Reason: long[:1000]}))(t)
}

func TestTwoPersonsApproveAboveTheThreshold(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 1_000_001)
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "finance")
	at, above := h.withdraw(alice, 500_000), h.withdraw(alice, 500_001)
	equal(t, "at it", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(at.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	equal(t, "one vote", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(above.ID)))(t).Withdrawal.Status, withdrawal.Pending)
	h.unchanged(func() { refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(above.ID))), fault.Forbidden) })
	equal(t, "two votes", ok(h.Payouts.ApproveWithdrawal(h.ctx, ben, approving(above.ID)))(t).Withdrawal.Status, withdrawal.Approved)
}

func TestNobodyDecidesTheirOwnWithdrawal(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("ada", 10_000)
	ada, alice := h.admin("ada", "finance"), h.player("alice", 10_000)
	own := h.withdraw(ada, 4_000)
	gift := requestOf(alice, 4_000)
	gift.Destination = string(ada.Wallet)
	toAda := ok(h.Payouts.Withdraw(h.ctx, alice, gift))(t).Withdrawal
	h.unchanged(func() {
		for _, id := range []string{own.ID, toAda.ID} {
			refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(id))), fault.Forbidden)
			refused(t, no(h.Payouts.RejectWithdrawal(h.ctx, ada, rejecting(id))), fault.Forbidden)
		}
	})
	// The admin may still cancel it as a player.
	ok(h.Payouts.CancelWithdrawal(h.ctx, ada, own.ID))(t)
}

func TestARoleRevokedMeanwhileDecidesNothing(t *testing.T) {
	t.Parallel()
	store := &before{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	alice := h.player("alice", 10_000)
	w := h.withdraw(alice, 4_000)
	for name, decide := range map[string]func(app.Caller) error{
		"approve": func(who app.Caller) error { return no(h.Payouts.ApproveWithdrawal(h.ctx, who, approving(w.ID))) },
		"reject":  func(who app.Caller) error { return no(h.Payouts.RejectWithdrawal(h.ctx, who, rejecting(w.ID))) },
		"adjust": func(who app.Caller) error {
			return no(h.Admin.AdjustBalance(h.ctx, who, admin.AdjustmentRequest{User: string(alice.Wallet), Token: sol, Amount: 1, Reason: "gift"}))
		},
	} {
		ada := h.admin("ada "+name, "finance")
		// The admin has the role when calling and not when the decision is made.
		store.commit = func() {
			if err := h.roleCommands().Revoke(h.ctx, ada.Wallet); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, decide(ada), fault.AdminForbidden)
	}
	equal(t, "status", h.stands(w.ID).Status, withdrawal.Pending)
	h.books("player 6000, hold 4000, chain -10000")
}
