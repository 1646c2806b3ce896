package sharedcrash_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// crowd returns a number of players with an amount each.
func (h *house) crowd(players int, amount money.Amount) []app.Caller {
	h.T.Helper()
	all := make([]app.Caller, players)
	for i := range all {
		all[i] = h.NewPlayer(fmt.Sprint("player ", i), amount)
	}
	return all
}

// placed reads all bets on a round that have no result.
func (h *house) placed(r crash.Round) (all []crash.Bet) {
	h.T.Helper()
	for _, open := range apptest.OK(h.Store.CrashBets(h.Ctx, bet.Shared{Chain: r.Chain, Number: r.Number}, "", 1_000))(h.T) {
		b, _, err := crash.BetOf(open)
		if err != nil {
			h.T.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// TestBetsAtTheClose lets players bet through two instances while the driver closes the round.
// The closing commit has exactly the bets that were accepted.
func TestBetsAtTheClose(t *testing.T) {
	t.Parallel()
	h := open(t)
	crowd := h.crowd(60, 10_000)
	other := h.beside()
	r := h.until(crash.Betting)
	h.Clock.Set(r.OpenedAt.Add(h.Crash.Rules().Betting))
	var (
		all      sync.WaitGroup
		mu       sync.Mutex
		accepted = map[string]bool{}
		refused  int
		begin    = make(chan struct{})
	)
	for i, who := range crowd {
		at := []*house{h, other}[i%2]
		all.Go(func() {
			<-begin
			made, err := at.Crash.PlaceBet(h.Ctx, who, request(100, 1_01))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				accepted[made.Bet.ID] = true
			case fault.Is(err, fault.InvalidState):
				refused++
			default:
				t.Error(err)
			}
		})
	}
	all.Go(func() {
		<-begin
		for { // some are on time
			mu.Lock()
			some := len(accepted)
			mu.Unlock()
			if some >= len(crowd)/4 {
				break
			}
		}
		if _, err := h.driver.Step(h.Ctx); err != nil {
			t.Error(err)
		}
	})
	close(begin)
	all.Wait()
	closed, placed := h.round(), h.placed(r)
	if closed.Status != crash.Closed || len(accepted)+refused != len(crowd) {
		t.Fatalf("%d accepted, %d refused, the round is %s", len(accepted), refused, closed.Status)
	}
	for _, b := range placed {
		if !accepted[b.ID] {
			t.Errorf("bet %s was not accepted", b.ID)
		}
	}
	stated := fmt.Sprintf("bets: %d\nroot: %x\n", len(accepted), crash.Root(r.Chain, r.Number, placed))
	if len(placed) != len(accepted) || !strings.HasSuffix(closed.Closing, stated) {
		t.Errorf("%d bets of %d accepted are stored, want %q in %q", len(placed), len(accepted), stated, closed.Closing)
	}
	apptest.Refused(t, apptest.ErrorOf(other.Crash.PlaceBet(h.Ctx, h.NewPlayer("late", 10_000), request(100, 0))), fault.InvalidState)
}

// TestBetsFillTheRoom lets 200 wallets bet at once through two instances. However many are
// accepted, all of them can be paid from the share of the bankroll.
func TestBetsFillTheRoom(t *testing.T) {
	t.Parallel()
	h := open(t)
	crowd := h.crowd(200, 10_000)
	other := h.beside()
	r := h.until(crash.Betting)
	const room = apptest.Capital / 5
	var all sync.WaitGroup
	for i, who := range crowd {
		at := []*house{h, other}[i%2]
		all.Go(func() {
			if _, err := at.Crash.PlaceBet(h.Ctx, who, request(1_000, uint64(10_00+10*i))); err != nil && !bet.RefusedForRoom(err) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	placed := h.placed(r)
	most, fits := crash.Exposure(placed, money.SOL)
	if !fits || most.Cmp(money.TotalOf(room)) > 0 || most.Cmp(money.TotalOf(room*9/10)) < 0 || len(placed) == len(crowd) {
		t.Errorf("%d bets can win %v, the room is %d", len(placed), most, room)
	}
	h.until(crash.Settled)
	h.CheckSolvent()
}

// flyingAbove plays rounds until one flies whose curve lasts for a while. Everybody bets on each,
// and the bets are returned.
func (h *house) flyingAbove(lasts time.Duration, who ...app.Caller) (crash.Round, []bet.Open) {
	h.T.Helper()
	for {
		h.until(crash.Betting)
		var placed []bet.Open
		for _, one := range who {
			placed = append(placed, h.bets(one, 1_000, 0))
		}
		r := h.until(crash.Flying)
		if h.ends(r).Sub(r.StartedAt) > lasts {
			return r, placed
		}
		h.until(crash.Settled)
	}
}

// reports has the instance report its answers until the report is new.
func (h *house) reports() {
	h.T.Helper()
	h.Clock.Advance(200 * time.Millisecond)
	apptest.OK(h.Crash.AnswersWorker().Step(h.Ctx))(h.T)
}

// TestCashOutsAtOnce sends a cash-out many times at once through two instances, as received at
// different moments. One counts, and all get its answer.
func TestCashOutsAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	r, placed := h.flyingAbove(5*time.Second, h.NewPlayer("ann", 10_000_000))
	other := h.beside()
	h.reports()
	other.reports()
	const times = 16
	var all sync.WaitGroup
	answers := make([]bet.Open, times)
	for i := range times {
		at, moment := []*house{h, other}[i%2], r.StartedAt.Add(time.Duration(1_000+i*100)*time.Millisecond)
		all.Go(func() {
			answer, err := at.cashes(apptest.Caller("ann"), placed[0].ID, moment)
			if err != nil {
				t.Error(err)
			}
			answers[i] = answer.Bet
		})
	}
	all.Wait()
	for _, one := range answers {
		if !one.Actions.Equal(answers[0].Actions) || one.Actions.Len() != 1 {
			t.Errorf("answered %+v and %+v", answers[0].Actions, one.Actions)
		}
	}
	h.until(crash.Settled)
	_, out, err := crash.BetOf(answers[0])
	if err != nil || h.result(placed[0].ID).Payout != money.Amount(out.Multiplier*10) {
		t.Errorf("paid %d for %+v: %v", h.result(placed[0].ID).Payout, out, err)
	}
}

// TestCashOutsOfOthers cashes out bets that the caller doesn't have: a stranger's, open and
// settled, another game's, and none.
func TestCashOutsOfOthers(t *testing.T) {
	t.Parallel()
	s := fakes.NewBeacons()
	base := apptest.OpenWithLadder(t)
	h := &house{House: base.Remade(func(d *app.Deps) { rulesOf(d, s) }), slots: s}
	h.driver = h.Crash.Driver()
	ann, eve := h.NewPlayer("ann", 10_000_000), h.NewPlayer("eve", 10_000_000)
	ladder := h.OpenRound(ann, apptest.Climb(1_000))
	r, placed := h.flyingAbove(3*time.Second, ann)
	h.reports()
	at := r.StartedAt.Add(time.Second)
	refuses := func(what string, who app.Caller, id string, kind fault.Kind) {
		t.Helper()
		h.CheckUnchanged(func() {
			if _, err := h.cashes(who, id, at); !fault.Is(err, kind) {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	refuses("a stranger's", eve, placed[0].ID, fault.NotFound)
	refuses("another game's", ann, ladder.ID, fault.NotFound)
	refuses("none", ann, "no bet", fault.NotFound)
	h.until(crash.Settled)
	refuses("a stranger's settled one", eve, placed[0].ID, fault.NotFound)
	refuses("her own settled one", ann, placed[0].ID, fault.InvalidState)
}

// storeTime is a store's clock.
type storeTime struct{ ports.Clock }

func (s storeTime) StoreTime(context.Context) (time.Time, error) { return s.Now(), nil }

// skewed is a clock that is ahead of another one.
type skewed struct {
	ports.Clock
	by time.Duration
}

func (s skewed) Now() time.Time { return s.Clock.Now().Add(s.by) }

// skewed returns another instance whose clock is ahead of the store's.
func (h *house) skewed(by time.Duration) *house {
	other := &house{House: h.Remade(func(d *app.Deps) { d.Store.StoreClock, d.Clock = storeTime{h.Clock}, skewed{h.Clock, by} }), slots: h.slots}
	other.driver = other.Crash.Driver()
	return other
}

// TestClocksThatAreOff lets instances whose clocks differ from the store's take cash-outs, and
// drive.
func TestClocksThatAreOff(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{-60 * time.Millisecond, -50 * time.Millisecond, 50 * time.Millisecond, 60 * time.Millisecond} {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			off := by.Abs() > 50*time.Millisecond
			h := open(t)
			ann := h.NewPlayer("ann", 10_000_000)
			r, placed := h.flyingAbove(5*time.Second, ann)
			other := h.skewed(by)
			other.reports()
			_, err := other.cashes(ann, placed[0].ID, r.StartedAt.Add(2*time.Second))
			if off {
				apptest.Refused(t, err, fault.Unavailable)
			} else if err != nil {
				t.Error(err)
			}
			if alarms := other.CountAlarms(alarm.Clocks.Message()); alarms > 0 != off {
				t.Errorf("%d alarms", alarms)
			}
			h.Clock.Advance(3 * time.Second) // the lease ends
			apptest.OK(other.driver.Step(h.Ctx))(t)
			if other.driver.Leads() == off {
				t.Errorf("it drives: %v", other.driver.Leads())
			}
		})
	}
}

// TestAClockThatGoesWrong lets the clock of the instance that drives go wrong: it drives no
// further, not even until its lease ends.
func TestAClockThatGoesWrong(t *testing.T) {
	t.Parallel()
	h := open(t)
	var by time.Duration
	wrong := &house{House: h.Remade(func(d *app.Deps) { d.Store.StoreClock, d.Clock = storeTime{h.Clock}, moved{h.Clock, &by} }), slots: h.slots}
	wrong.driver = wrong.Crash.Driver()
	r := wrong.until(crash.Betting)
	closes := r.OpenedAt.Add(h.Crash.Rules().Betting)
	for h.Clock.Now().Before(closes.Add(-500 * time.Millisecond)) {
		wrong.step()
	}
	by = 60 * time.Millisecond
	for h.Clock.Now().Before(closes.Add(200 * time.Millisecond)) {
		wrong.step()
	}
	if now := wrong.round(); now != r {
		t.Errorf("it went on with %+v", now)
	}
	by = 0
	wrong.until(crash.Closed)
}

// moved is a clock that a test moves against another one.
type moved struct {
	ports.Clock
	by *time.Duration
}

func (m moved) Now() time.Time { return m.Clock.Now().Add(*m.by) }

// TestSlowClocksAreWaitedFor ends a round while an instance's clock is behind: the settlement
// waits until that instance's cash-outs, by its own clock, are too late.
func TestSlowClocksAreWaitedFor(t *testing.T) {
	t.Parallel()
	const behind = 40 * time.Millisecond
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	r, placed := h.flyingAbove(3*time.Second, ann)
	other := h.skewed(-behind)
	ends := h.ends(r)
	h.Clock.Set(ends.Add(-250 * time.Millisecond))
	apptest.OK(other.Crash.AnswersWorker().Step(h.Ctx))(t)
	h.Clock.Set(ends.Add(behind - time.Millisecond))
	received := ends.Add(-time.Millisecond) // by the other's clock
	answered := other.Crash.Receive(received)
	for range 10 {
		h.stepAfter(200 * time.Millisecond)
		apptest.OK(other.Crash.AnswersWorker().Step(h.Ctx))(t)
	}
	if now := h.round(); now.Status != crash.Crashed || now.Paying {
		t.Fatalf("the round is %+v", now)
	}
	apptest.OK(other.Crash.CashOut(h.Ctx, ann, placed[0].ID, received))(t)
	answered()
	for range 10 {
		h.stepAfter(200 * time.Millisecond)
		apptest.OK(other.Crash.AnswersWorker().Step(h.Ctx))(t)
	}
	if paid := h.result(placed[0].ID).Payout; paid != money.Amount(10*crash.MultiplierAt(received.Sub(r.StartedAt).Milliseconds())) {
		t.Errorf("paid %d", paid)
	}
}

// during is a network that runs a function once while it is asked.
type during struct {
	*slots
	newest, first func()
}

func once(f *func()) {
	if run := *f; run != nil {
		*f = nil
		run()
	}
}

func (d *during) NewestHeight(ctx context.Context) (uint64, error) {
	height, err := d.slots.NewestHeight(ctx)
	once(&d.newest)
	return height, err
}

func (d *during) FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error) {
	b, found, err := d.slots.FirstBeacon(ctx, height)
	if found {
		once(&d.first)
	}
	return b, found, err
}

// TestTwoDrivers pauses a driver in the middle of a change, until another one has taken over and
// made the change. What the first one wanted to do is refused, and it drives no further.
func TestTwoDrivers(t *testing.T) {
	t.Parallel()
	for _, status := range []crash.Status{crash.Betting, crash.Closed} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			s := fakes.NewBeacons()
			paused := &during{slots: s}
			h := &house{House: apptest.Open(t, func(d *app.Deps) { rulesOf(d, s) }), slots: s}
			h.driver = h.Crash.Driver()
			first := &house{House: h.Remade(func(d *app.Deps) { d.Beacons = paused }), slots: s}
			first.driver = first.Crash.Driver()
			ann := h.NewPlayer("ann", 10_000_000)
			first.until(crash.Betting)
			placed := h.bets(ann, 1_000, 1_01)
			var wanted crash.Round
			other := func() {
				h.Clock.Advance(2 * time.Second)
				s.PassEmpty(3)
				wanted = h.until(crash.Flying)
			}
			if status == crash.Betting {
				paused.newest = other
			} else {
				first.until(crash.Closed)
				paused.first = other
			}
			for wanted.Number == 0 {
				first.step()
				if h.round().Status == crash.Closed {
					s.Pass(1)
				}
			}
			if got := h.round(); got != wanted || first.driver.Leads() {
				t.Errorf("the earlier driver left %+v, want %+v", got, wanted)
			}
			for range 20 {
				first.step()
			}
			if first.driver.Leads() {
				t.Error("the earlier driver leads")
			}
			h.until(crash.Settled)
			if paid := h.result(placed.ID); paid.Void {
				t.Errorf("ended as %+v", paid)
			}
			h.CheckSolvent()
		})
	}
}

// answer is a network that gives one answer.
type answer struct {
	*slots
	beacon *crash.Beacon
}

func (a *answer) FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error) {
	if a.beacon != nil {
		return *a.beacon, true, nil
	}
	return a.slots.FirstBeacon(ctx, height)
}

// TestForgedBeacons gives a closed round beacons that its rule doesn't allow: it keeps waiting,
// with each of them, and takes the true one.
func TestForgedBeacons(t *testing.T) {
	t.Parallel()
	s := fakes.NewBeacons()
	forged := &answer{slots: s}
	h := &house{House: apptest.Open(t, func(d *app.Deps) { rulesOf(d, s); d.Beacons = forged }), slots: s}
	h.driver = h.Crash.Driver()
	last := h.until(crash.Settled)
	h.until(crash.Betting)
	for h.round().Status == crash.Betting {
		h.step()
	}
	closed := h.round()
	network := apptest.OK(s.BeaconRule(h.Ctx))(t).Network
	for what, b := range map[string]crash.Beacon{
		"that of the round before": {Height: last.BeaconHeight, Parent: last.BeaconHeight - 1, Value: network},
		"an early one":             {Height: closed.Height - 1, Parent: closed.Height - 2, Value: network},
		"one that isn't the first": {Height: closed.Height + 1, Parent: closed.Height, Value: network},
		"one without a value":      {Height: closed.Height, Parent: closed.Height - 1, Value: "0"},
		"absent, by a later one":   {Height: closed.Height + 30, Parent: closed.Height, Value: network},
		"absent, by an early one":  {Height: closed.Height - 1, Parent: 1, Value: network},
	} {
		forged.beacon = &b
		h.Clock.Advance(time.Second)
		if _, err := h.driver.Step(h.Ctx); err == nil {
			t.Errorf("%s was taken", what)
		}
		if now := h.round(); now != closed {
			t.Errorf("%s made %+v", what, now)
		}
	}
	forged.beacon = nil
	if r := h.until(crash.Flying); r.BeaconHeight < closed.Height {
		t.Errorf("the beacon is of %d, before %d", r.BeaconHeight, closed.Height)
	}
}
