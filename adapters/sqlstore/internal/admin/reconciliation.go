package admin

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// reconciliationGuard is what everybody locks who moves the end of what was compared.
const reconciliationGuard = "reconciliation"

// AdvanceReconciled serves ports.Reconciliations.
func (c *Changes) AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error {
	return c.short(ctx, reconciliationGuard, func(ctx context.Context, tx bun.Tx) error {
		var until int64
		err := tx.QueryRowContext(ctx, "SELECT until FROM provider_reconciled WHERE connection = ?", connection).Scan(&until)
		known := !errors.Is(err, sql.ErrNoRows)
		if err != nil && known {
			return db.Wrap("read the end of the reconciliation", err)
		}
		if known == from.IsZero() || known && until != db.Micros(from) {
			return fault.New(fault.InvalidState, "the log of %s is being compared by another instance", connection).With("status", "moved")
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO provider_reconciled (connection, until) VALUES (?, ?)
			ON CONFLICT (connection) DO UPDATE SET until = excluded.until`, connection, db.Micros(to))
		return db.Wrap("move the end of the reconciliation", err)
	})
}
