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
	// CompareInterval is the pause between two comparisons of the database with the
	// witnesses, PublishInterval the pause between two checks for a finding to publish.
	CompareInterval = 5 * time.Second
	PublishInterval = 200 * time.Millisecond
	// originEvery is how often the server's origin is stored.
	originEvery = time.Hour
	// keptTime is the timeout for reading a witness, and for a witness to write what it was
	// given.
	keptTime = time.Second
)

// Reasons for which a database counts as restored.
const (
	// ReasonLacksBlock: a committed block is kept outside the database but missing in it.
	ReasonLacksBlock = "a block that was committed is not in the database"
	// ReasonLacksEntries: a checkpoint of the public log was signed, and the log in the database
	// doesn't have its entries.
	ReasonLacksEntries = "the public log in the database does not have the entries of a signed checkpoint"
	// ReasonUnknown: no head is kept outside any more, and the data is on another server or
	// timeline. Data may have been lost.
	ReasonUnknown = "unknown: no head is kept anywhere, and the data moved to another server or timeline"
)

// AlarmRestored is the message of the ERROR log record while the database is restored. It
// isn't stored as an alarm, because nothing is written into such a database.
const AlarmRestored = "the database was restored from an older copy"

// NamedWitness is a witness with its name in logs and metrics.
type NamedWitness struct {
	Name string
	ports.Witness
}

// RestorationOptions are the dependencies of a Restoration. All are required except Logger.
type RestorationOptions struct {
	// Instance names this process in the deployment.
	Instance string
	// Memory keeps what this process saw, Witnesses what must outlive it.
	Memory    ports.Witness
	Witnesses []NamedWitness

	// AnyLedger accepts witnesses with heads of other ledgers. Otherwise such a head is an
	// error of Start, because the database or the witness is the wrong one.
	AnyLedger bool

	Controls    ports.Controls
	Blocks      ports.BlockHashes
	Checkpoints ports.Checkpoints
	Origins     ports.Origins
	Log         ports.HeadLog // nil for a service without a public log
	Clock       ports.Clock
	Entropy     ports.Entropy
	Logger      *slog.Logger
}

// Restoration detects that the database was restored from an older copy, and then closes
// the service: at once in this process, and through the control state in all others. The
// only evidence that it accepts is a block or a checkpoint of the public log that is kept
// outside but missing in the database, not clocks or counts. It is safe for concurrent use.
type Restoration struct {
	options RestorationOptions
	step    sync.Mutex // one comparison at a time

	mu     sync.Mutex
	ledger string
	closed *control.Restored
	// unpublished means that the closing is not in the control state yet.
	unpublished bool
	// settled means that the origin was compared, or needn't be; remembered is when it was
	// last stored.
	settled    bool
	remembered time.Time
	// newest is the database's state at the last comparison, which was given to witnesses.
	newest witness.Record
	given  time.Time
	// alarmed is when the restore was last logged.
	alarmed time.Time
	// roles is the latest version of the list of roles that was seen or is kept.
	roles  int64
	states map[string]*witnessState
}

// witnessState is the condition of a witness.
type witnessState struct {
	current time.Time // when it last kept everything
	// troubled means that it has an error, which was last logged at logged.
	troubled bool
	logged   time.Time
}

// NewRestoration returns a Restoration that has compared nothing yet, see Start.
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
// database is restored nothing is kept, because its commits prove nothing.
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
	_ = r.options.Memory.Keep(record) // kept in the process's memory and compared too
	for _, w := range r.options.Witnesses {
		if err := w.Keep(record); err != nil {
			r.logTrouble(w.Name, err)
		}
	}
}

// readKept reads the witnesses. A witness that can't be read is skipped, with its error in
// the finding.
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
	errSpoiled = errors.New("some of its records are ignored: they are torn, were not written by this service, or name an impossible block")
	errBehind  = errors.New("it lacks heads that it was given")
)

// Kept returns what is kept outside the database now. Read it before the database.
func (r *Restoration) Kept(ctx context.Context) []witness.Record {
	return r.readKept(ctx).kept
}

// finding is the result of a comparison.
type finding struct {
	kept []witness.Record
	// by are the records of each readable witness, wrong the errors of witnesses.
	by     map[string][]witness.Record
	wrong  map[string]error
	unread bool // some witness could not be read
	state  control.State
	lost   []witness.Lost
	newest []hashchain.Head
	log    witness.Head // the newest kept checkpoint of the public log
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

// compareDatabase reads the witnesses, and then the database.
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
	return f, r.compareLog(ctx, &f)
}

// Start makes the first comparison, before anything is served. It returns an error if the
// database can't be read, or if the witnesses keep another ledger.
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

// applyFinding acts on the result of a comparison.
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

// logRestored logs that the database is restored, every kernel.AlarmEvery while it is.
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

// closeService closes the service for a lost block, unless the control state already does.
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
	if lost.Kept.Lane == witness.LogLane {
		found.Reason = ReasonLacksEntries
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

// Lost reports that a batch did not find kept blocks. The service is closed at once.
func (r *Restoration) Lost(lost []witness.Lost) {
	if r.Closed() == nil && len(lost) > 0 {
		r.closeService(nil, lost[0])
	}
}

// Closed returns how the restore was found, nil if there was none.
func (r *Restoration) Closed() *control.Restored {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Publish writes this instance's finding into the control state for the other instances. It
// always reports false.
func (r *Restoration) Publish(ctx context.Context) (worked bool, err error) {
	r.mu.Lock()
	waiting := r.unpublished
	r.mu.Unlock()
	if !waiting {
		return false, nil
	}
	if _, err := r.Step(ctx); err != nil { // adds all details, unless it was settled meanwhile
		return false, err
	}
	r.step.Lock()
	defer r.step.Unlock()
	return false, r.publishFinding(ctx)
}

// WhileOpen wraps a worker's step so that it does nothing while the database is restored,
// by this process or by the control state: nothing is signed, sent or booked then.
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

// Guard wraps the steps of workers with WhileOpen, except those with WhileRestored.
func (r *Restoration) Guard(workers ...kernel.Worker) []kernel.Worker {
	guarded := slices.Clone(workers)
	for i, w := range guarded {
		if !w.WhileRestored {
			guarded[i].Step = unlessIdle(w.Idle, r.WhileOpen(w.Step))
		}
	}
	return guarded
}

// unlessIdle wraps a step so that it runs only if there may be work. Otherwise many
// goroutines woken by each commit would each read the control state before finding no work.
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

// Workers returns the workers that compare and publish. Each witness's Step is another
// worker, see Flushing.
func (r *Restoration) Workers() []kernel.Worker {
	return []kernel.Worker{
		{Name: "heads", Interval: CompareInterval, WhileRestored: true, Step: r.Step},
		{Name: "restored", Interval: PublishInterval, WhileRestored: true, Step: r.Publish},
	}
}
