package ports

import (
	"context"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// Figures reads totals that are counted when money moves. No method scans rounds
// or transfers.
type Figures interface {
	// Totals returns the book's balances by bucket (see ledger.Account.Bucket),
	// summed over lanes and agents, sorted by account and token.
	Totals(ctx context.Context) ([]ledger.Balance, error)
	// Bankroll returns the operator's own money in a token: the sum over the
	// kinds for which ledger.Kind.Bankroll is true.
	Bankroll(ctx context.Context, token money.Token) (money.Total, error)
	// Daily returns the figures of the days from … to, both inclusive and
	// written "YYYY-MM-DD", summed over lanes, sorted by key.
	Daily(ctx context.Context, from, to string) ([]DailyFigure, error)
}

// DailyFigure is one row of kept figures.
type DailyFigure struct {
	figure.Key
	figure.Cell
}
