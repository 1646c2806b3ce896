package protection_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

func TestThereAreNinetyLimitsAtMost(t *testing.T) {
	t.Parallel()
	var requests []protection.LimitRequest
	for i := range protection.LimitsMax + 1 {
		requests = append(requests, protection.LimitRequest{Kind: protection.Wager, Period: protection.Day, Token: money.Token(fmt.Sprint(i)), Amount: 1})
	}
	if _, err := (protection.State{}).WithLimits(requests, friday); !fault.Is(err, fault.Invalid) {
		t.Errorf("91 limits: %v", err)
	}
	if s, err := (protection.State{}).WithLimits(requests[:90], friday); err != nil || len(s.Limits) != 90 {
		t.Errorf("90 limits: %d, %v", len(s.Limits), err)
	}
}

// TestALimitFromItsRequestToItsEnd compares whole limits at each step of one limit's
// history.
func TestALimitFromItsRequestToItsEnd(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	is := func(step string, s protection.State, want ...protection.Limit) {
		t.Helper()
		if !reflect.DeepEqual(s.Limits, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", step, s.Limits, want)
		}
	}
	limit := protection.Limit{Kind: protection.Wager, Period: protection.Day, Token: sol, Amount: 100, From: friday, Since: midnight}
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 100))
	is("new", s, limit)
	s, _ = s.AddBet(sol, 40, 0, friday.Add(time.Minute))
	limit.Used = 40
	is("played", s, limit)

	raise := friday.Add(time.Hour)
	limit.Next, limit.NextAt = 200, raise.Add(protection.RaiseTime)
	s = limits(t, s, raise, request(protection.Wager, protection.Day, 200))
	is("to be raised", s, limit)
	is("to be raised, asked again", limits(t, s, raise.Add(time.Hour), request(protection.Wager, protection.Day, 200)), limit)
	other := limit
	other.Next, other.NextAt = 300, raise.Add(time.Hour).Add(protection.RaiseTime)
	is("to be raised further", limits(t, s, raise.Add(time.Hour), request(protection.Wager, protection.Day, 300)), other)

	lifted := limit
	lifted.Next, lifted.Lifted, lifted.NextAt = 0, true, raise.Add(time.Hour).Add(protection.RaiseTime)
	gone := limits(t, s, raise.Add(time.Hour))
	is("to be lifted", gone, lifted)
	is("to be lifted, asked again", limits(t, gone, raise.Add(2*time.Hour)), lifted)
	raised := lifted
	raised.Next, raised.Lifted, raised.NextAt = 150, false, raise.Add(2*time.Hour).Add(protection.RaiseTime)
	is("raised instead", limits(t, gone, raise.Add(2*time.Hour), request(protection.Wager, protection.Day, 150)), raised)

	kept := limit
	kept.Next, kept.NextAt = 0, time.Time{}
	is("kept after all", limits(t, s, raise.Add(time.Hour), request(protection.Wager, protection.Day, 100)), kept)
	is("kept instead of lifted", limits(t, gone, raise.Add(2*time.Hour), request(protection.Wager, protection.Day, 100)), kept)
	lower := kept
	lower.Amount, lower.From = 99, raise.Add(time.Hour)
	is("lower", limits(t, s, raise.Add(time.Hour), request(protection.Wager, protection.Day, 99)), lower)

	due := raise.Add(protection.RaiseTime)
	inForce := protection.Limit{
		Kind: protection.Wager, Period: protection.Day, Token: sol, Amount: 200, From: due, Since: midnight.Add(24 * time.Hour),
	}
	is("not confirmed", s.At(due), func() protection.Limit {
		waits := limit
		waits.Used, waits.Since = 0, midnight.Add(24*time.Hour)
		return waits
	}())
	confirmed, err := s.Confirm(due)
	if err != nil {
		t.Fatal(err)
	}
	is("raised", confirmed, inForce)
	if _, err := confirmed.Confirm(due); !fault.Is(err, fault.InvalidState) {
		t.Errorf("confirmed twice: %v", err)
	}
	is("a moment before", s.At(due.Add(-time.Nanosecond)), func() protection.Limit {
		before := limit
		before.Used, before.Since = 0, midnight.Add(24*time.Hour)
		return before
	}())
	if got, err := gone.Confirm(raise.Add(time.Hour).Add(protection.RaiseTime)); err != nil || len(got.Limits) != 0 {
		t.Errorf("lifted: %+v, %v", got.Limits, err)
	}
}

func TestLimitsAreSorted(t *testing.T) {
	t.Parallel()
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Week, 1), request(protection.Loss, protection.Month, 1),
		request(protection.Wager, protection.Day, 1), request(protection.Deposit, protection.Week, 1))
	s = limits(t, s, friday, request(protection.Wager, protection.Day, 1), request(protection.Loss, protection.Day, 1))
	var got string
	for _, l := range s.Limits {
		got += fmt.Sprintf("%s.%s ", l.Kind, l.Period)
	}
	if got != "deposit.week loss.day loss.month wager.day wager.week " {
		t.Errorf("sorted as %s", got)
	}
}

