package sqlstore_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// instance runs the writers of an instance. stop ends them and returns errors that remain.
func (w *world) instance(batch func(items int) func(error)) (writers *sqlstore.Writers, stop func()) {
	w.Helper()
	return w.instanceOf(sqlstore.WriterOptions{ID: "instance", Batch: batch})
}

func (w *world) instanceOf(o sqlstore.WriterOptions) (writers *sqlstore.Writers, stop func()) {
	w.Helper()
	writers, err := w.store.Writers(o)
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.Context()))
	ended := make(chan error, 1)
	go func() { ended <- writers.Run(ctx) }()
	return writers, func() {
		w.Helper()
		cancel()
		if err := <-ended; err != nil || writers.Waiting() != 0 {
			w.Errorf("the writers ended with %v, %d items wait", err, writers.Waiting())
		}
	}
}

// TestPostgresRule11WritersEndWhenNothingIsLeft stops an instance while one writer waits for the
// other's batch, behind which an item waits whose caller then gives up.
func TestPostgresRule11WritersEndWhenNothingIsLeft(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	var held atomic.Bool
	goOn := make(chan struct{})
	writers, stop := w.instanceOf(sqlstore.WriterOptions{ID: "instance", DrainTime: time.Hour, Batch: func(int) func(error) {
		if held.CompareAndSwap(true, false) {
			<-goOn
		}
		return func(error) {}
	}})
	who := w.enrol(writers, 1)[0]
	var answered sync.WaitGroup
	bet := func(ctx context.Context) {
		answered.Go(func() { _, _ = writers.Commit(ctx, w.play(who, 1)) })
	}
	held.Store(true)
	bet(t.Context())
	for held.Load() {
		pauseALittle()
	}
	gone, giveUp := context.WithCancel(t.Context())
	bet(gone)
	for writers.Waiting() == 0 {
		pauseALittle()
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	for refused := false; !refused; { // it refuses new items, so it is draining
		_, err := writers.Commit(gone, w.login(bob))
		refused = err != nil
	}
	giveUp()
	for writers.Waiting() > 0 {
		pauseALittle()
	}
	close(goOn)
	answered.Wait()
	<-stopped
	w.sound()
}

// TestPostgresRule11StoppedWritersEnd stops idle writers while their context lasts.
func TestPostgresRule11StoppedWritersEnd(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	writers, err := w.store.Writers(sqlstore.WriterOptions{ID: "instance"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- writers.Run(t.Context()) }()
	w.enrol(writers, 1)
	writers.Stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// enrol signs players in at the writers, with money to play.
func (w *world) enrol(writers *sqlstore.Writers, players int) []wallet.Address {
	w.Helper()
	people := make([]wallet.Address, players)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint("player ", i))
		for _, item := range []player.Item{w.login(people[i]), w.adjust(people[i], 1000)} {
			if _, err := writers.Commit(w.Context(), item); err != nil {
				w.Fatal(err)
			}
		}
	}
	return people
}

// TestRule11ABatchBesideAnotherHasAsMuch holds a batch of three: two further items wait beside
// it, three make a batch.
func TestRule11ABatchBesideAnotherHasAsMuch(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	begun, goOn := make(chan int, 8), make(chan struct{})
	writers, err := w.store.Writers(sqlstore.WriterOptions{ID: "instance", Batch: func(items int) func(error) {
		begun <- items
		<-goOn
		return func(error) {}
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	logIn := func(from, to, waiting int) {
		for i := from; i < to; i++ {
			item := w.login(fakes.Wallet(fmt.Sprint("player ", i)))
			all.Go(func() {
				if _, err := writers.Commit(ctx, item); err != nil {
					t.Error(err)
				}
			})
		}
		for writers.Waiting() != waiting {
			pauseALittle()
		}
	}
	logIn(0, 3, 3)
	ended := make(chan error, 1)
	go func() { ended <- writers.Run(ctx) }()
	if n := <-begun; n != 3 {
		t.Fatalf("the first batch has %d items", n)
	}
	logIn(3, 5, 2)
	logIn(5, 6, 0)
	if n := <-begun; n != 3 {
		t.Errorf("the second batch has %d items", n)
	}
	close(goOn)
	all.Wait()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	w.sound()
}

// TestRule10AWalletsItemsAreInOneBatchAtATime lets players play at the writers of one instance,
// each from several callers. All writers take part, and no wallet is in two batches: the second
// would find it locked.
func TestRule10AWalletsItemsAreInOneBatchAtATime(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		var taken atomic.Int64
		writers, stop := w.instance(func(items int) func(error) {
			taken.Add(int64(items))
			return func(error) {}
		})
		people := w.enrol(writers, 8)
		const callersEach, plays = 4, 10
		callers(callersEach*len(people), callersEach*len(people), func(c int) {
			for range plays {
				if _, err := writers.Commit(t.Context(), w.play(people[c%len(people)], 10)); err != nil {
					t.Error(err)
				}
			}
		})
		if want := int64(len(people) * (2 + callersEach*plays)); taken.Load() != want {
			t.Errorf("%d items were taken up %d times", want, taken.Load())
		}
		stop()
		want := int64(sqlstore.WritersMax)
		if on.locks == 0 {
			want = 1 // one transaction writes at a time
		}
		if n := w.number(`SELECT count(DISTINCT lane) FROM rounds`); n != want {
			t.Errorf("rounds lie in %d lanes, not in %d", n, want)
		}
		w.sound()
	})
}

// TestPostgresRule10WritersMissTheSameWallets repeatedly locks half of the players from outside,
// each time for a few batches, while all of them play at the two writers of an instance. Each
// item is answered once.
func TestPostgresRule10WritersMissTheSameWallets(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	batches := make(chan struct{}, 1)
	writers, stop := w.instance(func(int) func(error) {
		select {
		case batches <- struct{}{}:
		default:
		}
		return func(error) {}
	})
	people := w.enrol(writers, 16)
	var over atomic.Bool
	var locking sync.WaitGroup
	locking.Go(func() {
		for db := w.beside(); !over.Load(); {
			tx, err := db.Begin()
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := tx.Exec(`SELECT FROM players WHERE ascii(right(wallet, 1)) % 2 = 0 ORDER BY wallet FOR NO KEY UPDATE`); err != nil {
				t.Error(err)
			}
			for range 5 {
				<-batches
			}
			if err := tx.Rollback(); err != nil {
				t.Error(err)
			}
		}
	})
	var answered atomic.Int64
	const plays = 640
	callers(32, plays, func(i int) {
		item := w.play(people[i%len(people)], 10)
		for {
			_, err := writers.Commit(t.Context(), item)
			if err == nil {
				break
			}
			if !fault.Is(err, fault.Unavailable) { // locked elsewhere for too long
				t.Error(err)
				break
			}
		}
		answered.Add(1)
	})
	over.Store(true)
	close(batches)
	locking.Wait()
	stop()
	if n := w.number(`SELECT count(*) FROM rounds`); n != plays || answered.Load() != plays {
		t.Errorf("%d rounds of %d", n, plays)
	}
	w.sound()
}
