package fakes

import (
	"context"
	"sync"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// Limiter counts in memory by a given clock. It never frees memory, so it is for
// runs of a bounded length.
type Limiter struct {
	clock ports.Clock

	mu   sync.Mutex
	logs map[string]limit.Log
}

// NewLimiter returns a limiter that has counted nothing.
func NewLimiter(clock ports.Clock) *Limiter {
	return &Limiter{clock: clock, logs: map[string]limit.Log{}}
}

// Take serves ports.Limiter.
func (l *Limiter) Take(_ context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, decision := l.logs[key].Take(rule, l.clock.Now())
	l.logs[key] = log
	return decision, nil
}
