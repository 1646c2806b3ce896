package kernel

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// AlarmEvery is the least time between two log lines of one open alarm.
const AlarmEvery = 10 * time.Minute

// Alarms raises alarms for a person to handle. Its methods never fail their caller. Don't
// call them under a lock or in a decision.
type Alarms interface {
	// Raise raises an alarm, or records that the cause of an open one was seen again.
	Raise(ctx context.Context, kind alarm.Kind, about string, facts ...any)
	// Over reports that a condition was checked and doesn't hold.
	Over(ctx context.Context, kind alarm.Kind, about string)
	// IsOpen reports whether this process knows of an open alarm of the kind and subject.
	IsOpen(kind alarm.Kind, about string) bool
}

// AlarmKey identifies an alarm. At most one alarm is open for each key.
type AlarmKey struct {
	Kind  alarm.Kind
	About string
}

// loggedAlarms writes alarms to the log only.
type loggedAlarms struct {
	logger *slog.Logger
	clock  ports.Clock

	mu     sync.Mutex
	logged map[AlarmKey]time.Time
}

// NewLoggedAlarms returns Alarms that are logged at level ERROR and not stored.
func NewLoggedAlarms(logger *slog.Logger, clock ports.Clock) Alarms {
	return &loggedAlarms{logger: logger, clock: clock, logged: map[AlarmKey]time.Time{}}
}

// Raise implements Alarms. An alarm that stays open is logged again every AlarmEvery.
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

// Over implements Alarms.
func (a *loggedAlarms) Over(_ context.Context, kind alarm.Kind, about string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.logged, AlarmKey{kind, about})
}

// IsOpen implements Alarms.
func (a *loggedAlarms) IsOpen(kind alarm.Kind, about string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, open := a.logged[AlarmKey{kind, about}]
	return open
}
