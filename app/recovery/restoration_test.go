package recovery_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	kept "github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// watch is a restoration over a database with settable blocks and origin, and two witnesses
// that can be taken away.
type watch struct {
	*recovery.Restoration
	t           *testing.T
	store       *memory.Store
	blocks      []hashchain.Head
	now, before witness.Origin
	noOrigin    error
	one, two    *awayWitness
	clock       *fakes.Clock
	entropy     *fakes.Entropy
	logged      *bytes.Buffer
}

// awayWitness is a witness that may be unreachable, or write later.
type awayWitness struct {
	*kept.Witness
	away error
	late bool
}

func (w *awayWitness) Keep(r witness.Record) error {
	if w.late {
		return nil
	}
	return errors.Join(w.away, w.Witness.Keep(r))
}

func (w *awayWitness) Kept(ctx context.Context) (ports.Kept, error) {
	if w.away != nil {
		return ports.Kept{}, w.away
	}
	return w.Witness.Kept(ctx)
}

func newWatch(t *testing.T) *watch {
	t.Helper()
	w := &watch{
		t: t, store: memory.New(), one: &awayWitness{Witness: kept.New()}, two: &awayWitness{Witness: kept.New()},
		clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(7), logged: &bytes.Buffer{},
	}
	if err := w.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ours"}); err != nil {
		t.Fatal(err)
	}
	w.Restoration = w.process()
	return w
}

// process is another process on the same database and witnesses.
func (w *watch) process() *recovery.Restoration {
	return recovery.NewRestoration(recovery.RestorationOptions{
		Instance: "a", Memory: kept.New(), Witnesses: []recovery.NamedWitness{{Name: "one", Witness: w.one}, {Name: "two", Witness: w.two}},
		Controls: w.store, Blocks: w, Checkpoints: w, Origins: w, Log: w.store, Clock: w.clock, Entropy: w.entropy,
		Logger: slog.New(slog.NewTextHandler(w.logged, nil)),
	})
}

func (w *watch) BlocksAt(_ context.Context, heads []hashchain.Head) (found []hashchain.Head, _ error) {
	for _, b := range w.blocks {
		for _, h := range heads {
			if h.Lane == b.Lane && h.Seq == b.Seq {
				found = append(found, b)
				break
			}
		}
	}
	return found, nil
}

func (w *watch) Heads(context.Context) (newest []hashchain.Head, _ error) {
	if n := len(w.blocks); n > 0 {
		newest = w.blocks[n-1:]
	}
	return newest, nil
}

func (w *watch) Origin(context.Context) (now, remembered witness.Origin, err error) {
	return w.now, w.before, w.noOrigin
}

func (w *watch) RememberOrigin(_ context.Context, o witness.Origin) error {
	w.before = o
	return nil
}

// seals commits the next block of lane 1.
func (w *watch) seals() {
	h := hashchain.Head{Lane: 1, Seq: int64(len(w.blocks) + 1), Hash: hashchain.Hash{byte(len(w.blocks)), 1}}
	w.blocks = append(w.blocks, h)
	w.Sealed(witness.Head{Head: h, Epoch: 1})
}

func (w *watch) starts() {
	w.t.Helper()
	if err := w.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watch) steps() {
	w.t.Helper()
	w.clock.Advance(recovery.CompareInterval)
	if _, err := w.Step(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watch) open(want bool) {
	w.t.Helper()
	if closed := w.Closed(); (closed == nil) != want {
		w.t.Fatalf("restored: %+v", closed)
	}
}

func (w *watch) published(want bool) {
	w.t.Helper()
	state, err := w.store.State(w.t.Context())
	if err != nil || (state.Restored != nil) != want {
		w.t.Fatalf("the control state: %+v, %v", state.Restored, err)
	}
}

var (
	here      = witness.Origin{System: "7301", Timeline: 1}
	elsewhere = witness.Origin{System: "7301", Timeline: 2}
)

func TestAnotherOriginClosesOnlyWhereNothingIsKept(t *testing.T) {
	t.Parallel()
	t.Run("a new database is simply new", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now, w.before = elsewhere, here
		w.starts()
		w.open(true)
		apptest.Equal(t, "remembered", w.before, elsewhere)
	})
	t.Run("while a head is kept another origin means nothing and is remembered", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.now = elsewhere
		w.Restoration = w.process()
		w.starts()
		w.open(true)
		apptest.Equal(t, "remembered", w.before, elsewhere)
	})
	t.Run("a failover of a running service is remembered within an hour", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.now = elsewhere
		w.clock.Advance(time.Hour)
		w.steps()
		w.open(true)
		apptest.Equal(t, "remembered", w.before, elsewhere)
	})
	t.Run("the same origin without a head goes on", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.loseAll()
		w.starts()
		w.open(true)
	})
	t.Run("where the server doesn't say, it goes on and says so", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.loseAll()
		w.noOrigin = errors.New("permission denied")
		w.starts()
		w.open(true)
		if !strings.Contains(w.logged.String(), "permission denied") {
			t.Errorf("logged: %s", w.logged)
		}
	})
	t.Run("without a head it waits for the word of a person", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.loseAll()
		w.now = elsewhere
		w.starts()
		w.open(false)
		w.published(true)
		apptest.Equal(t, "reason", w.Closed().Reason, recovery.ReasonUnknown)
		w.steps()
		w.open(false)
		w.Restoration = w.process() // not another start
		w.starts()
		w.open(false)
		if err := w.Reopen(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		w.steps()
		w.open(true)
		w.published(false)
		if err := w.Reopen(t.Context(), ""); !fault.Is(err, fault.InvalidState) {
			t.Errorf("an open service was opened: %v", err)
		}
		w.steps()
		w.open(true)
	})
	t.Run("a witness that can't be read is waited for, and may open it", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.now = here
		w.starts()
		w.seals()
		w.one.Witness, w.two.away = kept.New(), errors.New("away")
		w.now, w.Restoration = elsewhere, w.process()
		w.starts()
		w.open(false)
		w.published(false)
		w.two.away = nil
		w.steps()
		w.open(true)
		w.published(false)
	})
}

