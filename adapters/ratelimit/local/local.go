// Package local counts requests in exact sliding windows within one process.
//
// Commands import it for wiring, alone or beside a limiter that instances share;
// everything else knows only ports.Limiter.
package local

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// KeysMax is how many keys New remembers. With one request each they take about 60 MB,
// with ten each about 170 MB.
const KeysMax = 1 << 18

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admission times for each key and rule; the same key under two
// rules is counted separately. It is safe for concurrent use.
//
// A key is forgotten once its window has passed since its last admitted request, so
// memory follows the keys of the last window. When as many keys as it may remember are
// all within their windows, requests under further keys are refused until one of them
// leaves: forgetting a live key instead would admit more than its rule allows. Known
// keys are still counted.
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

// Take admits or refuses one request under the key. Admitted requests count, refused
// ones don't: in any window of rule.Window at most rule.Max are admitted. It never waits
// and never fails. While the clock is set back, RetryAfter includes the time until it
// has caught up, as limit.Log's does.
func (l *Limiter) Take(_ context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	_, decision := l.Reserve(key, rule)
	return decision, nil
}

// Reserve is Take for a request that may be given back, because another limiter decides
// about it too. Until then it counts.
func (l *Limiter) Reserve(key string, rule limit.Rule) (*Reservation, limit.Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	if now.After(l.latest) {
		l.latest = now
	}
	l.forgetIdle()
	of := counted{key, rule}
	decision := l.take(of)
	if !decision.Allowed {
		decision.RetryAfter += l.latest.Sub(now)
		return &Reservation{}, decision
	}
	return &Reservation{limiter: l, counted: of, at: l.latest}, decision
}

// take decides at the latest time seen.
func (l *Limiter) take(of counted) limit.Decision {
	known, ok := l.logs[of]
	if !ok {
		return l.takeFirst(of)
	}
	var decision limit.Decision
	known.log, decision = known.log.Take(of.rule, l.latest)
	if decision.Allowed {
		known.idleAt = l.latest.Add(of.rule.Window)
		heap.Fix(&l.byIdle, known.place)
	}
	return decision
}

// takeFirst decides about a key that isn't remembered.
func (l *Limiter) takeFirst(of counted) limit.Decision {
	log, decision := limit.Log(nil).Take(of.rule, l.latest)
	if !decision.Allowed {
		return decision
	}
	if len(l.logs) >= l.keysMax {
		return limit.Decision{RetryAfter: l.untilRoom(of.rule)}
	}
	first := &entry{counted: of, log: log, idleAt: l.latest.Add(of.rule.Window)}
	l.logs[of] = first
	heap.Push(&l.byIdle, first)
	return decision
}

// Keys returns how many keys are remembered, for a gauge.
func (l *Limiter) Keys() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.logs)
}

// forgetIdle drops every key whose window has passed.
func (l *Limiter) forgetIdle() {
	for len(l.byIdle) > 0 && !l.byIdle[0].idleAt.After(l.latest) {
		idle := heap.Pop(&l.byIdle).(*entry)
		delete(l.logs, idle.counted)
	}
}

// untilRoom returns how long it takes until a key is forgotten.
func (l *Limiter) untilRoom(rule limit.Rule) time.Duration {
	if len(l.byIdle) == 0 { // keysMax is zero
		return rule.Window
	}
	return l.byIdle[0].idleAt.Sub(l.latest)
}
