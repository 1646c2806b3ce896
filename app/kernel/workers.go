package kernel

import (
	"context"
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
	SolvencyWorker      = "solvency"
	HealthWorker        = "health"
)

// Progress is which workers ran, what nobody watches, and how far the chain is.
type Progress struct {
	mu        sync.Mutex
	ran       map[string]bool
	unwatched map[money.Token]bool
	slot      uint64
}

// NewProgress returns a Progress on which nothing ran.
func NewProgress() *Progress {
	return &Progress{ran: map[string]bool{}, unwatched: map[money.Token]bool{}}
}

// Began notes that a worker runs.
func (p *Progress) Began(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ran[worker] = true
}

// Watched notes whether the watch of a token has begun.
func (p *Progress) Watched(token money.Token, begun bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if begun {
		delete(p.unwatched, token)
	} else {
		p.unwatched[token] = true
	}
}

// SawSlot notes a finalized slot.
func (p *Progress) SawSlot(slot uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slot = max(p.slot, slot)
}

// Slot returns the newest finalized slot that was seen, nil before the first.
func (p *Progress) Slot() *uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slot == 0 {
		return nil
	}
	slot := p.slot
	return &slot
}

// Check is degraded while a worker that is needed never ran, or the watch of a token has not
// begun.
func (p *Progress) Check(needed []string, tokens token.Book) Check {
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

// ErrNotBegun is what watchers and claims answer before BeginWatch: from the beginning of
// the chain's history they would credit to their senders what the treasury held before.
func ErrNotBegun(symbol string) error {
	return fault.New(fault.InvalidState, "the watch of deposits of %s has not begun: BeginWatch comes before the first deposit", symbol).
		With("status", "notBegun")
}
