package app

import (
	"context"
	"sync"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
)

// monitorDays is the span in which returns are watched: long enough for the
// margin to close in, short enough to see a fault of today.
const monitorDays = 30

// RTPMonitor watches the returns of all games and raises an alarm, an error in
// the log, when one leaves its bound. Its state is this process's own.
type RTPMonitor struct {
	casino *Casino

	mu      sync.Mutex
	outside map[GameAndToken]bool
}

// GameAndToken names one watched return.
type GameAndToken struct {
	Source, Game string
	Token        money.Token
}

// RTPMonitor returns a monitor that watches by its steps.
func (c *Casino) RTPMonitor() *RTPMonitor {
	return &RTPMonitor{casino: c, outside: map[GameAndToken]bool{}}
}

// Step looks once. There is never more work at once: it reports false.
func (m *RTPMonitor) Step(ctx context.Context) (worked bool, err error) {
	returns, err := m.casino.returns(ctx, monitorDays, "", "")
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	present := map[GameAndToken]bool{}
	for _, r := range returns {
		name := GameAndToken{r.Source, r.Game, r.Token}
		if r.Verdict != figure.Outside {
			continue
		}
		present[name] = true
		if !m.outside[name] {
			m.casino.Logger.ErrorContext(ctx, "a game's return left its bound", "source", r.Source, "game", r.Game,
				"token", string(r.Token), "rounds", r.Rounds, "actual_ppm", r.Actual, "theoretical_ppm", r.Theoretical, "margin_ppm", r.Margin)
		}
	}
	m.outside = present
	return false, nil
}

// Outside counts the games out of bound at the last step, for a metric.
func (m *RTPMonitor) Outside() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.outside)
}
