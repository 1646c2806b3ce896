package reads

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// sharedReadsMax is how many gathered reads are under way at a time.
const sharedReadsMax = 2

// sharedTime bounds what is asked for several, as long as a server lets a question last.
// A server that went away without a word would keep all who ask the same from the one
// that took its place until TCP gives it up.
const sharedTime = 30 * time.Second

// forSeveral asks for several: nobody's leaving takes the answer from the others, and what
// panics, which would end the process or keep the place for ever, fails for those who asked.
func forSeveral(ctx context.Context, read func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedTime)
	defer cancel()
	defer func() {
		if value := recover(); value != nil {
			err = db.Defect("panic in a shared read: %v\n%s", value, debug.Stack())
		}
	}()
	return read(ctx)
}

// sharedRead joins look-ups of the same sort: while as many reads as allowed are
// under way, further look-ups wait and then share one query. A lone look-up is
// asked at once, so an idle service adds no delay, and what a query answers was
// committed after each of its look-ups had begun.
type sharedRead[V any] struct {
	// read finds the keys and calls found for each that is there.
	read func(ctx context.Context, keys []string, found func(key string, value V)) error

	mu      sync.Mutex
	busy    int
	waiting *sharedReadRun[V]
}

// sharedReadRun is the look-ups of one query.
type sharedReadRun[V any] struct {
	keys map[string]struct{}
	// done is closed when found and failed are what they will be.
	done   chan struct{}
	found  map[string]V
	failed error
}

// find looks a key up; ok is false when nothing is stored under it.
func (g *sharedRead[V]) find(ctx context.Context, key string) (value V, ok bool, err error) {
	found, err := g.join(ctx, key)
	value, ok = found[key]
	return value, ok, err
}

// all looks several keys up; those under which nothing is stored are left out.
func (g *sharedRead[V]) all(ctx context.Context, keys []string) (map[string]V, error) {
	mine := make(map[string]V, len(keys))
	if len(keys) == 0 {
		return mine, nil
	}
	found, err := g.join(ctx, keys...)
	for _, key := range keys {
		if value, ok := found[key]; ok {
			mine[key] = value
		}
	}
	return mine, err
}

// join has keys looked up by a query that begins after the call. What it finds, others'
// keys included, nobody changes.
func (g *sharedRead[V]) join(ctx context.Context, keys ...string) (map[string]V, error) {
	g.mu.Lock()
	if g.waiting == nil {
		g.waiting = &sharedReadRun[V]{keys: map[string]struct{}{}, done: make(chan struct{})}
	}
	mine := g.waiting
	for _, key := range keys {
		mine.keys[key] = struct{}{}
	}
	lead := g.busy < sharedReadsMax
	if lead {
		g.busy++
		g.waiting = nil
	}
	g.mu.Unlock()
	if lead {
		g.run(ctx, mine)
		if next := g.next(); next != nil {
			go g.runAll(ctx, next)
		}
	}
	select {
	case <-mine.done:
		return mine.found, mine.failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// next takes what waits, or gives the place up.
func (g *sharedRead[V]) next() *sharedReadRun[V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := g.waiting
	g.waiting = nil
	if next == nil {
		g.busy--
	}
	return next
}

func (g *sharedRead[V]) runAll(ctx context.Context, next *sharedReadRun[V]) {
	for ; next != nil; next = g.next() {
		g.run(ctx, next)
	}
}

// run asks for all keys.
func (g *sharedRead[V]) run(ctx context.Context, all *sharedReadRun[V]) {
	defer close(all.done)
	keys := make([]string, 0, len(all.keys))
	for key := range all.keys {
		keys = append(keys, key)
	}
	found := make(map[string]V, len(keys))
	all.failed = forSeveral(ctx, func(ctx context.Context) error {
		return g.read(ctx, keys, func(key string, value V) { found[key] = value })
	})
	all.found = found
}
