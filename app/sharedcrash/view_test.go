package sharedcrash_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/test/apptest"
)

// TestEveryoneHearsTheRound compares what a listener was told with what a snapshot says, after
// each change.
func TestEveryoneHearsTheRound(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	now, l, err := h.Crash.Listen(h.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	round, told := now.Round, 0
	hear := func() {
		if _, err := h.Events.EventsWorker().Step(h.Ctx); err != nil {
			t.Fatal(err)
		}
		for {
			ended, cancel := context.WithCancel(h.Ctx)
			cancel()
			news, err := l.Next(ended)
			if err != nil {
				break
			}
			if news.Round != nil {
				round = *news.Round
			}
			told += len(news.Bets)
		}
	}
	placed := h.bets(ann, 100_000, 1_01)
	hear()
	h.Clock.Advance(time.Second)
	snapshot := apptest.OK(h.Crash.Snapshot(h.Ctx))(t)
	if told != 1 || len(snapshot.Bets) != 1 || snapshot.Bets[0].ID != placed.ID || snapshot.Bets[0].Auto != 1_01 || snapshot.Bets[0].Player == string(ann.Wallet) {
		t.Errorf("%d bets were told, the snapshot has %+v", told, snapshot.Bets)
	}
	for _, status := range []crash.Status{crash.Closed, crash.Flying, crash.Crashed, crash.Settled} {
		want := h.until(status)
		hear()
		if round != want {
			t.Errorf("told %+v, want %+v", round, want)
		}
	}
}

// TestListenersComeAndGo opens and closes listeners while events are told.
func TestListenersComeAndGo(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.until(crash.Betting)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				_, l, err := h.Crash.Listen(h.Ctx)
				if err != nil {
					t.Error(err)
					return
				}
				l.Close()
				l.Close()
			}
		})
	}
	for range 40 {
		h.stepAfter(time.Second)
		apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
	}
	wait.Wait()
}

// TestAListenerThatMissesNewsGetsASnapshot lets more news wait than a listener keeps.
func TestAListenerThatMissesNewsGetsASnapshot(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	_, l, err := h.Crash.Listen(h.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 20 { // rounds, of which each makes more than five news
		h.bets(ann, 1_000, 1_01)
		for _, status := range []crash.Status{crash.Closed, crash.Flying, crash.Crashed, crash.Settled, crash.Betting} {
			h.until(status)
			apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
		}
	}
	placed := h.bets(ann, 1_000, 1_01).ID
	apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
	news := apptest.OK(l.Next(h.Ctx))(t)
	if news.Whole == nil || news.Whole.Round != h.round() || len(news.Whole.Bets) != 1 || news.Whole.Bets[0].ID != placed {
		t.Errorf("got %+v", news)
	}
}

// TestNewsAreNeverOlderThanTheSnapshot lets a listener begin when rounds have changed of which
// events weren't told yet.
func TestNewsAreNeverOlderThanTheSnapshot(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	_, first, err := h.Crash.Listen(h.Ctx) // who is told everything
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	hear := func(l *sharedcrash.Listener) (rounds []crash.Round, bets []string) {
		for {
			ended, cancel := context.WithCancel(h.Ctx)
			cancel()
			news, err := l.Next(ended)
			if err != nil {
				return rounds, bets
			}
			if news.Round != nil {
				rounds = append(rounds, *news.Round)
			}
			for _, b := range news.Bets {
				bets = append(bets, b.ID)
			}
		}
	}
	h.bets(ann, 1_000, 1_01)
	h.until(crash.Settled)
	h.until(crash.Betting)
	placed := h.bets(ann, 1_000, 1_02)
	closed := h.until(crash.Closed)
	now, l, err := h.Crash.Listen(h.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if now.Round != closed || len(now.Bets) != 1 || now.Bets[0].ID != placed.ID {
		t.Fatalf("the snapshot is %+v", now)
	}
	apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
	for _, one := range []*sharedcrash.Listener{first, l} {
		rounds, bets := hear(one)
		if len(rounds) == 0 && one == first || len(rounds) > 0 && rounds[len(rounds)-1] != closed {
			t.Errorf("told of %+v", rounds)
		}
		if one == l && (len(rounds) > 0 && rounds[0] != closed || len(bets) > 1) {
			t.Errorf("told of %d rounds and the bets %v after the snapshot", len(rounds), bets)
		}
	}
	flying := h.until(crash.Flying)
	apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
	if rounds, _ := hear(l); len(rounds) == 0 || rounds[len(rounds)-1] != flying {
		t.Errorf("told of %+v, want %+v", rounds, flying)
	}
}

// TestNewsOfBetsAreGathered checks that bets are told together, and before a change of their round.
func TestNewsOfBetsAreGathered(t *testing.T) {
	t.Parallel()
	for _, stopped := range []bool{false, true} {
		h := open(t)
		h.until(crash.Betting)
		_, l, err := h.Crash.Listen(h.Ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for _, name := range []string{"ann", "ben", "cid", "dan", "eve"} {
			h.bets(h.NewPlayer(name, 10_000), 1_000, 1_01)
			apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
		}
		h.Clock.Advance(10 * time.Second)
		if stopped {
			apptest.OK(h.driver.Step(h.Ctx))(t)
			apptest.OK(h.Events.EventsWorker().Step(h.Ctx))(t)
		} else {
			apptest.OK(h.Crash.AnswersWorker().Step(h.Ctx))(t)
		}
		first, rest := apptest.OK(l.Next(h.Ctx))(t), apptest.OK(l.Next(h.Ctx))(t)
		if len(first.Bets) != 1 || len(rest.Bets) != 4 || (rest.Round != nil) != stopped {
			t.Errorf("stopped: %v: told %d bets, then %d, with the round %+v", stopped, len(first.Bets), len(rest.Bets), rest.Round)
		}
	}
}
