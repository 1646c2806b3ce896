package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
)

// TestRoundsOfAPlayerAreNoCloserThanTheirPace alternates rounds of the house and bets at
// a provider: each waits for the one before it, of either kind.
func TestRoundsOfAPlayerAreNoCloserThanTheirPace(t *testing.T) {
	t.Parallel()
	const pace = 5 * time.Second
	v := known()
	v.Player.Protection = protection.State{}
	pairedView(&v)
	launched()(&v)
	v.Now = at
	play := func(won money.Ratio) (player.Change, error) {
		o := order(t, won)
		o.Pace = pace
		return player.Play(v, o, spare(3), "server's", "a1")
	}
	spins := func(kind seamless.Kind, bet, win seamless.Decimal, pace time.Duration) player.Change {
		t.Helper()
		c, err := callback(kind, bet, win, func(c *player.ProviderCallback) { c.Pace = pace })(v)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	takes := func(step string, c player.Change, moved bool) {
		t.Helper()
		if (c.Player != nil) != moved {
			t.Fatalf("%s: %+v", step, c.Player)
		}
		if moved {
			if !c.Player.Protection.LastRound.Equal(v.Now) {
				t.Errorf("%s: the last round is of %v, not %v", step, c.Player.Protection.LastRound, v.Now)
			}
			v.Player = *c.Player
		}
	}
	waits := func(step string) {
		t.Helper()
		if _, err := play(money.Ratio{Num: 2, Den: 1}); !fault.Is(err, fault.RateLimited) {
			t.Errorf("%s: a round: %v", step, err)
		}
		if c := spins(seamless.Debit, "5", "", pace); c.Seamless.Status != seamless.Refused || c.Seamless.Reason != seamless.LimitExceeded || c.Player != nil {
			t.Errorf("%s: a bet at a provider: %+v", step, c.Seamless)
		}
		takes(step+": a win", spins(seamless.Credit, "", "3", pace), false)
		takes(step+": a free bet", spins(seamless.DebitCredit, "0", "3", pace), false)
		takes(step+": a game without a pace", spins(seamless.Debit, "5", "", 0), false)
	}
	for i, won := range []money.Ratio{{Num: 2, Den: 1}, {Num: 0, Den: 1}, {}} { // {} is a draw that fails
		change, err := play(won)
		if err != nil {
			t.Fatal(err)
		}
		takes("a round", change, true)
		waits("after a round")
		if v.Now = v.Now.Add(pace - time.Microsecond); i == 0 {
			waits("almost")
		}
		v.Now = v.Now.Add(time.Microsecond)
	}
	takes("a bet at a provider", spins(seamless.Debit, "5", "", pace), true)
	waits("after a bet at a provider")
	v.Now = v.Now.Add(pace)
	takes("a whole round there", spins(seamless.DebitCredit, "5", "3", pace), true)
	waits("after a whole round there")
}

// TestABetOnItsWayToASiteIsARound: it counts from the moment it is sent.
func TestABetOnItsWayToASiteIsARound(t *testing.T) {
	t.Parallel()
	v := known()
	launched(prepaid(500, 0))(&v)
	ask := callback(seamless.Debit, "5", "", forwarded, func(c *player.ProviderCallback) { c.Pace = time.Second })
	c, err := ask(v)
	if err != nil || len(c.Deliveries) != 1 || c.Player == nil || !c.Player.Protection.LastRound.Equal(at) {
		t.Fatalf("sent: %+v, %v", c.Player, err)
	}
	v.Player = *c.Player
	if c, err = ask(v); err != nil || len(c.Deliveries) != 0 || c.Seamless.Reason != seamless.LimitExceeded {
		t.Errorf("at once: %+v, %v", c.Seamless, err)
	}
}
