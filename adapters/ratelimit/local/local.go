// Package local counts requests in exact sliding windows within one process.
//
// Commands import it for wiring, alone or behind package fallback; all other code uses
// ports.Limiter.
package local

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// KeysMax is the number of keys in a table, and of networks of each width, that New's
// limiter remembers. With one request each they take about 15 MB, with ten each about 40
// MB.
const KeysMax = 1 << 16

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admission times for each key and rule; the same key under two
// rules is counted separately. It is safe for concurrent use.
//
// The part of a key before its first colon names its table. The part after it is the
// client: an address, or a network such as 2001:db8::/64. Tables have separate limits, so
// clients that fill one table don't affect another. A key is dropped once its last admitted
// request has left the window, so memory follows the clients of the last window.
//
// When all keys of a full table are within their windows, further clients are also counted
// in their networks: the rule still holds for each of them, and a multiple of it for all
// new clients of a network together. When the networks of one width are full too, those of
// the next width count. So a client with many addresses of one network shuts out only new
// clients of that network. Clients without a network, and those beyond the widest one, are
// rejected until a key is dropped; dropping one early would admit more than the rule
// allows.
type Limiter struct {
	clock   ports.Clock
	keysMax int

	mu     sync.Mutex // guards the fields below
	latest time.Time  // the latest time seen; used while the clock is behind it
	tables map[tableName]*table
}

// tableName identifies a table. Calling code chooses both fields; clients can't.
type tableName struct {
	scope string
	rule  limit.Rule
}

// New returns a limiter that remembers at most KeysMax keys in a table.
func New(clock ports.Clock) *Limiter { return NewSized(clock, KeysMax) }

// NewSized returns a limiter that remembers at most keysMax keys in a table.
func NewSized(clock ports.Clock, keysMax int) *Limiter {
	return &Limiter{clock: clock, keysMax: keysMax, tables: map[tableName]*table{}}
}

// Take admits or rejects one request under the key. Only admitted requests count: in any
// window of rule.Window at most rule.Max are admitted. It never waits and never fails.
// While the clock is set back, RetryAfter includes the time until it has caught up, as
// limit.Log's does.
func (l *Limiter) Take(_ context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	_, decision := l.Reserve(key, rule)
	return decision, nil
}

// Reserve is Take for a request that another limiter may still reject. The request counts
// until the reservation is cancelled.
func (l *Limiter) Reserve(key string, rule limit.Rule) (*Reservation, limit.Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.advanceClock()
	scope, client, named := strings.Cut(key, ":")
	if !named {
		scope, client = "", key
	}
	name := tableName{scope, rule}
	found, ok := l.tables[name]
	if !ok {
		found = newTable(rule, l.keysMax)
		l.tables[name] = found
	}
	in, decision := found.takePlace(client, l.latest)
	if !decision.Allowed {
		decision.RetryAfter += l.latest.Sub(now)
		return &Reservation{}, decision
	}
	return &Reservation{limiter: l, in: in, at: l.latest}, decision
}

// advanceClock returns the present time. It also drops expired logs from all tables,
// including unused ones.
func (l *Limiter) advanceClock() (now time.Time) {
	if now = l.clock.Now(); now.After(l.latest) {
		l.latest = now
	}
	for _, t := range l.tables {
		t.forgetExpired(l.latest)
	}
	return now
}

// Keys returns the number of remembered keys and networks, for a gauge.
func (l *Limiter) Keys() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.advanceClock()
	n := 0
	for _, t := range l.tables {
		for i := range t.levels {
			n += len(t.levels[i].logs)
		}
	}
	return n
}
