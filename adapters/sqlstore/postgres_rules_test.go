package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// The rules that only PostgreSQL, with several writers, can show. The numbers are those of the
// writer's rules in docs/writer.md.

// another returns a second instance on the same database, idle.
func (w *world) another(o sqlstore.WriterOptions) *world {
	w.Helper()
	o.ID = w.id()
	second := &world{TB: w.TB, on: w.on, where: w.where, clock: w.clock, entropy: w.entropy}
	second.open(o, unwrapped)
	return second
}

// holding locks a wallet from outside until the returned function is called.
func (w *world) holding(who wallet.Address) (release func()) {
	w.Helper()
	db := w.beside()
	tx, err := db.Begin()
	if err != nil {
		w.Fatal(err)
	}
	if _, err := tx.Exec(`SELECT FROM players WHERE wallet = $1 FOR NO KEY UPDATE`, string(who)); err != nil {
		w.Fatal(err)
	}
	release = sync.OnceFunc(func() {
		if err := tx.Rollback(); err != nil {
			w.Error(err)
		}
		_ = db.Close()
	})
	w.Cleanup(release)
	return release
}

// queue submits an item to the idle writer and returns the channel of its answer.
func (w *world) queue(item player.Item) <-chan error {
	w.Helper()
	waiting, answer := w.writer.Waiting(), make(chan error, 1)
	go func() {
		_, err := w.writer.Commit(context.WithoutCancel(w.Context()), item)
		answer <- err
	}()
	for w.writer.Waiting() == waiting {
		pauseALittle()
	}
	return answer
}

func answered(answer <-chan error) bool {
	select {
	case err := <-answer:
		return err == nil
	default:
		return false
	}
}

func TestPostgresRule01BatchesInAnyOrderNeverDeadlock(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	people := make([]player.Item, 12)
	for i := range people {
		people[i] = w.login(fakes.Wallet(fmt.Sprint(i)))
	}
	w.begin(1_000_000, people...)
	second := w.another(sqlstore.WriterOptions{})
	w.start(w.writer)
	second.start(second.writer)
	var all sync.WaitGroup
	for n, one := range []*world{w, second} {
		for i := range people {
			// One goroutine goes up the wallets, the other down, and both adjust and play.
			who := people[i].Wallet
			if n == 1 {
				who = people[len(people)-1-i].Wallet
			}
			all.Go(func() {
				for j := range 20 {
					item := one.play(who, 10)
					if j%3 == 0 {
						item = one.adjust(who, 1)
					}
					if _, err := one.writer.Commit(context.WithoutCancel(t.Context()), item); err != nil {
						t.Errorf("instance %d: %v", n, err)
					}
				}
			})
		}
	}
	all.Wait()
	if n := w.number(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	w.sound()
}

func TestPostgresRule03AClaimThatAnotherInstanceHoldsIsAnsweredFromThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	second := w.another(sqlstore.WriterOptions{})
	second.start(second.writer)
	var first, replayed atomic.Int32
	var all sync.WaitGroup
	for i := range 32 {
		one := []*world{w, second}[i%2]
		item := keyed(one.adjust(alice, 5), fmt.Sprint("key ", i/4), "print")
		all.Go(func() {
			receipt, err := one.writer.Commit(context.WithoutCancel(t.Context()), item)
			switch {
			case fault.Is(err, fault.RateLimited):
			case err != nil:
				t.Error(err)
			case receipt.Replayed:
				replayed.Add(1)
			default:
				first.Add(1)
			}
		})
	}
	all.Wait()
	if got := w.balance(alice); got != 1000+5*8 || first.Load() != 8 {
		t.Errorf("alice has %d; %d were first, %d replayed", got, first.Load(), replayed.Load())
	}
	w.sound()
}

