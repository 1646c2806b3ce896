package accounts_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/apptest"
)

// TestAPlayerDoesntUndoWhatAnAdminImposed tries every change for a month.
func TestAPlayerDoesntUndoWhatAnAdminImposed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, olga := h.NewPlayer("alice", 1_000_000), h.NewAdmin("olga", "ops")
	apptest.OK(h.Accounts.AdminSetLimits(h.Ctx, olga, apptest.Address("alice"), "harm", apptest.DailyLimit(protection.Wager, 500)))(t)
	for _, requested := range [][]protection.LimitRequest{nil, apptest.DailyLimit(protection.Wager, 100_000)} {
		apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, requested))(t)
		for range 3 {
			h.Clock.Advance(10 * 24 * time.Hour)
			h.CheckUnchanged(func() {
				apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(501))), fault.LimitExceeded, "limit", "wager.day")
			})
		}
	}
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.AdminSetLimits(h.Ctx, alice, apptest.Address("alice"), "I may", nil)), fault.AdminForbidden)
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("olga", h.Clock.Now())))(t) // admins can't decide about themselves either
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.AdminSetLimits(h.Ctx, olga, apptest.Address("olga"), "mine", apptest.DailyLimit(protection.Wager, 5))), fault.Forbidden)
	set := apptest.OK(h.Accounts.AdminSetLimits(h.Ctx, olga, apptest.Address("alice"), "all is well", apptest.DailyLimit(protection.Wager, 600)))(t)
	apptest.Equal(t, "limits, the player's own beside it", len(set.Limits), 2)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(600)))(t)
	apptest.OK(h.Accounts.AdminSetLimits(h.Ctx, olga, apptest.Address("alice"), "all is well", nil))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(1000)))(t)
	h.CheckAudit()
}

func TestABreakIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 100_000)
	until := h.Clock.Now().Add(2 * time.Hour)
	apptest.Equal(t, "status", apptest.OK(h.Accounts.CoolOff(h.Ctx, alice, until))(t).Status(h.Clock.Now()), protection.CoolingOff)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.PlayerExcluded, "reason", "coolOff", "until", until.UnixMilli())
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.CoolOff(h.Ctx, alice, until.Add(-time.Minute))), fault.InvalidState)
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.CoolOff(h.Ctx, alice, until.Add(365*24*time.Hour))), fault.Invalid, "field", "until")
	})
	h.Clock.Advance(2 * time.Hour)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	h.CheckAudit()
}

// TestWhatRegulatorsAskForIsOffUntilItIsSet tries each setting and its default.
func TestWhatRegulatorsAskForIsOffUntilItIsSet(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.NewPlayer("alice", 100_000), h.NewPlayer("bob", 100_000)
	apptest.OK(h.Accounts.Exclude(h.Ctx, alice, h.Clock.Now().Add(time.Minute), false))(t)
	apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, alice, h.RequestWithdrawal(alice, 10_000).ID))(t)
	waiting := h.RequestWithdrawal(alice, 10_000)
	strict := h.Remade(func(d *app.Deps) { d.Settings.NoWithdrawCancel, d.Settings.ExclusionMin = true, 24*time.Hour })
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(strict.Payouts.CancelWithdrawal(h.Ctx, alice, waiting.ID)), fault.Forbidden)
		apptest.Refused(t, apptest.ErrorOf(strict.Payouts.CancelWithdrawal(h.Ctx, bob, waiting.ID)), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(strict.Accounts.Exclude(h.Ctx, bob, h.Clock.Now().Add(24*time.Hour-1), false)), fault.Invalid, "field", "until")
	})
	apptest.OK(strict.Accounts.Exclude(h.Ctx, bob, h.Clock.Now().Add(24*time.Hour), false))(t)
	apptest.OK(strict.Accounts.Exclude(h.Ctx, bob, time.Time{}, true))(t)
	h.CheckAudit()
}
