package protection_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

func impose(t *testing.T, s protection.State, at time.Time, requests ...protection.LimitRequest) protection.State {
	t.Helper()
	next, err := s.Impose(requests, at)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestImposedAndOwnLimitsAreSeparate makes limits of both makers with the same
// kind, period and token, in every order.
func TestImposedAndOwnLimitsAreSeparate(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	wager := func(s protection.State, amount money.Amount, now time.Time) bool {
		return s.MayWager(sol, amount, now) == nil
	}
	imposed := impose(t, protection.State{}, friday, request(protection.Wager, protection.Day, 100))
	for name, s := range map[string]protection.State{
		"left out":         limits(t, imposed, friday),
		"raised":           limits(t, imposed, friday, request(protection.Wager, protection.Day, 1000)),
		"asked for twice":  limits(t, limits(t, imposed, friday, request(protection.Wager, protection.Day, 1000)), friday),
		"of another kind":  limits(t, imposed, friday, request(protection.Loss, protection.Day, 1000)),
		"before it":        impose(t, limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 1000)), friday, request(protection.Wager, protection.Day, 100)),
		"both, in a month": limits(t, imposed, friday, request(protection.Wager, protection.Month, 1000)),
	} {
		if !s.SameImposed(imposed) {
			t.Errorf("%s: %+v", name, s.Limits)
		}
		for _, at := range []time.Time{friday, friday.Add(protection.RaiseTime), friday.Add(year)} {
			if wager(s, 101, at) || !wager(s, 100, at) {
				t.Errorf("%s, at %v: the operator's limit isn't the one that counts", name, at)
			}
		}
	}
	tighter := limits(t, imposed, friday, request(protection.Wager, protection.Day, 50))
	if wager(tighter, 51, friday) || !wager(tighter, 50, friday) || len(tighter.Limits) != 2 {
		t.Errorf("the player's own is tighter: %+v", tighter.Limits)
	}
	if by := []protection.Maker{tighter.Limits[0].By(), tighter.Limits[1].By()}; by[0] != protection.Player || by[1] != protection.Operator {
		t.Errorf("made by %v", by)
	}
	used, _ := tighter.AddBet(sol, 30, 0, friday)
	for _, change := range [][]protection.LimitRequest{{request(protection.Wager, protection.Day, 40)}, {request(protection.Wager, protection.Day, 200)}} {
		next := impose(t, used, friday, change...)
		if own, theirs := next.Limits[0], next.Limits[1]; !reflect.DeepEqual(own, used.Limits[0]) || theirs.Amount != change[0].Amount || theirs.Used != 30 || !theirs.NextAt.IsZero() {
			t.Errorf("imposed anew: %+v", next.Limits)
		}
	}
	if lifted := impose(t, used, friday); len(lifted.Limits) != 1 || lifted.Limits[0].Imposed {
		t.Errorf("lifted by the operator: %+v", lifted.Limits)
	}
	if used.SameImposed(impose(t, used, friday, request(protection.Wager, protection.Day, 99))) || !used.SameImposed(tighter) {
		t.Error("what is used counts as a change, or a change doesn't")
	}
}

