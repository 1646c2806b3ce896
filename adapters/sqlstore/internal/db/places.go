package db

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// apart is which part of the readers' connections is kept apart from players: a quarter,
// and at least one.
const apart = 4

// places are those of the readers' connections that players may use at a time, nil where
// the pool has no bound.
type places chan struct{}

func newPlaces(read *sql.DB) places {
	connections := read.Stats().MaxOpenConnections
	if connections == 0 {
		return nil
	}
	return make(places, max(1, connections-max(1, connections/apart)))
}

// enter waits for a place if the question is a player's, and returns what gives it back.
func (p places) enter(ctx context.Context) (leave func(), err error) {
	if p == nil || !ports.IsForPlayers(ctx) {
		return func() {}, nil
	}
	select {
	case p <- struct{}{}:
		return func() { <-p }, nil
	case <-ctx.Done():
		return nil, errBusy()
	}
}

// errBusy says that players ask more than the database answers.
func errBusy() error {
	return fault.New(fault.Unavailable, "too much is being asked").With("outcome", "none").With("retryAfterMs", RetryAfterMillis)
}
