package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/alarms"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// trouble is the cause of an alarm, and which of the two instances see it.
type trouble struct {
	kind  alarm.Kind
	about string
	sees  [2]bool
	// id is the open alarm about it.
	id string
}

// process is an instance of the service with the workers that raise and clear alarms; nil while
// it is down.
type process struct {
	*app.Casino
	watcher *deposits.DepositWatcher
	began   time.Time
	// stuck says that the worker that lists alarms makes no progress.
	stuck bool
}

// alarmed is a house with two instances that see troubles begin and end.
type alarmed struct {
	*house
	random    *rand.Rand
	troubles  []*trouble
	processes [2]*process
	// episodes is the expected number of alarms.
	episodes int
	admins   [2]app.Caller
}

// tick is how long workers rest. The one that lists alarms rests for alarms.AlarmInterval.
const tick = 10 * time.Second

// seen is the data an instance sees: the database's clock, and the chain's history.
type seen struct {
	app.Chain
	of     *alarmed
	number int
}

var errNoHistory = errors.New("the node has no history")

func (s seen) StoreTime(context.Context) (time.Time, error) {
	if s.of.trouble(alarm.Clocks, "clocks").sees[s.number] {
		return s.of.clock.Now().Add(time.Hour), nil
	}
	return s.of.clock.Now(), nil
}

func (s seen) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	if s.of.trouble(alarm.DepositsUnwatched, string(terms.Mint)).sees[s.number] {
		return ports.HistoryPage{}, errNoHistory
	}
	return s.Chain.Since(ctx, terms, cursor, limit)
}

func (a *alarmed) trouble(kind alarm.Kind, about string) *trouble {
	i := slices.IndexFunc(a.troubles, func(t *trouble) bool { return t.kind == kind && t.about == about })
	return a.troubles[i]
}

// starts starts an instance: a process without memory of an earlier one.
func (a *alarmed) starts(number int) {
	a.Helper()
	casino := a.instance(a.storages[number%len(a.storages)], func(d *app.Deps) {
		shown := seen{d.Chain, a, number}
		d.Chain, d.Store.StoreClock = shown, shown
	})
	a.must(casino.Deposits.BeginWatch(a.Context()))
	a.processes[number] = &process{casino, casino.Deposits.DepositWatcher(), a.clock.Now(), false}
}

// kill ends an instance at any point.
func (a *alarmed) kill(number int) { a.processes[number] = nil }

// passes advances the time, while the workers of the running instances take their steps
// concurrently.
func (a *alarmed) passes(d time.Duration) {
	a.Helper()
	for range max(1, d/tick) {
		a.clock.Advance(tick)
		var working sync.WaitGroup
		for _, p := range a.processes {
			if p != nil {
				working.Go(func() { a.works(p) })
			}
		}
		working.Wait()
		a.oneEach()
	}
}

func (a *alarmed) works(p *process) {
	ctx := a.Context()
	if !p.stuck && p.Clock.Now().Sub(p.began)%alarms.AlarmInterval == tick {
		if _, err := p.Alarms.AlarmWorker().Step(ctx); err != nil {
			a.Error(err)
		}
	}
	if _, err := p.Health().Step(ctx); err != nil {
		a.Error(err)
	}
	for range len(p.Tokens.All()) + 1 { // a round of the watcher
		if _, err := p.watcher.Step(ctx); err != nil && !errors.Is(err, errNoHistory) {
			a.Error(err)
		}
	}
}

// all returns all alarms about a trouble.
func (a *alarmed) all(t *trouble) (all []alarm.Alarm) {
	a.Helper()
	for at := (ports.Page{Limit: ports.PageMax, Uncounted: true}); ; {
		page, err := a.store.Alarms(a.Context(), ports.AlarmFilter{Kind: t.kind, About: t.about}, at)
		a.must(err)
		all = append(all, page.Alarms...)
		if at.After = page.Next; at.After == "" {
			return all
		}
	}
}

// listed returns the newest alarms about a trouble, the newest first.
func (a *alarmed) listed(t *trouble) []alarm.Alarm {
	a.Helper()
	page, err := a.store.Alarms(a.Context(), ports.AlarmFilter{Kind: t.kind, About: t.about}, ports.Page{Number: 1, Limit: ports.PageMax})
	a.must(err)
	return page.Alarms
}

