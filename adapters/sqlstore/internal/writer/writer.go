// Package writer commits items in batches. It has the queue of waiting items, the lanes of
// writers' blocks, claims, locks, decisions, and the handling of a batch that the database
// refuses or doesn't answer. Parts of the package batch read and write the rows.
//
// Step takes a batch of requests and commitBatch answers them. commitEntries commits their
// entries, whole or one by one. commitRepeatedly repeats a batch that others rolled back,
// commitOnce is one transaction, and a run is the work in it up to its commit.
package writer

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// The limits of a writer where Options has zero.
const (
	BatchMax  = 256  // items in one commit
	QueueMax  = 4096 // waiting items of one source
	PlayerMax = 16   // items of one wallet and source, waiting or being written
	// BatchTimeMax limits one try of a batch, ResolveTimeMax how long a commit in doubt is
	// examined, DrainTimeMax how long a stopping writer writes its queue.
	BatchTimeMax   = 10 * time.Second
	ResolveTimeMax = 10 * time.Second
	DrainTimeMax   = 15 * time.Second
	// ContendedTries is how often a batch is tried that the database rolled back because of other
	// transactions.
	ContendedTries = 8
	// GatherTime is how long after a batch Run lets fewer items than that had wait for more,
	// beside other writing instances.
	GatherTime = 4 * time.Millisecond
	// IdempotencyKeep is how long a client's key is kept.
	IdempotencyKeep = 30 * 24 * time.Hour
	// OperationKeep is how long the id of an item without a client's key is kept: much longer
	// than ResolveTimeMax, after which it is no longer needed.
	OperationKeep = time.Hour
)

// Options configures a writer; zero fields mean the limits above.
type Options struct {
	// ID is unique among all writers that ever use the database: it marks the claims that a run
	// took. Required.
	ID string
	// Lane is the lane for rows that all writers would update, on SQLite, which has one writer at
	// a time. On PostgreSQL each writer takes a free lane.
	Lane int

	BatchMax, QueueMax, PlayerMax     int
	BatchTime, ResolveTime, DrainTime time.Duration
	GatherTime                        time.Duration
	IdempotencyKeep, OperationKeep    time.Duration
	// Sealed is called with the lane's newest head after each commit that moved it, before items
	// of the batch are answered. It can be stored where the database's owner can't change it, and
	// is never one that the database doesn't have.
	Sealed func(witness.Head)
	// Outside is the record outside the database; nil compares nothing.
	Outside Outside
	// Batch is called when a batch begins, and the function it returns when the batch's items are
	// answered; err is the database's.
	Batch func(items int) (done func(err error))
	// Logger logs defects and failures, but no refusals.
	Logger *slog.Logger
}

// Writer commits items in batches. All items that wait when it looks form one commit, so that an
// idle service adds no delay and a busy one forms batches. A batch waits briefly for more only
// beside instances that write as much. Commit is safe for concurrent use; Step must be called by
// one loop.
type Writer struct {
	store    *Store
	options  Options
	queue    *queue
	stepping sync.Mutex
	// named counts the entries; each marks its claims with its number. announced is the newest
	// head that was reported.
	named     int64
	announced hashchain.Head
	// inDoubt holds blocks of commits that were not answered: they are queried until their
	// outcome is known, so that each committed one is reported.
	inDoubt []witness.Head
	// head is the head of a dedicated lane after the last commit, nil if it must be read. If
	// another writer took the lane, the fence detects it. names are those that its own blocks in the
	// lane have stored: a database that lost one lost a block before head, and refuses the next.
	head  *hashchain.Link
	names map[table.Name]struct{}
	// lease is the lane that the writer took. doubted says that an error happened since its
	// session was last tested, which is at least every leaseBatches batches.
	lease   *lease
	doubted bool
	batches int64
	// step is the step of the current item. It is reused, so that its contents aren't allocated
	// for each item.
	step batch.Step
}

var _ ports.Writer = (*Writer)(nil)

// Writer returns a writer that commits nothing until Run or Step is called.
func (s *Store) Writer(o Options) (*Writer, error) {
	if o.ID == "" {
		return nil, errors.New("sqlstore: a writer needs an id of its own")
	}
	o.BatchMax = orDefault(o.BatchMax, BatchMax)
	o.QueueMax = orDefault(o.QueueMax, QueueMax)
	o.PlayerMax = orDefault(o.PlayerMax, PlayerMax)
	o.BatchTime = orDefault(o.BatchTime, BatchTimeMax)
	o.ResolveTime = orDefault(o.ResolveTime, ResolveTimeMax)
	o.DrainTime = orDefault(o.DrainTime, DrainTimeMax)
	o.GatherTime = orDefault(o.GatherTime, GatherTime)
	o.IdempotencyKeep = orDefault(o.IdempotencyKeep, IdempotencyKeep)
	o.OperationKeep = orDefault(o.OperationKeep, OperationKeep)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Batch == nil {
		o.Batch = func(int) func(error) { return func(error) {} }
	}
	if o.Sealed == nil {
		o.Sealed = func(witness.Head) {}
	}
	return &Writer{store: s, options: o, queue: newQueue()}, nil
}

