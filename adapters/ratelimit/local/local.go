// Package local counts requests in exact sliding windows within one process.
//
// Commands import it to wire the service up, alone or beside a limiter that
// instances share; everything else knows only ports.Limiter.
package local

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// KeysMax is how many keys New remembers. Filled by somebody with one request
// each they take about 60 MB, with ten each about 170 MB.
const KeysMax = 1 << 18

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admitted moments for each key and rule; the same key
// under two rules is counted twice, apart. It is safe for concurrent use.
//
// A key is forgotten once its window has passed since its last admitted request,
// so memory follows the keys of the last window. When as many keys as it may
// remember are all within their windows, requests under further keys are
// refused until one of them leaves: forgetting a live key instead would admit
// more than its rule says. Known keys go on being counted.
type Limiter struct {
	clock   ports.Clock
	keysMax int

	mu     sync.Mutex // guards what follows
	latest time.Time  // the latest moment seen: a clock that steps back stands still
	logs   map[counted]*entry
	byIdle idleOrder
}

// counted is what one log counts.
type counted struct {
	key  string
	rule limit.Rule
}

// entry is one log; it is never empty.
type entry struct {
	counted counted
	log     limit.Log
	idleAt  time.Time // when the last moment leaves the window
	place   int       // in byIdle
}

// New returns a limiter that remembers KeysMax keys at most.
func New(clock ports.Clock) *Limiter { return NewSized(clock, KeysMax) }

// NewSized returns a limiter that remembers keysMax keys at most.
func NewSized(clock ports.Clock, keysMax int) *Limiter {
	return &Limiter{clock: clock, keysMax: keysMax, logs: map[counted]*entry{}}
}

// Take admits or refuses one request under the key. Admitted ones count, refused
// ones don't: in any window of rule.Window at most rule.Max are admitted. It
// never waits and never fails.
func (l *Limiter) Take(_ context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.tick()
	l.forgetIdle(now)
	of := counted{key, rule}
	known, ok := l.logs[of]
	if ok {
		var decision limit.Decision
		known.log, decision = known.log.Take(rule, now)
		if decision.Allowed {
			known.idleAt = now.Add(rule.Window)
			heap.Fix(&l.byIdle, known.place)
		}
		return decision, nil
	}
	log, decision := limit.Log(nil).Take(rule, now)
	if !decision.Allowed {
		return decision, nil
	}
	if len(l.logs) >= l.keysMax {
		return limit.Decision{RetryAfter: l.untilRoom(now, rule)}, nil
	}
	first := &entry{counted: of, log: log, idleAt: now.Add(rule.Window)}
	l.logs[of] = first
	heap.Push(&l.byIdle, first)
	return decision, nil
}

// Keys returns how many keys are remembered, for a gauge.
func (l *Limiter) Keys() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.logs)
}

// tick returns the present moment, never before one it returned.
func (l *Limiter) tick() time.Time {
	if now := l.clock.Now(); now.After(l.latest) {
		l.latest = now
	}
	return l.latest
}

// forgetIdle drops every key whose window has passed.
func (l *Limiter) forgetIdle(now time.Time) {
	for len(l.byIdle) > 0 && !l.byIdle[0].idleAt.After(now) {
		idle := heap.Pop(&l.byIdle).(*entry)
		delete(l.logs, idle.counted)
	}
}

// untilRoom returns how long no key will be forgotten.
func (l *Limiter) untilRoom(now time.Time, rule limit.Rule) time.Duration {
	if len(l.byIdle) == 0 { // keysMax is zero
		return rule.Window
	}
	return l.byIdle[0].idleAt.Sub(now)
}
