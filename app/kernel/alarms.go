package kernel

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// AlarmEvery is how often an alarm that stays open is logged at most.
const AlarmEvery = 10 * time.Minute

// Alarms raises what a person has to look at. No caller fails by it. It must not be called
// under a lock, or by a decision.
type Alarms interface {
	// Raise raises an alarm, or notes that the cause of one that is open was seen again.
	Raise(ctx context.Context, kind alarm.Kind, about string, facts ...any)
	// Over says that a condition was looked at and doesn't hold.
	Over(ctx context.Context, kind alarm.Kind, about string)
	// IsOpen reports whether an alarm is open as far as this process knows.
	IsOpen(kind alarm.Kind, about string) bool
}

// AlarmKey is what one alarm at most is open of.
type AlarmKey struct {
	Kind  alarm.Kind
	About string
}

// loggedAlarms are records of the log alone.
type loggedAlarms struct {
	logger *slog.Logger
	clock  ports.Clock

	mu     sync.Mutex
	logged map[AlarmKey]time.Time
}

// NewLoggedAlarms returns alarms that are logged, of level ERROR, and kept nowhere.
func NewLoggedAlarms(logger *slog.Logger, clock ports.Clock) Alarms {
	return &loggedAlarms{logger: logger, clock: clock, logged: map[AlarmKey]time.Time{}}
}

// Raise serves Alarms: an alarm that stays is logged every AlarmEvery.
func (a *loggedAlarms) Raise(ctx context.Context, kind alarm.Kind, about string, facts ...any) {
	key, at := AlarmKey{kind, about}, Now(a.clock)
	a.mu.Lock()
	last, logged := a.logged[key]
	again := !logged || at.Sub(last) >= AlarmEvery || at.Before(last)
	if again {
		a.logged[key] = at
	}
	a.mu.Unlock()
	if again {
		a.logger.ErrorContext(ctx, kind.Message(), append([]any{"about", about}, facts...)...)
	}
}

// Over serves Alarms.
func (a *loggedAlarms) Over(_ context.Context, kind alarm.Kind, about string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.logged, AlarmKey{kind, about})
}

// IsOpen serves Alarms.
func (a *loggedAlarms) IsOpen(kind alarm.Kind, about string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, open := a.logged[AlarmKey{kind, about}]
	return open
}
