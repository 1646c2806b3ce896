package app_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/protection"
)

// controls changes the control state as somebody beside the casino does.
func (h *house) controls(change func(*control.State)) {
	h.t.Helper()
	record := audit.Record{ID: h.deps.Entropy.ID(), Action: audit.PlayPaused, Target: "play", At: h.clock.Now()}
	err := h.store.ChangeControl(h.ctx, func(now control.State) (control.State, *audit.Record, error) {
		change(&now)
		return now, &record, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestWhileRestoredOnlyStoppingGoesOn: what a database that went back says of money is
// no ground for a decision, and whoever stops something needn't wait for a better one.
func TestWhileRestoredOnlyStoppingGoesOn(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, root := h.player("alice", 50_000), h.seasoned("root", "superadmin")
	w := h.withdraw(alice, 2_000)
	h.controls(func(s *control.State) { s.Restored = &control.Restored{At: h.clock.Now(), Reason: "a head is gone"} })
	h.unchanged(func() {
		for what, err := range map[string]error{
			"play": no(h.Play(h.ctx, alice, dice(100))), "sign-in": no(h.SignIn(h.ctx, login("bob", h.clock.Now()))),
			"cancel": no(h.CancelWithdrawal(h.ctx, alice, w.ID)), "approve": no(h.ApproveWithdrawal(h.ctx, root, approving(w.ID))),
			"release": no(h.SetFrozen(h.ctx, root, string(alice.Wallet), "settled", false)),
		} {
			if refused(t, err, fault.Maintenance, "reason", "restored"); t.Failed() {
				t.Fatal(what)
			}
		}
	})
	ok(h.SetLimits(h.ctx, alice, daily(protection.Wager, 250)))(t)
	ok(h.SetFrozen(h.ctx, root, string(alice.Wallet), "a dispute", true))(t)
	ok(h.Exclude(h.ctx, alice, h.clock.Now().Add(time.Hour), false))(t)
	if err := h.SignOut(h.ctx, alice); err != nil {
		t.Error(err)
	}
	ok(h.Protection(h.ctx, alice))(t) // reads go on
}

// TestAnEpochEndsWhatBeganBefore: in the read that confirms a session, and in the commit
// of a bet, which doesn't read first.
func TestAnEpochEndsWhatBeganBefore(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 50_000)
	signedIn := ok(h.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	session := ok(h.Authenticate(h.ctx, signedIn.Token))(t)
	alice.Unconfirmed = &session
	ok(h.Play(h.ctx, alice, dice(100)))(t)
	h.controls(func(s *control.State) { s.Epoch, s.EpochAt = 2, h.clock.Advance(time.Second) })
	refused(t, no(h.Authenticate(h.ctx, signedIn.Token)), fault.InvalidToken)
	refused(t, no(h.Play(h.ctx, alice, dice(100))), fault.InvalidToken)
	again := ok(h.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	session = ok(h.Authenticate(h.ctx, again.Token))(t)
	ok(h.Play(h.ctx, alice, dice(100)))(t)
}
