package payouts_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestAWithdrawalHoldsTheMoneyAndCancellingReturnsIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	answer := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 4_000)))(t)
	w := answer.Withdrawal
	apptest.Equal(t, "status", w.Status, withdrawal.Pending)
	apptest.Equal(t, "balance", answer.Balance, 6_000)
	h.CheckBooks("player 6000, hold 4000, chain -10000")
	h.NewPlayer("bob", 1_000)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, apptest.Caller("bob"), w.ID)), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, "none")), fault.NotFound)

	cancelled := apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID))(t)
	apptest.Equal(t, "status", cancelled.Withdrawal.Status, withdrawal.Cancelled)
	apptest.Equal(t, "balance", cancelled.Balance, 10_000)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID)), fault.InvalidState, "status", "cancelled")
	h.CheckBooks("player 11000, chain -11000")
}

func TestWithdrawalRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	with := func(change func(*payouts.WithdrawalRequest)) payouts.WithdrawalRequest {
		request := apptest.RequestOf(alice, 4_000)
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
		{"nothing", apptest.RequestOf(alice, 0), fault.Invalid, "amount"},
		{"no token", with(func(r *payouts.WithdrawalRequest) { r.Token = "?" }), fault.Invalid, "token"},
		{"unknown token", with(func(r *payouts.WithdrawalRequest) { r.Token = string(fakes.Mint("other")) }), fault.TokenNotAccepted, nil},
		{"no address", to("?"), fault.InvalidDestination, "destination"},
		{"off the curve", to(apptest.SOL), fault.InvalidDestination, "destination"},
		{"the treasury", to(h.Chain.TreasuryAddress()), fault.InvalidDestination, "destination"},
		{"too little", apptest.RequestOf(alice, 999), fault.AmountOutOfRange, "amount"},
		{"too much", apptest.RequestOf(alice, 1_000_001), fault.AmountOutOfRange, "amount"},
		{"not covered", apptest.RequestOf(alice, 10_001), fault.InsufficientFunds, nil},
	} {
		h.CheckUnchanged(func() {
			c.request.Idempotency = app.Idempotency{Key: "key", Fingerprint: c.name}
			err := apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, c.request))
			if !fault.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want kind %d", c.name, err, c.kind)
			}
			apptest.Refused(t, err, c.kind, "field", c.field)
		})
	}
	h.CheckBooks("player 10000, chain -10000")
}

func TestWithdrawalsMayBeBoundToTheOwnWallet(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Settings.WithdrawOwnOnly = true })
	alice := h.NewPlayer("alice", 10_000)
	elsewhere := apptest.RequestOf(alice, 4_000)
	elsewhere.Destination = string(fakes.Wallet("elsewhere"))
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, elsewhere)), fault.InvalidDestination)
	h.RequestWithdrawal(alice, 4_000)
}

func TestOpenWithdrawalsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	var last withdrawal.Withdrawal
	for range withdrawal.OpenMax {
		last = h.RequestWithdrawal(alice, 1_000)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 1_000))), fault.TooManyOpen)
	apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, alice, last.ID))(t)
	h.RequestWithdrawal(alice, 1_000)
	h.CheckBooks("player 5000, hold 5000, chain -10000")
}

func TestARepeatedWithdrawalIsRequestedOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 4_000)
	request := apptest.RequestOf(alice, 4_000)
	request.Idempotency = app.Idempotency{Key: "key", Fingerprint: "print"}
	first := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, h.NewAdmin("ada", "finance"), apptest.Approving(first.Withdrawal.ID)))(t)
	h.CheckUnchanged(func() {
		again := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t)
		apptest.Equal(t, "replayed", again.Replayed, true)
		apptest.Equal(t, "id", again.Withdrawal.ID, first.Withdrawal.ID)
		apptest.Equal(t, "status then", again.Withdrawal.Status, withdrawal.Pending)
		request.Idempotency.Fingerprint = "another"
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, request)), fault.IdempotencyConflict)
	})
}

func TestAnAdminApprovesOrRejects(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	first, second := h.RequestWithdrawal(alice, 4_000), h.RequestWithdrawal(alice, 3_000)

	request := apptest.Approving(first.ID)
	request.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	approved := apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, request))(t).Withdrawal
	apptest.Equal(t, "status", approved.Status, withdrawal.Approved)
	apptest.Equal(t, "note", approved.Note, "fine")
	apptest.Equal(t, "by", approved.Approvals[0].By, ada.Wallet)
	apptest.Equal(t, "replayed", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, request))(t).Replayed, true)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(first.ID))), fault.InvalidState, "status", "approved")
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, first.ID)), fault.InvalidState, "status", "approved")

	rejected := apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, ada, apptest.Rejecting(second.ID)))(t)
	apptest.Equal(t, "status", rejected.Withdrawal.Status, withdrawal.Rejected)
	apptest.Equal(t, "reason", rejected.Withdrawal.Reason, "odd")
	apptest.Equal(t, "balance", rejected.Balance, 6_000)
	// A withdrawal that is approved but not signed can still be rejected.
	apptest.Equal(t, "balance", apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, ada, apptest.Rejecting(first.ID)))(t).Balance, 10_000)
	h.CheckBooks("player 10000, chain -10000")

	var seen []string
	for _, r := range h.AuditRecords() {
		if r.By == ada.Wallet {
			seen = append(seen, string(r.Action)+" "+r.Target+" "+r.RequestID)
		}
	}
	apptest.Equal(t, "records", strings.Join(seen, "\n"), strings.Join([]string{
		string(audit.WithdrawalApproved) + " " + first.ID + " request of ada",
		string(audit.WithdrawalRejected) + " " + second.ID + " request of ada",
		string(audit.WithdrawalRejected) + " " + first.ID + " request of ada",
	}, "\n"))
}

