package reads

import (
	"context"
	"fmt"
	"slices"
	"sync"

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

// shared answers a question that many admins ask at a time, as their pages do: the same
// words are the same question. Others get the same answer, so that nobody changes it. What
// players ask isn't shared: each asks for what is their own, within their own time.
func shared[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	if r.within != nil || ports.IsForPlayers(ctx) {
		return read(ctx)
	}
	return sharedByAll(ctx, r, read, words...)
}

// sharedByAll is shared for what is the same for players and the public, too.
func sharedByAll[T any](ctx context.Context, r *Reads, read func(context.Context) (T, error), words ...any) (T, error) {
	answer, err := r.same.ask(ctx, fmt.Sprintf("%#v", words), func(ctx context.Context) (any, error) { return read(ctx) })
	found, _ := answer.(T) // nil where the context has ended
	return found, err
}

// sharedRows is shared for rows.
func sharedRows[T any](ctx context.Context, r *Reads, read func(context.Context) ([]T, error), words ...any) ([]T, error) {
	found, err := shared(ctx, r, read, words...)
	return slices.Clone(found), err
}
