package admin

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeOpenAlarm serves ports.Alarms. The guard keeps instances that see the same from
// raising it twice; the unique index would refuse the second.
func (c *Changes) ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide ports.OpenAlarmDecision) error {
	return c.short(ctx, "alarms", func(ctx context.Context, tx bun.Tx) error {
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
		return c.writeAlarm(ctx, tx, open, *next, record)
	})
}

// ChangeAlarm serves ports.Alarms.
func (c *Changes) ChangeAlarm(ctx context.Context, by wallet.Address, id string, decide ports.AlarmDecision) error {
	return c.short(ctx, "alarms", func(ctx context.Context, tx bun.Tx) error {
		if err := isOpen(ctx, tx); err != nil {
			return err
		}
		actor, err := lockedRole(ctx, tx, by)
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
		return c.writeAlarm(ctx, tx, present, next, &record)
	})
}

// isOpen refuses what must not be written into a database that went back.
func isOpen(ctx context.Context, tx bun.Tx) error {
	now, err := rows.ReadControl(ctx, tx)
	if err != nil {
		return err
	}
	return now.Open()
}

// ofItsOwn is the alarm for a decision, which may change what it gets.
func ofItsOwn(a *alarm.Alarm) *alarm.Alarm {
	if a == nil {
		return nil
	}
	shown := *a
	shown.Facts = append([]alarm.Fact(nil), a.Facts...)
	return &shown
}

func readAlarm(ctx context.Context, tx bun.Tx, which string, arguments ...any) (*alarm.Alarm, error) {
	var row rows.AlarmRow
	if there, err := db.Found(tx.NewSelect().Model(&row).Where(which, arguments...).Scan(ctx)); !there {
		return nil, db.Wrap("read alarm", err)
	}
	return (*alarm.Alarm)(&row.Alarm), nil
}

// writeAlarm stores what became of an alarm. Without a record it is only that it was seen.
func (c *Changes) writeAlarm(ctx context.Context, tx bun.Tx, before *alarm.Alarm, next alarm.Alarm, record *audit.Record) error {
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
		_, err = tx.NewInsert().Model(rows.Alarms.Row(&next)).Exec(ctx)
	default:
		_, err = tx.NewUpdate().Model(rows.Alarms.Row(&next)).
			Column("last_seen", "seen", "acknowledged_by", "acknowledged_at", "note", "cleared_at", "cleared_by").WherePK().Exec(ctx)
	}
	if err != nil || record == nil {
		return db.Wrap("write alarm", err)
	}
	return c.seal(ctx, tx, *record, made)
}
