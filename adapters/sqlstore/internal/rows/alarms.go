package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/wallet"
)

// Alarms are what a person has to look at.
var Alarms = table("alarms", "m",
	text("id", func(a *alarm.Alarm) *string { return &a.ID }).keyed(),
	text("kind", func(a *alarm.Alarm) *alarm.Kind { return &a.Kind }),
	text("about", func(a *alarm.Alarm) *string { return &a.About }),
	text("agent", func(a *alarm.Alarm) *string { return &a.Agent }),
	facts("facts", func(a *alarm.Alarm) *[]alarm.Fact { return &a.Facts }),
	moment("raised_at", func(a *alarm.Alarm) *time.Time { return &a.RaisedAt }),
	moment("last_seen", func(a *alarm.Alarm) *time.Time { return &a.LastSeen }),
	integer("seen", func(a *alarm.Alarm) *int64 { return &a.Seen }),
	text("acknowledged_by", func(a *alarm.Alarm) *wallet.Address { return &a.AcknowledgedBy }),
	optional("acknowledged_at", func(a *alarm.Alarm) *time.Time { return &a.AcknowledgedAt }),
	text("note", func(a *alarm.Alarm) *string { return &a.Note }),
	optional("cleared_at", func(a *alarm.Alarm) *time.Time { return &a.ClearedAt }),
	text("cleared_by", func(a *alarm.Alarm) *wallet.Address { return &a.ClearedBy }),
)

// facts are those of an alarm, as a JSON object.
func facts[T any](name string, at func(*T) *[]alarm.Fact) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*alarmFacts)(at(v)) },
		value: func(v *T) any {
			fields := make([]event.Field, 0, len(*at(v)))
			for _, f := range *at(v) {
				fields = append(fields, event.Field(f))
			}
			return string(wire.EncodeFields(fields))
		},
	}
}

// alarmFacts reads the facts of an alarm.
type alarmFacts []alarm.Fact

// Scan implements sql.Scanner.
func (f *alarmFacts) Scan(from any) error {
	var fields eventFields
	if err := fields.Scan(from); err != nil {
		return err
	}
	*f = nil
	for _, one := range fields {
		*f = append(*f, alarm.Fact(one))
	}
	return nil
}
