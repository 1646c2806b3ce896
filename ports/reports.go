package ports

import (
	"context"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Reports reads what is counted when money moves the way an operator looks at
// his business. An empty agent means everybody's. No answer scans rounds or
// transfers.
type Reports interface {
	// Sums adds the daily figures under the filter up, one for each group that has
	// any, sorted by key. Fields of the key that don't group are empty.
	Sums(ctx context.Context, filter FigureFilter, by Grouping) ([]DailyFigure, error)
	// Standing tells where the business stands.
	Standing(ctx context.Context, agent string) (Counts, error)
}

// FigureFilter narrows figures; zero fields don't. From and To are days, both
// inclusive, written "YYYY-MM-DD".
type FigureFilter struct {
	From, To string
	Token    money.Token
	Agent    string
}

// Grouping says what keeps figures apart beside the token, which always does.
type Grouping struct {
	Day, Agent bool
	// Game keeps source and game apart.
	Game bool
}

// Counts is what is counted of a business beside its figures.
type Counts struct {
	// Players is how many ever signed in.
	Players int64
	// Owed are the buckets of what is owed to players (player, hold, unclaimed),
	// sorted by account and token. Money moves under the operator whose player it
	// was of then.
	Owed []ledger.Balance
	// Withdrawals counts those that still hold money.
	Withdrawals map[withdrawal.Status]int64
	// ProviderGames is how many games the catalogue has, for whatever operator.
	ProviderGames int64
}
