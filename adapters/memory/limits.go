package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// PublishedLimits serves ports.PublishedLimits.
func (s *Store) PublishedLimits(context.Context) ([]event.Event, error) {
	defer s.locked()()
	return s.newestLimits(), nil
}

func (s *Store) newestLimits() []event.Event {
	newest := []event.Event{}
	for i := range s.blocks {
		for _, e := range s.blocks[i].Events {
			if e.Kind != event.Limits {
				continue
			}
			newest = slices.DeleteFunc(newest, func(earlier event.Event) bool { return limitsOf(earlier) == limitsOf(e) })
			newest = append(newest, e)
		}
	}
	slices.SortFunc(newest, func(a, b event.Event) int { return strings.Compare(limitsOf(a), limitsOf(b)) })
	return newest
}

func limitsOf(e event.Event) string { return e.Value(event.LimitsOf) }

// PublishLimits serves ports.PublishedLimits. The decision must not call the store.
func (s *Store) PublishLimits(ctx context.Context, decide ports.LimitsDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.control.Open(); err != nil {
		return err
	}
	made, record, err := decide(s.newestLimits())
	if err != nil || len(made) == 0 {
		return err
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}, Events: slices.Clone(made)})
	return nil
}
