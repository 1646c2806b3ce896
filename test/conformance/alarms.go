package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// Alarms is the suite of ports.Alarms.
func Alarms(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, alarmsCases)
}

var alarmsCases = []story{
	{"an alarm is stored as it was raised, with its record", Rows, func(b *bench) {
		a := b.alarmed(alarm.WebhookDisabled, "endpoint", alarm.Fact{Name: "agent", Value: "acme"}, alarm.Fact{Name: "reason", Value: "said \"no\"\n"},
			alarm.Fact{Name: "a", Value: "ünïcode…"})
		b.raised(a)
		b.reopen()
		b.same("the alarm", b.alarm(a.ID), a)
		b.same("the agent", a.Agent, "acme")
		records := b.recordsOf(audit.AlarmRaised)
		b.errorIf(len(records) != 1 || records[0].Target != a.ID, "%+v", records)
		b.sound()
	}},
	{"an alarm that isn't there is not found", Rows, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Alarm(background, "nothing")))
		err := b.ChangeAlarm(background, admin, "nothing", func(rbac.Assignment, alarm.Alarm) (alarm.Alarm, audit.Record, error) {
			b.Error("it was decided on")
			return alarm.Alarm{}, audit.Record{}, nil
		})
		if !fault.Is(err, fault.NotFound) {
			b.Error(err)
		}
	}},
	{"concurrent raises leave at most one open alarm of a kind and a subject", Races, func(b *bench) {
		var fresh []alarm.Alarm
		var records []*audit.Record
		for range 16 {
			a := b.alarmed(alarm.LowFees, "SOL")
			fresh, records = append(fresh, a), append(records, b.noted(audit.AlarmRaised, a))
		}
		atOnce(len(fresh), func(i int) {
			b.check(b.ChangeOpenAlarm(background, alarm.LowFees, "SOL", func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				if open == nil {
					return &fresh[i], records[i], nil
				}
				again := open.SeenAgain(fresh[i].RaisedAt)
				return &again, nil, nil
			}))
		})
		found := must(b.Alarms(background, ports.AlarmFilter{}, whole))(b).Alarms
		b.errorIf(len(found) != 1 || found[0].Seen != 16 || len(b.recordsOf(audit.AlarmRaised)) != 1,
			"%+v, %d records", found, len(b.recordsOf(audit.AlarmRaised)))
		// The store refuses what decisions can't detect.
		twice := b.alarmed(alarm.LowFees, "SOL")
		if err := b.ChangeOpenAlarm(background, twice.Kind, twice.About, func(*alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
			return &twice, b.noted(audit.AlarmRaised, twice), nil
		}); err == nil {
			b.Error("a second one was raised")
		}
		b.same("open ones", len(must(b.Alarms(background, ports.AlarmFilter{}, whole))(b).Alarms), 1)
		b.sound()
	}},
	{"that an alarm was seen again is stored in no block", Logic, func(b *bench) {
		a := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		blocks, at := len(b.chained()), b.now()
		for range 2 {
			b.ok(b.ChangeOpenAlarm(background, a.Kind, a.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				again := open.SeenAgain(at)
				return &again, nil, nil
			}))
		}
		a.LastSeen, a.Seen = at, 3
		b.same("the alarm", b.alarm(a.ID), a)
		b.same("blocks", len(b.chained()), blocks)
		b.sound()
	}},
	{"without a record nothing else is stored", Logic, func(b *bench) {
		fresh := b.alarmed(alarm.LowFees, "USD")
		a := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		at, before := b.now(), b.snapshot()
		for about, next := range map[string]func(*alarm.Alarm) alarm.Alarm{
			fresh.About: func(*alarm.Alarm) alarm.Alarm { return fresh },
			a.About:     func(open *alarm.Alarm) alarm.Alarm { return open.Over(at) },
		} {
			if err := b.ChangeOpenAlarm(background, a.Kind, about, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				changed := next(open)
				return &changed, nil, nil
			}); err == nil {
				b.Errorf("%s was stored without a record", about)
			}
		}
		b.same("the alarms", must(b.Alarms(background, ports.AlarmFilter{}, whole))(b).Alarms, []alarm.Alarm{a})
		b.same("everything", b.snapshot(), before)
	}},
	{"without an alarm nothing is stored", Logic, func(b *bench) {
		a := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		blocks := len(b.chained())
		for _, about := range []string{"SOL", "USD"} {
			b.check(b.ChangeOpenAlarm(background, a.Kind, about, func(*alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				return nil, b.noted(audit.AlarmCleared, a), nil
			}))
		}
		b.same("the alarm", b.alarm(a.ID), a)
		b.same("blocks", len(b.chained()), blocks)
	}},
	{"what an alarm is about never changes, and one that is cleared stays as it is", Logic, func(b *bench) {
		a := b.raised(b.alarmed(alarm.LowFees, "SOL", alarm.Fact{Name: "holding", Value: "7"}))
		for name, change := range map[string]func(*alarm.Alarm){
			"its id":      func(a *alarm.Alarm) { a.ID = b.id() },
			"its kind":    func(a *alarm.Alarm) { a.Kind = alarm.Insolvent },
			"its subject": func(a *alarm.Alarm) { a.About = "USD" },
			"its agent":   func(a *alarm.Alarm) { a.Agent = "acme" },
			"its facts":   func(a *alarm.Alarm) { a.Facts[0].Value = "8" },
			"its moment":  func(a *alarm.Alarm) { a.RaisedAt = a.RaisedAt.Add(-time.Hour) },
			"sightings":   func(a *alarm.Alarm) { a.Seen-- },
		} {
			if err := b.ChangeAlarm(background, admin, a.ID, func(_ rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error) {
				change(&present)
				return present, *b.noted(audit.AlarmAcknowledged, present), nil
			}); err == nil {
				b.Errorf("%s changed", name)
			}
		}
		b.same("the alarm", b.alarm(a.ID), a)
		a = b.over(a)
		if err := b.ChangeAlarm(background, admin, a.ID, func(_ rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error) {
			present.ClearedAt = present.ClearedAt.Add(time.Hour)
			return present, *b.noted(audit.AlarmCleared, present), nil
		}); err == nil {
			b.Error("it was cleared again")
		}
		b.same("the cleared alarm", b.alarm(a.ID), a)
		b.sound()
	}},
	{"after one was cleared another one is raised about the same", Rows, func(b *bench) {
		first := b.over(b.raised(b.alarmed(alarm.LowFees, "SOL")))
		second := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		b.same("the first", b.alarm(first.ID), first)
		b.same("the second", b.alarm(second.ID), second)
		b.sound()
	}},
	{"the decision sees the role and the alarm", Logic, func(b *bench) {
		b.grant(admin, "ops")
		a := b.raised(b.alarmed(alarm.TreasuryForeign, "signature"))
		at, want := b.now(), a
		b.ok(b.ChangeAlarm(background, admin, a.ID, func(actor rbac.Assignment, present alarm.Alarm) (next alarm.Alarm, record audit.Record, err error) {
			b.same("the actor", actor.Role, "ops")
			b.same("the alarm", present, a)
			want, err = present.Acknowledge(admin, "it was me", false, at)
			return want, *b.noted(audit.AlarmCleared, a), err
		}))
		b.errorIf(want.AcknowledgedBy != admin || want.ClearedBy != admin || want.Open(), "%+v", want)
		b.same("the alarm", b.alarm(a.ID), want)
		b.same("records", len(b.recordsOf(audit.AlarmCleared)), 1)
		b.sound()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		a := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		fresh, at := b.alarmed(alarm.LowFees, "USD"), b.now()
		b.unchanged(audit.AlarmRaised, func(record audit.Record, refusal error) error {
			return b.ChangeOpenAlarm(background, a.Kind, fresh.About, func(*alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				return &fresh, &record, refusal
			})
		})
		b.unchanged(audit.AlarmRaised, func(record audit.Record, refusal error) error {
			return b.ChangeAlarm(background, admin, a.ID, func(_ rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error) {
				return present.Over(at), record, refusal
			})
		})
	}},
	{"alarms are listed newest first, by whether they are open, kind, subject, agent and moment", Rows, func(b *bench) {
		var all []alarm.Alarm
		for i := range 12 {
			agent := []string{"acme", "rival"}[i%2]
			a := b.alarmed([]alarm.Kind{alarm.WebhookDisabled, alarm.SiteUnsettled, alarm.LowFees}[i%3], fmt.Sprintf("subject %d", i%5), alarm.Fact{Name: "agent", Value: agent})
			b.raised(a)
			if i%4 == 0 {
				a = b.over(a)
			}
			all = append(all, a)
		}
		yes, no := true, false
		for name, f := range map[string]ports.AlarmFilter{
			"everything": {}, "open": {Open: &yes}, "cleared": {Open: &no}, "of a kind": {Kind: alarm.LowFees}, "about one": {About: "subject 1"},
			"of an agent": {Agent: "acme"}, "of nobody": {Agent: "nobody"}, "from": {From: all[4].RaisedAt}, "to": {To: all[9].RaisedAt},
			"between":                          {From: all[2].RaisedAt, To: all[7].RaisedAt},
			"open ones of an agent and a kind": {Open: &yes, Agent: "rival", Kind: alarm.WebhookDisabled, From: all[1].RaisedAt},
		} {
			id := func(a alarm.Alarm) string { return a.ID }
			want := chosen(all, id, func(a alarm.Alarm) bool {
				return (f.Open == nil || *f.Open == a.Open()) && asked(f.Kind, a.Kind) && asked(f.About, a.About) &&
					asked(f.Agent, a.Agent) && !a.RaisedAt.Before(f.From) && (f.To.IsZero() || a.RaisedAt.Before(f.To))
			})
			b.lists(name, want, func(page ports.Page) ([]string, ports.PageInfo, error) {
				found, err := b.Alarms(background, f, page)
				return mapped(found.Alarms, id), found.PageInfo, err
			})
		}
		for _, a := range must(b.Alarms(background, ports.AlarmFilter{}, whole))(b).Alarms {
			b.same("a listed alarm", a, b.alarm(a.ID))
		}
	}},
	{"while the control state is restored nothing is changed", Logic, func(b *bench) {
		a := b.raised(b.alarmed(alarm.LowFees, "SOL"))
		b.controls(b.went())
		later := b.alarmed(alarm.LowFees, "USD")
		refused := map[string]error{
			"raised": b.raise(later),
			"seen": b.ChangeOpenAlarm(background, a.Kind, a.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
				again := open.SeenAgain(later.RaisedAt)
				return &again, nil, nil
			}),
			"acknowledged": b.ChangeAlarm(background, admin, a.ID, func(_ rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error) {
				return present.Over(later.RaisedAt), *b.noted(audit.AlarmCleared, a), nil
			}),
		}
		for what, err := range refused {
			b.errorIf(!fault.Is(err, fault.Maintenance), "%s: %v", what, err)
		}
		b.same("the alarms", must(b.Alarms(background, ports.AlarmFilter{}, whole))(b).Alarms, []alarm.Alarm{a})
	}},
	{"what an alarm is follows from what blocks cover", Rows, func(b *bench) {
		open := b.raised(b.alarmed(alarm.LowFees, "SOL", alarm.Fact{Name: "holding", Value: "7"}))
		cleared := b.over(b.raised(b.alarmed(alarm.Insolvent, "SOL")))
		b.same("visited", b.soundThings()[event.Alarm], 2)
		for _, want := range []alarm.Alarm{open, cleared} {
			made, there := b.things()[event.Alarm][want.ID]
			b.fatalIf(!there, "no event of %s", want.ID)
			b.same("what events say", alarm.FromCovered(made), want)
		}
	}},
}

