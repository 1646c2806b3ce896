package payouts_test

import (
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// withSignedApprovals makes a casino require signed approvals.
func withSignedApprovals(d *app.Deps) { d.Settings.SignedApprovals = true }

// signedApproval approves the withdrawal with the name's signature over it.
func (h *house) signedApproval(name string, w withdrawal.Withdrawal) payouts.WithdrawalDecision {
	d := apptest.Approving(w.ID)
	d.Timestamp = h.Clock.Now().UnixMilli()
	message := w.ApprovalMessage(wallet.Address(h.Chain.TreasuryAddress()), d.Timestamp)
	d.Signature = ed25519.Sign(fakes.Key(name), []byte(message))
	return d
}

func TestAnApprovalIsSigned(t *testing.T) {
	t.Parallel()
	h := open(t, withSignedApprovals)
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	h.Chain.Give(string(alice.Wallet), money.SOL, apptest.RentExempt)
	w := h.RequestWithdrawal(alice, 4_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID))), fault.Invalid, "field", "signature")
	})
	request := h.signedApproval("ada", w)
	request.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	apptest.Equal(t, "status", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, request))(t).Withdrawal.Status, withdrawal.Approved)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	// A repeated request gets its answer even much later.
	h.Clock.Advance(time.Hour)
	apptest.Equal(t, "replayed", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, request))(t).Replayed, true)

	shown := apptest.OK(h.Payouts.AdminWithdrawal(h.Ctx, ada, w.ID))(t)
	apptest.Equal(t, "required", shown.SignatureRequired, true)
	apptest.Equal(t, "for", shown.Treasury, h.Chain.TreasuryAddress())
	apptest.Equal(t, "verifies", shown.Signed(wallet.Address(shown.Treasury), shown.Approvals[0]), true)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.AdminWithdrawal(h.Ctx, alice, w.ID)), fault.AdminForbidden)
}

// TestAnotherSignatureApprovesNothing, whether signatures are required or not.
func TestAnotherSignatureApprovesNothing(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(*app.Deps){"required": withSignedApprovals, "not required": func(*app.Deps) {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, option)
			alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
			h.NewAdmin("ben", "finance")
			w, other := h.RequestWithdrawal(alice, 4_000), h.RequestWithdrawal(alice, 4_000)
			changed := func(change func(*withdrawal.Withdrawal)) payouts.WithdrawalDecision {
				of := w
				change(&of)
				d := h.signedApproval("ada", of)
				d.ID = w.ID
				return d
			}
			h.CheckUnchanged(func() {
				for what, d := range map[string]payouts.WithdrawalDecision{
					"of another withdrawal":     changed(func(of *withdrawal.Withdrawal) { *of = other }),
					"of another amount":         changed(func(of *withdrawal.Withdrawal) { of.Amount = 3_999 }),
					"of another destination":    changed(func(of *withdrawal.Withdrawal) { of.Destination = string(ada.Wallet) }),
					"of another person":         h.signedApproval("ben", w),
					"of the player, by himself": h.signedApproval("alice", w),
				} {
					if err := apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, d)); !fault.Is(err, fault.InvalidSignature) {
						t.Errorf("%s: %v", what, err)
					}
				}
				late, early := h.signedApproval("ada", w), h.signedApproval("ada", w)
				h.Clock.Advance(withdrawal.SignatureMaxAge + time.Millisecond)
				apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, late)), fault.StaleTimestamp, "serverTime", h.Clock.Now().UnixMilli())
				early.Timestamp = h.Clock.Now().Add(time.Minute + time.Millisecond).UnixMilli()
				apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, early)), fault.StaleTimestamp)
			})
			apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, ada, apptest.Rejecting(other.ID)))(t) // a rejection needs no signature
			apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, h.signedApproval("ada", w)))(t)
			h.CheckAudit()
		})
	}
}

// TestWhoeverHasTheKeysOfTheServiceIsNotPaid: an approval sealed with the service's keys
// but not signed by an admin isn't paid, and the audit names it.
func TestWhoeverHasTheKeysOfTheServiceIsNotPaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sign  func(w withdrawal.Withdrawal, a withdrawal.Approval) withdrawal.Approval
		named bool
	}{
		"unsigned": {func(_ withdrawal.Withdrawal, a withdrawal.Approval) withdrawal.Approval { return a }, false},
		"signed by somebody else": {func(w withdrawal.Withdrawal, a withdrawal.Approval) withdrawal.Approval {
			const treasury = wallet.Address("another treasury")
			return a.WithSignature(ed25519.Sign(fakes.Key("mallory"), []byte(w.ApprovalMessage(treasury, 5))), 5, treasury)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, withSignedApprovals)
			alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
			h.Chain.Give(string(alice.Wallet), money.SOL, apptest.RentExempt)
			w := h.RequestWithdrawal(alice, 4_000)
			at := h.Clock.Now()
			apptest.OK(h.Store.Commit(h.Ctx, player.Item{
				Wallet: w.Wallet, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: h.Entropy.ID()}}, At: at,
				Needs: player.Needs{Tokens: []money.Token{w.Token}, Withdrawals: []string{w.ID}},
				Decide: func(v player.View) (player.Change, error) {
					forged := v.Withdrawals[w.ID]
					a := c.sign(forged, withdrawal.Approval{By: ada.Wallet, At: at, Needed: 1})
					a.Seal, _ = fakes.Authenticator{}.Seal(withdrawal.ApprovalPurpose, forged.SealedApproval(a))
					forged.Status, forged.Approvals, forged.UpdatedAt = withdrawal.Approved, []withdrawal.Approval{a}, at
					return player.Change{Withdrawal: &forged, Balance: v.Balances[w.Token]}, nil
				},
			}))(t)
			h.PassPayouts(h.Payouts.PayoutWorker())
			apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 0)
			if stands := h.StoredWithdrawal(w.ID); stands.Status != withdrawal.Approved || stands.Reason == "" {
				t.Errorf("it is %s, reason %q", stands.Status, stands.Reason)
			}
			found := h.AuditFindings(apptest.Forged{})
			if strings.Contains(found, "the signature under the approval of "+string(ada.Wallet)) != c.named {
				t.Errorf("the audit found: %s", found)
			}
			apptest.Equal(t, "back", apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, ada, apptest.Rejecting(w.ID)))(t).Balance, 10_000)
		})
	}
}

// TestApprovalsFromBeforeTheSetting: unsigned approvals wait once signatures are required,
// and count again once they aren't.
func TestApprovalsFromBeforeTheSetting(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	strict := h.Remade(withSignedApprovals)
	strict.PassPayouts(strict.Payouts.PayoutWorker())
	if stands := h.StoredWithdrawal(w.ID); stands.Status != withdrawal.Approved || !strings.Contains(stands.Reason, "without a signature") {
		t.Errorf("it is %s, reason %q", stands.Status, stands.Reason)
	}
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.PayoutUnsignable.Message()), 1)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
}

// TestAnOperatorSeesWithdrawalsOfTheAgentAlone: those of other players are not found.
func TestAnOperatorSeesWithdrawalsOfTheAgentAlone(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.EnsureAgent("acme")
	operator, all := h.Founder("olga", "operator", "acme"), h.NewAdmin("rob", "readonly")
	w := h.RequestWithdrawal(h.NewPlayer("alice", 10_000), 4_000)
	apptest.Equal(t, "seen", apptest.OK(h.Payouts.AdminWithdrawal(h.Ctx, all, w.ID))(t).ID, w.ID)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.AdminWithdrawal(h.Ctx, operator, w.ID)), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.AdminWithdrawal(h.Ctx, all, "none")), fault.NotFound)
}
