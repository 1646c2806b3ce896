package ports

import (
	"context"
	"time"
)

// ChainHead reads how far the chain is, and what time it has there.
type ChainHead interface {
	// Head returns the newest finalized slot, and when its block was made by the chain's
	// own clock, in whole seconds. What is finalized later has a greater slot. A chain
	// that can't be asked is a fault of kind External.
	Head(ctx context.Context) (slot uint64, made time.Time, err error)
}
