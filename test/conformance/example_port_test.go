package conformance_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// A test runs the suite of an adapter's port: every sentence of the port's comment is a subtest.
// The suite takes a constructor, because each subtest begins with a new adapter.
func ExampleLimiter() {
	var t *testing.T // of your own TestPerKey
	conformance.Limiter(t, func(*testing.T) conformance.LimiterUnderTest {
		clock := fakes.NewClock(fakes.Start)
		return conformance.LimiterUnderTest{
			Limiter: &perKey{clock: clock},
			Advance: func(d time.Duration) { clock.Advance(d) },
		}
	})
}

// perKey is a limiter with keys that don't block each other.
type perKey struct {
	clock ports.Clock
	logs  sync.Map // of *guardedLog
}

type guardedLog struct {
	mu  sync.Mutex
	log limit.Log
}

// Take implements ports.Limiter.
func (l *perKey) Take(_ context.Context, key string, rule limit.Rule) (decision limit.Decision, err error) {
	found, _ := l.logs.LoadOrStore(key, &guardedLog{})
	kept, _ := found.(*guardedLog)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	kept.log, decision = kept.log.Take(rule, l.clock.Now())
	return decision, nil
}
