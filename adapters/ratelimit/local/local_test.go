package local_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/domain/limit"
)

// login is the rule of the sign-in endpoint.
var login = limit.Rule{Max: 10, Window: time.Minute}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// taker is the interface common to rapid's T and testing's T.
type taker interface {
	Helper()
	Fatal(args ...any)
}

func take(t taker, l *local.Limiter, key string, rule limit.Rule) limit.Decision {
	t.Helper()
	decision, err := l.Take(context.Background(), key, rule)
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

// TestEleventhInAnyMinuteIsRefused begins in the middle of a minute, so that a
// counter per calendar minute would admit twice as many.
func TestEleventhInAnyMinuteIsRefused(t *testing.T) {
	t.Parallel()
	c := &clock{at: start.Add(55 * time.Second)}
	l := local.New(c)
	for i := range 10 {
		if d := take(t, l, "ip", login); !d.Allowed || d.Remaining != 9-i {
			t.Fatalf("request %d: %+v", i+1, d)
		}
		c.set(c.Now().Add(time.Second)) // across the minute's boundary
	}
	if d := take(t, l, "ip", login); d.Allowed || d.RetryAfter != 50*time.Second {
		t.Errorf("the 11th: %+v", d)
	}
	if d := take(t, l, "another ip", login); !d.Allowed {
		t.Errorf("another key: %+v", d)
	}
	c.set(start.Add(55*time.Second + time.Minute - 1))
	if d := take(t, l, "ip", login); d.Allowed || d.RetryAfter != 1 {
		t.Errorf("a nanosecond too early: %+v", d)
	}
	c.set(start.Add(55*time.Second + time.Minute))
	if d := take(t, l, "ip", login); !d.Allowed || d.Remaining != 0 {
		t.Errorf("when the first has left: %+v", d)
	}
	if d := take(t, l, "ip", login); d.Allowed || d.RetryAfter != time.Second {
		t.Errorf("one more: %+v", d)
	}
}

func TestOfFiftyInParallelExactlyTenAreAdmitted(t *testing.T) {
	t.Parallel()
	l := local.New(&clock{at: start})
	var (
		admitted atomic.Int64
		group    sync.WaitGroup
	)
	for range 50 {
		group.Go(func() {
			if d, err := l.Take(context.Background(), "ip", login); err == nil && d.Allowed {
				admitted.Add(1)
			}
		})
	}
	group.Wait()
	if admitted.Load() != 10 {
		t.Errorf("%d of 50 were admitted", admitted.Load())
	}
}

// TestManyKeysInParallel is for the race detector.
func TestManyKeysInParallel(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.NewSized(c, 20)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 200 {
				c.set(start.Add(time.Duration(i) * time.Second))
				if _, err := l.Take(context.Background(), fmt.Sprint((worker+i)%30), login); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if l.Keys() > 20 {
		t.Errorf("%d keys are remembered", l.Keys())
	}
}

func TestRulesOfOneKeyAreCountedApart(t *testing.T) {
	t.Parallel()
	l := local.New(&clock{at: start})
	hourly := limit.Rule{Max: 1, Window: time.Hour}
	if d := take(t, l, "ip", hourly); !d.Allowed {
		t.Errorf("first under a rule: %+v", d)
	}
	if d := take(t, l, "ip", login); !d.Allowed || d.Remaining != 9 {
		t.Errorf("first under another rule: %+v", d)
	}
	if d := take(t, l, "ip", hourly); d.Allowed {
		t.Errorf("second under the first rule: %+v", d)
	}
}

func TestIdleKeysAreForgotten(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.New(c)
	for i := range 1000 {
		take(t, l, fmt.Sprint(i), login)
	}
	c.set(start.Add(30 * time.Second))
	take(t, l, "7", login)
	if l.Keys() != 1000 {
		t.Errorf("%d keys within their windows are remembered", l.Keys())
	}
	c.set(start.Add(time.Minute))
	take(t, l, "new", login)
	if l.Keys() != 2 { // "7" and "new"
		t.Errorf("%d keys are remembered, want 2", l.Keys())
	}
	c.set(start.Add(time.Hour))
	take(t, l, "none", limit.Rule{Max: 0, Window: time.Minute})
	if l.Keys() != 0 {
		t.Errorf("%d keys are remembered after an hour", l.Keys())
	}
}

// TestFullLimiterRefusesNewKeys: known keys keep their count, and no client gets a second
// ten because its key was dropped.
func TestFullLimiterRefusesNewKeys(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.NewSized(c, 2)
	for range 10 {
		take(t, l, "a", login)
	}
	c.set(start.Add(10 * time.Second))
	take(t, l, "b", login)
	for i := range 100 {
		if d := take(t, l, fmt.Sprint("flood", i), login); d.Allowed || d.RetryAfter != 50*time.Second {
			t.Fatalf("a third key: %+v", d)
		}
	}
	if d := take(t, l, "a", login); d.Allowed {
		t.Errorf("the 11th of a known key: %+v", d)
	}
	if d := take(t, l, "b", login); !d.Allowed || d.Remaining != 8 {
		t.Errorf("the second of a known key: %+v", d)
	}
	c.set(start.Add(time.Minute))
	if d := take(t, l, "c", login); !d.Allowed {
		t.Errorf("when there is room again: %+v", d)
	}
	if d := take(t, local.NewSized(c, 0), "a", login); d.Allowed || d.RetryAfter != time.Minute {
		t.Errorf("a limiter without room: %+v", d)
	}
}

func TestClockThatStepsBackGivesNobodyMore(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.New(c)
	for range 10 {
		take(t, l, "ip", login)
	}
	c.set(start.Add(2 * time.Minute))
	take(t, l, "other", login) // "ip" is forgotten
	c.set(start.Add(time.Second))
	admitted := 0
	for range 20 {
		if take(t, l, "ip", login).Allowed {
			admitted++
		}
	}
	if admitted != 10 {
		t.Errorf("%d admitted at one moment", admitted)
	}
	if d := take(t, l, "ip", login); d.RetryAfter != 2*time.Minute+59*time.Second {
		t.Errorf("the wait leaves out the clock's way forward: %+v", d)
	}
	c.set(start.Add(2*time.Minute + 59*time.Second))
	if d := take(t, l, "ip", login); d.Allowed || d.RetryAfter != time.Second {
		t.Errorf("before a minute has passed since: %+v", d)
	}
}

// TestLimiterAgreesWithCounting compares the limiter with a plain list of all admitted
// requests, counted from the start each time.
func TestLimiterAgreesWithCounting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := &clock{at: start}
		keysMax := rapid.IntRange(1, 4).Draw(t, "keysMax")
		l := local.NewSized(c, keysMax)
		m := model{keysMax: keysMax, admitted: map[string][]time.Time{}}
		rule := limit.Rule{Max: rapid.IntRange(0, 4).Draw(t, "max"), Window: time.Duration(rapid.IntRange(1, 20).Draw(t, "window"))}
		for range rapid.IntRange(1, 80).Draw(t, "requests") {
			c.set(c.Now().Add(time.Duration(rapid.IntRange(-2, 8).Draw(t, "step"))))
			key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "key")
			want := m.take(key, rule, c.Now())
			if got := take(t, l, key, rule); got != want {
				t.Fatalf("%s at %v: %+v, counting says %+v", key, c.Now().Sub(start), got, want)
			}
		}
	})
}

