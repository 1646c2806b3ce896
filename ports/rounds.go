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
