package sharedcrash_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestARoundIsPlayed plays a round whose point is above 1.20, with an automatic cash-out, one by
// hand, and a bet that is left.
func TestARoundIsPlayed(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann, bob, eve := h.NewPlayer("ann", 10_000_000), h.NewPlayer("bob", 10_000_000), h.NewPlayer("eve", 10_000_000)
	var r crash.Round
	var auto, hand, left bet.Open
	for { // until a point that lets a hand be quick enough
		h.until(crash.Betting)
		auto, hand, left = h.bets(ann, 100_000, 1_10), h.bets(bob, 1_000, 0), h.bets(eve, 1_000, 100_00)
		if r = h.until(crash.Flying); h.ends(r).Sub(r.StartedAt) > 4*time.Second {
			break
		}
		h.until(crash.Settled)
	}
	for h.Clock.Now().Before(r.StartedAt) {
		h.step()
	}
	at := r.StartedAt.Add(time.Duration(crash.TimeOf(1_20)) * time.Millisecond)
	got := apptest.OK(h.cashes(bob, hand.ID, at))(t)
	if _, out, err := crash.BetOf(got.Bet); err != nil || out == nil || out.Multiplier != 1_20 {
		t.Fatalf("cashed out as %+v, %v", out, err)
	}
	again := apptest.OK(h.cashes(bob, hand.ID, at.Add(time.Second)))(t)
	if !again.Replayed || !again.Bet.Actions.Equal(got.Bet.Actions) {
		t.Errorf("a second cash-out is answered %+v", again)
	}
	apptest.Refused(t, apptest.ErrorOf(h.cashes(ann, hand.ID, at)), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Crash.PlaceBet(h.Ctx, bob, request(100, 0))), fault.InvalidState, "status", "closed")
	r = h.until(crash.Settled)
	for id, want := range map[string]money.Amount{auto.ID: 110_000, hand.ID: 1_200, left.ID: 0} {
		if got := h.result(id); got.Payout != want || got.Void {
			t.Errorf("paid %d, want %d", got.Payout, want)
		}
	}
	apptest.Refused(t, apptest.ErrorOf(h.cashes(eve, left.ID, at)), fault.InvalidState, "status", "ended")
	h.CheckSolvent()
	next := h.until(crash.Betting)
	if next.Number != r.Number+1 || next.Previous != r.Hash {
		t.Errorf("round %d follows %d", next.Number, r.Number)
	}
}

// TestCashOutsCountByTheirMoment checks both sides of the boundary: the millisecond before the
// end is paid although it is committed after the crash, the millisecond of the end never.
func TestCashOutsCountByTheirMoment(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann, bob := h.NewPlayer("ann", 10_000_000), h.NewPlayer("bob", 10_000_000)
	for {
		h.until(crash.Betting)
		early, late := h.bets(ann, 1_000, 0), h.bets(bob, 1_000, 0)
		r := h.until(crash.Flying)
		ends := h.ends(r)
		if ms := ends.Sub(r.StartedAt).Milliseconds(); ms < crash.TimeOf(crash.CashOutMin)+2 {
			h.until(crash.Settled)
			continue
		}
		answered := h.Crash.Receive(ends.Add(-time.Millisecond)) // the request waits in a queue
		h.until(crash.Crashed)
		for range 16 {
			h.stepAfter(250 * time.Millisecond)
		}
		if now := h.round(); now.Paying {
			t.Fatal("the settlement began while a cash-out had no answer")
		}
		apptest.Refused(t, apptest.ErrorOf(h.Crash.CashOut(h.Ctx, bob, late.ID, ends)), fault.InvalidState)
		apptest.OK(h.Crash.CashOut(h.Ctx, ann, early.ID, ends.Add(-time.Millisecond)))(t)
		answered()
		h.until(crash.Settled)
		want := money.Amount(crash.MultiplierAt(ends.Add(-time.Millisecond).Sub(r.StartedAt).Milliseconds()) * 10)
		if got := h.result(early.ID).Payout; got != want {
			t.Errorf("a millisecond before the end: paid %d, want %d", got, want)
		}
		if got := h.result(late.ID).Payout; got != 0 {
			t.Errorf("at the end: paid %d", got)
		}
		return
	}
}

