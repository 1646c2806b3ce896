package player_test

import (
	"crypto/ed25519"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// provable is a view of an approved withdrawal that may be paid, with its verification
// data.
func provable(t *testing.T, needed int, approvers ...wallet.Address) (player.View, withdrawal.Withdrawal, player.PayoutSigner) {
	t.Helper()
	seals := fakes.Authenticator{}
	w := withdrawal.Withdrawal{ID: "w1", Wallet: alice, Token: "sol", Amount: 600, Destination: "there", Status: withdrawal.Approved, CreatedAt: at}
	w.Seal, _ = seals.Seal(withdrawal.RequestPurpose, w.SealedRequest())
	view := player.View{Roles: map[wallet.Address]rbac.Assignment{}}
	for _, by := range approvers {
		a := withdrawal.Approval{By: by, At: at, Needed: needed}
		a.Seal, _ = seals.Seal(withdrawal.ApprovalPurpose, w.SealedApproval(a))
		w.Approvals = append(w.Approvals, a)
		view.Roles[by] = rbac.Assignment{Wallet: by, Role: "finance"}
	}
	return view, w, player.PayoutSigner{Policy: rbac.DefaultPolicy(), Seals: seals}
}

func TestWhatMayBePaid(t *testing.T) {
	t.Parallel()
	const one, two = wallet.Address("one"), wallet.Address("two")
	for name, c := range map[string]struct {
		needed    int
		approvers []wallet.Address
		spoil     func(v *player.View, w *withdrawal.Withdrawal, s *player.PayoutSigner)
		want      string
	}{
		"one of one":      {needed: 1, approvers: []wallet.Address{one}},
		"two of two":      {needed: 2, approvers: []wallet.Address{one, two}},
		"none":            {needed: 1, want: withdrawal.ForgedStatus},
		"one of two":      {needed: 2, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus},
		"one counts once": {needed: 2, approvers: []wallet.Address{one, one}, want: withdrawal.ForgedStatus},
		"without seals anything is believed": {needed: 2, spoil: func(_ *player.View, _ *withdrawal.Withdrawal, s *player.PayoutSigner) {
			s.Seals = seal.None{}
		}},
		"a changed amount": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: func(_ *player.View, w *withdrawal.Withdrawal, _ *player.PayoutSigner) { w.Amount++ }},
		"a changed note": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: func(_ *player.View, w *withdrawal.Withdrawal, _ *player.PayoutSigner) { w.Approvals[0].Note = "x" }},
		"a stored attempt that it doesn't count": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: func(v *player.View, _ *withdrawal.Withdrawal, _ *player.PayoutSigner) { v.Payouts.Attempts = 1 }},
		"an approval from before a failure": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: func(v *player.View, w *withdrawal.Withdrawal, _ *player.PayoutSigner) {
				w.Attempt, v.Payouts.Attempts, v.Payouts.Costly = 1, 1, 1
			}},
		"an attempt that died": {needed: 1, approvers: []wallet.Address{one},
			spoil: func(v *player.View, w *withdrawal.Withdrawal, _ *player.PayoutSigner) {
				w.Attempt, v.Payouts.Attempts = 1, 1
			}},
		"an approver without a role": {needed: 2, approvers: []wallet.Address{one, two}, want: withdrawal.UnapprovedStatus,
			spoil: func(v *player.View, _ *withdrawal.Withdrawal, _ *player.PayoutSigner) { delete(v.Roles, two) }},
		"an approver whose role may not": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.UnapprovedStatus,
			spoil: func(v *player.View, _ *withdrawal.Withdrawal, _ *player.PayoutSigner) {
				v.Roles[one] = rbac.Assignment{Wallet: one, Role: "support"}
			}},
		"limits of a token that is no longer configured": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: func(_ *player.View, _ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Terms.Closing = true }},
		"what was proved": {needed: 1, approvers: []wallet.Address{one}, spoil: proved},
		"nothing was proved": {needed: 1, approvers: []wallet.Address{one}, want: player.UnprovedStatus,
			spoil: func(_ *player.View, _ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Provable = true }},
		"another's proof": {needed: 1, approvers: []wallet.Address{one}, want: player.UnprovedStatus,
			spoil: spoiled(func(_ *player.View, s *player.PayoutSigner) { s.Proof.Wallet = "bob" })},
		"an old proof": {needed: 1, approvers: []wallet.Address{one}, want: player.UnprovedStatus,
			spoil: spoiled(func(_ *player.View, s *player.PayoutSigner) { s.Proof.At = at.Add(time.Hour - player.ProofTime - 1) })},
		"a proof of later": {needed: 1, approvers: []wallet.Address{one}, want: player.UnprovedStatus,
			spoil: spoiled(func(_ *player.View, s *player.PayoutSigner) { s.Proof.At = at.Add(time.Hour + player.ProofTime + 1) })},
		"a hold that was not booked": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: spoiled(func(_ *player.View, s *player.PayoutSigner) { s.Proof.Holds[0].Amount-- })},
		"no hold that was booked": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: spoiled(func(_ *player.View, s *player.PayoutSigner) { s.Proof.Holds = nil })},
		"a hold that is not there any more": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: spoiled(func(v *player.View, _ *player.PayoutSigner) { v.Payouts.Held = 0 })},
		"a withdrawal that has ended": {needed: 1, approvers: []wallet.Address{one}, want: withdrawal.ForgedStatus,
			spoil: spoiled(func(v *player.View, _ *player.PayoutSigner) { v.Payouts.Ended = true })},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			view, w, signer := provable(t, c.needed, c.approvers...)
			if c.spoil != nil {
				c.spoil(&view, &w, &signer)
			}
			err := player.CanPay(view, w, signer, at.Add(time.Hour))
			if statusOf(err) != c.want || (err == nil) != (c.want == "") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// statusOf returns the status in a refusal.
