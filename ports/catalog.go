package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Catalog keeps the games on offer. Whether an own game is switched off is read
// by the Writer in the commit of a bet.
type Catalog interface {
	// ProviderGame returns one game, or NotFound.
	ProviderGame(ctx context.Context, code string) (catalog.Game, error)
	// ProviderGames lists games by code, the greatest first; the code is the cursor.
	ProviderGames(ctx context.Context, filter GameFilter, page Page) (GamePage, error)
	// RegisterGames stores new games as given, and changed descriptions of known
	// ones, whose Enabled stays as it is. Codes that belong to another provider
	// already are skipped and returned in taken.
	RegisterGames(ctx context.Context, games []catalog.Game) (taken []string, err error)
	// ChangeGame runs decide on the role of the admin who changes it and on the game, both
	// read under lock, and stores whether it is enabled and since when. An unknown
	// game is NotFound; a refusal changes nothing and is returned as it is.
	ChangeGame(ctx context.Context, by wallet.Address, code string, decide GameDecision) error
}

// GameDecision decides whether a game is enabled. The actor without a role is the
// zero Assignment.
type GameDecision func(actor rbac.Assignment, present catalog.Game) (catalog.Game, audit.Record, error)

// GameFilter narrows a list of games; zero fields don't. Query is a part of the
// code or the name, whatever the case of its ASCII letters. Launchable leaves the
// games that catalog.Game.Launchable reports.
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
