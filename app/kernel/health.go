package kernel

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/casino-service/casino/ports"
)

// State is the health of the service or of one dependency.
type State string

// States of health. Disabled means that the dependency isn't configured.
const (
	OK       State = "ok"
	Degraded State = "degraded"
	Down     State = "down"
	Disabled State = "disabled"
)

// Check is the result of the newest probe of a dependency.
type Check struct {
	Status  State
	Latency time.Duration
	// Detail says what to fix, for a person. It is public.
	Detail string
}

// The names of dependencies in GET /health.
const (
	DatabaseCheck = "database"
	LimiterCheck  = "rateLimiter"
	ChainCheck    = "chain"
	ProviderCheck = "provider"
	// LedgerCheck is degraded while the database is known to lack committed blocks.
	LedgerCheck = "ledger"
	// WorkersCheck is degraded until every worker of Casino.Workers has run and the watch of
	// deposits has begun.
	WorkersCheck = "workers"
	// ClocksCheck is degraded while the clocks are too far apart.
	ClocksCheck = "clocks"
)

// Report is the health of the service with the checks of its dependencies by name.
type Report struct {
	Status  State
	Version string
	Checks  map[string]Check
}

// ProbeInterval is the pause between two steps of Health.
const ProbeInterval = 5 * time.Second

// ProbeTime is the timeout of a probe.
const ProbeTime = 2 * time.Second

// Probe checks that a dependency works. A nil Probe means that the dependency isn't
// configured.
type Probe func(context.Context) error

// Health keeps the newest result for each dependency. So reading it is cheap, and outsiders
// can't cause calls of dependencies.
type Health struct {
	clock   ports.Clock
	version string
	mu      sync.Mutex
	probes  map[string]Probe
	checks  map[string]Check
	doubted map[string]bool
	shown   map[string]func() Check
	Began   func() // called when a step begins
	looks   map[string]func(context.Context) Check
}

// NewHealth returns a Health without probes.
func NewHealth(clock ports.Clock, version string) *Health {
	h := &Health{
		clock: clock, version: version, probes: map[string]Probe{}, checks: map[string]Check{}, doubted: map[string]bool{},
		shown: map[string]func() Check{}, Began: func() {}, looks: map[string]func(context.Context) Check{},
	}
	for _, name := range []string{DatabaseCheck, LimiterCheck, ChainCheck, ProviderCheck} {
		h.checks[name] = Check{Status: Disabled}
	}
	return h
}

// Watch registers the probe of a dependency. The dependency counts as ok until it is
// probed, because the service doesn't start without it.
func (h *Health) Watch(name string, probe Probe) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.probes[name], h.checks[name] = probe, Check{Status: OK}
}

// Show adds a check that needs no probe.
func (h *Health) Show(name string, check func() Check) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown[name] = check
}

// Look adds a check that every step makes again. It counts as ok until the first step.
func (h *Health) Look(name string, look func(context.Context) Check) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looks[name], h.checks[name] = look, Check{Status: OK}
}

// Step probes every dependency once.
func (h *Health) Step(ctx context.Context) (worked bool, err error) {
	h.Began()
	h.mu.Lock()
	looks := maps.Clone(h.looks)
	for name, probe := range h.probes {
		looks[name] = func(ctx context.Context) Check { return h.runProbe(ctx, probe) }
	}
	h.mu.Unlock()
	for name, look := range looks {
		check := look(ctx)
		h.mu.Lock()
		h.checks[name] = check
		h.mu.Unlock()
	}
	return false, nil
}

func (h *Health) runProbe(ctx context.Context, probe Probe) Check {
	ctx, cancel := context.WithTimeout(ctx, ProbeTime)
	defer cancel()
	begin := h.clock.Now()
	status := OK
	if err := probe(ctx); err != nil {
		status = Down
	}
	return Check{Status: status, Latency: h.clock.Now().Sub(begin)}
}

// Doubt sets or clears the mark of a dependency that answers with wrong results.
func (h *Health) Doubt(name string, doubtful bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.doubted[name] = doubtful
}

// Report returns the newest state: down if the database is down, degraded if anything else
// is wrong.
func (h *Health) Report() Report {
	h.mu.Lock()
	defer h.mu.Unlock()
	report := Report{Status: OK, Version: h.version, Checks: make(map[string]Check, len(h.checks))}
	for name, check := range h.shown {
		h.checks[name] = check()
	}
	for name, check := range h.checks {
		if h.doubted[name] && check.Status == OK {
			check.Status = Degraded
		}
		report.Checks[name] = check
		switch {
		case check.Status == OK, check.Status == Disabled:
		case name == DatabaseCheck && check.Status == Down:
			report.Status = Down
		case report.Status == OK:
			report.Status = Degraded
		}
	}
	return report
}
