package app

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Worker is work that goes on beside requests: a step that somebody repeats, and rests for
// the interval when it reports that there was nothing to do. Steps of one worker never
// overlap; those of several workers, and of several instances, may.
type Worker struct {
	// Name is what logs and GET /health call it. Several of one name are goroutines of the
	// same work.
	Name     string
	Interval time.Duration
	// WhileRestored says that the worker goes on while the database is found to have gone
	// back: see Restoration.Guard.
	WhileRestored bool
	// Wake ends a rest when something is sent to it, though after one that was ended so not
	// before four fifths of the interval; nil for work that nothing announces.
	Wake <-chan struct{}
	// Step does one unit of work. An error is no reason to end: the step is tried again,
	// better after a longer rest.
	Step func(context.Context) (worked bool, err error)
	// Idle says, without asking anybody, that a step would find nothing to do now; nil of
	// work that has to look. Whoever guards steps asks it before anything else.
	Idle func() bool
}

// The names of the workers of a Casino, as Workers lists them.
const (
	PayoutsWorker       = "payouts"
	DepositsWorker      = "deposits"
	WatcherWorker       = "watcher"
	TreasuryWorker      = "treasury"
	ReturnsWorker       = "returns"
	MintsWorker         = "mints"
	ProviderGamesWorker = "provider games"
	SitesWorker         = "agents' sites"
	ProviderLogWorker   = "provider log"
	RoundsWorker        = "open rounds"
	EventsWorker        = "events"
	WebhooksWorker      = "webhooks"
	AlarmsWorker        = "alarms"
	HealthWorker        = "health"
)

// Workers lists everything that must be repeated while the casino serves, each with how
// long it rests: without them withdrawals stay approved, deposits stay pending, and
// nobody watches the treasury. BeginWatch comes first; package adapters/workers does all
// of it. What sends webhooks, or serves a provider, is among them where Deps has what it needs.
// Each call returns fresh workers: a list is for one set of loops.
//
// GET /health is degraded while one of them has never run.
func (c *Casino) Workers() []Worker {
	all := []Worker{
		{PayoutsWorker, PayoutInterval, false, nil, c.PayoutWorker().Step, nil},
		{DepositsWorker, DepositInterval, false, nil, c.DepositWorker().Step, nil},
		{WatcherWorker, WatchInterval, false, nil, c.DepositWatcher().Step, nil},
		{TreasuryWorker, TreasuryInterval, true, nil, c.Treasury().Step, nil},
		{ReturnsWorker, MonitorInterval, true, nil, c.RTPMonitor().Step, nil},
		{MintsWorker, MintInterval, true, nil, c.MintWorker().Step, nil},
		{ProviderGamesWorker, ProviderSyncInterval, false, nil, c.ProviderSync().Step, nil},
		{SitesWorker, DeliveryInterval, false, nil, c.DeliveryWorker().Step, nil},
		{ProviderLogWorker, ReconcileInterval, false, nil, c.ProviderReconciler().Step, nil},
		{RoundsWorker, AbandonInterval, false, nil, c.AbandonWorker().Step, nil},
		c.eventsWorker(),
		{AlarmsWorker, AlarmInterval, false, nil, c.AlarmWorker().Step, nil},
		{HealthWorker, ProbeInterval, true, nil, c.Health().Step, nil},
	}
	all = append(all, c.webhookWorkers()...)
	needed := c.workersNeeded()
	return slices.DeleteFunc(all, func(w Worker) bool { return !slices.Contains(needed, w.Name) })
}

// workersNeeded are the names of the workers that have something to do, in the order of
// Workers.
func (c *Casino) workersNeeded() []string {
	needed := []string{PayoutsWorker, DepositsWorker, WatcherWorker, TreasuryWorker, ReturnsWorker, MintsWorker}
	if c.Provider != nil {
		needed = append(needed, ProviderGamesWorker, SitesWorker, ProviderLogWorker)
	}
	needed = append(needed, RoundsWorker, EventsWorker)
	if c.sendsWebhooks() {
		needed = append(needed, WebhooksWorker)
	}
	return append(needed, AlarmsWorker, HealthWorker)
}

// progress is which workers ran, and what nobody watches.
type progress struct {
	mu        sync.Mutex
	ran       map[string]bool
	unwatched map[money.Token]bool
}

func newProgress() *progress {
	return &progress{ran: map[string]bool{}, unwatched: map[money.Token]bool{}}
}

// began notes that a worker runs.
func (p *progress) began(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ran[worker] = true
}

// watched notes whether the watch of a token has begun.
func (p *progress) watched(token money.Token, begun bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if begun {
		delete(p.unwatched, token)
	} else {
		p.unwatched[token] = true
	}
}

// Began notes that every worker runs, as their first steps do. Whoever starts all loops
// calls it so that health isn't degraded until each of them had its turn.
func (c *Casino) Began() {
	for _, name := range c.workersNeeded() {
		c.progress.began(name)
	}
}

// workersCheck is degraded while a worker never ran, or the watch of a token has not begun.
func (c *Casino) workersCheck() Check {
	return c.progress.check(c.workersNeeded(), c.Tokens)
}

// check is degraded while a worker that is needed never ran, or the watch of a token has not
// begun.
func (p *progress) check(needed []string, tokens token.Book) Check {
	p.mu.Lock()
	defer p.mu.Unlock()
	var missing, wrong []string
	for _, name := range needed {
		if !p.ran[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		wrong = append(wrong, "no worker has run yet for: "+strings.Join(missing, ", "))
	}
	for _, terms := range tokens.All() {
		if p.unwatched[terms.Mint] {
			wrong = append(wrong, "the watch of deposits of "+terms.Symbol+" has not begun")
		}
	}
	if len(wrong) > 0 {
		return Check{Status: Degraded, Detail: strings.Join(wrong, "; ")}
	}
	return Check{Status: OK}
}

// errNotBegun is what watchers and claims answer before BeginWatch: from the beginning of
// the chain's history they would credit to their senders what the treasury held before.
func errNotBegun(symbol string) error {
	return fault.New(fault.InvalidState, "the watch of deposits of %s has not begun: BeginWatch comes before the first deposit", symbol).
		With("status", "notBegun")
}
