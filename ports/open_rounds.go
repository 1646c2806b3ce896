package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// OpenRounds reads rounds that are played step by step and have not ended. The Writer
// opens, steps and ends them; one that has ended is among Rounds, under the same id.
// Results are of committed state, at least as new as the last receipt the caller got.
//
// A store that keeps them shows items that ask for Needs.Exposure what the open rounds of
// that token may cost, the item's own lane apart from the others, see bet.Exposed: what a
// lane may have opened beside it is at no moment counted as less than it is, but for what
// the other lane is just opening within its own part.
type OpenRounds interface {
	// OpenRound returns an open round by its id, or NotFound.
	OpenRound(ctx context.Context, id string) (bet.Open, error)
	// OpenRoundsOf returns a wallet's open rounds, oldest first.
	OpenRoundsOf(ctx context.Context, w wallet.Address) ([]bet.Open, error)
	// UntouchedRounds lists up to limit rounds that nobody touched since before a moment and
	// whose id comes after the given one, oldest first. A worker continues by passing the
	// last id it saw, "" at first.
	UntouchedRounds(ctx context.Context, before time.Time, after string, limit int) ([]bet.Open, error)
	// OpenExposure returns what the open rounds of a token may cost the house together.
	OpenExposure(ctx context.Context, token money.Token) (money.Total, error)
}
