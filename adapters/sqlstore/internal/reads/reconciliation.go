package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// Reconciled serves ports.Reconciliations.
func (r *Reads) Reconciled(ctx context.Context, connection string) (time.Time, error) {
	var until int64
	err := r.db.One(ctx, "read the end of the reconciliation", "SELECT until FROM provider_reconciled WHERE connection = ?", []any{connection},
		func(row db.Row) error { return row.Scan(&until) },
		fault.New(fault.NotFound, "the log of %s was never compared", connection))
	if err != nil {
		return time.Time{}, err
	}
	return db.Moment(until), nil
}