// model forgets nothing.
type model struct {
	keysMax  int
	latest   time.Time
	admitted map[string][]time.Time
}

func (m *model) take(key string, rule limit.Rule, clock time.Time) limit.Decision {
	if clock.After(m.latest) {
		m.latest = clock
	}
	decision := m.takeAt(key, rule, m.latest)
	if !decision.Allowed {
		decision.RetryAfter += m.latest.Sub(clock)
	}
	return decision
}

func (m *model) takeAt(key string, rule limit.Rule, now time.Time) limit.Decision {
	if rule.Max == 0 {
		return limit.Decision{RetryAfter: rule.Window}
	}
	live, room := 0, time.Duration(0)
	for _, moments := range m.admitted {
		if left := moments[len(moments)-1].Add(rule.Window).Sub(now); left > 0 {
			live++
			if room == 0 || left < room {
				room = left
			}
		}
	}
	inWindow := func(at time.Time) (n int) {
		for _, moment := range m.admitted[key] {
			if moment.Add(rule.Window).After(at) {
				n++
			}
		}
		return n
	}
	n := inWindow(now)
	switch {
	case n == 0 && live >= m.keysMax:
		return limit.Decision{RetryAfter: room}
	case n < rule.Max:
		m.admitted[key] = append(m.admitted[key], now)
		return limit.Decision{Allowed: true, Remaining: rule.Max - n - 1}
	}
	wait := time.Duration(1)
	for inWindow(now.Add(wait)) >= rule.Max {
		wait++
	}
	return limit.Decision{RetryAfter: wait}
}

func BenchmarkTake(b *testing.B) {
	c := &clock{at: start}
	l := local.New(c)
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprint("2001:db8::", i)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		c.set(start.Add(time.Duration(i) * time.Millisecond))
		if _, err := l.Take(context.Background(), keys[i%len(keys)], login); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
