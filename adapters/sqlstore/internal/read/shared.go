package read

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/ports"
)

// sameQuestions deduplicates identical queries: while one runs, further callers wait and share
// the next run. A lone query runs at once, and a result includes all that was committed before
// any of its callers asked.
type sameQuestions struct {
	mu    sync.Mutex
	asked map[string]*sameQuestion // the running queries
}

// sameQuestion is a running query.
type sameQuestion struct {
	// next is the run for which later callers wait, nil if there are none.
	next *sharedAnswer
}

// sharedAnswer is a result for several callers.
type sharedAnswer struct {
	ctx  context.Context // of the first caller
	read func(context.Context) (any, error)
	// done is closed when answer and failed are final.
	done   chan struct{}
	answer any
	failed error
}

// ask runs a query, or shares a run that begins after this call.
func (q *sameQuestions) ask(ctx context.Context, question string, read func(context.Context) (any, error)) (any, error) {
	q.mu.Lock()
	now, asked := q.asked[question]
	if !asked {
		if q.asked == nil {
			q.asked = map[string]*sameQuestion{}
		}
		now = &sameQuestion{}
		q.asked[question] = now
		q.mu.Unlock()
		defer q.goOn(question, now)
		return read(ctx)
	}
	if now.next == nil {
		now.next = &sharedAnswer{ctx: ctx, read: read, done: make(chan struct{})}
	}
	mine := now.next
	q.mu.Unlock()
	select {
	case <-mine.done:
		return mine.answer, mine.failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// goOn runs the query for the waiting callers.
func (q *sameQuestions) goOn(question string, now *sameQuestion) {
	if next := q.take(question, now); next != nil {
		go func() {
			for ; next != nil; next = q.take(question, now) {
				next.failed = forSeveral(next.ctx, func(ctx context.Context) (err error) {
					next.answer, err = next.read(ctx)
					return err
				})
				close(next.done)
			}
		}()
	}
}

// take returns the run for waiting callers, or removes the query if there are none.
func (q *sameQuestions) take(question string, now *sameQuestion) *sharedAnswer {
	q.mu.Lock()
	defer q.mu.Unlock()
	next := now.next
	now.next = nil
	if next == nil {
		delete(q.asked, question)
	}
	return next
}

// Shared runs a query that many admins' pages repeat, and deduplicates by words. Callers share
// the result and must not change it. Players' queries aren't shared: each is about the player's
// own data and has its own time limit.
func Shared[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	if r.Within != nil || ports.IsForPlayers(ctx) {
		return read(ctx)
	}
	return SharedByAll(ctx, r, read, words...)
}

// SharedByAll is Shared for data that is the same for players and the public too.
func SharedByAll[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	answer, err := r.same.ask(ctx, fmt.Sprintf("%#v", words), func(ctx context.Context) (any, error) { return read(ctx) })
	found, _ := answer.(T) // nil if the context has ended
	return found, err
}

// SharedRows is Shared for rows; each caller gets its own slice.
func SharedRows[T any](ctx context.Context, r *Reads, read func(context.Context) ([]T, error), words ...any) ([]T, error) {
	found, err := Shared(ctx, r, read, words...)
	return slices.Clone(found), err
}

// sharedReadsMax is how many gathered reads run at a time.
const sharedReadsMax = 2

// sharedTime limits a shared run, as servers limit a query. Otherwise a server that vanished
// would block all callers of this query, even after another has taken its place, until TCP gives
// up.
const sharedTime = 30 * time.Second

// forSeveral runs a read for several callers: no caller's context cancels it, and a panic, which
// would end the process or occupy the place forever, becomes an error for those callers.
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

// Lookups joins look-ups of one kind: while the allowed number of reads runs, further look-ups
// wait and share one query. A lone look-up runs at once, so an idle service adds no delay, and a
// result includes all that was committed before any of its look-ups began.
type Lookups[V any] struct {
	// Read finds the keys and calls found for each one that exists.
	Read func(ctx context.Context, keys []string, found func(key string, value V)) error

	mu      sync.Mutex
	busy    int
	waiting *lookupRun[V]
}

// lookupRun is one query for several look-ups.
type lookupRun[V any] struct {
	keys map[string]struct{}
	// done is closed when found and failed are final.
	done   chan struct{}
	found  map[string]V
	failed error
}

// Find looks up a key; ok is false if it doesn't exist.
func (g *Lookups[V]) Find(ctx context.Context, key string) (value V, ok bool, err error) {
	found, err := g.join(ctx, key)
	value, ok = found[key]
	return value, ok, err
}

// All looks up several keys and leaves out those that don't exist.
func (g *Lookups[V]) All(ctx context.Context, keys []string) (map[string]V, error) {
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

// join looks keys up by a query that begins after the call. The result includes other callers'
// keys and must not be changed.
func (g *Lookups[V]) join(ctx context.Context, keys ...string) (map[string]V, error) {
	g.mu.Lock()
	if g.waiting == nil {
		g.waiting = &lookupRun[V]{keys: map[string]struct{}{}, done: make(chan struct{})}
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

// next returns the waiting run, or gives up the place.
func (g *Lookups[V]) next() *lookupRun[V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := g.waiting
	g.waiting = nil
	if next == nil {
		g.busy--
	}
	return next
}

func (g *Lookups[V]) runAll(ctx context.Context, next *lookupRun[V]) {
	for ; next != nil; next = g.next() {
		g.run(ctx, next)
	}
}

// run queries all keys of a run.
func (g *Lookups[V]) run(ctx context.Context, all *lookupRun[V]) {
	defer close(all.done)
	keys := make([]string, 0, len(all.keys))
	for key := range all.keys {
		keys = append(keys, key)
	}
	found := make(map[string]V, len(keys))
	all.failed = forSeveral(ctx, func(ctx context.Context) error {
		return g.Read(ctx, keys, func(key string, value V) { found[key] = value })
	})
	all.found = found
}
