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

// Worker is work beside requests: a step that is repeated, with a pause of the interval
// when a step reports that there was nothing to do. Steps of one worker never overlap;
// those of several workers or instances may.
type Worker struct {
	// Name appears in logs and GET /health. Workers of the same name share one kind of work.
	Name     string
	Interval time.Duration
	// RestMax is the longest pause after errors; 0 for 30 s. Work that players wait for has a
	// shorter one.
	RestMax time.Duration
	// WhileRestored lets the worker run while the database is known to lack committed blocks,
	// see Restoration.Guard.
	WhileRestored bool
	// Wake ends a pause when it receives a value. After a pause that ended so, the next lasts
	// at least four fifths of the interval. nil if nothing announces the work.
	Wake <-chan struct{}
	// Step does one unit of work. After an error the loop continues, preferably after a
	// longer pause.
	Step func(context.Context) (worked bool, err error)
	// Idle reports, without I/O, that a step would find nothing to do; nil if a step must
	// look. Guards of steps call it first.
	Idle func() bool
}

// Names of a Casino's workers, as Workers lists them.
const (
	PayoutsWorker       = "payouts"
	DepositsWorker      = "deposits"
	WatcherWorker       = "watcher"
	TreasuryWorker      = "treasury"
	ReturnsWorker       = "returns"
	PlayCountWorker     = "players' days"
	MintsWorker         = "mints"
	ProviderGamesWorker = "provider games"
	SitesWorker         = "agents' sites"
	ProviderLogWorker   = "provider log"
	RoundsWorker        = "open rounds"
	EventsWorker        = "events"
	WebhooksWorker      = "webhooks"
	AlarmsWorker        = "alarms"
	HeadLogWorker       = "log of headers"
	LogWitnessesWorker  = "witnesses of the log"
	LimitsWorker        = "limits"
	SolvencyWorker      = "solvency"
	AnchorsWorker       = "anchors of the log"
	CrashWorker         = "shared crash"
	CrashAnswersWorker  = "cash-outs"
	ScreenerFilesWorker = "screeners' files"
	HealthWorker        = "health"
)

// Progress records which workers ran, which tokens aren't watched, and the newest slot.
type Progress struct {
	mu        sync.Mutex
	ran       map[string]bool
	unwatched map[money.Token]bool
	slot      uint64
}

// NewProgress returns a Progress in which no worker has run.
func NewProgress() *Progress {
	return &Progress{ran: map[string]bool{}, unwatched: map[money.Token]bool{}}
}

// Began records that a worker runs.
func (p *Progress) Began(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ran[worker] = true
}

// Watched records whether the watch of a token has begun.
func (p *Progress) Watched(token money.Token, begun bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if begun {
		delete(p.unwatched, token)
	} else {
		p.unwatched[token] = true
	}
}

// SawSlot records a finalized slot.
func (p *Progress) SawSlot(slot uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slot = max(p.slot, slot)
}

// Slot returns the newest finalized slot seen, or nil before the first.
func (p *Progress) Slot() *uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slot == 0 {
		return nil
	}
	slot := p.slot
	return &slot
}

// Check returns a check that is degraded until every needed worker has run and the watch of
// every token has begun.
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

// ErrNotBegun returns the fault of watchers and claims before BeginWatch. They would credit
// the treasury's earlier receipts to their senders.
func ErrNotBegun(symbol string) error {
	return fault.New(fault.InvalidState, "the watch of deposits of %s has not begun: BeginWatch comes before the first deposit", symbol).
		With("status", "notBegun")
}