// TestARoundIsTakenOver lets the driver stop in each state: another instance goes on within two
// seconds.
func TestARoundIsTakenOver(t *testing.T) {
	t.Parallel()
	for _, status := range []crash.Status{crash.Betting, crash.Closed, crash.Flying, crash.Crashed} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			h := open(t)
			ann := h.NewPlayer("ann", 10_000_000)
			h.until(crash.Betting)
			placed := h.bets(ann, 100_000, 1_01)
			stopped := h.round()
			if status != crash.Betting {
				stopped = h.until(status)
			}
			other := h.beside()
			since := h.Clock.Now()
			for {
				h.Clock.Advance(10 * time.Millisecond)
				if _, err := other.driver.Step(h.Ctx); err != nil {
					t.Fatal(err)
				}
				if _, err := h.Crash.AnswersWorker().Step(h.Ctx); err != nil {
					t.Fatal(err)
				}
				if other.driver.Leads() {
					break
				}
			}
			if took := h.Clock.Now().Sub(since); took > 2*time.Second {
				t.Errorf("taken over after %v", took)
			}
			ended := other.until(crash.Settled)
			if ended.Number != stopped.Number || stopped.Status == crash.Flying && ended.StartedAt != stopped.StartedAt {
				t.Errorf("went on with %+v after %+v", ended, stopped)
			}
			if got := h.result(placed.ID); got.Payout != 0 && got.Payout != 101_000 {
				t.Errorf("paid %d", got.Payout)
			}
			if _, err := h.driver.Step(h.Ctx); err != nil || h.driver.Leads() {
				t.Errorf("the earlier driver leads: %v", err)
			}
			h.CheckSolvent()
		})
	}
}

// TestASettlementIsTakenOver lets the driver stop in the middle of a settlement, for longer than
// any report of answered cash-outs counts.
func TestASettlementIsTakenOver(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	placed := h.bets(ann, 100_000, 1_01)
	for !h.round().Paying {
		h.step()
		if h.round().Status == crash.Closed {
			h.slots.Pass(1)
		}
	}
	stopped := h.round()
	if stopped.Status != crash.Crashed {
		t.Fatalf("the settlement ended at once: %+v", stopped)
	}
	h.Clock.Advance(time.Minute)
	other := h.beside()
	for range 100 {
		other.step()
	}
	if ended := apptest.OK(h.Store.CrashRound(h.Ctx, stopped.Chain, stopped.Number))(t); ended.Status != crash.Settled {
		t.Errorf("the settlement did not go on: %+v", ended)
	}
	if got := h.result(placed.ID); got.Payout != 0 && got.Payout != 101_000 {
		t.Errorf("paid %d", got.Payout)
	}
}

// TestARoundWithoutABeacon waits for it, and returns the stakes when the network proves that it
// never came.
func TestARoundWithoutABeacon(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	placed := h.bets(ann, 100_000, 1_50)
	for h.round().Status == crash.Betting {
		h.step()
	}
	closed := h.round()
	for range 4 * 60 {
		h.stepAfter(time.Second)
	}
	if now := h.round(); now != closed {
		t.Fatalf("without a beacon the round became %+v", now)
	}
	if h.CountAlarms("a round of the shared crash waits for its beacon") == 0 {
		t.Error("no alarm was raised")
	}
	h.slots.PassEmpty(13) // the first slot from the height on is beyond the window
	h.slots.Pass(fakes.ChainFinality + 1)
	for range 20 {
		h.step()
	}
	cancelled := apptest.OK(h.Store.CrashRound(h.Ctx, closed.Chain, closed.Number))(t)
	if cancelled.Status != crash.Cancelled || cancelled.Hash == "" {
		t.Errorf("the round became %+v", cancelled)
	}
	if got := h.result(placed.ID); !got.Void || got.Payout != 100_000 {
		t.Errorf("the stake ended as %+v", got)
	}
	h.until(crash.Settled)
}

