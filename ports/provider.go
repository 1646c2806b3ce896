package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// GameProvider is one connection to a provider, or aggregator, of third-party
// games. This is what the service asks of it; its wallet callbacks come in by another way.
//
// A refusal by the provider is a fault: InvalidProvider when it doesn't know us
// or the maker, InvalidGame, InvalidUser, BlockedAgent, InsufficientAgentFunds,
// Maintenance while it is closed. A provider that can't be asked, answers badly,
// or refuses for another reason is External. No error holds a credential.
type GameProvider interface {
	// Launch makes the player known to the provider, if they aren't yet, and returns
	// the address of the game for them. The address is https on a host that the connection
	// is configured for; any other is External.
	Launch(ctx context.Context, request LaunchRequest) (url string, err error)
	// Games lists every game of every maker, sorted by maker and code, each once, and the
	// entries of the provider's catalogue that it could not read.
	Games(ctx context.Context) ([]seamless.Game, []seamless.UnreadEntry, error)
	// Funds returns what our account at the provider holds, in its money.
	Funds(ctx context.Context) (seamless.Decimal, error)
	// Log returns what the provider itself recorded of a player from a moment
	// (inclusive, whole seconds) to another (exclusive), sorted by the provider's time.
	Log(ctx context.Context, w wallet.Address, from, to time.Time) ([]seamless.Record, error)
}

// LaunchRequest is a player's request to play a provider's game.
type LaunchRequest struct {
	Wallet   wallet.Address
	Provider string // the maker's code
	Game     string
	Language string // a BCP 47 tag
}

// Reconciliations keeps up to when the log of a provider connection was compared
// with the ledger, so that no span is left out, whichever instance goes on and when.
// Times are kept in microseconds.
type Reconciliations interface {
	// Reconciled returns the end of the last span that was compared, or NotFound
	// while none was.
	Reconciled(ctx context.Context, connection string) (time.Time, error)
	// AdvanceReconciled moves the end from where the caller found it (the zero time
	// when there was none). When another instance moved it meanwhile nothing changes,
	// and the fault is of kind InvalidState.
	AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error
}
