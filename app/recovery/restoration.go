package recovery

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

const (
	// CompareInterval is how long to rest between two comparisons of the database with
	// what is kept outside it, PublishInterval between two looks whether a finding is
	// has still to be written where the other instances see it.
	CompareInterval = 5 * time.Second
	PublishInterval = 200 * time.Millisecond
	// originEvery is how often the server's origin is remembered.
	originEvery = time.Hour
	// keptTime bounds how long one witness may take to say what it keeps, and how long it
	// may take to keep what it was given: it is written a moment afterwards.
	keptTime = time.Second
)

// The reasons for which a database counts as restored.
const (
	// ReasonLacksBlock: a block that was committed is kept outside, and the database
	// doesn't have it.
	ReasonLacksBlock = "a block that was committed is not in the database"
	// ReasonUnknown: nothing is kept outside any more, and the data is on another server
	// or timeline than it was. Nobody can say whether something was lost.
	ReasonUnknown = "unknown: no head is kept anywhere, and the data is on another server or timeline than it was"
)

// AlarmRestored is the message of the log record, of level ERROR, while the database is
// found to have gone back. Nothing is written into such a database, so that no row says it.
const AlarmRestored = "the database was restored from an older copy"

// NamedWitness is a witness as logs and metrics call it.
type NamedWitness struct {
	Name string
	ports.Witness
}

// RestorationOptions are what a Restoration is made of. Everything is required but
// Logger.
type RestorationOptions struct {
	// Instance names this process among all of the deployment.
	Instance string
	// Memory keeps what this process saw, Witnesses what outlives it.
	Memory    ports.Witness
	Witnesses []NamedWitness

	// AnyLedger lets witnesses keep heads of other ledgers too. Without it such a head is
	// an error of Start: the database, or the witness, is not the one that is meant.
	AnyLedger bool

	Controls    ports.Controls
	Blocks      ports.BlockHashes
	Checkpoints ports.Checkpoints
	Origins     ports.Origins
	Clock       ports.Clock
	Entropy     ports.Entropy
	Logger      *slog.Logger
}

// Restoration finds out when the database went back to an older copy, and closes the
// service then: at once in this process, and by the control state in all others. It
// believes neither clocks nor counts, only a block that is kept outside the database and
// that the database lacks. It is safe for concurrent use.
type Restoration struct {
	options RestorationOptions
	step    sync.Mutex // one comparison at a time

	mu     sync.Mutex
	ledger string
	closed *control.Restored
	// unpublished says that the closing is not in the control state yet.
	unpublished bool
	// settled says that the origin was compared, or need not be; remembered is when it
	// was remembered last.
	settled    bool
	remembered time.Time
	// newest is what the database had at the last comparison, which gave it to witnesses.
	newest witness.Record
	given  time.Time
	// alarmed is when it was last logged that the database went back.
	alarmed time.Time
	// roles is the latest version of the list of roles that was met or is kept.
	roles  int64
	states map[string]*witnessState
}

// witnessState is how a witness is doing.
type witnessState struct {
	current time.Time // when it last kept all that there was to keep
	// troubled says that something is wrong with it, which was logged last then.
	troubled bool
	logged   time.Time
}

// NewRestoration returns one that has compared nothing yet: see Start.
func NewRestoration(o RestorationOptions) *Restoration {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Restoration{options: o, states: map[string]*witnessState{}}
	for _, w := range o.Witnesses {
		r.states[w.Name] = &witnessState{current: o.Clock.Now()}
	}
	return r
}

// Sealed keeps a head that was just committed, before its batch is answered. While the
// database counts as restored nothing is kept: what it commits then proves nothing.
func (r *Restoration) Sealed(h witness.Head) {
	r.mu.Lock()
	ledger, closed := r.ledger, r.closed
	r.mu.Unlock()
	if ledger == "" || closed != nil {
		return
	}
	r.keepRecord(witness.Of(ledger, kernel.Now(r.options.Clock), h))
}

func (r *Restoration) keepRecord(record witness.Record) {
	_ = r.options.Memory.Keep(record) // the process's memory; what is kept there is compared as well
	for _, w := range r.options.Witnesses {
		if err := w.Keep(record); err != nil {
			r.logTrouble(w.Name, err)
		}
	}
}

