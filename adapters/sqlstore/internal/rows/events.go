package rows

import (
	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// Events are what blocks cover of withdrawals, deposits, roles and the like.
var Events = table("ledger_events", "e",
	text("kind", func(e *event.Event) *event.Kind { return &e.Kind }),
	text("id", func(e *event.Event) *string { return &e.ID }),
	text("wallet", func(e *event.Event) *wallet.Address { return &e.Wallet }),
	fields("fields", func(e *event.Event) *[]event.Field { return &e.Fields }),
	text("was", func(e *event.Event) *string { return &e.Was }),
)

// fields are the fields of an event, as a JSON object.
func fields[T any](name string, at func(*T) *[]event.Field) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*eventFields)(at(v)) },
		value:  func(v *T) any { return string(wire.EncodeFields(*at(v))) },
	}
}

// eventFields reads the fields of an event.
type eventFields []event.Field

// Scan implements sql.Scanner.
func (f *eventFields) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	decoded, err := wire.DecodeFields([]byte(read))
	*f = decoded
	return err
}

var addEvents = Events.insert("", blockColumns...)

// writeEvents asks to write events of a block, at their positions there.
func writeEvents(a *db.Asks, block hashchain.Head, made []event.Event, positions []int) {
	rows := make([][]any, len(made))
	for i := range made {
		rows[i] = addEvents.row(&made[i], block.Lane, block.Seq, positions[i])
	}
	a.Write("write events", addEvents.query, rows)
}

// events are what became of things in the batch.
type events struct{ plain }

func (events) stage(b *Batch, s *Step) {
	made := s.Wallet.View.Events(&s.Change)
	b.Content.Events = append(b.Content.Events, made...)
	b.places.events.next(&b.places, len(made))
}

func (events) write(b *Batch) error {
	writeEvents(&b.Asks, b.Head, b.Content.Events, b.places.events)
	return nil
}
