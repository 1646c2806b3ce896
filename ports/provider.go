package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// GameProvider is one connection to a provider, or aggregator, of third-party games. It
// makes the calls of the service to the provider; the provider's callbacks arrive over
// HTTP.
//
// A refusal by the provider is a fault: InvalidProvider if it doesn't know us or the
// maker, InvalidGame, InvalidUser, BlockedAgent, InsufficientAgentFunds, or Maintenance
// while it is closed. A provider that can't be reached, breaks the protocol, or refuses
// for another reason is External. Errors never contain a credential.
type GameProvider interface {
	// Launch registers the player at the provider, if necessary, and returns the URL of the
	// game for that player. The URL is https on a host that the connection is configured
	// for; any other is External.
	Launch(ctx context.Context, request LaunchRequest) (url string, err error)
	// Games lists every game of every maker once, sorted by maker and code, and the
	// catalogue's entries that it could not read.
	Games(ctx context.Context) ([]seamless.Game, []seamless.UnreadEntry, error)
	// Funds returns the balance of our account at the provider, in its money.
	Funds(ctx context.Context) (seamless.Decimal, error)
	// Log returns the provider's own records of a player from a moment (inclusive, whole
	// seconds) to another (exclusive), sorted by the provider's time.
	Log(ctx context.Context, w wallet.Address, from, to time.Time) ([]seamless.Record, error)
}

// LaunchRequest is a player's request to play a provider's game.
type LaunchRequest struct {
	Wallet   wallet.Address
	Provider string // the maker's code
	Game     string
	Language string // a BCP 47 tag
}

// Reconciliations stores up to when the log of each provider connection was compared
// with the ledger, so that instances leave no span out. Times are in microseconds.
type Reconciliations interface {
	// Reconciled returns the end of the last compared span, or NotFound before the first.
	Reconciled(ctx context.Context, connection string) (time.Time, error)
	// AdvanceReconciled moves the end from the one that the caller found (the zero time if
	// there was none). If another instance moved it, nothing changes and the fault is
	// InvalidState.
	AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error
}