// readKept reads what is kept outside the database now. A witness that can't be read is
// left out, and found notes what is wrong with it.
func (r *Restoration) readKept(ctx context.Context) (f finding) {
	f.by, f.wrong = map[string][]witness.Record{}, map[string]error{}
	if own, err := r.options.Memory.Kept(ctx); err == nil {
		f.kept = append(f.kept, own.Records...)
	}
	for _, w := range r.options.Witnesses {
		limited, cancel := context.WithTimeout(ctx, keptTime)
		kept, err := w.Kept(limited)
		cancel()
		if err != nil {
			f.wrong[w.Name], f.unread = err, true
			continue
		}
		if kept.Spoiled > 0 {
			f.wrong[w.Name] = errSpoiled
		}
		f.kept = append(f.kept, kept.Records...)
		f.by[w.Name] = kept.Records
	}
	return f
}

var (
	errSpoiled = errors.New("some of what it keeps is ignored: it is torn, was not written by this service, or names a block that can't exist")
	errBehind  = errors.New("it lacks heads that it was given")
)

// Kept is what is kept outside the database now, for whoever is about to ask the
// database for it.
func (r *Restoration) Kept(ctx context.Context) []witness.Record {
	return r.readKept(ctx).kept
}

// finding is what a comparison found.
type finding struct {
	kept []witness.Record
	// by is what each witness keeps that could be read, wrong what is wrong with one.
	by     map[string][]witness.Record
	wrong  map[string]error
	unread bool // some witness could not be read
	state  control.State
	lost   []witness.Lost
	newest []hashchain.Head
}

// anyKept reports whether a head of the database's ledger is kept anywhere.
func (f finding) anyKept() bool {
	for _, k := range f.kept {
		if k.Ledger == f.state.Ledger && len(k.Heads) > 0 {
			return true
		}
	}
	return false
}

// compareDatabase reads what is kept outside, and after it the database.
func (r *Restoration) compareDatabase(ctx context.Context) (f finding, err error) {
	f = r.readKept(ctx)
	if f.state, err = r.options.Controls.State(ctx); err != nil {
		return f, err
	}
	var places []hashchain.Head
	for _, k := range f.kept {
		for _, h := range k.Heads {
			if k.Ledger == f.state.Ledger {
				places = append(places, h.Head)
			}
		}
	}
	database := witness.Database{Ledger: f.state.Ledger, Epoch: f.state.Epoch}
	if database.Blocks, err = r.options.Blocks.BlocksAt(ctx, places); err != nil {
		return f, err
	}
	if f.newest, err = r.options.Checkpoints.Heads(ctx); err != nil {
		return f, err
	}
	database.Newest = f.newest
	for _, k := range f.kept {
		for _, l := range witness.Compare(k, database) {
			// Two witnesses of one block are one loss.
			if !slices.ContainsFunc(f.lost, func(known witness.Lost) bool { return known.Kept == l.Kept }) {
				f.lost = append(f.lost, l)
			}
		}
	}
	return f, nil
}

// Start compares for the first time, before anything is served. An error says that the
// database can't be read, or is of another ledger than what is kept.
func (r *Restoration) Start(ctx context.Context) error {
	r.step.Lock()
	defer r.step.Unlock()
	f, err := r.compareDatabase(ctx)
	if err != nil {
		return err
	}
	if err := r.otherLedger(f); err != nil {
		return err
	}
	r.applyFinding(ctx, f)
	if err := r.publishFinding(ctx); err != nil { // Publish tries again
		r.options.Logger.WarnContext(ctx, "the finding that the database was restored can't be written for the other instances yet", "error", err.Error())
	}
	return nil
}

func (r *Restoration) otherLedger(f finding) error {
	if r.options.AnyLedger {
		return nil
	}
	return witness.OtherLedger(f.kept, f.state.Ledger)
}

// Step compares once. It always reports false.
func (r *Restoration) Step(ctx context.Context) (worked bool, err error) {
	r.step.Lock()
	defer r.step.Unlock()
	f, err := r.compareDatabase(ctx)
	if err != nil {
		return false, err
	}
	r.applyFinding(ctx, f)
	return false, nil
}

