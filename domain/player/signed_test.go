package player_test

import (
	"crypto/ed25519"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// required are the rules where approvals must be signed.
func required() withdrawal.Signing {
	return withdrawal.Signing{Treasury: fakes.Wallet("treasury"), Required: true, Ahead: time.Minute}
}

// signature is the person's own under the approval of the withdrawal.
func signature(name string, w withdrawal.Withdrawal, at time.Time) []byte {
	return ed25519.Sign(fakes.Key(name), []byte(w.ApprovalMessage(fakes.Wallet("treasury"), at.UnixMilli())))
}

// TestWhatMayBePaidWithSignatures: what the service's own keys sealed counts only where a
// person signed it.
func TestWhatMayBePaidWithSignatures(t *testing.T) {
	t.Parallel()
	one, two := fakes.Wallet("one"), fakes.Wallet("two")
	for name, c := range map[string]struct {
		signers []string // of one's and two's approval
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
			// Whoever took the service over has its keys.
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

// TestASignedApprovalIsKeptWithItsSignature, under the seal too.
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

// TestAnUnsignedVoteFallsWhenSignaturesAreRequired: its admin gives it again, signed.
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