// oneEach fails unless each visible trouble has one open alarm, the same as before, and no other.
func (a *alarmed) oneEach() {
	a.Helper()
	for _, t := range a.troubles {
		var open []alarm.Alarm
		for _, each := range a.listed(t) {
			if each.Open() {
				open = append(open, each)
			}
		}
		shown := false
		for number, p := range a.processes {
			shown = shown || p != nil && t.sees[number]
		}
		switch {
		case len(open) > 1:
			a.Fatalf("%s has %d open alarms: %+v", t.kind, len(open), open)
		case len(open) == 1 && t.id == "":
			t.id = open[0].ID
			a.episodes++
		case len(open) == 1 && open[0].ID != t.id:
			a.Fatalf("%s went on and became another alarm: %+v", t.kind, a.listed(t))
		}
		if shown && len(open) == 0 {
			a.Fatalf("%s is seen and has no open alarm: %+v", t.kind, a.listed(t))
		}
	}
}

// begins lets each trouble be seen by one of the instances or by both.
func (a *alarmed) begins() {
	for _, t := range a.troubles {
		t.sees = [2]bool{}
		for t.sees == [2]bool{} {
			t.sees = [2]bool{a.random.IntN(2) == 0, a.random.IntN(2) == 0}
		}
	}
}

func (a *alarmed) ends() {
	for _, t := range a.troubles {
		t.sees = [2]bool{}
	}
}

// between returns a random duration.
func (a *alarmed) between(from, to time.Duration) time.Duration {
	return from + time.Duration(a.random.Int64N(int64(to-from))).Truncate(tick)
}

// goesOn does something that ends no trouble: each must remain one alarm.
func (a *alarmed) goesOn() {
	a.Helper()
	switch a.random.IntN(5) {
	case 0: // troubles become visible and invisible
		a.ends()
		a.passes(a.between(tick, time.Minute))
		a.begins()
	case 1: // an instance is killed and comes back
		one := a.random.IntN(2)
		a.kill(one)
		a.passes(a.between(tick, time.Minute))
		a.starts(one)
	case 2: // the whole service is down for longer than an alarm stays quiet
		a.kill(0)
		a.kill(1)
		a.clock.Advance(a.between(5*time.Minute, time.Hour))
		a.startsAgain()
	case 3: // an instance's knowledge of alarms is older than an alarm stays quiet
		one := a.processes[a.random.IntN(2)]
		one.stuck = true
		a.passes(a.between(alarm.Quiet, 2*alarm.Quiet))
		one.stuck = false
	case 4:
		a.acknowledges(a.troubles[a.random.IntN(len(a.troubles))])
	}
	a.passes(a.between(tick, 5*time.Minute))
}

// startsAgain starts both, in either order.
func (a *alarmed) startsAgain() {
	a.Helper()
	one := a.random.IntN(2)
	a.starts(one)
	a.passes(a.between(tick, time.Minute))
	a.starts(1 - one)
}

// acknowledges lets both admins acknowledge an alarm concurrently, each at an instance: one
// succeeds, and the other is told that it was done.
func (a *alarmed) acknowledges(t *trouble) {
	a.Helper()
	before := a.listed(t)[0]
	if !before.Open() {
		return
	}
	var racing sync.WaitGroup
	var answers [2]error
	for number, casino := range [2]*app.Casino{a.Casino, a.other} {
		racing.Go(func() {
			_, answers[number] = casino.Alarms.AcknowledgeAlarm(a.Context(), a.admins[number], alarms.Acknowledgement{ID: before.ID, Note: "on it"})
		})
	}
	racing.Wait()
	did := 0
	for number, err := range answers {
		if err == nil {
			did++
			other := [2]*app.Casino{a.other, a.Casino}[number]
			page, err := other.Alarms.Alarms(a.Context(), a.admins[number], ports.AlarmFilter{Kind: t.kind, About: t.about}, ports.Page{Number: 1, Limit: 1})
			a.must(err)
			if found := page.Alarms[0]; found.ID != before.ID || !found.Open() || found.AcknowledgedBy != a.admins[number].Wallet {
				a.Errorf("the other instance shows %+v", found)
			}
		} else if !fault.Is(err, fault.InvalidState) {
			a.Error(err)
		}
	}
	if want := map[bool]int{true: 1}[before.AcknowledgedBy == ""]; did != want {
		a.Errorf("%d of two acknowledged %+v, want %d", did, before, want)
	}
}

