package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Catalog stores the games on offer. The Writer checks in the commit of a bet that an
// own game is switched on.
type Catalog interface {
	// ProviderGame returns one game, or NotFound.
	ProviderGame(ctx context.Context, code string) (catalog.Game, error)
	// ProviderGames lists games by code, in descending order; the code is the cursor.
	ProviderGames(ctx context.Context, filter GameFilter, page Page) (GamePage, error)
	// RegisterGames stores new games as given, and changed descriptions of known games,
	// without changing Enabled. It skips codes that belong to another provider and returns
	// them in taken.
	RegisterGames(ctx context.Context, games []catalog.Game) (taken []string, err error)
	// ChangeGame reads the role of the admin who makes the change and the game under lock,
	// calls decide, and stores Enabled and the time of its change. An unknown game is
	// NotFound; a refusal changes nothing and is returned unchanged.
	ChangeGame(ctx context.Context, by wallet.Address, code string, decide GameDecision) error
}

// GameDecision decides whether a game is enabled. For an actor without a role it gets
// the zero Assignment.
type GameDecision func(actor rbac.Assignment, present catalog.Game) (catalog.Game, audit.Record, error)

// GameFilter narrows a list of games; zero fields don't. Query matches a part of the
// code or the name, ignoring the case of ASCII letters. Launchable keeps games for which
// catalog.Game.Launchable is true.
type GameFilter struct {
	Provider   string
	Enabled    *bool
	Query      string
	Launchable bool
}

// GamePage is a page of games.
type GamePage struct {
	Games []catalog.Game
	PageInfo
}
