package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Reconciliations = (*Store)(nil)

// reconciliationGuard is what everybody locks who moves the end of what was compared.
const reconciliationGuard = "reconciliation"

// Reconciled serves ports.Reconciliations.
func (s *Store) Reconciled(ctx context.Context, connection string) (time.Time, error) {
	var until int64
	err := s.one(ctx, "read the end of the reconciliation", "SELECT until FROM provider_reconciled WHERE connection = ?", []any{connection},
		func(row *sql.Row) error { return row.Scan(&until) },
		fault.New(fault.NotFound, "the log of %s was never compared", connection))
	if err != nil {
		return time.Time{}, err
	}
	return moment(until), nil
}

// AdvanceReconciled serves ports.Reconciliations.
func (s *Store) AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error {
	return s.small(ctx, reconciliationGuard, func(ctx context.Context, tx bun.Tx) error {
		var until int64
		err := tx.QueryRowContext(ctx, "SELECT until FROM provider_reconciled WHERE connection = ?", connection).Scan(&until)
		known := !errors.Is(err, sql.ErrNoRows)
		if err != nil && known {
			return wrap("read the end of the reconciliation", err)
		}
		if known == from.IsZero() || known && until != micros(from) {
			return fault.New(fault.InvalidState, "somebody else compares the log of %s", connection).With("status", "moved")
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO provider_reconciled (connection, until) VALUES (?, ?)
			ON CONFLICT (connection) DO UPDATE SET until = excluded.until`, connection, micros(to))
		return wrap("move the end of the reconciliation", err)
	})
}