func TestDecisionsRefuseInOrder(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	support, reader := h.NewAdmin("sue", "support"), h.NewAdmin("rob", "readonly")
	w, long := h.RequestWithdrawal(alice, 4_000), strings.Repeat("ü", 501)
	h.CheckUnchanged(func() {
		approve := func(who app.Caller, d payouts.WithdrawalDecision) error {
			return apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, who, d))
		}
		reject := func(who app.Caller, d payouts.WithdrawalDecision) error {
			return apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, who, d))
		}
		apptest.Refused(t, approve(alice, payouts.WithdrawalDecision{}), fault.AdminForbidden, "permission", string(rbac.WithdrawApprove))
		apptest.Refused(t, approve(support, apptest.Approving(w.ID)), fault.AdminForbidden, "permission", string(rbac.WithdrawApprove))
		apptest.Refused(t, reject(reader, payouts.WithdrawalDecision{}), fault.AdminForbidden, "permission", string(rbac.WithdrawReject))
		apptest.Refused(t, approve(ada, payouts.WithdrawalDecision{Note: long}), fault.Invalid, "field", "id")
		apptest.Refused(t, approve(ada, payouts.WithdrawalDecision{ID: "none", Note: long}), fault.Invalid, "field", "note")
		apptest.Refused(t, reject(ada, payouts.WithdrawalDecision{ID: "none"}), fault.Invalid, "field", "reason")
		apptest.Refused(t, reject(ada, payouts.WithdrawalDecision{ID: "none", Reason: long}), fault.Invalid, "field", "reason")
		apptest.Refused(t, reject(ada, apptest.Rejecting("none")), fault.NotFound)
	})
	apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, support, payouts.WithdrawalDecision{ID: w.ID, Reason: long[:1000]}))(t)
}

func TestTwoPersonsApproveAboveTheThreshold(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 1_000_001)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	at, above := h.RequestWithdrawal(alice, 500_000), h.RequestWithdrawal(alice, 500_001)
	apptest.Equal(t, "at it", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(at.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	apptest.Equal(t, "one vote", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(above.ID)))(t).Withdrawal.Status, withdrawal.Pending)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(above.ID))), fault.Forbidden)
	})
	apptest.Equal(t, "two votes", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ben, apptest.Approving(above.ID)))(t).Withdrawal.Status, withdrawal.Approved)
}

func TestNobodyDecidesTheirOwnWithdrawal(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("ada", 10_000)
	ada, alice := h.NewAdmin("ada", "finance"), h.NewPlayer("alice", 10_000)
	own := h.RequestWithdrawal(ada, 4_000)
	gift := apptest.RequestOf(alice, 4_000)
	gift.Destination = string(ada.Wallet)
	toAda := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, gift))(t).Withdrawal
	h.CheckUnchanged(func() {
		for _, id := range []string{own.ID, toAda.ID} {
			apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(id))), fault.Forbidden)
			apptest.Refused(t, apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, ada, apptest.Rejecting(id))), fault.Forbidden)
		}
	})
	// The admin may still cancel it as a player.
	apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, ada, own.ID))(t)
}

func TestARoleRevokedMeanwhileDecidesNothing(t *testing.T) {
	t.Parallel()
	store := &apptest.BeforeChange{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	alice := h.NewPlayer("alice", 10_000)
	w := h.RequestWithdrawal(alice, 4_000)
	for name, decide := range map[string]func(app.Caller) error{
		"approve": func(who app.Caller) error {
			return apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, who, apptest.Approving(w.ID)))
		},
		"reject": func(who app.Caller) error {
			return apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, who, apptest.Rejecting(w.ID)))
		},
		"adjust": func(who app.Caller) error {
			return apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, who, admin.AdjustmentRequest{User: string(alice.Wallet), Token: apptest.SOL, Amount: 1, Reason: "gift"}))
		},
	} {
		ada := h.NewAdmin("ada "+name, "finance")
		// The admin has the role during the call but not in the decision.
		store.Do = func() {
			if err := h.RoleCommands().Revoke(h.Ctx, ada.Wallet); err != nil {
				t.Fatal(err)
			}
		}
		apptest.Refused(t, decide(ada), fault.AdminForbidden)
	}
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Pending)
	h.CheckBooks("player 6000, hold 4000, chain -10000")
}
