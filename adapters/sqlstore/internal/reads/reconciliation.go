package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
)

// Reconciled serves ports.Reconciliations.
func (r *Reads) Reconciled(ctx context.Context, connection string) (time.Time, error) {
	found, err := from(r, rows.Reconciliations).where("r.connection = ?", connection).
		one(ctx, "read the end of the reconciliation", fault.New(fault.NotFound, "the log of %s was never compared", connection))
	return found.Until, err
}
