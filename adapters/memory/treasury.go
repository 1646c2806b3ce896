package memory

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/treasury"
)

// indexed is a movement in the index, with its state.
type indexed struct {
	treasury.Movement
	state treasury.State
}

// index holds the movements signed by the treasury, in the order of the chain.
type index struct {
	position treasury.Position
	entries  []indexed
	sweeps   []treasury.Sweep
}

func (x *index) find(signature string) int {
	return slices.IndexFunc(x.entries, func(e indexed) bool { return e.Signature == signature })
}

// paymentOf returns the signature of the successful payment with the withdrawal's id.
func (x *index) paymentOf(id string) string {
	for _, e := range x.entries {
		if e.WithdrawalID == id && !e.Failed {
			return e.Signature
		}
	}
	return ""
}

// IndexPosition serves ports.TreasuryIndex.
func (s *Store) IndexPosition(context.Context) (treasury.Position, error) {
	defer s.locked()()
	return s.index.position, nil
}

// ExtendIndex serves ports.TreasuryIndex.
func (s *Store) ExtendIndex(_ context.Context, from string, next treasury.Position, movements []treasury.Movement) error {
	defer s.locked()()
	if s.index.position.Cursor != from {
		return fault.New(fault.InvalidState, "the treasury's index was extended meanwhile").With("status", "moved")
	}
	s.index.position = next
	for _, m := range movements {
		if s.index.find(m.Signature) < 0 {
			m.Payments = slices.Clone(m.Payments)
			s.index.entries = append(s.index.entries, indexed{m, treasury.New})
		}
	}
	slices.SortStableFunc(s.index.entries, func(a, b indexed) int { return treasury.InOrder(a.Movement, b.Movement) })
	return nil
}

// Movements serves ports.TreasuryIndex.
func (s *Store) Movements(_ context.Context, id string) ([]treasury.Movement, error) {
	return s.movements(func(e indexed) bool { return id != "" && e.WithdrawalID == id }, math.MaxInt), nil
}

// MovementsIn serves ports.TreasuryReview.
func (s *Store) MovementsIn(_ context.Context, state treasury.State, limit int) ([]treasury.Movement, error) {
	return s.movements(func(e indexed) bool { return e.state == state && state != treasury.Explained }, limit), nil
}

func (s *Store) movements(which func(indexed) bool, limit int) []treasury.Movement {
	defer s.locked()()
	found := []treasury.Movement{}
	for _, e := range s.index.entries {
		if which(e) && len(found) < limit {
			found = append(found, e.Movement)
		}
	}
	return found
}

func errNoMovement(signature string) error {
	return fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature)
}

// MovementState serves ports.TreasuryReview.
func (s *Store) MovementState(_ context.Context, signature string) (treasury.Movement, treasury.State, error) {
	defer s.locked()()
	at := s.index.find(signature)
	if at < 0 {
		return treasury.Movement{}, "", errNoMovement(signature)
	}
	return s.index.entries[at].Movement, s.index.entries[at].state, nil
}

// Review serves ports.TreasuryReview.
func (s *Store) Review(_ context.Context, signature string, from, to treasury.State) error {
	defer s.locked()()
	at := s.index.find(signature)
	if at < 0 {
		return errNoMovement(signature)
	}
	if e := &s.index.entries[at]; e.state == from && from.Next(to) {
		e.state = to
		return nil
	}
	return fault.New(fault.InvalidState, "the transaction is %s", s.index.entries[at].state).With("status", string(s.index.entries[at].state))
}

// AttemptKnown serves ports.TreasuryReview.
func (s *Store) AttemptKnown(_ context.Context, signature string) (bool, error) {
	defer s.locked()()
	return s.signatures[signature], nil
}

// AnnounceSweep serves ports.TreasurySweeps.
func (s *Store) AnnounceSweep(_ context.Context, sweep treasury.Sweep, record audit.Record) error {
	defer s.locked()()
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	s.index.sweeps = append(s.index.sweeps, sweep)
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}})
	return nil
}

// OpenSweeps serves ports.TreasurySweeps.
func (s *Store) OpenSweeps(_ context.Context, at time.Time) ([]treasury.Sweep, error) {
	defer s.locked()()
	open := []treasury.Sweep{}
	for _, sweep := range s.index.sweeps {
		if sweep.Signature == "" && !at.After(sweep.Until) {
			open = append(open, sweep)
		}
	}
	return open, nil
}

// LandSweep serves ports.TreasurySweeps.
func (s *Store) LandSweep(_ context.Context, id, signature string) error {
	defer s.locked()()
	for i := range s.index.sweeps {
		if sweep := &s.index.sweeps[i]; sweep.ID == id && sweep.Signature == "" {
			sweep.Signature = signature
			return nil
		}
	}
	return fault.New(fault.InvalidState, "no sweep %q waits for its transaction", id).With("status", "landed")
}
