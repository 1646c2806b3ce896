package writer

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/player"
)

// entry is one item of a batch with what became of it.
type entry struct {
	item *player.Item
	// result is what became of it, once that is known.
	result *result
	// name marks the claims that this entry takes, in whichever run.
	name string
	// again says that a run of it failed, perhaps only its answer.
	again bool
	// missed says that somebody else had its wallet locked: nothing happened.
	missed bool
	// first is what was decided in a run whose commit may or may not have taken
	// effect; nil when there was none.
	first *player.Receipt
	// unknown says that a run had an answer for it that could not be given.
	unknown bool
	// asked is how often its decision asked for more than it saw.
	asked int
}

// failure is why a transaction of a batch ended, and how far it came.
type failure struct {
	cause error
	stage stage
}

type stage uint8

const (
	beforeBegin stage = iota // nothing was asked of the database yet
	beforeCommit
	atCommit // it may have taken effect all the same
)

func (f *failure) Error() string { return f.cause.Error() }
func (f *failure) Unwrap() error { return f.cause }

// commitEntries commits the entries and fills in the result of each. A batch that the
// database refuses is run again item by item, so that only the guilty one fails.
// Without wait, and where a lock isn't given in time, entries come back missed.
func (w *Writer) commitEntries(ctx context.Context, entries []*entry, wait bool) error {
	failed := w.commitRepeatedly(ctx, entries, wait)
	switch {
	case failed == nil:
		return nil
	case failed.stage == atCommit:
		return w.resolveUnknown(ctx, entries, failed)
	case failed.stage == beforeBegin:
		for _, e := range entries {
			e.result = &result{err: unavailableError("the database can't be reached", outcomeNone)}
		}
		return failed
	case w.store.db.Dialect.Failure(failed.cause) == db.Locked && (wait || len(entries) == 1):
		for _, e := range entries {
			e.missed = true
		}
		return nil
	case len(entries) == 1:
		return w.failAlone(ctx, entries[0], failed)
	}
	return oneByOne(entries, func(alone []*entry) error { return w.commitEntries(ctx, alone, wait) })
}

// failAlone fails an item that the database refused alone. What broke a rule of the schema is a
// defect of the item; anything else is the database's, and nothing happened.
func (w *Writer) failAlone(ctx context.Context, e *entry, failed *failure) error {
	if w.store.db.Dialect.Failure(failed.cause) == db.Constraint || errors.Is(failed.cause, db.ErrRowsLost) {
		w.options.Logger.ErrorContext(ctx, "an item broke a rule of the store",
			"wallet", string(e.item.Wallet), "claim", e.item.Keys[0].ID, "error", failed.Error())
		e.result = &result{err: db.Wrap("write", failed.cause)}
		return nil
	}
	e.result = &result{err: unavailableError("the database failed", outcomeNone)}
	return failed
}

func oneByOne(entries []*entry, commit func([]*entry) error) error {
	var all []error
	for i := range entries {
		all = append(all, commit(entries[i:i+1]))
	}
	return errors.Join(all...)
}

// commitRepeatedly runs the batch, and again as a whole, decisions included, when the
// database rolled it back because of others.
func (w *Writer) commitRepeatedly(ctx context.Context, entries []*entry, wait bool) *failure {
	for try := 1; ; try++ {
		failed := w.commitOnce(ctx, entries, wait)
		for failed != nil && errors.Is(failed.cause, errNeedsMore) { // each item may ask only so often
			failed = w.commitOnce(ctx, entries, wait)
		}
		if failed == nil || failed.stage == atCommit || try == ContendedTries || !w.isTransient(failed.cause) {
			return failed
		}
		waitFor(ctx, w.backoffDelay(try))
	}
}

// isTransient reports whether a failure before the commit is one of the moment.
func (w *Writer) isTransient(cause error) bool {
	return errors.Is(cause, errKeyGone) || w.store.db.Dialect.Failure(cause).Again()
}

// resolveUnknown finds out what became of a batch whose COMMIT was not answered, or
// with a warning, by running it again: under the locks, a claim that an entry of this
// batch already holds says that the first run took effect, and its answer is the first
// run's, once a commit that came after it has waited as it should have.
// Looking without the locks could only miss a commit that is still under way.
func (w *Writer) resolveUnknown(ctx context.Context, entries []*entry, failed *failure) error {
	limited, cancel := context.WithTimeout(ctx, w.options.ResolveTime)
	defer cancel()
	w.options.Logger.WarnContext(ctx, "a commit is in doubt: asking what became of it", "error", failed.Error())
	for try := 1; ; try++ {
		waitFor(limited, w.backoffDelay(try))
		if limited.Err() != nil {
			for _, e := range entries {
				e.result = &result{err: unavailableError("the database did not say what became of it", outcomeOf(e))}
			}
			return failed
		}
		again := w.commitOnce(limited, entries, true)
		switch {
		case again == nil:
			return nil
		case again.stage == beforeCommit && w.store.db.Dialect.Failure(again.cause) == db.Constraint:
			// The claims were asked under the lock before, so the first run took no effect.
			if len(entries) == 1 {
				return w.failAlone(ctx, entries[0], again)
			}
			return oneByOne(entries, func(alone []*entry) error { return w.resolveUnknown(ctx, alone, failed) })
		}
	}
}

