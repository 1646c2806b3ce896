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
	// Rounds lists rounds, newest first. Total counts the whole list, including void rounds
	// and rounds that began without a bet; during play it is the number at some moment of
	// the call.
	Rounds(ctx context.Context, filter RoundFilter, page Page) (RoundPage, error)
	// RecentRounds lists the newest n rounds of all players, without void rounds and rounds
	// without a wager.
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

// OpenRounds reads stepped rounds that have not ended. The Writer opens, steps and ends
// them; an ended one is among Rounds, under the same id. Results are committed and at
// least as new as the caller's last receipt.
//
// Such a store shows items with Needs.Exposure the exposure of that token's open rounds,
// the item's own lane apart from the others; see bet.Exposed. It never counts less than
// a lane's exposure, except for rounds that the other lane is just opening within its
// own part.
type OpenRounds interface {
	// OpenRound returns an open round by its id, or NotFound.
	OpenRound(ctx context.Context, id string) (bet.Open, error)
	// OpenRoundsOf returns a wallet's open rounds, oldest first.
	OpenRoundsOf(ctx context.Context, w wallet.Address) ([]bet.Open, error)
	// UntouchedRounds lists up to limit rounds last touched before a moment, with ids after
	// the given one, oldest first. A worker continues by passing the last id it saw, "" at
	// first.
	UntouchedRounds(ctx context.Context, before time.Time, after string, limit int) ([]bet.Open, error)
	// OpenExposure returns the total exposure of a token's open rounds.
	OpenExposure(ctx context.Context, token money.Token) (money.Total, error)
}

// RevealedSeeds reads the server seeds of many pairs at once, for pages of rounds.
// Results are committed and at least as new as the caller's last receipt.
type RevealedSeeds interface {
	// RevealedSeeds returns the server seeds of the retired pairs among the given ids, by
	// id. Other pairs and unknown ids are left out. Ids may repeat; no ids give an empty
	// answer.
	RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error)
}
