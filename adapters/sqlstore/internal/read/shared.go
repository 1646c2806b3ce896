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

// sameQuestions joins questions that are the same: while one is asked, those who ask it too
// wait and then share the next answer. A lone question is asked at once, and what an answer
// holds was committed after each of its questions had begun.
type sameQuestions struct {
	mu    sync.Mutex
	asked map[string]*sameQuestion // those that are asked now
}

// sameQuestion is one that is asked now.
type sameQuestion struct {
	// next is what those wait for who came meanwhile; nil where nobody did.
	next *sharedAnswer
}

// sharedAnswer is an answer to several.
type sharedAnswer struct {
	ctx  context.Context // of the first of them
	read func(context.Context) (any, error)
	// done is closed when answer and failed are what they will be.
	done   chan struct{}
	answer any
	failed error
}

// ask asks, or shares what is asked after this call.
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

// goOn asks for those who wait.
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

// take returns who waits, or ends the question.
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

// Shared answers a question that many admins ask at a time, as their pages do: the same
// words are the same question. Others get the same answer, so that nobody changes it. What
// players ask isn't shared: each asks for what is their own, within their own time.
func Shared[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	if r.Within != nil || ports.IsForPlayers(ctx) {
		return read(ctx)
	}
	return SharedByAll(ctx, r, read, words...)
}

// SharedByAll is shared for what is the same for players and the public, too.
func SharedByAll[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	answer, err := r.same.ask(ctx, fmt.Sprintf("%#v", words), func(ctx context.Context) (any, error) { return read(ctx) })
	found, _ := answer.(T) // nil where the context has ended
	return found, err
}

// SharedRows is shared for rows.
func SharedRows[T any](ctx context.Context, r *Reads, read func(context.Context) ([]T, error), words ...any) ([]T, error) {
	found, err := Shared(ctx, r, read, words...)
	return slices.Clone(found), err
}

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

// Lookups joins look-ups of the same sort: while as many reads as allowed are
// under way, further look-ups wait and then share one query. A lone look-up is
// asked at once, so an idle service adds no delay, and what a query answers was
// committed after each of its look-ups had begun.
type Lookups[V any] struct {
	// Read finds the keys and calls found for each that is there.
	Read func(ctx context.Context, keys []string, found func(key string, value V)) error

	mu      sync.Mutex
	busy    int
	waiting *lookupRun[V]
}

// lookupRun is the look-ups of one query.
type lookupRun[V any] struct {
	keys map[string]struct{}
	// done is closed when found and failed are what they will be.
	done   chan struct{}
	found  map[string]V
	failed error
}

// Find looks a key up; ok is false when nothing is stored under it.
func (g *Lookups[V]) Find(ctx context.Context, key string) (value V, ok bool, err error) {
	found, err := g.join(ctx, key)
	value, ok = found[key]
	return value, ok, err
}

// All looks several keys up; those under which nothing is stored are left out.
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

// join has keys looked up by a query that begins after the call. What it finds, others'
// keys included, nobody changes.
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

// next takes what waits, or gives the place up.
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

// run asks for all keys.
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
