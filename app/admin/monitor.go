package admin

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/figure"
)

// monitorDays is the span in which returns are watched: long enough for the bound to
// become narrow, short enough to notice a fault of today.
const monitorDays = 30

// MonitorInterval is how long to rest between two steps of the RTPMonitor.
const MonitorInterval = time.Minute

// RTPMonitor watches the returns of all games whose rules are known here and raises an
// alarm when one leaves its bound. Each process has its own.
type RTPMonitor struct {
	casino *Service

	mu   sync.Mutex
	last []GameReturn
}

// RTPMonitor returns the casino's monitor, which has seen nothing before its first step.
func (c *Service) RTPMonitor() *RTPMonitor { return c.monitor }

// Step computes the returns once. It always reports false.
func (m *RTPMonitor) Step(ctx context.Context) (worked bool, err error) {
	m.casino.core.Progress.Began(kernel.ReturnsWorker)
	returns, err := m.casino.returns(ctx, monitorDays, "", "")
	if err != nil {
		return false, err
	}
	// A return that nothing can be held against is none to watch.
	returns = slices.DeleteFunc(returns, func(r GameReturn) bool { return !r.Known })
	for _, r := range returns {
		about := r.Source + "/" + r.Game + "/" + string(r.Token)
		if r.Verdict != figure.Outside {
			m.casino.core.Alarms.Over(ctx, alarm.RTPOutOfBounds, about)
			continue
		}
		m.casino.core.Alarms.Raise(ctx, alarm.RTPOutOfBounds, about, "rounds", r.Rounds,
			"actual_ppm", r.Actual, "theoretical_ppm", r.Theoretical, "margin_ppm", r.Margin)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = returns
	return false, nil
}

// Returns returns those of the last step, for metrics; nil before the first.
func (m *RTPMonitor) Returns() []GameReturn {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.last)
}
