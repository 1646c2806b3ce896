package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/test/fakes"
)

func TestRule07EachRowIsWrittenOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		items := []player.Item{w.play(bob, 10)}
		for range 5 {
			items = append(items, w.play(alice, 10), w.rotate(alice, ""), w.adjust(alice, 1))
		}
		if _, errs := w.together(items...); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		times := map[string]int{}
		for _, q := range f.asked() {
			q = strings.TrimPrefix(q, "WITH changed AS (")
			table, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(q, "INSERT INTO "), "UPDATE "), " ")
			if strings.HasPrefix(q, "INSERT") || strings.HasPrefix(q, "UPDATE") {
				times[table] += 1 + strings.Count(q, "?), (")
			}
		}
		// Each row is written once and, where arrays are sent, by one statement: two balances,
		// the totals of player, house and adjustment, one cell of figures, one block, for all of
		// the sixteen items.
		for table, want := range map[string]int{"balances": 2, "lane_totals": 3, "daily_figures": 1, "blocks": 1} {
			if on.arrays {
				want = 1
			}
			if times[table] != want {
				t.Errorf("%d rows of %s were written, want %d", times[table], table, want)
			}
		}
		if n := w.number(`SELECT count(*) FROM balances WHERE kind = 'player'`); n != 2 {
			t.Errorf("%d balances", n)
		}
		w.sound()
	})
}

func TestRule07ALostRowRollsTheBatchBack(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob), w.login(carol))
		db := w.beside()
		// From here on the database silently drops what is written for bob.
		if _, err := db.Exec(on.dropsBalances(on.key(bob))); err != nil {
			t.Fatal(err)
		}
		_, errs := w.together(w.play(alice, 10), w.adjust(bob, 5), w.adjust(carol, 5), w.adjust(bob, 6))
		if errs[0] != nil || errs[2] != nil || errs[1] == nil || errs[3] == nil {
			t.Errorf("answers %v", errs)
		}
		if _, err := db.Exec(on.keepsBalances); err != nil {
			t.Fatal(err)
		}
		if got := w.balance(bob); got != 1000 {
			t.Errorf("bob has %d", got)
		}
		w.sound()
	})
}

func TestRule10ALongLineOfOnePlayerDoesNotDelayAnother(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 2})
		w.begin(1000, w.login(alice), w.login(bob))
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		waiting := 0
		queue := func(item player.Item, answered *atomic.Int32) {
			all.Go(func() {
				if _, err := w.writer.Commit(ctx, item); err == nil {
					answered.Add(1)
				}
			})
			for waiting++; w.writer.Waiting() < waiting; {
				pauseALittle()
			}
		}
		var hers, his atomic.Int32
		for range sqlstore.PlayerMax {
			queue(w.adjust(alice, 1), &hers)
		}
		_, err := w.writer.Commit(ctx, w.adjust(alice, 1))
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Kind != fault.RateLimited || refusal.Details["retryAfterMs"] == nil {
			t.Errorf("the seventeenth in flight: %v", err)
		}
		queue(w.adjust(bob, 1), &his)
		w.step()
		for hers.Load() == 0 || his.Load() == 0 {
			pauseALittle()
		}
		if w.writer.Waiting() != sqlstore.PlayerMax-1 {
			t.Errorf("%d wait after the first batch", w.writer.Waiting())
		}
		queueAgain := w.adjust(alice, 1) // the answered item left the queue
		waiting = w.writer.Waiting()
		queue(queueAgain, &hers)
		cancel()
		all.Wait()
		if w.writer.Waiting() != 0 {
			t.Errorf("%d still wait after their callers left", w.writer.Waiting())
		}
		if got := w.balance(alice); got != 1001 {
			t.Errorf("alice has %d", got)
		}
		w.sound()
	})
}

func TestRule10AnItemWhoseCallerIsGoneIsDropped(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error, 1)
		go func() {
			_, err := w.writer.Commit(ctx, w.adjust(alice, 1))
			answers <- err
		}()
		for w.writer.Waiting() == 0 {
			pauseALittle()
		}
		cancel()
		var refusal *fault.Error
		if err := <-answers; !errors.As(err, &refusal) || refusal.Details["outcome"] != "none" {
			t.Errorf("answered %v without a step", err)
		}
		if worked, err := w.writer.Step(t.Context()); worked || err != nil {
			t.Errorf("a step took it up: %v, %v", worked, err)
		}

		taken, cancel := context.WithCancel(t.Context())
		item := w.adjust(alice, 2)
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			cancel()
			return decide(v)
		}
		go func() {
			_, err := w.writer.Commit(taken, item)
			answers <- err
		}()
		for w.writer.Waiting() == 0 {
			pauseALittle()
		}
		w.step()
		if err := <-answers; err != nil || w.balance(alice) != 1002 {
			t.Errorf("taken up and then left: %v, balance %d", err, w.balance(alice))
		}
		w.sound()
	})
}

