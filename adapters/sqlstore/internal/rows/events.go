package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
)

// eventRow is a row of ledger_events.
type eventRow struct {
	bun.BaseModel `bun:"table:ledger_events,alias:e"`
	event.Event
	inBlock
}

// Events are what blocks cover of withdrawals, deposits, roles and the like.
var Events = modelOf[eventRow, event.Event]()

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