func orDefault[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// Commit implements ports.Writer. It waits until a step takes the item; if the context ends
// before, the item is dropped.
func (w *Writer) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	r := &request{item: item, context: ctx, done: make(chan *result, 1)}
	if err := player.CheckItem(&r.item); err != nil {
		return player.Receipt{}, err
	}
	if err := w.queue.addRequest(r, w.options.QueueMax, w.options.PlayerMax); err != nil {
		return player.Receipt{}, err
	}
	select {
	case a := <-r.done:
		return a.receipt, a.err
	case <-ctx.Done():
	}
	if w.queue.dropRequest(r) {
		return player.Receipt{}, errCallerGone()
	}
	a := <-r.done
	return a.receipt, a.err
}

// Step writes one batch of waiting items and answers it. It reports false if no item waited. The
// error is the database's; even then every item of the batch has an answer.
func (w *Writer) Step(ctx context.Context) (worked bool, err error) {
	w.stepping.Lock()
	defer w.stepping.Unlock()
	batch := w.queue.takeBatch(w.options.BatchMax)
	if len(batch) == 0 {
		return false, nil
	}
	// A batch that was taken completes even if the loop's own context ends.
	ctx = context.WithoutCancel(ctx)
	// Split before anything is answered: another writer may change requests that are put back.
	var parts [2][]*request
	for _, r := range batch {
		at := 0
		if r.waits {
			at = 1
		}
		parts[at] = append(parts[at], r)
	}
	var failures []error
	for at, part := range parts {
		if len(part) > 0 {
			failures = append(failures, w.commitBatch(ctx, part, at == 1))
		}
	}
	return true, errors.Join(failures...)
}

// commitBatch commits the requests in one batch and answers them, except those whose wallet was
// missed, which wait again.
func (w *Writer) commitBatch(ctx context.Context, batch []*request, wait bool) error {
	all, entries := make([]entry, len(batch)), make([]*entry, len(batch))
	for i, r := range batch {
		w.named++
		all[i].item, all[i].name, entries[i] = &r.item, nameOf(w.options.ID, w.named), &all[i]
	}
	committed := w.options.Batch(len(batch))
	err := w.commitEntries(ctx, entries, wait)
	committed(err)
	var missed []*request
	done, results := make([]*request, 0, len(batch)), make([]*result, 0, len(batch))
	for i, r := range batch {
		if entries[i].missed {
			missed = append(missed, r)
			continue
		}
		done, results = append(done, r), append(results, entries[i].result)
	}
	if len(missed) > 0 {
		for _, r := range w.queue.putBack(missed) {
			done, results = append(done, r), append(results, &result{err: errHeldElsewhere()})
		}
	}
	// Counted before they are answered: an answered caller may send the next item at once.
	w.queue.finishBatch(done)
	for i, r := range done {
		r.done <- results[i]
	}
	return err
}

// Run calls Step in a loop, for the edge to call on its own goroutine. When the context ends it
// refuses new items, writes waiting ones within the drain time, and returns nil; items that still
// wait then are answered Unavailable.
func (w *Writer) Run(ctx context.Context) error {
	w.queue.setPace(w.options.GatherTime)
	for ctx.Err() == nil && !w.queue.isDone() {
		worked, err := w.Step(ctx)
		if err != nil {
			w.options.Logger.ErrorContext(ctx, "a batch could not be written", "lane", w.options.Lane, "error", err.Error())
		}
		if worked {
			continue
		}
		select {
		case <-w.queue.signal:
		case <-ctx.Done():
		}
	}
	w.Stop()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.options.DrainTime)
	defer cancel()
	defer w.Release()
	var failed error
	for !w.queue.isDone() {
		if drain.Err() != nil {
			return errors.Join(failed, w.refuseRest())
		}
		worked, err := w.Step(drain)
		if err != nil {
			failed = err
		}
		if worked {
			continue
		}
		select { // waiting items need another writer's batch to end
		case <-w.queue.signal:
		case <-drain.Done():
		}
	}
	return failed
}

// Stop refuses new items. Further steps still write the waiting ones.
func (w *Writer) Stop() { w.queue.stopQueue() }

// refuseRest answers all waiting items without writing them.
func (w *Writer) refuseRest() error {
	refused := 0
	for {
		batch := w.queue.takeBatch(w.options.BatchMax)
		if len(batch) == 0 {
			return db.Defect("%d items were still waiting when the writer's time to drain was over", refused)
		}
		refused += len(batch)
		w.queue.finishBatch(batch)
		for _, r := range batch {
			r.done <- &result{err: unavailableError("the writer was stopped", outcomeNone)}
		}
	}
}

// Waiting returns how many items wait for a batch, for the queue's metric.
func (w *Writer) Waiting() int { return w.queue.queueLength() }
