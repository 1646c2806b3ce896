package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// Cursor serves ports.DepositCursors.
func (s *Store) Cursor(_ context.Context, token money.Token) (deposit.WatchProgress, error) {
	defer s.locked()()
	cursor, ok := s.cursors[token]
	if !ok {
		return deposit.WatchProgress{}, fault.New(fault.NotFound, "%s was never watched", token)
	}
	return cursor, nil
}

// Advance serves ports.DepositCursors.
func (s *Store) Advance(_ context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error {
	defer s.locked()()
	if s.cursors[token].Cursor != from {
		return fault.New(fault.InvalidState, "the cursor of %s was moved meanwhile", token).With("status", "moved")
	}
	s.cursors[token] = to
	for _, p := range parked {
		if _, known := s.parked[p.Ref]; !known {
			s.parked[p.Ref] = p
		}
	}
	return nil
}

// Park serves ports.ParkedDeposits.
func (s *Store) Park(_ context.Context, p deposit.Parked) error {
	defer s.locked()()
	s.parked[p.Ref] = p
	return nil
}

// Unpark serves ports.ParkedDeposits.
func (s *Store) Unpark(_ context.Context, ref deposit.Ref) error {
	defer s.locked()()
	delete(s.parked, ref)
	return nil
}

// Parked serves ports.ParkedDeposits.
func (s *Store) Parked(_ context.Context, ref deposit.Ref) (deposit.Parked, error) {
	defer s.locked()()
	p, ok := s.parked[ref]
	if !ok {
		return deposit.Parked{}, fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature)
	}
	return p, nil
}

// ParkedDue serves ports.ParkedDeposits.
func (s *Store) ParkedDue(_ context.Context, now time.Time, limit int) ([]deposit.Parked, error) {
	defer s.locked()()
	due := []deposit.Parked{}
	for _, p := range s.parked {
		if p.Status == deposit.Pending && !p.NextAt.After(now) {
			due = append(due, p)
		}
	}
	slices.SortFunc(due, func(a, b deposit.Parked) int {
		if c := a.NextAt.Compare(b.NextAt); c != 0 {
			return c
		}
		return strings.Compare(a.Signature+string(a.Token), b.Signature+string(b.Token))
	})
	return due[:min(limit, len(due))], nil
}

// ParkedIn serves ports.UnbookedDeposits.
func (s *Store) ParkedIn(_ context.Context, status deposit.Status, limit int) ([]deposit.Parked, error) {
	defer s.locked()()
	found := []deposit.Parked{}
	for _, p := range s.parked {
		if p.Status == status {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b deposit.Parked) int {
		if c := a.FoundAt.Compare(b.FoundAt); c != 0 {
			return c
		}
		return strings.Compare(a.Signature+string(a.Token), b.Signature+string(b.Token))
	})
	return found[:min(limit, len(found))], nil
}

// Unbooked serves ports.UnbookedDeposits.
func (s *Store) Unbooked(context.Context) (map[money.Token]money.Total, error) {
	defer s.locked()()
	sums := map[money.Token]money.Total{}
	for _, p := range s.parked {
		if p.Amount > 0 && !s.booked(p.Ref) {
			sums[p.Token] = sums[p.Token].AddAmount(p.Amount)
		}
	}
	return sums, nil
}

// Booked serves ports.UnbookedDeposits.
func (s *Store) Booked(_ context.Context, ref deposit.Ref) (bool, error) {
	defer s.locked()()
	return s.booked(ref), nil
}

func (s *Store) booked(ref deposit.Ref) bool {
	_, booked := s.keys[keyName{player.DepositKey, string(ref.Token), ref.Signature}]
	return booked
}
