package ports

import (
	"context"
	"time"
)

// Reconciliations keeps up to when the log of a provider connection was compared
// with the ledger, so that no span is left out, whichever instance goes on and when.
// Times are kept in microseconds.
type Reconciliations interface {
	// Reconciled returns the end of the last span that was compared, or NotFound
	// while none was.
	Reconciled(ctx context.Context, connection string) (time.Time, error)
	// AdvanceReconciled moves the end from where the caller found it (the zero time
	// when there was none). When another instance moved it meanwhile nothing changes,
	// and the fault is of kind InvalidState.
	AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error
}
