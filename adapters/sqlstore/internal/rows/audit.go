package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// auditRow is a row of audit.
type auditRow struct {
	bun.BaseModel `bun:"table:audit,alias:a"`
	Record        struct {
		ID        string
		Action    audit.Action
		By        wallet.Address `bun:"actor"`
		Target    string
		Before    string `bun:"was"`
		After     string `bun:"became"`
		At        time.Time
		RequestID string
	} `bun:"embed:"`
	inBlock
}

// Audit is who did what.
var Audit = modelOf[auditRow, audit.Record]()

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
