package sharedcrash_test

import (
	"context"
	"sync"
	"testing"
	"time"

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
