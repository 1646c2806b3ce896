package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// Audit is who did what.
var Audit = table("audit", "a",
	text("id", func(r *audit.Record) *string { return &r.ID }),
	text("action", func(r *audit.Record) *audit.Action { return &r.Action }),
	text("actor", func(r *audit.Record) *wallet.Address { return &r.By }),
	text("target", func(r *audit.Record) *string { return &r.Target }),
	text("was", func(r *audit.Record) *string { return &r.Before }),
	text("became", func(r *audit.Record) *string { return &r.After }),
	moment("at", func(r *audit.Record) *time.Time { return &r.At }),
	text("request_id", func(r *audit.Record) *string { return &r.RequestID }),
)

var addAudit = Audit.insert("", blockColumns...)

// writeAudit asks to write audit records of a block, at their positions there.
func writeAudit(a *db.Asks, block hashchain.Head, records []audit.Record, positions []int) {
	rows := make([][]any, len(records))
	for i := range records {
		rows[i] = addAudit.row(&records[i], block.Lane, block.Seq, positions[i])
	}
	a.Write("write audit records", addAudit.query, rows)
}

// records are the audit records of the batch.
type records struct{ plain }

func (records) stage(b *Batch, s *Step) {
	b.Content.Audit = append(b.Content.Audit, s.Change.Audit...)
	b.places.audit.next(&b.places, len(s.Change.Audit))
}

func (records) write(b *Batch) error {
	writeAudit(&b.Asks, b.Head, b.Content.Audit, b.places.audit)
	return nil
}
