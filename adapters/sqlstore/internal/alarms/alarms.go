// Package alarms stores alarms, which need a person's attention.
package alarms

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Alarms.
type Store struct{ *change.Changes }

// AlarmRow is a row of alarms.
type AlarmRow struct {
	bun.BaseModel `bun:"table:alarms,alias:m"`
	Alarm         struct {
		ID             string `bun:",pk"`
		Kind           alarm.Kind
		About          string
		Agent          string
		Facts          []alarm.Fact
		RaisedAt       time.Time
		LastSeen       time.Time
		Seen           int64
		AcknowledgedBy wallet.Address
		AcknowledgedAt time.Time `bun:",nullzero"`
		Note           string
		ClearedAt      time.Time `bun:",nullzero"`
		ClearedBy      wallet.Address
	} `bun:"embed:"`
}

// Alarms is the model of alarms.
var Alarms = table.ModelOf[AlarmRow, alarm.Alarm]()

// Alarm implements ports.Alarms.
func (s *Store) Alarm(ctx context.Context, id string) (alarm.Alarm, error) {
	return read.From(s.Reads, Alarms).Where("m.id = ?", id).One(ctx, "read alarm", fault.New(fault.NotFound, "no alarm %q", id))
}

// Alarms implements ports.Alarms.
func (s *Store) Alarms(ctx context.Context, filter ports.AlarmFilter, page ports.Page) (ports.AlarmPage, error) {
	l := read.ListOf(Alarms, "m.id")
	switch {
	case filter.Open == nil:
	case *filter.Open:
		l.Is("m.cleared_at IS NULL") // in the text, so that the partial index is used
	default:
		l.Is("m.cleared_at IS NOT NULL")
	}
	l.Equals("m.kind", string(filter.Kind))
	l.Equals("m.about", filter.About)
	if filter.Agent != "" {
		l.Is("m.agent <> ''")
		l.Equals("m.agent", filter.Agent)
	}
	s.Between(&l, "m.raised_at", filter.From, filter.To, read.RecordSlack)
	found, info, err := read.ListPage(ctx, s.Reads, "list alarms", page, Alarms, func(a *alarm.Alarm) string { return a.ID }, l)
	return ports.AlarmPage{Alarms: found, PageInfo: info}, err
}

// ChangeOpenAlarm implements ports.Alarms. The guard keeps instances from raising the same alarm
// twice; the unique index would refuse the second.
func (s *Store) ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide ports.OpenAlarmDecision) error {
	return s.Run(ctx, "alarms", func(ctx context.Context, tx bun.Tx) error {
		if err := isOpen(ctx, tx); err != nil {
			return err
		}
		open, err := readAlarm(ctx, tx, "m.kind = ? AND m.about = ? AND m.cleared_at IS NULL", kind, about)
		if err != nil {
			return err
		}
		next, record, err := decide(ofItsOwn(open))
		if err != nil || next == nil {
			return err
		}
		if next.Kind != kind || next.About != about {
			return db.Defect("alarm %q is of another kind or subject", next.ID)
		}
		return s.writeAlarm(ctx, tx, open, *next, record)
	})
}

// ChangeAlarm implements ports.Alarms.
func (s *Store) ChangeAlarm(ctx context.Context, by wallet.Address, id string, decide ports.AlarmDecision) error {
	return s.Run(ctx, "alarms", func(ctx context.Context, tx bun.Tx) error {
		if err := isOpen(ctx, tx); err != nil {
			return err
		}
		actor, err := change.LockedRole(ctx, tx, by)
		if err != nil {
			return err
		}
		present, err := readAlarm(ctx, tx, "m.id = ?", id)
		if err != nil {
			return err
		}
		if present == nil {
			return fault.New(fault.NotFound, "no alarm %q", id)
		}
		next, record, err := decide(actor, *ofItsOwn(present))
		if err != nil {
			return err
		}
		return s.writeAlarm(ctx, tx, present, next, &record)
	})
}

// isOpen refuses to write into a restored database.
func isOpen(ctx context.Context, tx bun.Tx) error {
	now, err := control.ReadControl(ctx, tx)
	if err != nil {
		return err
	}
	return now.Open()
}

// ofItsOwn returns a copy of the alarm, which a decision may change.
func ofItsOwn(a *alarm.Alarm) *alarm.Alarm {
	if a == nil {
		return nil
	}
	shown := *a
	shown.Facts = append([]alarm.Fact(nil), a.Facts...)
	return &shown
}

func readAlarm(ctx context.Context, tx bun.Tx, which string, arguments ...any) (*alarm.Alarm, error) {
	var row AlarmRow
	if there, err := db.Found(tx.NewSelect().Model(&row).Where(which, arguments...).Scan(ctx)); !there {
		return nil, db.Wrap("read alarm", err)
	}
	return (*alarm.Alarm)(&row.Alarm), nil
}

// writeAlarm stores a changed alarm. Without a record it was only seen again.
func (s *Store) writeAlarm(ctx context.Context, tx bun.Tx, before *alarm.Alarm, next alarm.Alarm, record *audit.Record) error {
	if err := next.Follows(before); err != nil {
		return db.Defect("%v", err)
	}
	made, was := next.Covered(), event.Event{}
	if before != nil {
		was = before.Covered()
		made = made.After(was)
	}
	var err error
	switch {
	case record == nil && (before == nil || made.Digest() != was.Digest()):
		return db.Defect("alarm %q needs a record", next.ID)
	case before == nil:
		_, err = tx.NewInsert().Model(Alarms.Row(&next)).Exec(ctx)
	default:
		_, err = tx.NewUpdate().Model(Alarms.Row(&next)).
			Column("last_seen", "seen", "acknowledged_by", "acknowledged_at", "note", "cleared_at", "cleared_by").WherePK().Exec(ctx)
	}
	if err != nil || record == nil {
		return db.Wrap("write alarm", err)
	}
	return s.Seal(ctx, tx, *record, made)
}
