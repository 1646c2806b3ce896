package ports

import (
	"context"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/player"
)

// Bookings reads single entries of the ledger, so that they can be corrected.
type Bookings interface {
	// Adjustment returns an adjustment of any kind by its id, or NotFound.
	Adjustment(ctx context.Context, id string) (player.Adjustment, error)
	// Posting returns the posting with this key, or NotFound. It knows no posting of a round.
	Posting(ctx context.Context, key ledger.Key) (ledger.Posting, error)
	// Corrected reports whether the posting with this key was corrected.
	Corrected(ctx context.Context, key ledger.Key) (bool, error)
}