func TestWhenPeriodsBegin(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 11, 20, 23, 59, 59, 999, time.UTC)
	for period, want := range map[protection.Period]time.Time{
		protection.Day:   time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		protection.Week:  time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC),
		protection.Month: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
	} {
		if got := limits(t, protection.State{}, moment, request(protection.Wager, period, 1)).Limits[0].Since; !got.Equal(want) {
			t.Errorf("a %s begins %v", period, got)
		}
	}
	for day, want := range map[int]int{16: 16, 22: 16, 23: 23} { // Monday, Sunday, Monday
		at := time.Date(2026, 11, day, 5, 0, 0, 0, time.UTC)
		if got := limits(t, protection.State{}, at, request(protection.Wager, protection.Week, 1)).Limits[0].Since.Day(); got != want {
			t.Errorf("the week of the %dth begins on the %dth", day, got)
		}
	}
}

// TestOnlyTheMetersConcernedMove has a limit of each kind in two tokens, and one update
// of each sort in one of them.
func TestOnlyTheMetersConcernedMove(t *testing.T) {
	t.Parallel()
	var requests []protection.LimitRequest
	for _, token := range []money.Token{sol, "usd"} {
		for _, kind := range protection.Kinds() {
			requests = append(requests, protection.LimitRequest{Kind: kind, Period: protection.Day, Token: token, Amount: 1_000})
		}
	}
	at := friday.Add(time.Minute)
	fresh := limits(t, protection.State{}, friday, requests...)
	played, _ := fresh.AddBet(sol, 100, 30, at)
	for name, row := range map[string]struct {
		move  func() (protection.State, bool)
		want  string
		moved bool
	}{
		"a bet":              {func() (protection.State, bool) { return fresh.AddBet(sol, 100, 30, at) }, "deposit 0 loss 70 wager 100", true},
		"a deposit":          {func() (protection.State, bool) { return fresh.AddDeposit(sol, 55, at) }, "deposit 55 loss 0 wager 0", true},
		"a bet taken back":   {func() (protection.State, bool) { return played.RemoveBet(sol, 100, at, at) }, "deposit 0 loss -30 wager 0", true},
		"an unlimited token": {func() (protection.State, bool) { return fresh.AddBet("eur", 100, 30, at) }, "deposit 0 loss 0 wager 0", false},
		"a deposit of one":   {func() (protection.State, bool) { return fresh.AddDeposit("eur", 1, at) }, "deposit 0 loss 0 wager 0", false},
		"one taken back":     {func() (protection.State, bool) { return fresh.RemoveBet("eur", 1, at, at) }, "deposit 0 loss 0 wager 0", false},
	} {
		got, moved := row.move()
		used := map[string]string{}
		for _, l := range got.Limits {
			used[string(l.Token)] += fmt.Sprintf("%s %d ", l.Kind, l.Used)
		}
		if moved != row.moved || used[string(sol)] != row.want+" " || used["usd"] != "deposit 0 loss 0 wager 0 " {
			t.Errorf("%s: %v, %v", name, used, moved)
		}
	}
}

func TestMetersStopAtTheirEnds(t *testing.T) {
	t.Parallel()
	at := friday.Add(time.Minute)
	for name, row := range map[string]struct {
		used          int64
		wager, payout money.Amount
		want          int64
	}{
		"to the top":         {math.MaxInt64 - 5, 5, 0, math.MaxInt64},
		"beyond it":          {math.MaxInt64 - 5, 6, 0, math.MaxInt64},
		"to the bottom":      {-math.MaxInt64, 0, 1, math.MinInt64},
		"beyond that":        {math.MinInt64, 0, 1, -math.MaxInt64},
		"beyond both of all": {-math.MaxInt64, 0, money.Max, -math.MaxInt64},
		"up from below zero": {-1, 1, 0, 0},
		"down through zero":  {1, 0, 2, -1},
		"one and one":        {1, 1, 0, 2},
		"nothing":            {0, 0, 0, 0},
	} {
		s := limits(t, protection.State{}, friday, request(protection.Loss, protection.Day, 1))
		s.Limits[0].Used = row.used
		got, _ := s.AddBet(sol, row.wager, row.payout, at)
		if got.Limits[0].Used != row.want {
			t.Errorf("%s: %d, want %d", name, got.Limits[0].Used, row.want)
		}
	}
}

func TestAnExclusionForEverKeepsAnEarlierEnd(t *testing.T) {
	t.Parallel()
	until := friday.Add(time.Hour)
	s, err := protection.State{}.Exclude(until, false, friday)
	if err != nil {
		t.Fatal(err)
	}
	s, err = s.Exclude(time.Time{}, true, friday)
	if err != nil || !s.Excluded || !s.ExcludedUntil.Equal(until) {
		t.Errorf("%+v, %v", s, err)
	}
}