func statusOf(err error) string {
	var refusal *fault.Error
	if errors.As(err, &refusal) {
		status, _ := refusal.Details["status"].(string)
		return status
	}
	return ""
}

// proved gives the signer a proof of the wallet.
func proved(v *player.View, w *withdrawal.Withdrawal, s *player.PayoutSigner) {
	v.Payouts.Held, s.Provable = w.Held(), true
	s.Proof = proof.Proof{
		Wallet: w.Wallet, At: at.Add(time.Hour - player.ProofTime), Holds: []proof.Hold{{Withdrawal: w.ID, Amount: w.Held()}},
	}
}

// spoiled is proved with one change.
func spoiled(change func(*player.View, *player.PayoutSigner)) func(*player.View, *withdrawal.Withdrawal, *player.PayoutSigner) {
	return func(v *player.View, w *withdrawal.Withdrawal, s *player.PayoutSigner) {
		proved(v, w, s)
		change(v, s)
	}
}

// required are the rules for required signatures.
func required() withdrawal.Signing {
	return withdrawal.Signing{Treasury: fakes.Wallet("treasury"), Required: true, Ahead: time.Minute}
}

// signature is the admin's own for the approval of the withdrawal.
func signature(name string, w withdrawal.Withdrawal, at time.Time) []byte {
	return ed25519.Sign(fakes.Key(name), []byte(w.ApprovalMessage(fakes.Wallet("treasury"), at.UnixMilli())))
}

