package sqlstore_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// pair is an instance with two writers that records whether a batch begins beside another one.
type pair struct {
	*world
	writers                *sqlstore.Writers
	stop                   func()
	people                 []wallet.Address
	held                   atomic.Bool
	taken, writing, beside atomic.Int64
}

func newPair(w *world, everybody int) *pair {
	w.Helper()
	p := &pair{world: w}
	p.writers, p.stop = w.instance(func(items int) func(error) {
		p.taken.Add(1)
		if p.writing.Add(1) > 1 {
			p.beside.Add(1)
		}
		// The held batch continues when all other items wait for it, or when another batch runs.
		for hold := p.held.CompareAndSwap(true, false); hold && p.beside.Load() == 0 && p.writers.Waiting()+items < everybody; {
			pauseALittle()
		}
		return func(error) { p.writing.Add(-1) }
	})
	p.people = w.enrol(p.writers, everybody)
	return p
}

func (p *pair) bet(who wallet.Address) {
	if _, err := p.writers.Commit(p.Context(), p.play(who, 1)); err != nil {
		p.Error(err)
	}
}

// atOnce holds a batch while all other items wait, and reports whether a second one began.
func (p *pair) atOnce() bool {
	p.beside.Store(0)
	p.held.Store(true)
	first := make(chan struct{})
	go func() {
		defer close(first)
		p.bet(p.people[0])
	}()
	for p.held.Load() {
		pauseALittle()
	}
	rest := p.people[1:]
	callers(len(rest), len(rest), func(i int) { p.bet(rest[i]) })
	<-first
	return p.beside.Load() > 0
}

// TestPostgresRule11OneBatchAtATimeBesideOthers locks a player from outside: an instance that
// missed a wallet writes the next batches one after another, even with a long queue, and then two
// at a time again.
func TestPostgresRule11OneBatchAtATimeBesideOthers(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	p := newPair(w, 9)
	if !p.atOnce() {
		t.Error("while no other instance writes, no batch began beside another one")
	}
	free := w.locks(p.people[0])
	before, done := p.taken.Load(), make(chan struct{})
	go func() {
		defer close(done)
		p.bet(p.people[0])
	}()
	for p.taken.Load() < before+2 { // the second batch has the items that the first one missed
		pauseALittle()
	}
	free()
	<-done
	if p.atOnce() {
		t.Error("after a miss a batch began beside another one")
	}
	for range sqlstore.AloneFor {
		p.bet(p.people[0])
	}
	if !p.atOnce() {
		t.Error("long after a miss no batch began beside another one")
	}
	p.stop()
	w.sound()
}

// locks locks a player from outside and returns the function that unlocks it.
func (w *world) locks(who wallet.Address) (free func()) {
	w.Helper()
	tx, err := w.beside().Begin()
	if err == nil {
		_, err = tx.Exec(`SELECT FROM players WHERE wallet = $1 FOR NO KEY UPDATE`, who)
	}
	if err != nil {
		w.Fatal(err)
	}
	return func() {
		w.Helper()
		if err := tx.Rollback(); err != nil {
			w.Fatal(err)
		}
	}
}

// TestPostgresRule11OneBatchAtATimeWhileOthersWrite lets a second instance write for its own
// players. The first one finds that by the block numbers, although it never misses a wallet, and
// writes two batches at a time again when the other has stopped. It writes bets, or launches,
// which no block covers.
func TestPostgresRule11OneBatchAtATimeWhileOthersWrite(t *testing.T) {
	t.Parallel()
	for name, item := range map[string]func(*world, wallet.Address) player.Item{
		"bets":     func(w *world, who wallet.Address) player.Item { return w.play(who, 1) },
		"launches": func(w *world, who wallet.Address) player.Item { return w.launches(who) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			besideAnother(t, item)
		})
	}
}

