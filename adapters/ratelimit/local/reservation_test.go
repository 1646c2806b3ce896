package local_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/domain/limit"
)

func TestAReservationThatIsGivenBackNeverCounted(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.New(c)
	for range 30 {
		reservation, decision := l.Reserve("ip", login)
		if !decision.Allowed || decision.Remaining != 9 {
			t.Fatalf("%+v", decision)
		}
		reservation.Cancel()
		reservation.Cancel()
		if n := l.Keys(); n != 0 {
			t.Fatalf("%d keys are remembered", n)
		}
	}
	first, _ := l.Reserve("ip", login)
	c.set(start.Add(time.Second))
	for range 9 {
		take(t, l, "ip", login)
	}
	refused, decision := l.Reserve("ip", login)
	if decision.Allowed || decision.RetryAfter != 59*time.Second {
		t.Errorf("the 11th: %+v", decision)
	}
	refused.Cancel()
	first.Cancel()
	if d := take(t, l, "ip", login); !d.Allowed || d.Remaining != 0 {
		t.Errorf("in the place given back: %+v", d)
	}
	first.Cancel()
	if d := take(t, l, "ip", login); d.Allowed || d.RetryAfter != time.Minute {
		t.Errorf("after it was given back twice: %+v", d)
	}
}

func TestAReservationGivenBackTooLateChangesNothing(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.New(c)
	late, _ := l.Reserve("ip", login)
	c.set(start.Add(time.Minute))
	take(t, l, "other", login) // "ip" is forgotten
	late.Cancel()
	again, _ := l.Reserve("ip", login)
	if again == nil || l.Keys() != 2 {
		t.Errorf("%d keys are remembered", l.Keys())
	}
}

// TestGivingBackAgreesWithNeverAsking compares with a second limiter that sees only
// requests that are not given back.
func TestGivingBackAgreesWithNeverAsking(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := &clock{at: start}
		l, plain := local.New(c), local.New(c)
		rule := limit.Rule{Max: rapid.IntRange(1, 4).Draw(t, "max"), Window: time.Duration(rapid.IntRange(1, 20).Draw(t, "window"))}
		for range rapid.IntRange(1, 80).Draw(t, "requests") {
			c.set(c.Now().Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "step"))))
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			reservation, got := l.Reserve(key, rule)
			if rapid.Bool().Draw(t, "give back") {
				reservation.Cancel()
				continue
			}
			if want := take(t, plain, key, rule); got != want {
				t.Fatalf("%s at %v: %+v, without what was given back %+v", key, c.Now().Sub(start), got, want)
			}
			if l.Keys() != plain.Keys() {
				t.Fatalf("%d keys are remembered, %d without what was given back", l.Keys(), plain.Keys())
			}
		}
	})
}