func TestRule10AnAdminsItemGoesBeforeWhatAPlayerWaitsFor(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 1})
		w.begin(1000, w.login(alice))
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		flood := make(chan error, sqlstore.PlayerMax)
		for i := range sqlstore.PlayerMax {
			item := w.adjust(alice, 1)
			all.Go(func() { _, err := w.writer.Commit(ctx, item); flood <- err })
			for w.writer.Waiting() <= i {
				pauseALittle()
			}
		}
		decided := make(chan error, 2)
		for i, amount := range []int64{10, 20} {
			item := w.adjust(alice, amount)
			item.Source = player.FromAdmin
			all.Go(func() { _, err := w.writer.Commit(ctx, item); decided <- err })
			for w.writer.Waiting() <= sqlstore.PlayerMax+i {
				pauseALittle()
			}
		}
		for _, after := range []money.Amount{1010, 1030} {
			w.step()
			select {
			case err := <-decided:
				if err != nil || w.balance(alice) != after {
					t.Errorf("the admin's item: %v, balance %d, want %d", err, w.balance(alice), after)
				}
			case err := <-flood:
				flood <- err
				t.Error("an item of the player's went first")
			}
		}
		cancel()
		all.Wait()
		for range sqlstore.PlayerMax {
			if err := <-flood; fault.KindOf(err) != fault.Unavailable {
				t.Errorf("of the flood: %v", err)
			}
		}
		w.sound()
	})
}

func TestRule11AFullQueueAnswersAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{QueueMax: 3})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 3 {
			item := w.login(fakes.Wallet(fmt.Sprint(i)))
			all.Go(func() { _, _ = w.writer.Commit(ctx, item) })
		}
		for w.writer.Waiting() < 3 {
			pauseALittle()
		}
		_, err := w.writer.Commit(ctx, w.login(alice))
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none" ||
			refusal.Details["retryAfterMs"] == nil {
			t.Errorf("a full queue answers %v", err)
		}
		w.step()
		all.Wait()
		cancel()
		w.sound()
	})
}

func TestRule11AStoppingWriterRefusesWhatIsNewAndWritesWhatWaits(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 2})
		var written atomic.Int32
		var all sync.WaitGroup
		for i := range 9 {
			item := w.login(fakes.Wallet(fmt.Sprint(i)))
			all.Go(func() {
				if _, err := w.writer.Commit(context.WithoutCancel(t.Context()), item); err == nil {
					written.Add(1)
				}
			})
		}
		for w.writer.Waiting() < 9 {
			pauseALittle()
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.writer.Run(ended); err != nil {
			t.Error(err)
		}
		all.Wait()
		if n := w.number(`SELECT count(*) FROM players`); written.Load() != 9 || n != 9 {
			t.Errorf("%d were answered, %d are stored", written.Load(), n)
		}
		if _, err := w.writer.Commit(t.Context(), w.login(alice)); !fault.Is(err, fault.Unavailable) {
			t.Errorf("after the stop: %v", err)
		}
		w.sound()
	})
}

func TestRule11ADrainHasAnEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 1, DrainTime: time.Nanosecond})
		answers := make(chan error, 2)
		for i := range 2 {
			item := w.login(fakes.Wallet(fmt.Sprint(i)))
			go func() {
				_, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
				answers <- err
			}()
		}
		for w.writer.Waiting() < 2 {
			pauseALittle()
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.writer.Run(ended); err == nil {
			t.Error("items were left and no error says so")
		}
		for range 2 {
			var refusal *fault.Error
			if err := <-answers; !errors.As(err, &refusal) || refusal.Details["outcome"] != "none" {
				t.Errorf("left behind: %v", err)
			}
		}
	})
}

// TestTwoHundredAtOnce runs one player's plays, rotations and withdrawals concurrently: the final
// state follows from their commit order.
func TestTwoHundredAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(3000, alice)
		slots := make(chan struct{}, sqlstore.PlayerMax)
		var all sync.WaitGroup
		var played, rotated, refused atomic.Int32
		for i := range 200 {
			item, count := w.play(alice, 100), &played
			switch i % 4 {
			case 1:
				item, count = w.rotate(alice, fmt.Sprint("seed ", i)), &rotated
			case 3:
				item, count = w.withdraw(alice, 400), nil
			}
			all.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				_, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
				switch {
				case fault.Is(err, fault.InsufficientFunds) || fault.Is(err, fault.TooManyOpen):
					refused.Add(1)
				case err != nil:
					t.Errorf("item %d: %v", i, err)
				case count != nil:
					count.Add(1)
				}
			})
		}
		all.Wait()
		if n := w.number(`SELECT count(*) FROM rounds`); n != int64(played.Load()) {
			t.Errorf("%d rounds are stored, %d were answered", n, played.Load())
		}
		if n := w.number(`SELECT count(*) FROM seed_pairs WHERE state = 'retired'`); n != 50 || rotated.Load() != 50 {
			t.Errorf("%d pairs are retired, %d rotations were answered", n, rotated.Load())
		}
		if n := w.number(`SELECT count(*) FROM transactions WHERE type = 'withdrawal'`); n > 5 {
			t.Errorf("%d withdrawals are open", n)
		}
		w.sound() // nonces without a gap, outcomes as their revealed seeds say, no negative balance
	})
}