// loseAll loses everything that is kept, and the process.
func (w *watch) loseAll() {
	w.loseWitnesses()
	w.Restoration = w.process()
}

func (w *watch) loseWitnesses() { w.one.Witness, w.two.Witness = kept.New(), kept.New() }

func TestOneWitnessIsEnough(t *testing.T) {
	t.Parallel()
	for _, lacking := range []string{"one", "two", "neither"} {
		w := newWatch(t)
		w.starts()
		w.seals()
		w.seals()
		w.seals()
		switch lacking {
		case "one":
			w.one.Witness = kept.New()
		case "two":
			w.two.away = errors.New("away")
		}
		w.blocks, w.Restoration = w.blocks[:2], w.process()
		w.starts()
		w.open(false)
		w.published(true)
		apptest.Equal(t, "from", w.Closed().From, "1:3:"+hashchain.Hash{2, 1}.String())
		apptest.Equal(t, "to", w.Closed().To, witness.Name(w.blocks[1]))
		if !strings.Contains(w.logged.String(), recovery.AlarmRestored) {
			t.Errorf("no alarm: %s", w.logged)
		}
	}
}

// TestWhileClosedNothingIsKept proves that a restored database can't produce its own
// evidence.
func TestWhileClosedNothingIsKept(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	w.starts()
	w.seals()
	w.seals()
	w.blocks = w.blocks[:1]
	w.steps()
	w.open(false)
	h := hashchain.Head{Lane: 9, Seq: 1}
	w.Sealed(witness.Head{Head: h, Epoch: 1})
	kept, err := w.one.Kept(t.Context())
	if err != nil || len(kept.Records) != 1 || len(kept.Records[0].Heads) != 1 || kept.Records[0].Heads[1].Seq != 2 {
		t.Errorf("kept %+v, %v", kept, err)
	}
}

// TestALossIsNamedOnce: all witnesses keep the block that the database lacks.
func TestALossIsNamedOnce(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	w.starts()
	w.seals()
	w.seals()
	w.blocks = w.blocks[:1]
	known := apptest.OK(w.Known(t.Context()))(t)
	if len(known.Lost) != 1 || known.Lost[0].Kept.Seq != 2 {
		t.Errorf("lost: %+v", known.Lost)
	}
}

// TestAWitnessMayWriteAMomentLater: a start makes two successive comparisons, and heads
// given by the first need not be written at the second.
func TestAWitnessMayWriteAMomentLater(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	w.starts()
	w.two.late = true
	w.seals()
	w.steps()
	for range 3 {
		apptest.OK(w.Step(t.Context()))(t)
	}
	if w.logged.Len() > 0 {
		t.Errorf("a witness that was just given a head was blamed: %s", w.logged)
	}
	w.steps()
	if !strings.Contains(w.logged.String(), "it lacks heads that it was given") {
		t.Errorf("a witness that keeps nothing was not blamed: %s", w.logged)
	}
}

func TestATroubledWitnessIsLoggedOnceAndAges(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	w.starts()
	warnings := func() int { return strings.Count(w.logged.String(), "does not keep the newest heads") }
	ages := func() (one, two time.Duration) {
		s := w.Status()
		return s.Witnesses[0].Age, s.Witnesses[1].Age
	}
	for range 3 {
		w.seals()
		w.steps()
	}
	one, two := ages()
	apptest.Equal(t, "ages", [2]time.Duration{one, two}, [2]time.Duration{0, 0})
	w.two.away = errors.New("connection refused")
	for range 60 {
		w.seals()
		w.steps()
	}
	w.open(true)
	one, two = ages()
	apptest.Equal(t, "ages", [2]time.Duration{one, two}, [2]time.Duration{0, 5 * time.Minute})
	apptest.Equal(t, "warnings", warnings(), 1)
	for range 60 * 2 {
		w.steps()
	}
	apptest.Equal(t, "warnings after 15 minutes", warnings(), 2)
	w.two.away = nil
	w.steps() // it lacks the blocks sealed meanwhile, and gets them
	w.steps()
	one, two = ages()
	apptest.Equal(t, "ages", [2]time.Duration{one, two}, [2]time.Duration{0, 0})
	if !strings.Contains(w.logged.String(), "keeps the newest heads again") {
		t.Errorf("logged: %s", w.logged)
	}
	w.one.Witness = kept.New() // flushed
	w.steps()
	w.open(true)
	w.steps()
	one, _ = ages()
	apptest.Equal(t, "age after a flush", one, time.Duration(0))
	records, err := w.one.Kept(t.Context())
	if err != nil || len(records.Records) != 1 || records.Records[0].Heads[1].Seq != int64(len(w.blocks)) {
		t.Errorf("a flushed witness keeps %+v, %v", records, err)
	}
}
