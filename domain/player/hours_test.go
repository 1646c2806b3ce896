package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// together sets the sums of all players of the connection in the hour.
func together(won, bet money.Amount) func(*player.View) {
	return launched(func(v *player.View) {
		v.Hours = map[seamless.HourRef]seamless.Hour{
			{Connection: "goldapi", Token: money.SOL}: {Number: hour, Won: money.TotalOf(won), Bet: money.TotalOf(bet)},
		}
	})
}

func TestWinsOfAllPlayersTogether(t *testing.T) {
	t.Parallel()
	wide := func(limit money.Amount) func(*player.ProviderCallback) {
		return func(c *player.ProviderCallback) {
			c.Caps = player.ProviderCaps{NetWin: 100_000, WithoutDebit: 100_000, Connection: limit}
		}
	}
	for _, c := range []struct {
		name     string
		view     func(*player.View)
		kind     seamless.Kind
		bet, win seamless.Decimal
		limit    money.Amount
		reason   seamless.Reason
	}{
		{"up to the cap", together(3_300, 1_000), seamless.Credit, "", "7", 3_000, seamless.None},
		{"beyond it", together(3_301, 1_000), seamless.Credit, "", "7", 3_000, seamless.OverConnectionCap},
		{"its own bet counts", together(3_800, 1_000), seamless.DebitCredit, "5", "7", 3_000, seamless.None},
		{"and no more than that", together(3_801, 1_000), seamless.DebitCredit, "5", "7", 3_000, seamless.OverConnectionCap},
		{"a win of nothing is no win", together(9_000, 0), seamless.DebitCredit, "5", "0", 0, seamless.None},
		{"the player's own cap is said first", together(9_000, 0), seamless.Credit, "", "1000", 0, seamless.OverCreditCap},
	} {
		v := known()
		c.view(&v)
		before := v.Balances[money.SOL]
		change, err := callback(c.kind, c.bet, c.win, wide(c.limit))(v)
		if err != nil || change.Seamless.Reason != c.reason {
			t.Errorf("%s: %+v, %v", c.name, change.Seamless, err)
			continue
		}
		waits := c.reason != seamless.None
		if (change.Seamless.Status == seamless.Review) != waits || waits && change.Balance != before-change.Seamless.Bet {
			t.Errorf("%s: %+v", c.name, change.Seamless)
		}
	}
}

func TestAForwardedWinIsOneOfAllPlayers(t *testing.T) {
	t.Parallel()
	v := known()
	together(900, 0)(&v)
	prepaid(50_000, 0)(&v)
	change, err := callback(seamless.Credit, "", "7", forwarded)(v)
	if err != nil || change.Seamless.Reason != seamless.OverConnectionCap || len(change.Deliveries) > 0 {
		t.Errorf("a win: %+v, %v", change.Seamless, err)
	}
	delivering(seamless.DebitCredit, seamless.Debit, seamless.Asking, together(900, 0))(&v)
	whole, err := player.SettleDelivery(v, player.DeliveryResponse{
		DeliveryID: "o1", Sent: seamless.Asking, Site: northSite, Event: seamless.SiteAccepted, CreditID: "o2", At: at,
		Caps: player.ProviderCaps{NetWin: 100_000, WithoutDebit: 100_000, Connection: 400},
	})
	if err != nil || whole.Seamless.Reason != seamless.OverConnectionCap || len(whole.Deliveries) != 1 {
		t.Errorf("a whole round: %+v, %v", whole.Seamless, err)
	}
	v.Hours = nil
	if _, err := player.SettleDelivery(v, player.DeliveryResponse{
		DeliveryID: "o1", Sent: seamless.Asking, Site: northSite, Event: seamless.SiteAccepted, CreditID: "o2", At: at,
	}); err == nil {
		t.Error("a whole round of a site is taken unseen")
	}
}

// TestHoursFollowTheStoresClock uses instances with clocks an hour off, both ways.
func TestHoursFollowTheStoresClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		now  time.Time
		want seamless.Reason
	}{
		"no clock of the store's own":  {time.Time{}, seamless.OverNetCap},
		"the store's clock":            {at, seamless.OverNetCap},
		"a store's clock that is back": {at.Add(-time.Hour), seamless.OverNetCap},
		"the store's next hour":        {at.Add(time.Hour), seamless.None},
	} {
		for _, off := range []time.Duration{-time.Hour, 0, time.Hour} {
			if c.now.IsZero() && off > 0 {
				continue // only the instance's clock is known
			}
			v := known()
			launched()(&v)
			v.Launches["goldapi"], v.Now = launch(900, 0), c.now
			change, err := callback(seamless.Credit, "", "2", func(c *player.ProviderCallback) { c.At = at.Add(off) })(v)
			if err != nil || change.Seamless.Reason != c.want {
				t.Errorf("%s, the instance's off by %v: %+v, %v", name, off, change.Seamless, err)
			}
		}
	}
}