// isOver ends all troubles, kills an instance or none, and waits until each alarm is cleared:
// without an admin, and not while an instance may still see its cause.
func (a *alarmed) isOver() {
	a.Helper()
	ended := a.clock.Now()
	a.ends()
	killed := a.random.IntN(3)
	if killed < 2 {
		a.kill(killed)
	}
	a.passes(alarm.Quiet + alarm.SeenEvery + alarms.AlarmInterval + tick)
	for _, t := range a.troubles {
		last := a.listed(t)[0]
		if last.ID != t.id || last.Open() || last.ClearedBy != "" {
			a.Fatalf("%s is over, and its alarm is %+v", t.kind, last)
		}
		if quiet := last.ClearedAt.Sub(ended); quiet < alarm.Quiet-alarm.SeenEvery-tick {
			a.Errorf("%s was cleared %v after it was seen", t.kind, quiet)
		}
		t.id = ""
	}
	if killed < 2 {
		a.starts(killed)
	}
}

// heardOnce fails unless each alarm was raised once and cleared once, also in the events.
func (a *alarmed) heardOnce() {
	a.Helper()
	raised, cleared := map[string]int{}, map[string]int{}
	var at stream.Cursor
	for more := true; more; {
		page, err := a.other.Events.Events(a.Context(), at, stream.Filter{Types: []stream.Type{stream.AlarmRaised, stream.AlarmCleared}}, 500)
		a.must(err)
		for _, e := range page.Events {
			if e.Type == stream.AlarmRaised {
				raised[e.Subject]++
			} else {
				cleared[e.Subject]++
			}
		}
		at, more = page.Next, page.More
	}
	rows := 0
	for _, t := range a.troubles {
		for _, each := range a.all(t) {
			rows++
			if raised[each.ID] != 1 || cleared[each.ID] != 1 {
				a.Errorf("%+v was raised %d times and cleared %d times", each, raised[each.ID], cleared[each.ID])
			}
		}
	}
	if rows != a.episodes || len(raised) != rows || len(cleared) != rows {
		a.Errorf("%d alarms for %d episodes, of which %d were heard and %d heard to end", rows, a.episodes, len(raised), len(cleared))
	}
}

// TestOneAlarmUnderTwoInstances lets two instances see the same troubles begin and end, both of
// them or one, while they are killed and admins acknowledge. Each trouble is one alarm from its
// beginning to its end, with one event for each.
//
// CASINO_TEST_ALARMS is how often troubles begin and end on each database, and
// CASINO_TEST_ALARMS_SEED the seed of a run.
func TestOneAlarmUnderTwoInstances(t *testing.T) {
	t.Parallel()
	times, seed := setting(t, "CASINO_TEST_ALARMS", 4), uint64(setting(t, "CASINO_TEST_ALARMS_SEED", 1)) //nolint:gosec // any bits will do
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			a := &alarmed{house: newHouse(t, open), random: rand.New(rand.NewPCG(seed, 16))} //nolint:gosec // it must be repeatable
			for _, mint := range []money.Token{money.SOL, usd} {
				a.troubles = append(a.troubles, &trouble{kind: alarm.DepositsUnwatched, about: string(mint)})
			}
			a.troubles = append(a.troubles, &trouble{kind: alarm.Clocks, about: "clocks"})
			for number := range a.processes {
				a.admins[number] = a.admin(fmt.Sprint("admin ", number), "ops", "")
				a.starts(number)
			}
			for range times {
				a.begins()
				a.passes(a.between(tick, 3*time.Minute))
				for range a.random.IntN(5) {
					a.goesOn()
				}
				a.isOver()
			}
			a.heardOnce()
			report, err := audit.NewAuditor(a.store, a.Games, nil).Run(t.Context())
			a.must(errors.Join(err, report.Err()))
			t.Logf("seed %d: %d alarms in %v", seed, a.episodes, a.clock.Now().Sub(fakes.Start))
		})
	}
}

// setting reads a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}