func TestACoolOffIsShortAndNeverShortened(t *testing.T) {
	t.Parallel()
	for name, until := range map[string]time.Time{
		"too short": friday.Add(time.Hour - 1), "too long": friday.Add(6*7*24*time.Hour + 1), "the past": friday.Add(-time.Hour), "never": {},
	} {
		if _, err := (protection.State{}).CoolOff(until, friday); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	until := friday.Add(48 * time.Hour)
	s, err := protection.State{}.CoolOff(until, friday)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CoolOff(until.Add(-time.Hour), friday); !fault.Is(err, fault.InvalidState) {
		t.Errorf("shortened: %v", err)
	}
	var refusal *fault.Error
	if err := s.MayPlay(until.Add(-1)); !errors.As(err, &refusal) || refusal.Kind != fault.PlayerExcluded || refusal.Details["reason"] != "coolOff" || refusal.Details["until"] != until.UnixMilli() {
		t.Errorf("before its end: %v", err)
	}
	if err := s.MayPlay(until); err != nil || s.Empty() || s.Status(until.Add(-1)) != protection.CoolingOff {
		t.Errorf("at its end: %v", err)
	}
	excluded, err := s.Exclude(friday.Add(time.Hour), false, friday)
	if err != nil || excluded.Status(friday) != protection.Excluded || excluded.Status(friday.Add(time.Hour)) != protection.CoolingOff {
		t.Errorf("beside an exclusion: %v, %+v", err, excluded)
	}
}

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
		"nothing":                      {has: state(limit(5, false))},
		"a freeze":                     {by: protection.State{Frozen: true}, tighter: true},
		"a freeze that is there":       {has: protection.State{Frozen: true}, by: protection.State{Frozen: true}},
		"an end of a freeze":           {has: protection.State{Frozen: true}},
		"an exclusion for ever":        {has: protection.State{ExcludedUntil: hour}, by: protection.State{Excluded: true}, tighter: true},
		"a longer exclusion":           {has: protection.State{ExcludedUntil: friday.Add(time.Minute)}, by: protection.State{ExcludedUntil: hour}, tighter: true},
		"a shorter exclusion":          {has: protection.State{ExcludedUntil: hour}, by: protection.State{ExcludedUntil: friday.Add(time.Minute)}},
		"an exclusion that ended":      {by: protection.State{ExcludedUntil: friday.Add(-time.Minute)}},
		"a cool-off":                   {has: protection.State{ExcludedUntil: hour}, by: protection.State{CoolOffUntil: hour}, tighter: true},
		"a cool-off that ended":        {by: protection.State{CoolOffUntil: friday.Add(-time.Minute)}},
		"a limit of the operator's":    {has: state(limit(5, false)), by: state(imposed), tighter: true},
		"one that the operator raised": {has: state(imposed), by: state(limit(9, false), imposed), tighter: true},
		"a limit that is not there":    {by: state(limit(5, false)), tighter: true},
		"a lower limit":                {has: state(limit(9, false)), by: state(limit(5, false)), tighter: true},
		"a lower limit about to rise":  {has: state(limit(9, false)), by: state(limit(5, true)), tighter: true},
		"a higher limit":               {has: state(limit(5, false)), by: state(limit(9, false))},
		"a raise that was taken back":  {has: state(limit(5, true)), by: state(limit(5, false)), tighter: true},
		"a raise that was asked for":   {has: state(limit(5, false)), by: state(limit(5, true))},
		"a raise to less":              {has: state(waits(20, 0)), by: state(waits(10, 0)), tighter: true},
		"a raise to more":              {has: state(waits(10, 0)), by: state(waits(20, time.Hour))},
		"a later raise":                {has: state(waits(10, 0)), by: state(waits(10, time.Hour)), tighter: true},
		"an earlier raise":             {has: state(waits(10, time.Hour)), by: state(waits(10, 0))},
		"an end in place of a raise":   {has: state(waits(20, 0)), by: state(ends)},
		"a raise in place of an end":   {has: state(ends), by: state(waits(20, 0)), tighter: true},
		"an end without confirmation":  {by: state(protection.Limit{Kind: protection.Loss, Period: protection.Day, Lifted: true, NextAt: friday}), tighter: true},
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

// TestTightenedAllowsNothingMore draws two states: the tightened one refuses whatever
// either refuses.
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

func TestWhenTheNextRoundMayBegin(t *testing.T) {
	t.Parallel()
	const least = 5 * time.Second
	for name, row := range map[string]struct {
		last, now time.Time
		least     time.Duration
		wait      int64 // milliseconds, 0 for none
	}{
		"the first of all":           {time.Time{}, friday, least, 0},
		"at once":                    {friday, friday, least, 5_000},
		"a microsecond too early":    {friday, friday.Add(least - time.Microsecond), least, 1},
		"half of it":                 {friday, friday.Add(2_500 * time.Millisecond), least, 2_500},
		"in time":                    {friday, friday.Add(least), least, 0},
		"without a pace":             {friday, friday, 0, 0},
		"decided before the last":    {friday, friday.Add(-time.Second), least, 5_000},
		"after a clock that was off": {friday, friday.Add(-least - time.Microsecond), least, 0},
	} {
		err := protection.State{LastRound: row.last}.MayBegin(row.least, row.now)
		var refusal *fault.Error
		if row.wait == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.As(err, &refusal) || refusal.Kind != fault.RateLimited || refusal.Details["retryAfterMs"] != row.wait || refusal.Details["reason"] != "pace" {
			t.Errorf("%s: %v, %+v", name, err, refusal)
		}
	}
}

func TestAPaceIsOfAllGamesAndOfTypes(t *testing.T) {
	t.Parallel()
	pace := protection.Pace{Any: time.Second, Of: map[string]time.Duration{"slots": 3 * time.Second, "dice": 0}}
	for gameType, want := range map[string]time.Duration{"slots": 3 * time.Second, "dice": 0, "limbo": time.Second, "": time.Second} {
		if got := pace.Least(gameType); got != want {
			t.Errorf("%s: %v", gameType, got)
		}
	}
	if got := (protection.Pace{}).Least("slots"); got != 0 {
		t.Errorf("without a pace: %v", got)
	}
	if s, kept := (protection.State{}).Began(0, friday); kept || !s.Empty() {
		t.Errorf("without a pace %+v is kept", s)
	}
	if s, kept := (protection.State{}).Began(time.Second, friday); !kept || s.Empty() || !s.LastRound.Equal(friday) {
		t.Errorf("with one: %+v, %v", s, kept)
	}
}