// TestAPauseEndsAfterTheRound checks that a pause of play leaves the round that is played.
func TestAPauseEndsAfterTheRound(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	h.bets(ann, 100_000, 1_01)
	h.pause(true)
	apptest.Refused(t, apptest.ErrorOf(h.Crash.PlaceBet(h.Ctx, ann, request(100, 0))), fault.Maintenance)
	last := h.until(crash.Settled)
	for range 50 {
		h.stepAfter(time.Second)
	}
	if now := h.round(); now.Number != last.Number {
		t.Errorf("round %d was opened during the pause", now.Number)
	}
	h.pause(false)
	h.until(crash.Betting)
}

// TestChainsFollow checks that a chain without a hash left is followed by another.
func TestChainsFollow(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := h.until(crash.Betting).Chain
	for h.round().Chain == first {
		h.until(crash.Settled)
		h.until(crash.Betting)
	}
	chains := apptest.OK(h.Store.CrashChains(h.Ctx))(t)
	if len(chains) != 2 || h.round().Number != 1 {
		t.Errorf("%d chains, round %d", len(chains), h.round().Number)
	}
}

// TestRoundsAfterARecovery recovers a database with an open round, in each state. The driver ends
// the round once, with its stored values, and opens the next round on another chain.
func TestRoundsAfterARecovery(t *testing.T) {
	t.Parallel()
	for _, status := range []crash.Status{crash.Betting, crash.Closed, crash.Flying, crash.Crashed} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			h := open(t)
			ann := h.NewPlayer("ann", 10_000_000)
			h.until(crash.Betting)
			placed := h.bets(ann, 1_000, 1_50)
			old := h.round()
			if status != crash.Betting {
				old = h.until(status)
			}
			hash := apptest.OK(h.Store.CrashHash(h.Ctx, old.Chain, old.Number))(t)
			h.Clock.Advance(time.Minute) // the lease ends
			h.ChangeControls(func(s *control.State) {
				s.Restored = &control.Restored{At: h.Clock.Now(), By: "a test", Reason: "restored"}
			})
			lease, has, err := h.Store.LeaseCrash(h.Ctx, "recovery", 0, h.Clock.Now(), time.Second)
			if err != nil || !has {
				t.Fatal(has, err)
			}
			err = h.Store.ChangeCrashRound(h.Ctx, lease.Fence, old.Chain, old.Number, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
				next, err := now.Recover(hash)
				return ports.CrashChange{Round: next, At: h.Clock.Now()}, err
			})
			if err != nil {
				t.Fatal(err)
			}
			h.BeginEpoch()
			h.Clock.Advance(time.Minute)
			for h.round().Chain == old.Chain {
				h.step()
				if h.round().Status == crash.Closed {
					h.slots.Pass(1)
				}
			}
			ended := apptest.OK(h.Store.CrashRound(h.Ctx, old.Chain, old.Number))(t)
			if old.Height != 0 && ended.Height != old.Height || old.Salt != "" && ended.Salt != old.Salt || ended.Hash != hash.Reveal() {
				t.Errorf("the round ended as %+v after %+v", ended, old)
			}
			got := h.result(placed.ID)
			won := ended.Status == crash.Settled && ended.Point >= 1_50
			if want := map[bool]money.Amount{true: 1_500, false: 1_000}[won]; got.Payout != want || got.Void == won {
				t.Errorf("paid %d (void: %v) at %d, want %d", got.Payout, got.Void, ended.Point, want)
			}
			if ended.Status != crash.Settled && ended.Status != crash.Cancelled || (status == crash.Betting) != (ended.Status == crash.Cancelled) {
				t.Errorf("the round is %s", ended.Status)
			}
			h.until(crash.Settled)
			h.CheckSolvent()
		})
	}
}