// applyFinding acts on what a comparison found.
func (r *Restoration) applyFinding(ctx context.Context, f finding) {
	r.mu.Lock()
	r.ledger = f.state.Ledger
	r.takeRoles(f)
	before := r.closed
	r.mu.Unlock()
	for name, err := range f.wrong {
		r.logTrouble(name, err)
	}
	switch {
	case len(f.lost) > 0:
		r.closeService(f.state.Restored, f.lost[0])
	case f.state.Restored != nil:
		r.setClosed(f.state.Restored, false)
	default:
		r.setClosed(r.compareOrigin(ctx, f), !f.unread)
	}
	if closed := r.Closed(); closed != nil {
		r.logRestored(ctx, closed)
		return
	}
	if before != nil {
		r.options.Logger.InfoContext(ctx, "the service is open again", "ledger", f.state.Ledger, "epoch", f.state.Epoch)
	}
	r.healWitnesses(f)
}

// logRestored logs that the database went back, every alarmEvery while it is so.
func (r *Restoration) logRestored(ctx context.Context, closed *control.Restored) {
	r.mu.Lock()
	at := r.options.Clock.Now()
	again := r.alarmed.IsZero() || at.Sub(r.alarmed) >= kernel.AlarmEvery || at.Before(r.alarmed)
	if again {
		r.alarmed = at
	}
	r.mu.Unlock()
	if again {
		r.options.Logger.ErrorContext(ctx, AlarmRestored, "reason", closed.Reason, "from", closed.From, "to", closed.To,
			"since", closed.At, "found_by", closed.By)
	}
}

// closeService closes the service for a lost block, unless the control state says so already.
func (r *Restoration) closeService(already *control.Restored, lost witness.Lost) {
	if already != nil {
		r.setClosed(already, false)
		return
	}
	r.mu.Lock()
	known := r.closed
	r.mu.Unlock()
	found := &control.Restored{
		At: kernel.Now(r.options.Clock), By: r.options.Instance, Reason: ReasonLacksBlock, From: lost.From(), To: lost.To(),
	}
	if known != nil {
		found.At = known.At
	}
	r.setClosed(found, true)
}

func (r *Restoration) setClosed(closed *control.Restored, unpublished bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.unpublished = closed, closed != nil && unpublished
}

// Lost reports that a batch looked for what is kept and did not find it. The service is
// closed at once.
func (r *Restoration) Lost(lost []witness.Lost) {
	if r.Closed() == nil && len(lost) > 0 {
		r.closeService(nil, lost[0])
	}
}

// Closed says how the database was found to have gone back, nil while it wasn't.
func (r *Restoration) Closed() *control.Restored {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Publish tells the other instances what this one found, by the control state. It
// always reports false.
func (r *Restoration) Publish(ctx context.Context) (worked bool, err error) {
	r.mu.Lock()
	waiting := r.unpublished
	r.mu.Unlock()
	if !waiting {
		return false, nil
	}
	if _, err := r.Step(ctx); err != nil { // with all that can be said about it, and unless it was settled meanwhile
		return false, err
	}
	r.step.Lock()
	defer r.step.Unlock()
	return false, r.publishFinding(ctx)
}

// WhileOpen returns the step of a worker that does nothing while the database counts
// as restored, by this process or by the control state: nothing is signed, sent or
// booked then.
func (r *Restoration) WhileOpen(step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if r.Closed() != nil {
			return false, nil
		}
		if state, err := r.options.Controls.State(ctx); err != nil || state.Restored != nil {
			return false, err
		}
		return step(ctx)
	}
}

// Guard returns the workers with steps that do nothing while the database counts as
// restored (see WhileOpen), but for those that go on then.
func (r *Restoration) Guard(workers ...kernel.Worker) []kernel.Worker {
	guarded := slices.Clone(workers)
	for i, w := range guarded {
		if !w.WhileRestored {
			guarded[i].Step = unlessIdle(w.Idle, r.WhileOpen(w.Step))
		}
	}
	return guarded
}

// unlessIdle is the step where there may be something to do: many goroutines that wait for
// work and are woken by every commit would each read the control state before they find
// that there is none.
func unlessIdle(idle func() bool, step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	if idle == nil {
		return step
	}
	return func(ctx context.Context) (bool, error) {
		if idle() {
			return false, nil
		}
		return step(ctx)
	}
}

// Workers are the restoration's own: it compares, and writes its findings where the other
// instances see them. Each witness's Step is a worker beside them: see Flushing.
func (r *Restoration) Workers() []kernel.Worker {
	return []kernel.Worker{
		{Name: "heads", Interval: CompareInterval, WhileRestored: true, Step: r.Step},
		{Name: "restored", Interval: PublishInterval, WhileRestored: true, Step: r.Publish},
	}
}
