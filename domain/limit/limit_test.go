package limit_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/limit"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	perLogin = limit.Rule{Max: 10, Window: time.Minute}
)

// take sends one request at each moment after noon and returns the decisions.
func take(rule limit.Rule, moments ...time.Duration) []limit.Decision {
	var log limit.Log
	decisions := make([]limit.Decision, len(moments))
	for i, at := range moments {
		log, decisions[i] = log.Take(rule, noon.Add(at))
	}
	return decisions
}

func burst(n int, at time.Duration) []time.Duration { return slices.Repeat([]time.Duration{at}, n) }

func TestTheEleventhInAnySixtySecondsIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		moments []time.Duration // the last one is tested
		want    limit.Decision
	}{
		"the first":                         {burst(1, 0), limit.Decision{Allowed: true, Remaining: 9}},
		"the tenth at one moment":           {burst(10, 0), limit.Decision{Allowed: true}},
		"the eleventh at one moment":        {burst(11, 0), limit.Decision{RetryAfter: time.Minute}},
		"across a minute's boundary":        {append(burst(10, 59*time.Second), 61*time.Second), limit.Decision{RetryAfter: 58 * time.Second}},
		"a nanosecond before the window":    {append(burst(10, 0), time.Minute-1), limit.Decision{RetryAfter: 1}},
		"exactly when the first leaves":     {append(burst(10, 0), time.Minute), limit.Decision{Allowed: true, Remaining: 9}},
		"one place is free, the next waits": {slices.Concat(burst(1, 0), burst(9, time.Second), burst(2, time.Minute)), limit.Decision{RetryAfter: time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decisions := take(perLogin, c.moments...)
			if got := decisions[len(decisions)-1]; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestRefusedRequestsAreNotRecorded(t *testing.T) {
	t.Parallel()
	moments := burst(10, 0)
	for second := range 60 {
		moments = append(moments, time.Duration(second)*time.Second)
	}
	decisions := take(perLogin, append(moments, time.Minute)...)
	if last := decisions[len(decisions)-1]; !last.Allowed {
		t.Errorf("somebody who kept asking is locked out: %+v", last)
	}
}

func TestTakeLeavesTheLogItWasGivenAlone(t *testing.T) {
	t.Parallel()
	var empty limit.Log
	one, _ := empty.Take(perLogin, noon)
	left, _ := one.Take(perLogin, noon.Add(time.Second))
	right, _ := one.Take(perLogin, noon.Add(2*time.Second))
	if len(empty) != 0 || len(one) != 1 || !left[1].Equal(noon.Add(time.Second)) || !right[1].Equal(noon.Add(2*time.Second)) {
		t.Errorf("logs of the same past share their future: %v, %v, %v, %v", empty, one, left, right)
	}
}

func TestAPlaceGivenBackIsFree(t *testing.T) {
	t.Parallel()
	var log limit.Log
	for _, at := range []time.Duration{0, 0, 5 * time.Second} {
		log, _ = log.Take(perLogin, noon.Add(at))
	}
	moments := func(l limit.Log) (after []time.Duration) {
		for _, at := range l {
			after = append(after, at.Sub(noon))
		}
		return after
	}
	for _, c := range []struct {
		back time.Duration
		want []time.Duration
	}{
		{0, []time.Duration{0, 5 * time.Second}},
		{5 * time.Second, []time.Duration{0, 0}},
		{time.Second, []time.Duration{0, 0, 5 * time.Second}},
	} {
		if got := moments(log.Without(noon.Add(c.back).In(time.Local))); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %v, want %v", c.back, got, c.want)
		}
	}
	if len(log) != 3 {
		t.Errorf("the log itself is now %v", moments(log))
	}
}

func TestARuleThatAdmitsNothing(t *testing.T) {
	t.Parallel()
	if got := take(limit.Rule{Window: time.Minute}, 0)[0]; got != (limit.Decision{RetryAfter: time.Minute}) {
		t.Errorf("got %+v", got)
	}
}

// TestAgainstCounting sends requests at random moments and compares every decision with
// the definition: the number admitted within the window before it.
func TestAgainstCounting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := limit.Rule{Max: rapid.IntRange(1, 6).Draw(t, "max"), Window: time.Duration(rapid.IntRange(1, 40).Draw(t, "window"))}
		gaps := rapid.SliceOfN(rapid.IntRange(0, 15), 1, 80).Draw(t, "gaps")
		var log limit.Log
		var admitted []time.Time
		now := noon
		for i, gap := range gaps {
			now = now.Add(time.Duration(gap))
			within := 0
			for _, at := range admitted {
				if now.Sub(at) < rule.Window {
					within++
				}
			}
			next, got := log.Take(rule, now)
			if got.Allowed != (within < rule.Max) {
				t.Fatalf("request %d: %d of %d were admitted in the window, and the decision is %+v", i, within, rule.Max, got)
			}
			if got.Allowed {
				admitted = append(admitted, now)
				if want := rule.Max - within - 1; got.Remaining != want || got.RetryAfter != 0 {
					t.Fatalf("request %d: %+v, want %d remaining", i, got, want)
				}
			} else {
				checkWait(t, next, rule, now, got.RetryAfter)
			}
			if log = next; len(log) > rule.Max {
				t.Fatalf("request %d: the log holds %d moments for a limit of %d", i, len(log), rule.Max)
			}
		}
	})
}

