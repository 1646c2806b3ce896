package admin

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
)

// reconciliationGuard is what everybody locks who moves the end of what was compared.
const reconciliationGuard = "reconciliation"

// AdvanceReconciled serves ports.Reconciliations.
func (c *Changes) AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error {
	return c.short(ctx, reconciliationGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands rows.Reconciled
		known, err := db.Found(tx.NewSelect().Model(&stands).Where("r.connection = ?", connection).Scan(ctx))
		if err != nil {
			return db.Wrap("read the end of the reconciliation", err)
		}
		if known == from.IsZero() || known && db.Micros(stands.Until) != db.Micros(from) {
			return fault.New(fault.InvalidState, "the log of %s is being compared by another instance", connection).With("status", "moved")
		}
		_, err = tx.NewInsert().Model(&rows.Reconciled{Connection: connection, Until: to}).On("CONFLICT (connection) DO UPDATE").Exec(ctx)
		return db.Wrap("move the end of the reconciliation", err)
	})
}
