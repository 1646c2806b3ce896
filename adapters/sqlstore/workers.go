package sqlstore

import (
	"context"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
)

const (
	// PruneInterval is how long to rest between two looks for expired data.
	PruneInterval = time.Minute
	// MonthsInterval is how long to rest between two looks whether the partitions of the
	// coming months are there.
	MonthsInterval = time.Hour
)

// Workers are what a database needs beside the casino's own workers (app.Casino.Workers):
// expired data is deleted, and on PostgreSQL the partitions of the coming months are made.
// Without them what expired stays, and rounds of months without a partition of their own
// share the one called rest.
func (s *Store) Workers(clock ports.Clock) []app.Worker {
	return []app.Worker{
		{Name: "prune", Interval: PruneInterval, Step: func(ctx context.Context) (bool, error) { return s.Prune(ctx, clock.Now()) }},
		{Name: "months", Interval: MonthsInterval, WhileRestored: true, Step: func(ctx context.Context) (bool, error) {
			return s.MakeMonths(ctx, clock.Now())
		}},
	}
}
