package fallback_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/ratelimit/fallback"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/test/fakes"
)

// login is the rule of the sign-in endpoint.
var login = limit.Rule{Max: 10, Window: time.Minute}

type taker interface {
	Helper()
	Fatal(args ...any)
}

func take(t taker, l *fallback.Limiter, key string) limit.Decision {
	t.Helper()
	decision, err := l.Take(context.Background(), key, login)
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

// admitted sends requests and returns how many were admitted.
func admitted(t taker, l *fallback.Limiter, key string, requests int) (n int) {
	t.Helper()
	for range requests {
		if take(t, l, key).Allowed {
			n++
		}
	}
	return n
}

// trouble is the present failure of the shared limiter.
type trouble int32

const (
	well trouble = iota
	gone
	lost   // counts, and the answer is lost
	silent // answers after the caller gave up
)

// house is a set of instances on one shared limiter; a test chooses its failure.
type house struct {
	clock     *fakes.Clock
	shared    *troubled
	now       atomic.Int32
	instances []*fallback.Limiter
	mu        sync.Mutex
	said      []string
	alone     atomic.Int64
}

func newHouse(instances int) *house { return newHouseResting(instances, fallback.Rest) }

// newHouseResting calls a failed shared limiter again after the rest.
func newHouseResting(instances int, rest time.Duration) *house {
	h := &house{clock: &fakes.Clock{}}
	h.shared = &troubled{Limiter: fakes.NewLimiter(h.clock)}
	h.shared.before = func() error {
		if trouble(h.now.Load()) == gone {
			return errAway
		}
		return nil
	}
	h.shared.after = func() error {
		if trouble(h.now.Load()) == lost {
			return errAway
		}
		return nil
	}
	for range instances {
		h.instances = append(h.instances, fallback.New(local.New(h.clock), silenced{h}, fallback.Options{
			Rest: rest,
			Changed: func(state fallback.State, cause error) {
				h.mu.Lock()
				defer h.mu.Unlock()
				h.said = append(h.said, fmt.Sprint(state, " ", cause))
			},
			Decided: func(error) { h.alone.Add(1) },
		}))
	}
	return h
}

// silenced doesn't answer while the house's shared limiter is silent.
type silenced struct{ house *house }

func (s silenced) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	if trouble(s.house.now.Load()) == silent {
		s.house.shared.asked.Add(1)
		<-ctx.Done()
		return limit.Decision{}, ctx.Err()
	}
	if ctx.Err() != nil {
		return limit.Decision{}, ctx.Err()
	}
	return s.house.shared.Take(ctx, key, rule)
}

func (h *house) is(now trouble) { h.now.Store(int32(now)) }

// flush empties the shared limiter.
func (h *house) flush() { h.shared.Limiter = fakes.NewLimiter(h.clock) }

func (h *house) changes() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said
}

func TestInstancesAdmitTenTogetherWhileTheSharedLimiterWorks(t *testing.T) {
	t.Parallel()
	h := newHouse(3)
	for i := range login.Max {
		if d := take(t, h.instances[i%3], "ip"); !d.Allowed || d.Remaining != login.Max-1-i {
			t.Fatalf("request %d: %+v", i+1, d)
		}
	}
	h.clock.Advance(20 * time.Second)
	for range 5 { // refused ones count nowhere
		for i, instance := range h.instances {
			if d := take(t, instance, "ip"); d.Allowed || d.RetryAfter != 40*time.Second {
				t.Errorf("the 11th at instance %d: %+v", i, d)
			}
		}
	}
	h.clock.Advance(40 * time.Second)
	if n := admitted(t, h.instances[2], "ip", 20); n != login.Max {
		t.Errorf("%d were admitted in the next window", n)
	}
}

func TestNobodyGetsASecondTenFromAnInstance(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(h *house){
		"away":    func(h *house) { h.is(gone) },
		"lost":    func(h *house) { h.is(lost) },
		"flushed": func(h *house) { h.flush() },
		"down and up again, empty": func(h *house) {
			h.is(gone)
			admitted(t, h.instances[0], "other", 5)
			h.flush()
			h.is(well)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(1)
			first := admitted(t, h.instances[0], "ip", 6)
			happens(h)
			h.clock.Advance(59 * time.Second)
			if n := first + admitted(t, h.instances[0], "ip", 20); n != login.Max {
				t.Errorf("%d were admitted within a minute", n)
			}
		})
	}
}

func TestADeadSharedLimiterCostsRequestsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(1)
		h.is(silent)
		begin := time.Now()
		for i := range 1000 {
			take(t, h.instances[0], fmt.Sprint("ip ", i))
		}
		// Only three requests waited.
		if waited := time.Since(begin); waited != 3*fallback.Timeout || h.shared.asked.Load() != 3 {
			t.Errorf("1000 requests waited %v in all and asked %d times", waited, h.shared.asked.Load())
		}
		if h.instances[0].State() != fallback.Alone || h.alone.Load() != 1000 {
			t.Errorf("it is %v and decided %d alone", h.instances[0].State(), h.alone.Load())
		}
		time.Sleep(fallback.Rest + 1) // allowed: the clock is synctest's
		begin = time.Now()
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() { take(t, h.instances[0], fmt.Sprint("later ip ", i)) })
		}
		all.Wait()
		if waited := time.Since(begin); waited != fallback.Timeout || h.shared.asked.Load() != 4 {
			t.Errorf("after its rest %d asked, and they waited %v", h.shared.asked.Load()-3, waited)
		}
	})
}

func TestAnOutageIsReportedOnceAndEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(1)
		limiter := h.instances[0]
		if err := limiter.Check(t.Context()); err != nil || limiter.State() != fallback.Shared {
			t.Fatalf("%v, %v", limiter.State(), err)
		}
		h.is(gone)
		for range 10 {
			if err := limiter.Check(t.Context()); err == nil {
				t.Error("the check doesn't notice")
			}
		}
		for range 5 { // it fails for longer than its rest
			time.Sleep(fallback.Rest + 1) // allowed: the clock is synctest's
			if err := limiter.Check(t.Context()); !errors.Is(err, errAway) {
				t.Errorf("the check says %v", err)
			}
		}
		h.is(well)
		if err := limiter.Check(t.Context()); err == nil || limiter.State() != fallback.Alone {
			t.Errorf("it is asked within its rest: %v, %v", err, limiter.State())
		}
		time.Sleep(fallback.Rest + 1) // allowed: the clock is synctest's
		if err := limiter.Check(t.Context()); err != nil || limiter.State() != fallback.Shared {
			t.Errorf("afterwards: %v, %v", limiter.State(), err)
		}
		if got := strings.Join(h.changes(), "; "); got != "alone away; shared <nil>" {
			t.Errorf("told: %s", got)
		}
	})
}

func TestHalfTheAnswersMissingOpensTheBreakerToo(t *testing.T) {
	t.Parallel()
	clock := &fakes.Clock{}
	shared := &troubled{Limiter: fakes.NewLimiter(clock), before: everyOther()}
	limiter := fallback.New(local.New(clock), shared, fallback.Options{})
	for i := range 100 {
		take(t, limiter, fmt.Sprint(i))
	}
	if asked := shared.asked.Load(); asked > 12 || limiter.State() != fallback.Alone {
		t.Errorf("asked %d times, and it is %v", asked, limiter.State())
	}
}

func TestACallerThatHangsUpIsNoFailure(t *testing.T) {
	t.Parallel()
	h := newHouse(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 20 {
		if _, err := h.instances[0].Take(ctx, "ip", login); err != nil {
			t.Fatal(err)
		}
	}
	if h.instances[0].State() != fallback.Shared || h.alone.Load() != 0 {
		t.Errorf("it is %v and decided %d alone", h.instances[0].State(), h.alone.Load())
	}
}

// TestAFailureDuringConcurrentRequests makes the shared limiter fail during concurrent
// requests.
func TestAFailureDuringConcurrentRequests(t *testing.T) {
	t.Parallel()
	for _, now := range []trouble{well, gone, lost} {
		h := newHouse(1)
		var n atomic.Int32
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() {
				if i == 7 {
					h.is(now)
				}
				if take(t, h.instances[0], "ip").Allowed {
					n.Add(1)
				}
			})
		}
		all.Wait()
		if int(n.Load()) != login.Max {
			t.Errorf("trouble %d: %d of 60 were admitted", now, n.Load())
		}
	}
}

// TestAgainstCounting sends requests to several instances while the shared limiter fails,
// is emptied and recovers, and compares every decision with a plain list of admitted
// requests.
func TestAgainstCounting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := newHouseResting(rapid.IntRange(1, 3).Draw(t, "instances"), time.Nanosecond)
		own := make([][]time.Time, len(h.instances))
		var all []time.Time
		soundSince := h.clock.Now() // the time since which the shared limiter has counted everything
		within := func(moments []time.Time) (n int) {
			for _, at := range moments {
				if at.Add(login.Window).After(h.clock.Now()) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 120).Draw(t, "requests") {
			h.clock.Advance(time.Duration(rapid.SampledFrom([]int{0, 0, 1, 3, 20}).Draw(t, "step")) * time.Second)
			switch rapid.IntRange(0, 39).Draw(t, "event") {
			case 0:
				h.is(gone)
			case 1:
				h.is(lost)
			case 2:
				h.flush()
				soundSince = h.clock.Now()
			case 3, 4:
				h.is(well)
			}
			i := rapid.IntRange(0, len(h.instances)-1).Draw(t, "instance")
			before := h.alone.Load()
			ownBefore := within(own[i])
			decision := take(t, h.instances[i], "ip")
			if h.alone.Load() > before {
				soundSince = h.clock.Now()
			}
			if !decision.Allowed {
				if ownBefore < login.Max && within(all) < login.Max {
					t.Fatalf("refused with %d in the window: %+v", within(all), decision)
				}
				continue
			}
			own[i], all = append(own[i], h.clock.Now()), append(all, h.clock.Now())
			if n := within(own[i]); n > login.Max {
				t.Fatalf("instance %d admitted %d in a window", i, n)
			}
			if sound := h.clock.Now().Sub(soundSince) >= login.Window; sound && within(all) > login.Max {
				t.Fatalf("all instances admitted %d in a window", within(all))
			}
		}
	})
}

func BenchmarkTakeWhileAway(b *testing.B) {
	h := newHouse(1)
	h.is(gone)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		take(b, h.instances[0], fmt.Sprint(i%1000))
	}
}
