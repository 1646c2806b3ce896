package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Rounds reads game rounds, the house's own and those of providers. A round's
// Theory is not stored and comes back zero.
type Rounds interface {
	// Round returns one round, or NotFound.
	Round(ctx context.Context, id string) (bet.Round, error)
	// Rounds lists rounds, newest first. Total counts the whole list, void
	// rounds and those that began without a bet included; while others play it is a
	// number that was true at some moment of the call.
	Rounds(ctx context.Context, filter RoundFilter, page Page) (RoundPage, error)
	// RecentRounds lists the newest n rounds of all players, void ones and those
	// without a wager left out.
	RecentRounds(ctx context.Context, n int) ([]bet.Round, error)
}

// RoundFilter narrows a list of rounds; zero fields don't. From is inclusive,
// To exclusive.
type RoundFilter struct {
	Wallet   wallet.Address
	GameType string
	Token    money.Token
	Agent    string
	From, To time.Time
}

// RoundPage is a page of rounds.
type RoundPage struct {
	Rounds []bet.Round
	PageInfo
}

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

// RevealedSeeds reads the server seeds of many pairs at once, for pages of rounds. Results
// are of committed state, at least as new as the last receipt the caller got.
type RevealedSeeds interface {
	// RevealedSeeds returns the server seeds of those pairs that are retired, by the pair's
	// id. Pairs that still decide rounds and ids that no pair has are left out. An id may be
	// named twice, and none gives an empty answer.
	RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error)
}
