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

// alarmTime is the timeout for storing an alarm. An alarm that isn't stored by then is only
// logged.
const alarmTime = 2 * time.Second

// raised implements kernel.Alarms. Each alarm becomes a row of the store and a log record
// of level ERROR with the kind's message. If the store doesn't accept an alarm, because it
// is unreachable or restored, the alarm is still logged.
type raised struct {
	logger  *slog.Logger
	clock   ports.Clock
	entropy ports.Entropy
	store   ports.Alarms

	mu    sync.Mutex
	known map[kernel.AlarmKey]*knownAlarm
	// open holds the alarms that were open when last listed, or were raised here since.
	open map[kernel.AlarmKey]openAlarm
}

// openAlarm is an alarm that is open as far as this process knows.
type openAlarm struct {
	alarm.Alarm
	// since is when this process first knew of the alarm.
	since time.Time
}

// isQuiet reports whether the alarm's cause was not seen for alarm.Quiet, and this process
// has known the alarm for that long. After an outage the cause may still hold although no
// instance has looked, and the first instance to start may not be the one that can see it.
func (o openAlarm) isQuiet(now time.Time) bool {
	return o.IsQuiet(now) && now.Sub(o.since) >= alarm.Quiet
}

// knownAlarm records what this process recently did about an alarm.
type knownAlarm struct {
	seen   time.Time // when it was last stored as seen, or an attempt was made
	logged time.Time
}

func newRaised(logger *slog.Logger, clock ports.Clock, entropy ports.Entropy, store ports.Alarms) *raised {
	return &raised{logger: logger, clock: clock, entropy: entropy, store: store, known: map[kernel.AlarmKey]*knownAlarm{}, open: map[kernel.AlarmKey]openAlarm{}}
}

// Raise raises an alarm, or records that the cause of an open one was seen again. A
// condition isn't raised once ctx has ended, because stopped work reports many false ones.
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

// noteSeen records that the cause was seen, and reports whether to store that.
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

// mayLog reports whether to log the alarm: when it is raised, and again every
// kernel.AlarmEvery while its cause is seen. An alarm that was open before this process
// knew of it was logged by the process that raised it.
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

// storeAlarm stores that an alarm's cause was seen, and reports whether this raised the
// alarm.
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

// Over clears the alarm of a condition that was checked and doesn't hold. It does so only
// if no instance saw the condition hold within alarm.Quiet and this process has known the
// alarm for that long: another instance may see it, and an intermittent condition is one
// alarm. If no alarm is open, it does nothing.
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

// clearAlarm clears an open alarm if may allows it. It logs errors: the next check tries
// again.
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

// forgetAlarm removes a cleared alarm, so that the next sighting raises a new one.
func (a *raised) forgetAlarm(key kernel.AlarmKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, key)
	delete(a.known, key)
}

// setOpen replaces the set of open alarms.
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

// newOpenAlarm returns an open alarm first known at the given time, or earlier if this
// process knew it already. The caller holds the lock.
func (a *raised) newOpenAlarm(key kernel.AlarmKey, one alarm.Alarm, at time.Time) openAlarm {
	if known := a.open[key]; known.ID == one.ID {
		at = known.since
	}
	return openAlarm{one, at}
}

// factsOf converts the values of a log record to facts. Values of types not listed here
// might hold a secret, so their text stays empty.
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
