package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// State serves ports.Controls.
func (s *Store) State(context.Context) (control.State, error) {
	defer s.locked()()
	return s.control.Clone(), nil
}

// ChangeControl serves ports.Controls. The decision must not call the store. Taking the
// mutex waits for every commit that began earlier.
func (s *Store) ChangeControl(ctx context.Context, decide ports.ControlDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	next, record, err := decide(s.control.Clone())
	if err != nil || record == nil {
		return err
	}
	if err := control.CheckWithin(*s.control, next); err != nil {
		return err
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	next = next.Clone()
	s.control = &next
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{*record}})
	return nil
}

// StoreTime serves ports.StoreClock. It returns the zero time, because this store has no
// clock.
func (*Store) StoreTime(context.Context) (time.Time, error) { return time.Time{}, nil }

// Origin serves ports.Origins. The present origin is always zero.
func (s *Store) Origin(context.Context) (now, remembered witness.Origin, err error) {
	defer s.locked()()
	return witness.Origin{}, s.origin, nil
}

// RememberOrigin serves ports.Origins.
func (s *Store) RememberOrigin(_ context.Context, origin witness.Origin) error {
	defer s.locked()()
	s.origin = origin
	return nil
}
