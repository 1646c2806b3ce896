package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func alarmID(a alarm.Alarm) string { return a.ID }

// cloneAlarm returns the alarm with its own copy of the facts.
func cloneAlarm(a alarm.Alarm) alarm.Alarm {
	a.Facts = slices.Clone(a.Facts)
	return a
}

// Alarm serves ports.Alarms.
func (s *Store) Alarm(_ context.Context, id string) (alarm.Alarm, error) {
	defer s.locked()()
	at, known := search(s.alarms, alarmID, id)
	if !known {
		return alarm.Alarm{}, errNoAlarm(id)
	}
	return cloneAlarm(s.alarms[at]), nil
}

func errNoAlarm(id string) error { return fault.New(fault.NotFound, "no alarm %q", id) }

// Alarms serves ports.Alarms.
func (s *Store) Alarms(_ context.Context, f ports.AlarmFilter, page ports.Page) (ports.AlarmPage, error) {
	defer s.locked()()
	found, info, err := listed(s.alarms, alarmID, func(a alarm.Alarm) bool {
		return (f.Open == nil || *f.Open == a.Open()) && wants(f.Kind, a.Kind) && wants(f.About, a.About) && wants(f.Agent, a.Agent) &&
			within(f.From, f.To, a.RaisedAt)
	}, page)
	for i := range found {
		found[i] = cloneAlarm(found[i])
	}
	return ports.AlarmPage{Alarms: found, PageInfo: info}, err
}

// ChangeOpenAlarm serves ports.Alarms. The decision must not call the store.
func (s *Store) ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide ports.OpenAlarmDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.control.Open(); err != nil {
		return err
	}
	var open *alarm.Alarm
	if at := slices.IndexFunc(s.alarms, func(a alarm.Alarm) bool { return a.Open() && a.Kind == kind && a.About == about }); at >= 0 {
		shown := cloneAlarm(s.alarms[at])
		open = &shown
	}
	next, record, err := decide(copied(open))
	if err != nil || next == nil {
		return err
	}
	if next.Kind != kind || next.About != about {
		return fmt.Errorf("memory: alarm %q is of another kind or subject", next.ID)
	}
	return s.storeAlarm(open, *next, record)
}

// ChangeAlarm serves ports.Alarms. The decision must not call the store.
func (s *Store) ChangeAlarm(ctx context.Context, by wallet.Address, id string, decide ports.AlarmDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.control.Open(); err != nil {
		return err
	}
	at, known := search(s.alarms, alarmID, id)
	if !known {
		return errNoAlarm(id)
	}
	present := cloneAlarm(s.alarms[at])
	next, record, err := decide(s.roles[by], cloneAlarm(present))
	if err != nil {
		return err
	}
	return s.storeAlarm(&present, next, &record)
}

func (s *Store) storeAlarm(before *alarm.Alarm, next alarm.Alarm, record *audit.Record) error {
	if err := next.Follows(before); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	at, known := search(s.alarms, alarmID, next.ID)
	switch {
	case known && before == nil:
		return fmt.Errorf("memory: alarm %q exists already", next.ID)
	case record == nil && (before == nil || next.Covered().Digest() != before.Covered().Digest()):
		return fmt.Errorf("memory: alarm %q needs a record", next.ID)
	case record != nil && s.records[record.ID]:
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	if known {
		s.alarms[at] = cloneAlarm(next)
	} else {
		s.alarms = inserted(s.alarms, cloneAlarm(next), alarmID)
	}
	if record == nil {
		return nil
	}
	made := next.Covered()
	if before != nil {
		made = made.After(before.Covered())
	}
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{*record}, Events: []event.Event{made}})
	return nil
}