func TestPostgresRule08WritersTakeLanesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	second := w.another(sqlstore.WriterOptions{})
	for _, one := range []*world{second, w, second} {
		if _, errs := one.together(one.play(alice, 10), one.play(bob, 10)); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
	}
	lanes := func() string {
		var all string
		rows(t, w.beside(), `SELECT lane, count(*) FROM blocks GROUP BY lane ORDER BY lane`, func(scan func(...any)) {
			var lane, n int
			scan(&lane, &n)
			all += fmt.Sprint(lane, ":", n, " ")
		})
		return all
	}
	if got := lanes(); got != "1:3 2:2 " {
		t.Errorf("blocks by lane: %s", got)
	}
	second.writer.Release()
	third := w.another(sqlstore.WriterOptions{})
	if _, errs := third.together(third.play(alice, 10)); errs[0] != nil {
		t.Fatal(errs)
	}
	if got := lanes(); got != "1:3 2:3 " {
		t.Errorf("blocks by lane after one was given back: %s", got)
	}
	w.sound()
}

// TestPostgresRule08ALaneWhoseSessionDied lets another writer take the lane while the first one
// believes it still has it: the block's number keeps them apart.
func TestPostgresRule08ALaneWhoseSessionDied(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	db := w.beside()
	execAll(t, db, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1667301377
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	waitFor(t, db, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, 0)
	second := w.another(sqlstore.WriterOptions{})
	item := w.play(alice, 10)
	decide, runs := item.Decide, 0
	item.Decide = func(v player.View) (player.Change, error) {
		if runs++; runs == 1 { // the other seals the block that this batch is about to seal
			if _, errs := second.together(second.play(bob, 10)); errs[0] != nil {
				t.Error(errs)
			}
		}
		return decide(v)
	}
	if _, errs := w.together(item); errs[0] != nil || runs != 2 {
		t.Fatalf("%d runs, %v", runs, errs)
	}
	if n := w.number(`SELECT lane FROM readable_rounds WHERE wallet = ?`, string(alice)); n != 2 {
		t.Errorf("the first writer continues in lane %d", n)
	}
	if n := w.number(`SELECT lane FROM readable_rounds WHERE wallet = ?`, string(bob)); n != 1 {
		t.Errorf("the second writer has lane %d", n)
	}
	w.sound()
}

func TestPostgresRule10AWalletLockedFromOutsideDoesNotDelayItsNeighbours(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	release := w.holding(alice)
	hers := []<-chan error{w.queue(w.play(alice, 10)), w.queue(w.adjust(alice, 5))}
	for range 3 {
		his := w.queue(w.play(bob, 10))
		w.step()
		if err := <-his; err != nil {
			t.Fatal(err)
		}
	}
	if answered(hers[0]) || answered(hers[1]) || w.writer.Waiting() != 2 {
		t.Fatalf("%d wait of the wallet that is locked", w.writer.Waiting())
	}
	// The fourth batch waits for the lock, and gets it.
	release()
	w.step()
	for _, answer := range hers {
		if err := <-answer; err != nil {
			t.Error(err)
		}
	}
	if w.number(`SELECT count(*) FROM readable_rounds WHERE wallet = ?`, string(alice)) != 1 {
		t.Error("her round is not there")
	}
	w.sound()
}

func TestPostgresRule10AWalletThatStaysLockedIsAnsweredInTheEnd(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	release := w.holding(alice)
	hers := w.queue(w.play(alice, 10))
	steps := 0
	for w.writer.Waiting() > 0 {
		w.step()
		steps++
	}
	var refusal *fault.Error
	if err := <-hers; !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none" ||
		refusal.Details["retryAfterMs"] == nil {
		t.Errorf("answered %v", err)
	}
	if steps != 8 {
		t.Errorf("given up after %d batches", steps)
	}
	release()
	if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
		t.Errorf("after the lock: %v", errs[0])
	}
	w.sound()
}

