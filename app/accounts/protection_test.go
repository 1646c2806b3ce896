package accounts_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestALimitHoldsAtOnceAndIsRaisedADayLater(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 100_000)
	set := apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, apptest.DailyLimit(protection.Wager, 250)))(t)
	apptest.Equal(t, "limits", len(set.Limits), 1)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(200)))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.LimitExceeded, "limit", "wager.day")
	})
	raised := apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, apptest.DailyLimit(protection.Wager, 10_000)))(t)
	apptest.Equal(t, "still", raised.Limits[0].Amount, 250)
	apptest.Equal(t, "soon", raised.Limits[0].Next, 10_000)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.LimitExceeded)
	h.Clock.Advance(24*time.Hour - time.Millisecond)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.ConfirmLimits(h.Ctx, alice)), fault.InvalidState)
	})
	h.Clock.Advance(time.Millisecond)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(5_000))), fault.LimitExceeded)
	apptest.OK(h.Accounts.ConfirmLimits(h.Ctx, alice))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(5_000)))(t)
	apptest.Equal(t, "now", apptest.OK(h.Accounts.Protection(h.Ctx, alice))(t).Limits[0].Amount, 10_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, alice, []protection.LimitRequest{{Kind: "luck", Period: protection.Day, Token: money.SOL}})), fault.Invalid, "field", "limits")
		unknown := apptest.DailyLimit(protection.Loss, 5)
		unknown[0].Token = fakes.Mint("other")
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, alice, unknown)), fault.TokenNotAccepted)
	})
	h.CheckAudit()
}

func TestAnExcludedPlayerCanWithdraw(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.NewPlayer("alice", 50_000), h.NewAdmin("ada", "finance")
	pending := h.Chain.Pay("alice", money.SOL, 2_000)
	until := h.Clock.Now().Add(48 * time.Hour)
	apptest.OK(h.Accounts.Exclude(h.Ctx, alice, until, false))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.PlayerExcluded, "until", until.UnixMilli())
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.Exclude(h.Ctx, alice, until.Add(-time.Hour), false)), fault.InvalidState)
	})
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	h.Chain.Finalize()
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, pending, apptest.SOL))(t)
	w := h.RequestWithdrawal(alice, 52_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t)
	h.Clock.Advance(48 * time.Hour)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.InsufficientFunds)
	apptest.OK(h.Accounts.Exclude(h.Ctx, alice, time.Time{}, true))(t)
	h.Clock.Advance(365 * 24 * time.Hour)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.PlayerExcluded)
	h.CheckAudit()
}

func TestWithdrawalsWaitWhileTheAccountIsFrozen(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, olga, ada := h.NewPlayer("alice", 50_000), h.NewAdmin("olga", "ops"), h.NewAdmin("ada", "finance")
	apptest.OK(h.Accounts.SetFrozen(h.Ctx, olga, apptest.Address("alice"), "under review", true))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.PlayerFrozen)
	w := h.RequestWithdrawal(alice, 10_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID))), fault.PlayerFrozen)
	})
	details := apptest.OK(h.Admin.AdminPlayer(h.Ctx, ada, apptest.Address("alice"), time.Time{}))(t)
	apptest.Equal(t, "standing", details.Protection.Status(h.Clock.Now()), protection.Frozen)
	apptest.OK(h.Accounts.SetFrozen(h.Ctx, olga, apptest.Address("alice"), "all is well", false))(t)
	apptest.Equal(t, "approved", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	records := h.AuditRecords()
	apptest.Equal(t, "freezing and releasing", count(records, audit.PlayerFrozen)+count(records, audit.PlayerReleased), 2)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SetFrozen(h.Ctx, ada, apptest.Address("alice"), "x", true)), fault.AdminForbidden, "permission", "admin:write")
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SetFrozen(h.Ctx, olga, apptest.Address("alice"), "", true)), fault.Invalid, "field", "reason")
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SetFrozen(h.Ctx, olga, apptest.Address("nobody"), "x", true)), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.AdminSetLimits(h.Ctx, olga, "?", "x", nil)), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.AdminExclude(h.Ctx, alice, apptest.Address("alice"), "x", time.Time{}, true)), fault.AdminForbidden)
	})
	apptest.OK(h.Accounts.AdminSetLimits(h.Ctx, olga, apptest.Address("alice"), "the player asked for it", apptest.DailyLimit(protection.Loss, 0)))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.LimitExceeded, "limit", "loss.day")
	apptest.OK(h.Accounts.AdminExclude(h.Ctx, olga, apptest.Address("alice"), "the player asked for it", time.Time{}, true))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.PlayerExcluded)
	h.CheckAudit()
}

func count(records []audit.Record, action audit.Action) (n int) {
	for _, record := range records {
		if record.Action == action {
			n++
		}
	}
	return n
}

func TestLargeWinsAreRecorded(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) {
		recorded := apptest.SOLTerms
		recorded.LargeWin = 150
		d.Tokens = token.NewBook(recorded, apptest.ClosingTerms)
	})
	alice := h.NewPlayer("alice", 50_000)
	want := 0
	for range 60 {
		played := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		if played.Round.Payout > 150 {
			want++
		}
	}
	if got := count(h.AuditRecords(), audit.LargeWin); got != want || want == 0 || want == 60 {
		t.Errorf("%d large wins are recorded, there were %d", got, want)
	}
	h.CheckAudit()
}
