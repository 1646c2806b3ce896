// Package writer commits items in batches: the queue that they wait in, the lanes
// that writers keep their blocks in, claims, locks, decisions, and what becomes of a
// batch that the database refuses or doesn't answer. What is read and written it
// leaves to the package rows.
//
// On the way of an item, Step takes a batch of requests, serve answers them,
// commitEntries commits their entries, whole or one by one, commitRepeatedly does so
// while others are in the way, commitOnce is one transaction, and a run is what
// happens in it up to its commit.
package writer

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// The bounds of a writer that Options leaves at zero.
const (
	BatchMax  = 256  // items in one commit
	QueueMax  = 4096 // items of one source that wait
	PlayerMax = 16   // items of one wallet and source that wait or are being written
	// BatchTimeMax bounds one try of a batch, ResolveTimeMax how long a lost
	// commit is asked after, DrainTimeMax how long a stopping writer goes on.
	BatchTimeMax   = 10 * time.Second
	ResolveTimeMax = 10 * time.Second
	DrainTimeMax   = 15 * time.Second
	// ContendedTries is how often a batch is tried that the database rolled back
	// because of others.
	ContendedTries = 8
	// GatherTime is how long after a batch Run lets fewer items than it had wait for more,
	// where other instances write too.
	GatherTime = 4 * time.Millisecond
	// IdempotencyKeep is how long a client's key is kept.
	IdempotencyKeep = 30 * 24 * time.Hour
	// OperationKeep is how long the id of an item without a client's key is kept: much longer
	// than ResolveTimeMax, after which nobody asks for it again.
	OperationKeep = time.Hour
)

// Options are the choices of a writer; zero fields mean the bounds above.
type Options struct {
	// ID names this writer among all that ever wrote to the database: it marks
	// whose run took a claim. Required.
	ID string
	// Lane is where the writer keeps what all writers would update, on SQLite,
	// which has one writer at a time. On PostgreSQL each writer takes a lane that
	// no other has.
	Lane int

	BatchMax, QueueMax, PlayerMax     int
	BatchTime, ResolveTime, DrainTime time.Duration
	GatherTime                        time.Duration
	IdempotencyKeep, OperationKeep    time.Duration
	// Sealed is called with the newest head of the lane whenever it moved: when its commit
	// is known, and before an item of the batch has its answer. So it can be kept where the
	// database's owner can't change it, and never is one that the database doesn't have.
	Sealed func(witness.Head)
	// Outside is what is kept outside the database; nil compares nothing.
	Outside Outside
	// Batch is called for each batch when it is taken up, and what it returns when the
	// batch's items have their answers; err is the database's.
	Batch func(items int) (done func(err error))
	// Logger records defects and failures, never about refusals.
	Logger *slog.Logger
}

// Writer commits items in batches: whatever waits when it looks makes one
// commit, so that an idle service adds no delay and a busy one forms batches by
// itself. Only beside instances that write as much does a batch wait a moment for
// more. Commit is safe for concurrent use; Step is called by one loop.
type Writer struct {
	store    *Store
	options  Options
	queue    *queue
	stepping sync.Mutex
	// named counts the entries, each of which marks its claims with its number;
	// announced is the newest head that was reported.
	named     int64
	announced hashchain.Head
	// inDoubt are blocks of commits that were not answered: the database is asked for
	// them until it is known what became of them, so that none is committed and never
	// reported.
	inDoubt []witness.Head
	// head is where a lane of the writer's own stands by what it committed last; nil
	// when it has to be read. Were the lane another's by now, the fence would tell.
	head *hashchain.Link
	// lease is the lane that the writer took; doubted says that something went
	// wrong since its session was last asked for a sign of life, which happens
	// every leaseBatches batches at least.
	lease   *lease
	doubted bool
	batches int64
	// step is of the item that the batch is at, kept because what the law is asked
	// with would otherwise be made anew for each.
	step batch.Step
}

var _ ports.Writer = (*Writer)(nil)

// Writer returns a writer that waits for its steps: nothing is committed until
// Run or Step is called.
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

// Commit implements ports.Writer. It waits for a step to take the item up; when
// the context ends before, the item is dropped.
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

// Step writes one batch of what waits and answers it. It reports false when
// nothing waited. The error is of the database; everybody in the batch has had
// an answer all the same.
func (w *Writer) Step(ctx context.Context) (worked bool, err error) {
	w.stepping.Lock()
	defer w.stepping.Unlock()
	batch := w.queue.takeBatch(w.options.BatchMax)
	if len(batch) == 0 {
		return false, nil
	}
	// What was taken up completes, whatever becomes of the loop's own context.
	ctx = context.WithoutCancel(ctx)
	// Parted before anything is answered: what one part gives back to the queue is
	// another writer's to change.
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

// commitBatch commits the requests in one batch and answers them, but for those whose
// wallet was missed: they wait again.
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
	// Counted out first: whoever has an answer may send the next item at once.
	w.queue.finishBatch(done)
	for i, r := range done {
		r.done <- results[i]
	}
	return err
}

// Run is the loop around Step, for the edge to call on a goroutine of its own.
// When the context ends it refuses what is new, writes what waits within the
// drain time, and returns nil; what still waits then is answered Unavailable.
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
		select { // what still waits, waits for another writer's batch
		case <-w.queue.signal:
		case <-drain.Done():
		}
	}
	return failed
}

// Stop refuses every new item. What waits is still written by further steps.
func (w *Writer) Stop() { w.queue.stopQueue() }

// refuseRest answers everything that waits without writing it.
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

// Waiting returns how many items wait for a batch: what a metric of the queue shows.
func (w *Writer) Waiting() int { return w.queue.queueLength() }
