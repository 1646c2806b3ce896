package ports

import (
	"context"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Reports reads the stored figures by token, agent, game and day. An empty agent means
// all agents. No method scans rounds or transfers.
type Reports interface {
	// Sums adds up the daily figures that match the filter, by group, sorted by key. Fields
	// of the key that don't group are empty.
	Sums(ctx context.Context, filter FigureFilter, by Grouping) ([]DailyFigure, error)
	// Counts returns the present numbers of players, withdrawals and games, and the debts
	// to players.
	Counts(ctx context.Context, agent string) (Counts, error)
}

// FigureFilter narrows figures; zero fields don't. From and To are days, both
// inclusive, written "YYYY-MM-DD".
type FigureFilter struct {
	From, To string
	Token    money.Token
	Agent    string
}

// Grouping selects how figures are grouped; the token always groups.
type Grouping struct {
	Day, Agent bool
	// Game groups by source and game.
	Game bool
}

// Counts are the present numbers of one agent, or of all.
type Counts struct {
	// Players is the number of players who ever signed in.
	Players int64
	// Owed are the debts to players by bucket (player, hold, unclaimed), sorted by account
	// and token. Money counts for the agent whom its player belonged to when it moved.
	Owed []ledger.Balance
	// Withdrawals counts the withdrawals that still hold money, by status.
	Withdrawals map[withdrawal.Status]int64
	// ProviderGames is the number of games in the catalogue, the same for every agent.
	ProviderGames int64
}

// Figures reads totals that are updated when money moves. No method scans rounds or
// transfers.
type Figures interface {
	// Totals returns the book's balances by bucket (see ledger.Account.Bucket), summed over
	// lanes and agents, sorted by account and token.
	Totals(ctx context.Context) ([]ledger.Balance, error)
	// Bankroll returns the operator's own money in a token: the sum over the
	// kinds for which ledger.Kind.Bankroll is true.
	Bankroll(ctx context.Context, token money.Token) (money.Total, error)
	// Daily returns the figures of the days from … to, both inclusive and
	// written "YYYY-MM-DD", summed over lanes, sorted by key.
	Daily(ctx context.Context, from, to string) ([]DailyFigure, error)
}

// DailyFigure is one row of stored figures.
type DailyFigure struct {
	figure.Key
	figure.Cell
}
