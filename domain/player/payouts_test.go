package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// provable is a view of an approved withdrawal that may be paid, with what it is held
// against.
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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			view, w, signer := provable(t, c.needed, c.approvers...)
			if c.spoil != nil {
				c.spoil(&view, &w, &signer)
			}
			err := player.CanPay(view, w, signer, at.Add(time.Hour))
			if withdrawal.ObstacleOf(err) != c.want || (err == nil) != (c.want == "") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
