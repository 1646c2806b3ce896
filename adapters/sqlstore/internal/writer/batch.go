package writer

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/player"
)

// entry is an item of a batch and its outcome.
type entry struct {
	item *player.Item
	// result is the outcome, once it is known.
	result *result
	// name marks the claims that this entry takes, in any of its runs.
	name string
	// again says that an earlier run of it failed, or at least was not answered.
	again bool
	// missed says that another transaction had its wallet locked: the item was not run.
	missed bool
	// first is the decision of a run with its commit in doubt, nil if there was none.
	first *player.Receipt
	// unknown says that a run decided it, but its outcome was not confirmed.
	unknown bool
	// asked is how often its decision needed more than was read.
	asked int
}

// failure is the error that ended a transaction of a batch, and the stage it reached.
type failure struct {
	cause error
	stage stage
}

type stage uint8

const (
	beforeBegin stage = iota // nothing was sent to the database yet
	beforeCommit
	atCommit // it may have taken effect
)

func (f *failure) Error() string { return f.cause.Error() }
func (f *failure) Unwrap() error { return f.cause }

// commitEntries commits the entries and fills in their results. A batch that the database refuses
// is run again item by item, so that only the faulty item fails. Entries come back missed if wait
// is false and their wallet is locked, or if a lock takes too long.
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

// failAlone fails an item that the database refused when it was alone. A violated constraint is
// the item's defect; any other failure is the database's. In both cases nothing was written.
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

// commitRepeatedly runs the batch, and repeats it with its decisions when the database rolled it
// back because of other transactions.
func (w *Writer) commitRepeatedly(ctx context.Context, entries []*entry, wait bool) *failure {
	for try := 1; ; try++ {
		failed := w.commitOnce(ctx, entries, wait)
		for failed != nil && errors.Is(failed.cause, errNeedsMore) { // each item may only ask a few times
			failed = w.commitOnce(ctx, entries, wait)
		}
		if failed == nil || failed.stage == atCommit || try == ContendedTries || !w.isTransient(failed.cause) {
			return failed
		}
		waitFor(ctx, w.backoffDelay(try))
	}
}

// isTransient reports whether a failure before the commit may pass when the batch is run again.
func (w *Writer) isTransient(cause error) bool {
	return errors.Is(cause, errKeyGone) || w.store.db.Dialect.Failure(cause).Again()
}

// resolveUnknown finds the outcome of a batch after its COMMIT was not answered, or with a warning,
// by running it again. If, under the locks, a claim is already held by an entry of this batch,
// the first run took effect and its answer is valid, once a later commit has become durable.
// Reading without the locks could miss a commit that is still in progress.
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
			// The claims were taken under the lock, so the first run had no effect.
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

// commitOnce runs the batch in one transaction: all of it is committed, or nothing.
func (w *Writer) commitOnce(ctx context.Context, entries []*entry, wait bool) (failed *failure) {
	ctx, cancel := context.WithTimeout(ctx, w.options.BatchTime)
	defer cancel()
	defer func() {
		if failed != nil {
			w.doubted, w.head, w.names = true, nil, nil
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
	defer func() { _ = session.Close() }() // returns it to its pool
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

// noteCommitted notes the lane's head after the run, and reports its block.
func (w *Writer) noteCommitted(r *run) {
	w.queue.noteSealed(r.coveredItems())
	if w.lease != nil {
		newest := r.newestBlock()
		w.head = &newest
		for _, name := range r.batch.Named {
			batch.Put(&w.names, name, struct{}{})
		}
	}
	if r.sealed != nil {
		r.batch.Recent.Keep(r.batch)
		w.announceHead(*r.sealed)
	}
}

// replanBatches is after how many batches statements are planned anew. At first they are planned
// anew whenever the number of batches has doubled, because small tables grow fastest relative to
// their size.
const replanBatches = 1024

func (w *Writer) discardPlans(ctx context.Context, session bun.Conn) error {
	text := w.store.db.Dialect.Replan()
	if text == "" || w.batches%replanBatches != 0 && w.batches&(w.batches-1) != 0 {
		return nil
	}
	_, err := session.ExecContext(ctx, text)
	return db.Wrap("plan anew", err)
}

// backoffDelay returns how long to wait after the n-th try: 5 ms doubling up to 640 ms. Half of
// it varies with the writer's name and the batch, so that two writers don't collide again and
// again.
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
