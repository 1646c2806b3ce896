package alarms

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/ports"
)

// alarmTime bounds how long whoever raises an alarm waits until it is stored. One that
// isn't by then is logged alone.
const alarmTime = 2 * time.Second

// raised are alarms that are kept: each becomes a row of the store and a record of the log
// of level ERROR, whose message is the kind's. What the store doesn't take, because it can't
// be reached, or because its database went back, is logged all the same. It serves
// kernel.Alarms.
type raised struct {
	logger  *slog.Logger
	clock   ports.Clock
	entropy ports.Entropy
	store   ports.Alarms

	mu    sync.Mutex
	known map[kernel.AlarmKey]*knownAlarm
	// open are those that were open when they were listed last, or were raised here since.
	open map[kernel.AlarmKey]openAlarm
}

// openAlarm is an alarm that is open as far as this process knows.
type openAlarm struct {
	alarm.Alarm
	// since is when this process met it.
	since time.Time
}

// isQuiet reports whether nobody has seen the alarm's cause lately, and this process has
// known of it for as long: after an outage nobody has looked, and whoever starts first may
// not be who sees it.
func (o openAlarm) isQuiet(now time.Time) bool {
	return o.IsQuiet(now) && now.Sub(o.since) >= alarm.Quiet
}

// knownAlarm is what this process did about an alarm lately.
type knownAlarm struct {
	seen   time.Time // when it was last stored that it was seen, or tried to
	logged time.Time
}

func newRaised(logger *slog.Logger, clock ports.Clock, entropy ports.Entropy, store ports.Alarms) *raised {
	return &raised{logger: logger, clock: clock, entropy: entropy, store: store, known: map[kernel.AlarmKey]*knownAlarm{}, open: map[kernel.AlarmKey]openAlarm{}}
}

// Raise raises an alarm, or notes that the cause of one that is open was seen again. What
// only may hold isn't raised once ctx has ended: work that was stopped finds many things
// wrong that aren't.
func (a *raised) Raise(ctx context.Context, kind alarm.Kind, about string, facts ...any) {
	if ctx.Err() != nil && kind.Entry().Ending == alarm.Condition {
		return
	}
	key := kernel.AlarmKey{Kind: kind, About: alarm.Subject(about)}
	at := kernel.Now(a.clock)
	if !a.noteSeen(key, at) {
		return
	}
	stored, raised, err := a.storeAlarm(ctx, key, facts, at)
	if a.mayLog(key, at, raised, err) {
		line := append([]any{"about", about}, facts...)
		if stored.ID != "" {
			line = append(line, "alarm", stored.ID)
		}
		if err != nil {
			line = append(line, "unstored", err.Error())
		}
		a.logger.ErrorContext(ctx, kind.Message(), line...)
	}
}

// noteSeen reports whether it is to be noted that the cause was seen, and notes that it was.
func (a *raised) noteSeen(key kernel.AlarmKey, at time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for old, known := range a.known {
		if at.Sub(known.seen) >= kernel.AlarmEvery+alarm.SeenEvery {
			delete(a.known, old)
		}
	}
	known := a.known[key]
	if known == nil {
		known = &knownAlarm{}
		a.known[key] = known
	}
	if age := at.Sub(known.seen); age >= 0 && age < alarm.SeenEvery {
		return false
	}
	known.seen = at
	return true
}

// mayLog reports whether the alarm is to be logged: one that was raised, and again every
// kernel.AlarmEvery while it is seen. One that was open before this process met it was logged by
// whoever raised it.
func (a *raised) mayLog(key kernel.AlarmKey, at time.Time, raised bool, err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.known[key]
	if known == nil { // forgotten meanwhile
		known = &knownAlarm{seen: at}
		a.known[key] = known
	}
	age := at.Sub(known.logged)
	log := raised || age >= kernel.AlarmEvery || age < 0
	if met := known.logged.IsZero() && !raised && err == nil; met {
		log, known.logged = false, at
	}
	if log {
		known.logged = at
	}
	return log
}

// storeAlarm stores that the cause of an alarm was seen, and reports whether that raised it.
func (a *raised) storeAlarm(ctx context.Context, key kernel.AlarmKey, facts []any, at time.Time) (stored alarm.Alarm, raised bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), alarmTime)
	defer cancel()
	fresh := alarm.Raise(a.entropy.ID(), key.Kind, key.About, factsOf(facts), at)
	record := audit.Record{ID: a.entropy.ID(), Action: audit.AlarmRaised, Target: fresh.ID, After: fresh.Describe(), At: at}
	err = a.store.ChangeOpenAlarm(ctx, key.Kind, key.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
		if raised = open == nil; raised {
			stored = fresh
			return &fresh, &record, nil
		}
		stored = open.SeenAgain(at)
		return &stored, nil, nil
	})
	if err != nil {
		return alarm.Alarm{}, false, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[key] = a.newOpenAlarm(key, stored, at)
	return stored, raised, nil
}

