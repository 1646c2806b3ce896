package memory

import (
	"context"
	"time"

	"github.com/casino-service/casino/ports"
)

var _ ports.StoreClock = (*Store)(nil)

// StoreTime serves ports.StoreClock: this store has no clock.
func (*Store) StoreTime(context.Context) (time.Time, error) { return time.Time{}, nil }
