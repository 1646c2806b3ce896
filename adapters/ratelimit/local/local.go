// Package local counts requests in exact sliding windows within one process.
//
// Commands import it for wiring, alone or beside a limiter that instances share;
// everything else knows only ports.Limiter.
package local

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// KeysMax is how many keys of a table, and how many networks of each width, New
// remembers. With one request each they take about 15 MB, with ten each about 40 MB.
const KeysMax = 1 << 16

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admission times for each key and rule; the same key under two
// rules is counted separately. It is safe for concurrent use.
//
// What comes before a key's first colon names its table, what follows it is the client:
// an address, or a network as 2001:db8::/64. Each table has room of its own, so that
// clients who fill one have no part in another. A key is forgotten once its window has
// passed since its last admitted request, so memory follows the clients of the last
// window.
//
// When as many keys as a table may remember are all within their windows, further clients
// are counted in their networks too: the rule holds for each of them as before, and a
// multiple of it for all new clients of a network together. When as many networks of one
// width are remembered, those of the next one count. So whoever has many addresses of one
// network shuts out the new clients of that network alone. Clients that have no network,
// and those beyond the widest, are refused until a key is forgotten: forgetting one early
// would admit more than the rule allows.
type Limiter struct {
	clock   ports.Clock
	keysMax int

	mu     sync.Mutex // guards what follows
	latest time.Time  // the latest moment seen: a clock that steps back stands still
	tables map[tableName]*table
}

// tableName names what is counted together in one table: the callers' code chooses both,
// never a stranger.
type tableName struct {
	scope string
	rule  limit.Rule
}

// New returns a limiter that remembers KeysMax keys of a table at most.
func New(clock ports.Clock) *Limiter { return NewSized(clock, KeysMax) }

// NewSized returns a limiter that remembers keysMax keys of a table at most.
func NewSized(clock ports.Clock, keysMax int) *Limiter {
	return &Limiter{clock: clock, keysMax: keysMax, tables: map[tableName]*table{}}
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

// advanceClock goes on to the present, which it returns, and drops what has left its window
// in all tables, also in those that nobody asks any more.
func (l *Limiter) advanceClock() (now time.Time) {
	if now = l.clock.Now(); now.After(l.latest) {
		l.latest = now
	}
	for _, t := range l.tables {
		t.forgetExpired(l.latest)
	}
	return now
}

// Keys returns how many keys and networks are remembered, for a gauge.
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
