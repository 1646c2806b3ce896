package app_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/protection"
)

// TestAPlayerDoesntUndoWhatAnAdminImposed waits for a month, and asks in every way.
func TestAPlayerDoesntUndoWhatAnAdminImposed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, olga := h.player("alice", 1_000_000), h.admin("olga", "ops")
	ok(h.Accounts.AdminSetLimits(h.ctx, olga, address("alice"), "harm", daily(protection.Wager, 500)))(t)
	for _, requested := range [][]protection.LimitRequest{nil, daily(protection.Wager, 100_000)} {
		ok(h.Accounts.SetLimits(h.ctx, alice, requested))(t)
		for range 3 {
			h.clock.Advance(10 * 24 * time.Hour)
			h.unchanged(func() {
				refused(t, no(h.Play.Play(h.ctx, alice, dice(501))), fault.LimitExceeded, "limit", "wager.day")
			})
		}
	}
	refused(t, no(h.Accounts.AdminSetLimits(h.ctx, alice, address("alice"), "I may", nil)), fault.AdminForbidden)
	ok(h.Accounts.SignIn(h.ctx, login("olga", h.clock.Now())))(t) // an admin doesn't decide about themself either
	refused(t, no(h.Accounts.AdminSetLimits(h.ctx, olga, address("olga"), "mine", daily(protection.Wager, 5))), fault.Forbidden)
	set := ok(h.Accounts.AdminSetLimits(h.ctx, olga, address("alice"), "all is well", daily(protection.Wager, 600)))(t)
	equal(t, "limits, the player's own beside it", len(set.Limits), 2)
	ok(h.Play.Play(h.ctx, alice, dice(600)))(t)
	ok(h.Accounts.AdminSetLimits(h.ctx, olga, address("alice"), "all is well", nil))(t)
	ok(h.Play.Play(h.ctx, alice, dice(1000)))(t)
	h.audited()
}

func TestABreakIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 100_000)
	until := h.clock.Now().Add(2 * time.Hour)
	equal(t, "status", ok(h.Accounts.CoolOff(h.ctx, alice, until))(t).Status(h.clock.Now()), protection.CoolingOff)
	h.unchanged(func() {
		refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.PlayerExcluded, "reason", "coolOff", "until", until.UnixMilli())
		refused(t, no(h.Accounts.CoolOff(h.ctx, alice, until.Add(-time.Minute))), fault.InvalidState)
		refused(t, no(h.Accounts.CoolOff(h.ctx, alice, until.Add(365*24*time.Hour))), fault.Invalid, "field", "until")
	})
	h.clock.Advance(2 * time.Hour)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	h.audited()
}

// TestWhatRegulatorsAskForIsOffUntilItIsSet tries each setting with its default too.
func TestWhatRegulatorsAskForIsOffUntilItIsSet(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.player("alice", 100_000), h.player("bob", 100_000)
	ok(h.Accounts.Exclude(h.ctx, alice, h.clock.Now().Add(time.Minute), false))(t)
	ok(h.Payouts.CancelWithdrawal(h.ctx, alice, h.withdraw(alice, 10_000).ID))(t)
	waiting := h.withdraw(alice, 10_000)
	strict := h.remade(func(d *app.Deps) { d.Settings.NoWithdrawCancel, d.Settings.ExclusionMin = true, 24*time.Hour })
	h.unchanged(func() {
		refused(t, no(strict.Payouts.CancelWithdrawal(h.ctx, alice, waiting.ID)), fault.Forbidden)
		refused(t, no(strict.Payouts.CancelWithdrawal(h.ctx, bob, waiting.ID)), fault.NotFound)
		refused(t, no(strict.Accounts.Exclude(h.ctx, bob, h.clock.Now().Add(24*time.Hour-1), false)), fault.Invalid, "field", "until")
	})
	ok(strict.Accounts.Exclude(h.ctx, bob, h.clock.Now().Add(24*time.Hour), false))(t)
	ok(strict.Accounts.Exclude(h.ctx, bob, time.Time{}, true))(t)
	h.audited()
}