// checkWait checks that a refusal's RetryAfter is the shortest sufficient wait.
func checkWait(t *rapid.T, log limit.Log, rule limit.Rule, now time.Time, wait time.Duration) {
	if _, early := log.Take(rule, now.Add(wait-1)); early.Allowed {
		t.Fatalf("admitted before RetryAfter %v was over", wait)
	}
	if _, due := log.Take(rule, now.Add(wait)); !due.Allowed {
		t.Fatalf("refused after waiting for RetryAfter %v", wait)
	}
}

// TestAClockThatStepsBackAdmitsNoMore counts in the order of requests: for any clock, a
// window's worth of its forward motion admits at most Max.
func TestAClockThatStepsBackAdmitsNoMore(t *testing.T) {
	t.Parallel()
	moments := append(burst(10, time.Hour), burst(5, 0)...)
	for i, got := range take(perLogin, moments...)[10:] {
		if got.Allowed {
			t.Errorf("request %d after the step back was admitted: %+v", i, got)
		}
		if want := time.Hour + time.Minute; got.RetryAfter != want {
			t.Errorf("request %d says to wait %v, not %v", i, got.RetryAfter, want)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	var log limit.Log
	now := noon
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Second)
		log, _ = log.Take(perLogin, now)
	}
}

// TestAClockThatStepsBackStandsStill checks the log, and the wait, which is measured on
// the clock that stepped back.
func TestAClockThatStepsBackStandsStill(t *testing.T) {
	t.Parallel()
	rule := limit.Rule{Max: 2, Window: time.Minute}
	log, _ := limit.Log(nil).Take(rule, noon)
	log, second := log.Take(rule, noon.Add(-10*time.Second))
	if !second.Allowed || second.Remaining != 0 || len(log) != 2 || !log[0].Equal(noon) || !log[1].Equal(noon) {
		t.Fatalf("%+v leaves %v", second, log)
	}
	if _, third := log.Take(rule, noon.Add(-10*time.Second)); third != (limit.Decision{RetryAfter: 70 * time.Second}) {
		t.Errorf("the third: %+v", third)
	}
	single := limit.Rule{Max: 1, Window: time.Minute}
	one, _ := limit.Log(nil).Take(single, noon)
	if _, again := one.Take(single, noon.Add(15*time.Second)); again != (limit.Decision{RetryAfter: 45 * time.Second}) {
		t.Errorf("one a minute: %+v", again)
	}
	if left := one.Without(noon); len(left) != 0 {
		t.Errorf("the only one given back leaves %v", left)
	}
}
