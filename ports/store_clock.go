package ports

import (
	"context"
	"time"
)

// StoreClock reads the clock that a store counts hours by.
type StoreClock interface {
	// StoreTime returns the present by the store's own clock, to the microsecond; the zero
	// time of a store that has none and counts by the moments of items.
	StoreTime(ctx context.Context) (time.Time, error)
}