func outcomeOf(e *entry) string {
	if !e.unknown {
		return outcomeNone
	}
	return outcomeUnknown
}

// commitOnce runs the batch in one transaction: everything of it is committed, or nothing.
func (w *Writer) commitOnce(ctx context.Context, entries []*entry, wait bool) (failed *failure) {
	ctx, cancel := context.WithTimeout(ctx, w.options.BatchTime)
	defer cancel()
	defer func() {
		if failed != nil {
			w.doubted, w.head = true, nil
			for _, e := range entries {
				e.again = true
			}
		}
	}()
	doubted := w.doubted
	lane, err := w.nextLane(ctx)
	if err != nil {
		return &failure{err, beforeBegin}
	}
	settled, err := w.batchesEnded(ctx, entries)
	if err != nil {
		return &failure{err, beforeBegin}
	}
	if err := w.store.db.Prepare(ctx); err != nil {
		return &failure{err, beforeBegin}
	}
	session, err := w.store.db.Write.Conn(ctx)
	if err != nil {
		return &failure{db.Wrap("connect", err), beforeBegin}
	}
	defer func() { _ = session.Close() }() // gives it back to its pool
	if err := w.discardPlans(ctx, session); err != nil {
		return &failure{err, beforeBegin}
	}
	if err := w.store.db.Dialect.ShortenLog(ctx, session.Conn); err != nil {
		return &failure{db.Wrap("shorten the log", err), beforeBegin}
	}
	tx, err := w.store.db.Begin(ctx, session)
	if err != nil {
		return &failure{err, beforeBegin}
	}
	r := newRun(w, tx, entries, lane, wait)
	r.batch.Unsettled = !settled
	r.compares = w.newComparison(ctx, session, doubted)
	changed, err := r.upToCommit(ctx)
	inDoubt := false
	if err == nil && changed {
		inDoubt, err = tx.Commit(ctx, &r.batch.Asks)
	}
	if inDoubt {
		r.rememberDoubtful()
		w.rememberDoubt(r.sealed)
		return &failure{err, atCommit}
	}
	if err != nil || !changed {
		if undone := tx.Rollback(ctx); err == nil {
			err = undone
		}
	}
	if err != nil {
		return &failure{err, beforeCommit}
	}
	if err := w.waitForEarlier(ctx, session, r, changed); err != nil {
		r.rememberDoubtful()
		return &failure{err, atCommit}
	}
	r.publishResults()
	r.compares.noteVerified()
	w.settleDoubts(r, changed)
	if changed {
		w.noteCommitted(r)
	}
	return nil
}

// noteCommitted notes where the lane stands after the run, and reports its block.
func (w *Writer) noteCommitted(r *run) {
	w.queue.noteSealed(r.coveredItems())
	if w.lease != nil {
		newest := r.newestBlock()
		w.head = &newest
	}
	if r.sealed != nil {
		r.batch.Recent.Keep(r.batch)
		w.announceHead(*r.sealed)
	}
}

// replanBatches is how often statements are planned anew in the long run. Before
// that it happens whenever the number of batches has doubled, for tables grow
// fastest, by measure of what they were, while they are small.
const replanBatches = 1024

func (w *Writer) discardPlans(ctx context.Context, session bun.Conn) error {
	text := w.store.db.Dialect.Replan()
	if text == "" || w.batches%replanBatches != 0 && w.batches&(w.batches-1) != 0 {
		return nil
	}
	_, err := session.ExecContext(ctx, text)
	return db.Wrap("plan anew", err)
}

// backoffDelay is how long to wait after the n-th try: 5 ms doubling up to 640 ms,
// half of it spread by the writer's name and the batch, so that two writers don't
// meet again and again.
func (w *Writer) backoffDelay(try int) time.Duration {
	longest := 5 * time.Millisecond << min(try-1, 7)
	spread := fnv.New64a()
	_, _ = fmt.Fprint(spread, w.options.ID, w.named, try)
	return longest/2 + time.Duration(spread.Sum64()%uint64(longest/2))
}

func waitFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
