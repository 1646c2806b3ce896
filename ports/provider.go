package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// GameProvider is one connection to a provider, or aggregator, of third-party
// games. Its wallet callbacks come in another way; this is what we ask of it.
//
// A refusal of the provider is a fault: InvalidProvider when it doesn't know us
// or the maker, InvalidGame, InvalidUser, BlockedAgent, InsufficientAgentFunds,
// Maintenance while it is closed. A provider that can't be asked, answers badly,
// or refuses for another reason is External. No error holds a credential.
type GameProvider interface {
	// Launch makes the player known to the provider unless he is, and returns
	// where he plays the game. The address is https on a host that the connection
	// is configured for; any other is External.
	Launch(ctx context.Context, order LaunchRequest) (url string, err error)
	// Games lists every game of every maker, sorted by maker and code, each once.
	Games(ctx context.Context) ([]seamless.Game, error)
	// Funds returns what our account at the provider holds, in its money.
	Funds(ctx context.Context) (seamless.Decimal, error)
	// Log returns what the provider itself recorded of a player from a moment
	// (inclusive, whole seconds) to another (exclusive), in the order of its time.
	Log(ctx context.Context, w wallet.Address, from, to time.Time) ([]seamless.Record, error)
}

// LaunchRequest is a player on the way to a game.
type LaunchRequest struct {
	Wallet   wallet.Address
	Provider string // the maker's code
	Game     string
	Language string // a BCP 47 tag
}
