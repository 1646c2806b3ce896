package registry

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/ports"
)

// PublishedLimits serves ports.PublishedLimits. Only short transactions write such facts, so
// that their order is that of one lane.
func (s *Store) PublishedLimits(ctx context.Context) ([]event.Event, error) {
	newest := map[string]event.Event{}
	err := read.From(s.Reads, chain.Events).Where("e.kind = 'limits'").Order("e.lane, e.seq, e.position").Each(ctx, "read published limits", func(e event.Event) error {
		newest[e.Value(event.LimitsOf)] = e
		return nil
	})
	all := make([]event.Event, 0, len(newest))
	for _, of := range slices.Sorted(maps.Keys(newest)) {
		all = append(all, newest[of])
	}
	return all, err
}

// PublishLimits serves ports.PublishedLimits. Nobody else writes such facts while the guard
// is held: what is read beside the transaction is the newest.
func (s *Store) PublishLimits(ctx context.Context, decide ports.LimitsDecision) error {
	return s.Run(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
		now, err := control.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if err := now.Open(); err != nil {
			return err
		}
		newest, err := s.PublishedLimits(ctx)
		if err != nil {
			return err
		}
		made, record, err := decide(newest)
		if err != nil || len(made) == 0 {
			return err
		}
		return s.Seal(ctx, tx, record, made...)
	})
}