// Over clears the alarm about a condition that was looked at and doesn't hold, unless
// somebody has seen it hold within alarm.Quiet, or this process has not known of it for as
// long: another instance may see it, and what comes and goes is one alarm. It costs nothing
// where none is open.
func (a *raised) Over(ctx context.Context, kind alarm.Kind, about string) {
	key := kernel.AlarmKey{Kind: kind, About: alarm.Subject(about)}
	a.mu.Lock()
	open, isOpen := a.open[key]
	a.mu.Unlock()
	if !isOpen || !open.isQuiet(kernel.Now(a.clock)) || ctx.Err() != nil {
		return
	}
	a.clearAlarm(ctx, key, func(open alarm.Alarm, at time.Time) bool { return open.IsQuiet(at) })
}

// IsOpen reports whether an alarm is open as far as this process knows.
func (a *raised) IsOpen(kind alarm.Kind, about string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, open := a.open[kernel.AlarmKey{Kind: kind, About: alarm.Subject(about)}]
	return open
}

// clearAlarm clears an open alarm if it may be. Trouble is logged: the next look tries again.
func (a *raised) clearAlarm(ctx context.Context, key kernel.AlarmKey, may func(alarm.Alarm, time.Time) bool) {
	ctx, cancel := context.WithTimeout(ctx, alarmTime)
	defer cancel()
	at, cleared, present := kernel.Now(a.clock), alarm.Alarm{}, alarm.Alarm{}
	record := audit.Record{ID: a.entropy.ID(), Action: audit.AlarmCleared, Before: "open", After: "cleared: its cause is over", At: at}
	stays := false
	err := a.store.ChangeOpenAlarm(ctx, key.Kind, key.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
		if cleared, stays = (alarm.Alarm{}), false; open == nil {
			return nil, nil, nil
		}
		if present, stays = *open, !may(*open, at); stays {
			return nil, nil, nil
		}
		cleared = open.Over(at)
		record.Target, record.Before = open.ID, open.Describe()
		return &cleared, &record, nil
	})
	switch {
	case err != nil:
		a.logger.WarnContext(ctx, "an alarm that is over could not be cleared", "alarm", key.Kind, "about", key.About, "error", err.Error())
		return
	case stays:
		a.mu.Lock()
		defer a.mu.Unlock()
		a.open[key] = a.newOpenAlarm(key, present, at)
		return
	}
	a.forgetAlarm(key)
	if cleared.ID != "" {
		a.logger.InfoContext(ctx, "alarm cleared: "+key.Kind.Message(), "about", key.About, "alarm", cleared.ID)
	}
}

// forgetAlarm takes the alarm for one that is cleared: what is seen next is a new one.
func (a *raised) forgetAlarm(key kernel.AlarmKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, key)
	delete(a.known, key)
}

// setOpen takes over which alarms are open.
func (a *raised) setOpen(open []alarm.Alarm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, all := kernel.Now(a.clock), make(map[kernel.AlarmKey]openAlarm, len(open))
	for _, one := range open {
		key := kernel.AlarmKey{Kind: one.Kind, About: one.About}
		all[key] = a.newOpenAlarm(key, one, at)
	}
	a.open = all
}

// newOpenAlarm is an open alarm with when it was met: now, unless it is known. The caller holds the
// lock.
func (a *raised) newOpenAlarm(key kernel.AlarmKey, one alarm.Alarm, at time.Time) openAlarm {
	if known := a.open[key]; known.ID == one.ID {
		at = known.since
	}
	return openAlarm{one, at}
}

// factsOf are the values of a log record as facts. Values of other types than these, which
// might hold a secret, are left out.
func factsOf(values []any) []alarm.Fact {
	var facts []alarm.Fact
	for i := 0; i+1 < len(values); i += 2 {
		name, named := values[i].(string)
		if !named {
			continue
		}
		text := ""
		switch v := values[i+1].(type) {
		case string:
			text = v
		case []string:
			text = strings.Join(v, ", ")
		case bool, int, int64, uint64, time.Duration:
			text = fmt.Sprint(v)
		case time.Time:
			text = v.UTC().Format(time.RFC3339)
		}
		facts = append(facts, alarm.Fact{Name: name, Value: text})
	}
	return facts
}