func besideAnother(t *testing.T, item func(*world, wallet.Address) player.Item) {
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	p := newPair(w, 9)
	others, stop := w.instanceOf(sqlstore.WriterOptions{ID: "another"})
	last := p.people[len(p.people)-1]
	for range 2 * sqlstore.AloneFor {
		if _, err := p.writers.Commit(t.Context(), item(w, p.people[0])); err != nil {
			t.Fatal(err)
		}
		if _, err := others.Commit(t.Context(), w.play(last, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if p.atOnce() {
		t.Error("beside an instance that writes as much, a batch began beside another one")
	}
	for range 3 * sqlstore.AloneFor {
		p.bet(p.people[0])
	}
	if !p.atOnce() {
		t.Error("long after the other instance's last batch none began beside another one")
	}
	stop()
	p.stop()
	w.sound()
}

// TestPostgresRule11LargeBatchesAreNotHeldUp lets a second instance write as many blocks, of one
// bet each: an instance with large batches continues with two at a time, even if its batches were
// small before, so that it wrote one at a time.
func TestPostgresRule11LargeBatchesAreNotHeldUp(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	p := newPair(w, 128)
	others, stop := w.instanceOf(sqlstore.WriterOptions{ID: "another"})
	besideSmall := func() {
		for range sqlstore.AloneFor {
			if _, err := others.Commit(t.Context(), w.play(p.people[0], 1)); err != nil {
				t.Fatal(err)
			}
		}
		w.look(p.writers)
	}
	for range 6 {
		if !p.atOnce() {
			t.Error("while no other instance writes, no batch began beside another one")
		}
	}
	besideSmall()
	if !p.atOnce() {
		t.Error("beside an instance of small batches one of large ones wrote one at a time")
	}
	for range sqlstore.AloneFor {
		p.bet(p.people[0])
	}
	besideSmall()
	if p.atOnce() {
		t.Error("its batches were small, and one began beside another one")
	}
	for range 12 {
		p.atOnce()
	}
	besideSmall()
	for range sqlstore.AloneFor/2 - 8 { // two batches each
		p.atOnce()
	}
	if !p.atOnce() {
		t.Error("its batches grew large, and it went on one at a time beside small ones")
	}
	stop()
	p.stop()
	w.sound()
}

// look makes an idle instance look for other instances' blocks.
func (w *world) look(writers *sqlstore.Writers) {
	w.Helper()
	for range 3 { // a writer whose step has not quite ended is skipped
		if err := writers.ProbeLane(w.Context()); err != nil {
			w.Fatal(err)
		}
		pauseALittle()
	}
}

// TestPostgresRule11BatchesGatherBesideOthers sets the gathering time beside an instance that
// writes as much to an hour: a batch begins when as many items wait as the last one had, or when
// the writers stop. A missed player and a lone client are not delayed.
func TestPostgresRule11BatchesGatherBesideOthers(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	var mu sync.Mutex
	var sizes []int
	taken := func() []int {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(sizes)
	}
	var writers *sqlstore.Writers
	var waitFor atomic.Int64 // how many items must wait before the next batch continues
	writers, stop := w.instanceOf(sqlstore.WriterOptions{ID: "instance", GatherTime: time.Hour, Batch: func(items int) func(error) {
		mu.Lock()
		defer mu.Unlock()
		sizes = append(sizes, items)
		for n := waitFor.Swap(0); int64(writers.Waiting()) < n; {
			pauseALittle()
		}
		return func(error) {}
	}})
	people := w.enrol(writers, 3)
	var answered sync.WaitGroup
	bet := func(who wallet.Address) {
		answered.Go(func() {
			if _, err := writers.Commit(t.Context(), w.play(who, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	free := w.locks(people[0])
	before := len(taken())
	bet(people[0])
	for len(taken()) < before+2 { // the second batch has the items that the first one missed
		pauseALittle()
	}
	free()
	answered.Wait()
	bet(people[0])
	answered.Wait() // it was not delayed

	w.look(writers)
	others, stopOthers := w.instanceOf(sqlstore.WriterOptions{ID: "another"})
	write := func(batches int) {
		for range batches {
			if _, err := others.Commit(t.Context(), w.play(people[0], 1)); err != nil {
				t.Fatal(err)
			}
		}
		w.look(writers)
	}
	together := func() { // one bets, and two while that is written
		waitFor.Store(2)
		bet(people[0])
		for waitFor.Load() > 0 {
			pauseALittle()
		}
		bet(people[1])
		bet(people[2])
		answered.Wait()
	}
	write(3) // too few to decide
	together()
	bet(people[0])
	answered.Wait()
	write(sqlstore.AloneFor)
	before = len(taken())
	for range 2 { // a lone client
		bet(people[0])
		answered.Wait()
	}
	together()
	for i := range 2 {
		bet(people[i])
		for writers.Waiting() == 0 && len(taken()) == before+4 {
			pauseALittle()
		}
	}
	answered.Wait()
	bet(people[0])
	for writers.Waiting() == 0 && len(taken()) == before+5 {
		pauseALittle()
	}
	stop()
	answered.Wait()
	if got, want := fmt.Sprint(taken()[before:]), "[1 1 1 2 2 1]"; got != want {
		t.Errorf("batches of %s items, want %s", got, want)
	}
	stopOthers()
	w.sound()
}