func TestPostgresRule10AnItemThatWasMissedMayLeave(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice))
	w.holding(alice)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() {
		_, err := w.writer.Commit(ctx, w.play(alice, 10))
		answer <- err
	}()
	for w.writer.Waiting() == 0 {
		pauseALittle()
	}
	w.step()
	cancel()
	var refusal *fault.Error
	if err := <-answer; !errors.As(err, &refusal) || refusal.Details["outcome"] != "none" {
		t.Errorf("left with %v", err)
	}
	if worked, err := w.writer.Step(t.Context()); worked || err != nil {
		t.Errorf("a step took it up again: %v, %v", worked, err)
	}
}

// TestPostgresRule12RealConflicts locks rows of the batch from outside, so that the server itself
// ends the wait.
func TestPostgresRule12RealConflicts(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	db := w.beside()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`SELECT FROM balances WHERE wallet = wallet_key($1) FOR UPDATE`, string(alice)); err != nil {
		t.Fatal(err)
	}
	hers, his := w.queue(w.play(alice, 10)), w.queue(w.play(bob, 10))
	w.step()
	if err := <-his; err != nil {
		t.Errorf("the neighbour: %v", err)
	}
	if w.writer.Waiting() != 1 {
		t.Error("the item with the locked balance does not wait")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	w.step()
	if err := <-hers; err != nil {
		t.Error(err)
	}
	// Backends are ended before their COMMIT: the batch runs again.
	for range 5 {
		item := w.play(alice, 10)
		decide, runs := item.Decide, 0
		item.Decide = func(v player.View) (player.Change, error) {
			if runs++; runs == 1 {
				execAll(t, db, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
					WHERE datname = current_database() AND application_name = 'casino writer'`)
			}
			return decide(v)
		}
		if _, errs := w.together(item, w.play(bob, 10)); errors.Join(errs...) != nil || runs != 2 {
			t.Errorf("%d runs, %v", runs, errs)
		}
	}
	w.sound()
}

// TestPostgresInstances plays with the same players on several instances at once.
func TestPostgresInstances(t *testing.T) {
	t.Parallel()
	for _, instances := range []int{2, 4} {
		t.Run(fmt.Sprint(instances), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
			people := make([]wallet.Address, 8)
			for i := range people {
				people[i] = fakes.Wallet(fmt.Sprint(i))
			}
			w.signIn(5000, people...)
			worlds := []*world{w}
			for len(worlds) < instances {
				one := w.another(sqlstore.WriterOptions{})
				one.start(one.writer)
				worlds = append(worlds, one)
			}
			var played, refused atomic.Int64
			var all sync.WaitGroup
			for n, one := range worlds {
				for c := range 8 {
					all.Go(func() {
						for i := range 50 {
							who := people[(c*3+i*5+n)%len(people)]
							item := one.play(who, 100)
							switch i % 5 {
							case 1:
								item = one.rotate(who, "")
							case 3:
								item = one.withdraw(who, 200)
							}
							_, err := one.writer.Commit(context.WithoutCancel(t.Context()), item)
							switch {
							case fault.Is(err, fault.InsufficientFunds), fault.Is(err, fault.TooManyOpen), fault.Is(err, fault.RateLimited),
								fault.Is(err, fault.Unavailable):
								refused.Add(1)
							case err != nil:
								t.Errorf("instance %d: %v", n, err)
							case i%5 != 1 && i%5 != 3:
								played.Add(1)
							}
						}
					})
				}
			}
			all.Wait()
			if n := w.number(`SELECT count(*) FROM rounds`); n != played.Load() || n == 0 {
				t.Errorf("%d rounds are stored, %d were answered", n, played.Load())
			}
			var open int
			if err := w.beside().QueryRow(`SELECT max(n) FROM (SELECT count(*) AS n FROM transactions
				WHERE type = 'withdrawal' GROUP BY wallet) AS w`).Scan(&open); err != nil && !errors.Is(err, sql.ErrNoRows) {
				t.Error(err)
			}
			if open > 5 {
				t.Errorf("%d withdrawals of one player are open", open)
			}
			w.sound()
		})
	}
}
