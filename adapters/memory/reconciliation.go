package memory

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Reconciliations = (*Store)(nil)

// Reconciled serves ports.Reconciliations.
func (s *Store) Reconciled(_ context.Context, connection string) (time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.reconciled[connection]
	if !ok {
		return time.Time{}, fault.New(fault.NotFound, "the log of %s was never compared", connection)
	}
	return until, nil
}

// AdvanceReconciled serves ports.Reconciliations.
func (s *Store) AdvanceReconciled(_ context.Context, connection string, from, to time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reconciled[connection].Equal(from) {
		return fault.New(fault.InvalidState, "the log of %s is being compared by another instance", connection).With("status", "moved")
	}
	s.reconciled[connection] = to.UTC().Truncate(time.Microsecond)
	return nil
}
