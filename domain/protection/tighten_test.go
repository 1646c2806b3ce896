package protection_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

func TestTightenedTakesTheTighterOfEach(t *testing.T) {
	t.Parallel()
	hour := friday.Add(time.Hour)
	limit := func(amount money.Amount, raised bool) protection.Limit {
		l := protection.Limit{Kind: protection.Wager, Period: protection.Day, Token: "SOL", Amount: amount, From: friday, Used: 3, Since: friday}
		if raised {
			l.Next, l.NextAt = amount*2, hour
		}
		return l
	}
	waits := func(next money.Amount, later time.Duration) protection.Limit {
		l := limit(5, true)
		l.Next, l.NextAt = next, hour.Add(later)
		return l
	}
	ends := waits(0, 0)
	ends.Lifted = true
	imposed := limit(9, false)
	imposed.Imposed = true
	state := func(limits ...protection.Limit) protection.State { return protection.State{Limits: limits} }
	for name, c := range map[string]struct {
		has, by protection.State
		tighter bool
	}{
		"nothing":                       {has: state(limit(5, false))},
		"a freeze":                      {by: protection.State{Frozen: true}, tighter: true},
		"a freeze that is there":        {has: protection.State{Frozen: true}, by: protection.State{Frozen: true}},
		"an end of a freeze":            {has: protection.State{Frozen: true}},
		"an exclusion for ever":         {has: protection.State{ExcludedUntil: hour}, by: protection.State{Excluded: true}, tighter: true},
		"a longer exclusion":            {has: protection.State{ExcludedUntil: friday.Add(time.Minute)}, by: protection.State{ExcludedUntil: hour}, tighter: true},
		"a shorter exclusion":           {has: protection.State{ExcludedUntil: hour}, by: protection.State{ExcludedUntil: friday.Add(time.Minute)}},
		"an exclusion that ended":       {by: protection.State{ExcludedUntil: friday.Add(-time.Minute)}},
		"a cool-off":                    {has: protection.State{ExcludedUntil: hour}, by: protection.State{CoolOffUntil: hour}, tighter: true},
		"a cool-off that ended":         {by: protection.State{CoolOffUntil: friday.Add(-time.Minute)}},
		"a limit of the operator's":     {has: state(limit(5, false)), by: state(imposed), tighter: true},
		"one that the operator raised":  {has: state(imposed), by: state(limit(9, false), imposed), tighter: true},
		"a limit that is not there":     {by: state(limit(5, false)), tighter: true},
		"a lower limit":                 {has: state(limit(9, false)), by: state(limit(5, false)), tighter: true},
		"a lower limit about to rise":   {has: state(limit(9, false)), by: state(limit(5, true)), tighter: true},
		"a higher limit":                {has: state(limit(5, false)), by: state(limit(9, false))},
		"a raise that was taken back":   {has: state(limit(5, true)), by: state(limit(5, false)), tighter: true},
		"a raise that was asked for":    {has: state(limit(5, false)), by: state(limit(5, true))},
		"a raise to less":               {has: state(waits(20, 0)), by: state(waits(10, 0)), tighter: true},
		"a raise to more":               {has: state(waits(10, 0)), by: state(waits(20, time.Hour))},
		"a later raise":                 {has: state(waits(10, 0)), by: state(waits(10, time.Hour)), tighter: true},
		"an earlier raise":              {has: state(waits(10, time.Hour)), by: state(waits(10, 0))},
		"an end in place of a raise":    {has: state(waits(20, 0)), by: state(ends)},
		"a raise in place of an end":    {has: state(ends), by: state(waits(20, 0)), tighter: true},
		"a limit that ended since then": {by: state(protection.Limit{Kind: protection.Loss, Period: protection.Day, Lifted: true, NextAt: friday})},
	} {
		next, tighter := c.has.Tightened(c.by, friday)
		if tighter != c.tighter {
			t.Errorf("%s: tighter %v: %+v", name, tighter, next)
		}
		if again, more := next.Tightened(c.by, friday); more {
			t.Errorf("%s: again it is tighter: %+v", name, again)
		}
	}
	next, _ := state(limit(9, false)).Tightened(state(limit(5, true)), friday)
	if l := next.Limits[0]; l.Amount != 5 || l.Next != 10 || l.Used != 3 || !l.Since.Equal(limit(9, false).Since) {
		t.Errorf("the limit is %+v", l)
	}
	if next, _ := state().Tightened(state(limit(5, false)), hour); next.Limits[0].Used != 0 {
		t.Errorf("a limit begins with a meter of another database: %+v", next)
	}
}

// TestTightenedAllowsNothingMore draws two states: what either refuses, the tightened one
// refuses.
func TestTightenedAllowsNothingMore(t *testing.T) {
	t.Parallel()
	states := rapid.Custom(func(t *rapid.T) protection.State {
		s := protection.State{Frozen: rapid.Bool().Draw(t, "frozen"), Excluded: rapid.Bool().Draw(t, "excluded")}
		if rapid.Bool().Draw(t, "pause") {
			s.ExcludedUntil = friday.Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, "until")) * time.Hour)
		}
		var asked []protection.LimitRequest
		for _, kind := range protection.Kinds() {
			if rapid.Bool().Draw(t, "limit") {
				asked = append(asked, protection.LimitRequest{Kind: kind, Period: protection.Week, Token: "SOL", Amount: money.Amount(rapid.IntRange(0, 9).Draw(t, "amount"))})
			}
		}
		s, err := s.WithLimits(asked, friday)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := states.Draw(t, "a"), states.Draw(t, "b")
		next, tighter := a.Tightened(b, friday)
		for _, s := range []protection.State{a, b} {
			if s.MayPlay(friday) != nil && next.MayPlay(friday) == nil {
				t.Fatalf("%+v with %+v lets the player play", a, b)
			}
			for wager := money.Amount(1); wager < 10; wager++ {
				if s.MayWager("SOL", wager, friday) != nil && next.MayWager("SOL", wager, friday) == nil {
					t.Fatalf("%+v with %+v lets %d pass", a, b, wager)
				}
			}
		}
		if again, more := next.Tightened(b, friday); more || !tighter && next.MayPlay(friday) == nil != (a.MayPlay(friday) == nil) {
			t.Fatalf("%+v with %+v is %+v, again %+v", a, b, next, again)
		}
	})
}