// TestWhatMayBePaidWithSignatures: data sealed with the service's own keys counts only
// if admins signed it.
func TestWhatMayBePaidWithSignatures(t *testing.T) {
	t.Parallel()
	one, two := fakes.Wallet("one"), fakes.Wallet("two")
	for name, c := range map[string]struct {
		signers []string // of the approvals by one and two
		spoil   func(w *withdrawal.Withdrawal, s *player.PayoutSigner)
		want    string
	}{
		"both signed":                    {signers: []string{"one", "two"}},
		"nobody signed":                  {signers: []string{"", ""}, want: withdrawal.UnapprovedStatus},
		"one of two signed":              {signers: []string{"one", ""}, want: withdrawal.UnapprovedStatus},
		"somebody else signed":           {signers: []string{"one", "thief"}, want: withdrawal.ForgedStatus},
		"one person signed for both":     {signers: []string{"one", "one"}, want: withdrawal.ForgedStatus},
		"nobody signed, and nobody must": {signers: []string{"", ""}, spoil: func(_ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Signing.Required = false }},
		"a wrong one, and none is needed": {signers: []string{"thief", ""}, want: withdrawal.ForgedStatus,
			spoil: func(_ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Signing.Required = false }},
		"for another treasury": {signers: []string{"one", "two"}, want: withdrawal.UnapprovedStatus,
			spoil: func(_ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Signing.Treasury = "another" }},
		"another destination, sealed by whoever has the keys": {signers: []string{"one", "two"}, want: withdrawal.ForgedStatus,
			spoil: func(w *withdrawal.Withdrawal, _ *player.PayoutSigner) { w.Destination = "thief" }},
		"another amount, sealed by whoever has the keys": {signers: []string{"one", "two"}, want: withdrawal.ForgedStatus,
			spoil: func(w *withdrawal.Withdrawal, _ *player.PayoutSigner) { w.Amount *= 2 }},
		"without seals": {signers: []string{"one", "two"}, spoil: func(_ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Seals = seal.None{} }},
		"without seals, nobody signed": {signers: []string{"", ""}, want: withdrawal.UnapprovedStatus,
			spoil: func(_ *withdrawal.Withdrawal, s *player.PayoutSigner) { s.Seals = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			view, w, signer := provable(t, 2, one, two)
			signer.Signing = required()
			for i, name := range c.signers {
				if name != "" {
					w.Approvals[i] = w.Approvals[i].WithSignature(signature(name, w, at), at.UnixMilli(), fakes.Wallet("treasury"))
				}
			}
			if c.spoil != nil {
				c.spoil(&w, &signer)
			}
			// An attacker who took over the service has its keys.
			keys := fakes.Authenticator{}
			w.Seal, _ = keys.Seal(withdrawal.RequestPurpose, w.SealedRequest())
			for i := range w.Approvals {
				w.Approvals[i].Seal, _ = keys.Seal(withdrawal.ApprovalPurpose, w.SealedApproval(w.Approvals[i]))
			}
			err := player.CanPay(view, w, signer, at.Add(time.Hour))
			if withdrawal.ObstacleOf(err) != c.want || (err == nil) != (c.want == "") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestASignedApprovalIsKeptWithItsSignature also checks that the seal covers it.
func TestASignedApprovalIsKeptWithItsSignature(t *testing.T) {
	t.Parallel()
	v, ada := asking(), fakes.Wallet("ada")
	v.Roles[ada] = rbac.Assignment{Wallet: ada, Role: "finance"}
	d := player.WithdrawalDecision{
		ID: "w", By: ada, Policy: rbac.DefaultPolicy(), Terms: terms(), Seals: fakes.Authenticator{}, Signing: required(), At: noon,
		Signature: signature("ada", v.Withdrawals["w"], noon), Timestamp: noon.UnixMilli(),
	}
	change, err := player.Approve(v, d)
	if err != nil {
		t.Fatal(err)
	}
	kept := change.Withdrawal.Approvals[0]
	if !change.Withdrawal.Signed(fakes.Wallet("treasury"), kept) || d.Seals.Verify(withdrawal.ApprovalPurpose, change.Withdrawal.SealedApproval(kept), kept.Seal) != nil {
		t.Errorf("kept as %+v", kept)
	}
	d.Signature, d.Timestamp = nil, 0
	if _, err := player.Approve(v, d); !fault.Is(err, fault.Invalid) {
		t.Errorf("unsigned: %v", err)
	}
	if _, err := player.Reject(v, d); err != nil {
		t.Errorf("stopping waits for no signature: %v", err)
	}
}

// TestAnUnsignedVoteFallsWhenSignaturesAreRequired: its admin can approve again, with a
// signature.
func TestAnUnsignedVoteFallsWhenSignaturesAreRequired(t *testing.T) {
	t.Parallel()
	ada, ben := fakes.Wallet("ada"), fakes.Wallet("ben")
	v := halfway(ada)
	for _, w := range []wallet.Address{ada, ben} {
		v.Roles[w] = rbac.Assignment{Wallet: w, Role: "finance", Founding: true}
	}
	decide := func(name string) withdrawal.Withdrawal {
		t.Helper()
		w := v.Withdrawals["w"]
		change, err := player.Approve(v, player.WithdrawalDecision{
			ID: "w", By: fakes.Wallet(name), Policy: rbac.DefaultPolicy(), Terms: always(), Signing: required(), At: noon,
			Signature: signature(name, w, noon), Timestamp: noon.UnixMilli(),
		})
		if err != nil {
			t.Fatal(err)
		}
		v.Withdrawals["w"] = *change.Withdrawal
		return *change.Withdrawal
	}
	if w := decide("ben"); w.Status != withdrawal.Pending || !slices.Equal(votersOf(w), []wallet.Address{ben}) {
		t.Errorf("after ben's: %+v", w)
	}
	if w := decide("ada"); w.Status != withdrawal.Approved || !slices.Equal(votersOf(w), []wallet.Address{ben, ada}) {
		t.Errorf("after ada's: %+v", w)
	}
}