func TestPruningForgetsOnlyWhatIsOver(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{IdempotencyKeep: time.Hour})
		w.signIn(1000, alice)
		item := keyed(w.adjust(alice, 5), "key", "print")
		w.commit(item)
		held := func() int64 { return w.number(`SELECT count(*) FROM unique_keys`) }
		before := held()
		for _, row := range []struct {
			after  time.Duration
			worked bool
			left   int64
		}{
			{2 * time.Minute, false, before},    // the login's window is open
			{4 * time.Minute, true, before - 1}, // the login
			{30 * time.Minute, false, before - 1},
			{2 * time.Hour, true, before - 2}, // the client's key; the deposit stays
			{20 * 365 * 24 * time.Hour, false, before - 2},
		} {
			worked, err := w.store.Prune(t.Context(), item.At.Add(row.after))
			if err != nil || worked != row.worked || held() != row.left {
				t.Errorf("after %v: worked %v, %v, %d claims are held, want %d", row.after, worked, err, held(), row.left)
			}
		}
		w.sound()
	})
}

// TestIDsOfOperationsAreForgotten checks that requests without a client's key don't keep a row
// forever. Their ids are kept much longer than a COMMIT in doubt is examined.
func TestIDsOfOperationsAreForgotten(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		item := w.rotate(alice, "mine")
		w.commit(item)
		assigned := w.rotate(alice, "as assignments do")
		assigned.Keys = []player.UniqueKey{{Kind: player.AssignmentKey, Scope: "taken", ID: "digest"}}
		w.commit(assigned)
		held := func() int64 { return w.number(`SELECT count(*) FROM unique_keys WHERE kind = 'operation'`) }
		for after, left := range map[time.Duration]int64{100 * sqlstore.ResolveTimeMax: 1, sqlstore.OperationKeep + time.Second: 0} {
			if held() == 0 {
				w.commit(w.rotate(alice, "again"))
			}
			if _, err := w.store.Prune(t.Context(), w.now().Add(after)); err != nil || held() != left {
				t.Errorf("after %v: %d ids are held, want %d, %v", after, held(), left, err)
			}
		}
		if _, err := w.store.Prune(t.Context(), w.now().AddDate(10, 0, 0)); err != nil || w.number(`SELECT count(*) FROM unique_keys WHERE kind = 'assignment'`) != 1 {
			t.Errorf("the key of an assignment was forgotten: it would be made twice, %v", err)
		}
		w.sound()
	})
}

// TestPruningForgetsExpiredSessions checks that only expired sessions are deleted.
func TestPruningForgetsExpiredSessions(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		var until []time.Time
		for i := range 3 {
			item := w.login(alice)
			decide, lasts := item.Decide, time.Duration(i+1)*time.Hour
			item.Decide = func(v player.View) (player.Change, error) {
				change, err := decide(v)
				if err == nil {
					change.Session = &session.Session{Wallet: alice, IssuedAt: item.At.Truncate(time.Millisecond), Until: item.At.Add(lasts)}
				}
				return change, err
			}
			until = append(until, item.At.Add(lasts))
			w.commit(item)
		}
		for i, end := range until {
			_, err := w.store.Prune(t.Context(), end.Add(-time.Second))
			if n := w.number(`SELECT count(*) FROM sessions`); err != nil || n != int64(3-i) {
				t.Errorf("before the end of session %d: %d are kept, %v", i, n, err)
			}
			if worked, err := w.store.Prune(t.Context(), end.Add(time.Second)); err != nil || !worked {
				t.Errorf("after session %d: %v, %v", i, worked, err)
			}
		}
		if n := w.number(`SELECT count(*) FROM sessions`); n != 0 {
			t.Errorf("%d sessions are kept", n)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := w.store.Prune(ended, until[0]); err == nil || !strings.Contains(err.Error(), "prune unique keys") || !strings.Contains(err.Error(), "prune sessions") {
			t.Errorf("what could not be forgotten is not said: %v", err)
		}
		w.sound()
	})
}