// alarmed returns a new alarm.
func (b *bench) alarmed(kind alarm.Kind, about string, facts ...alarm.Fact) alarm.Alarm {
	return alarm.Raise(b.id(), kind, about, facts, b.now())
}

// noted returns the record of a change of an alarm.
func (b *bench) noted(action audit.Action, a alarm.Alarm) *audit.Record {
	return &audit.Record{ID: b.id(), Action: action, Target: a.ID, After: a.Describe(), At: b.now()}
}

// raise raises an alarm if none is open.
func (b *bench) raise(a alarm.Alarm) error {
	record := b.noted(audit.AlarmRaised, a)
	return b.ChangeOpenAlarm(background, a.Kind, a.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
		if open != nil {
			return nil, nil, nil
		}
		return &a, record, nil
	})
}

func (b *bench) raised(a alarm.Alarm) alarm.Alarm {
	b.Helper()
	b.ok(b.raise(a))
	return a
}

// over clears an open alarm and returns it.
func (b *bench) over(a alarm.Alarm) alarm.Alarm {
	b.Helper()
	at, record := b.now(), b.noted(audit.AlarmCleared, a)
	b.ok(b.ChangeOpenAlarm(background, a.Kind, a.About, func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error) {
		a = open.Over(at)
		return &a, record, nil
	}))
	return a
}

func (b *bench) alarm(id string) alarm.Alarm {
	b.Helper()
	return must(b.Alarm(background, id))(b)
}
