package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

func daily(kind protection.Kind, amount money.Amount) []protection.LimitRequest {
	return []protection.LimitRequest{{Kind: kind, Period: protection.Day, Token: money.SOL, Amount: amount}}
}

func TestALimitHoldsAtOnceAndIsRaisedADayLater(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 100_000)
	set := ok(h.Accounts.SetLimits(h.ctx, alice, daily(protection.Wager, 250)))(t)
	equal(t, "limits", len(set.Limits), 1)
	ok(h.Play.Play(h.ctx, alice, dice(200)))(t)
	h.unchanged(func() {
		refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.LimitExceeded, "limit", "wager.day")
	})
	raised := ok(h.Accounts.SetLimits(h.ctx, alice, daily(protection.Wager, 10_000)))(t)
	equal(t, "still", raised.Limits[0].Amount, 250)
	equal(t, "soon", raised.Limits[0].Next, 10_000)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.LimitExceeded)
	h.clock.Advance(24 * time.Hour)
	ok(h.Play.Play(h.ctx, alice, dice(5_000)))(t)
	equal(t, "now", ok(h.Accounts.Protection(h.ctx, alice))(t).Limits[0].Amount, 10_000)
	h.unchanged(func() {
		refused(t, no(h.Accounts.SetLimits(h.ctx, alice, []protection.LimitRequest{{Kind: "luck", Period: protection.Day, Token: money.SOL}})), fault.Invalid, "field", "limits")
		unknown := daily(protection.Loss, 5)
		unknown[0].Token = fakes.Mint("other")
		refused(t, no(h.Accounts.SetLimits(h.ctx, alice, unknown)), fault.TokenNotAccepted)
	})
	h.audited()
}

func TestAnExcludedPlayerCanWithdraw(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.player("alice", 50_000), h.admin("ada", "finance")
	pending := h.chain.pay("alice", money.SOL, 2_000)
	until := h.clock.Now().Add(48 * time.Hour)
	ok(h.Accounts.Exclude(h.ctx, alice, until, false))(t)
	h.unchanged(func() {
		refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.PlayerExcluded, "until", until.UnixMilli())
		refused(t, no(h.Accounts.Exclude(h.ctx, alice, until.Add(-time.Hour), false)), fault.InvalidState)
	})
	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	h.chain.finalize()
	ok(h.Deposits.Deposit(h.ctx, alice, pending, sol))(t)
	w := h.withdraw(alice, 52_000)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID)))(t)
	h.clock.Advance(48 * time.Hour)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.InsufficientFunds)
	ok(h.Accounts.Exclude(h.ctx, alice, time.Time{}, true))(t)
	h.clock.Advance(365 * 24 * time.Hour)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.PlayerExcluded)
	h.audited()
}

func TestWithdrawalsWaitWhileTheAccountIsFrozen(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, olga, ada := h.player("alice", 50_000), h.admin("olga", "ops"), h.admin("ada", "finance")
	ok(h.Accounts.SetFrozen(h.ctx, olga, address("alice"), "under review", true))(t)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.PlayerFrozen)
	w := h.withdraw(alice, 10_000)
	h.unchanged(func() { refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID))), fault.PlayerFrozen) })
	details := ok(h.Admin.AdminPlayer(h.ctx, ada, address("alice")))(t)
	equal(t, "standing", details.Protection.Status(h.clock.Now()), protection.Frozen)
	ok(h.Accounts.SetFrozen(h.ctx, olga, address("alice"), "all is well", false))(t)
	equal(t, "approved", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	records := h.records()
	equal(t, "freezing and releasing", count(records, audit.PlayerFrozen)+count(records, audit.PlayerReleased), 2)
	h.unchanged(func() {
		refused(t, no(h.Accounts.SetFrozen(h.ctx, ada, address("alice"), "x", true)), fault.AdminForbidden, "permission", "admin:write")
		refused(t, no(h.Accounts.SetFrozen(h.ctx, olga, address("alice"), "", true)), fault.Invalid, "field", "reason")
		refused(t, no(h.Accounts.SetFrozen(h.ctx, olga, address("nobody"), "x", true)), fault.NotFound)
		refused(t, no(h.Accounts.AdminSetLimits(h.ctx, olga, "?", "x", nil)), fault.NotFound)
		refused(t, no(h.Accounts.AdminExclude(h.ctx, alice, address("alice"), "x", time.Time{}, true)), fault.AdminForbidden)
	})
	ok(h.Accounts.AdminSetLimits(h.ctx, olga, address("alice"), "the player asked for it", daily(protection.Loss, 0)))(t)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.LimitExceeded, "limit", "loss.day")
	ok(h.Accounts.AdminExclude(h.ctx, olga, address("alice"), "the player asked for it", time.Time{}, true))(t)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.PlayerExcluded)
	h.audited()
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
		recorded := solTerms
		recorded.LargeWin = 150
		d.Tokens = token.NewBook(recorded, closing)
	})
	alice := h.player("alice", 50_000)
	want := 0
	for range 60 {
		played := ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
		if played.Round.Payout > 150 {
			want++
		}
	}
	if got := count(h.records(), audit.LargeWin); got != want || want == 0 || want == 60 {
		t.Errorf("%d large wins are recorded, there were %d", got, want)
	}
	h.audited()
}
