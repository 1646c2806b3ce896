package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// signing is a casino whose approvals must be signed.
func signing(d *app.Deps) { d.Settings.SignedApprovals = true }

// signed approves the withdrawal with the name's signature over it.
func (h *house) signed(name string, w withdrawal.Withdrawal) payouts.WithdrawalDecision {
	d := approving(w.ID)
	d.Timestamp = h.clock.Now().UnixMilli()
	message := w.ApprovalMessage(wallet.Address(h.chain.TreasuryAddress()), d.Timestamp)
	d.Signature = ed25519.Sign(fakes.Key(name), []byte(message))
	return d
}

func TestAnApprovalIsSigned(t *testing.T) {
	t.Parallel()
	h := open(t, signing)
	alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
	h.chain.give(string(alice.Wallet), money.SOL, alive)
	w := h.withdraw(alice, 4_000)
	h.unchanged(func() {
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID))), fault.Invalid, "field", "signature")
	})
	request := h.signed("ada", w)
	request.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	equal(t, "status", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, request))(t).Withdrawal.Status, withdrawal.Approved)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
	// However late it comes, a repeated request gets its answer.
	h.clock.Advance(time.Hour)
	equal(t, "replayed", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, request))(t).Replayed, true)

	shown := ok(h.Payouts.AdminWithdrawal(h.ctx, ada, w.ID))(t)
	equal(t, "required", shown.SignatureRequired, true)
	equal(t, "for", shown.Treasury, h.chain.TreasuryAddress())
	equal(t, "verifies", shown.Signed(wallet.Address(shown.Treasury), shown.Approvals[0]), true)
	refused(t, no(h.Payouts.AdminWithdrawal(h.ctx, alice, w.ID)), fault.AdminForbidden)
}

// TestAnotherSignatureApprovesNothing, whether signatures are required or not.
func TestAnotherSignatureApprovesNothing(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(*app.Deps){"required": signing, "not required": func(*app.Deps) {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, option)
			alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
			h.admin("ben", "finance")
			w, other := h.withdraw(alice, 4_000), h.withdraw(alice, 4_000)
			changed := func(change func(*withdrawal.Withdrawal)) payouts.WithdrawalDecision {
				of := w
				change(&of)
				d := h.signed("ada", of)
				d.ID = w.ID
				return d
			}
			h.unchanged(func() {
				for what, d := range map[string]payouts.WithdrawalDecision{
					"of another withdrawal":     changed(func(of *withdrawal.Withdrawal) { *of = other }),
					"of another amount":         changed(func(of *withdrawal.Withdrawal) { of.Amount = 3_999 }),
					"of another destination":    changed(func(of *withdrawal.Withdrawal) { of.Destination = string(ada.Wallet) }),
					"of another person":         h.signed("ben", w),
					"of the player, by himself": h.signed("alice", w),
				} {
					if err := no(h.Payouts.ApproveWithdrawal(h.ctx, ada, d)); !fault.Is(err, fault.InvalidSignature) {
						t.Errorf("%s: %v", what, err)
					}
				}
				late, early := h.signed("ada", w), h.signed("ada", w)
				h.clock.Advance(withdrawal.SignatureMaxAge + time.Millisecond)
				refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, late)), fault.StaleTimestamp, "serverTime", h.clock.Now().UnixMilli())
				early.Timestamp = h.clock.Now().Add(time.Minute + time.Millisecond).UnixMilli()
				refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, early)), fault.StaleTimestamp)
			})
			ok(h.Payouts.RejectWithdrawal(h.ctx, ada, rejecting(other.ID)))(t) // stopping waits for no signature
			ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, h.signed("ada", w)))(t)
			h.audited()
		})
	}
}

// TestWhoeverHasTheKeysOfTheServiceIsNotPaid: an approval that its own keys sealed, as a
// service that was taken over would write it, is not signed, and the audit names it.
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
			h := open(t, signing)
			alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
			h.chain.give(string(alice.Wallet), money.SOL, alive)
			w := h.withdraw(alice, 4_000)
			at := h.clock.Now()
			ok(h.store.Commit(h.ctx, player.Item{
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
			h.pass(h.Payouts.PayoutWorker())
			equal(t, "signed", h.chain.calls["Sign"], 0)
			if stands := h.stands(w.ID); stands.Status != withdrawal.Approved || stands.Reason == "" {
				t.Errorf("it is %s, reason %q", stands.Status, stands.Reason)
			}
			found := h.found(forged{})
			if strings.Contains(found, "the signature under the approval of "+string(ada.Wallet)) != c.named {
				t.Errorf("the audit found: %s", found)
			}
			equal(t, "back", ok(h.Payouts.RejectWithdrawal(h.ctx, ada, rejecting(w.ID)))(t).Balance, 10_000)
		})
	}
}

// TestApprovalsFromBeforeTheSetting: what was approved without a signature waits once
// signatures are required, and goes on when they aren't any more.
func TestApprovalsFromBeforeTheSetting(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.approved("alice", 4_000)
	strict := h.remade(signing)
	strict.pass(strict.Payouts.PayoutWorker())
	if stands := h.stands(w.ID); stands.Status != withdrawal.Approved || !strings.Contains(stands.Reason, "without a signature") {
		t.Errorf("it is %s, reason %q", stands.Status, stands.Reason)
	}
	equal(t, "alarms", h.alarms(alarm.PayoutUnsignable.Message()), 1)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.paid(w, 1)
}

// TestAnOperatorSeesWithdrawalsOfTheAgentAlone: those of other players are not found.
func TestAnOperatorSeesWithdrawalsOfTheAgentAlone(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.ensureAgent("acme")
	operator, all := h.founder("olga", "operator", "acme"), h.admin("rob", "readonly")
	w := h.withdraw(h.player("alice", 10_000), 4_000)
	equal(t, "seen", ok(h.Payouts.AdminWithdrawal(h.ctx, all, w.ID))(t).ID, w.ID)
	refused(t, no(h.Payouts.AdminWithdrawal(h.ctx, operator, w.ID)), fault.NotFound)
	refused(t, no(h.Payouts.AdminWithdrawal(h.ctx, all, "none")), fault.NotFound)
}
