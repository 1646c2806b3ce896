package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// PlayerDays stores what each player played on a day. Bets don't write it: CountPlay adds
// committed rounds, each once, also if several instances call it.
type PlayerDays interface {
	// CountPlay adds the rounds of at most the given number of blocks to the players' days,
	// oldest first, and reports whether more are left.
	CountPlay(ctx context.Context, blocks int) (more bool, err error)
	// PlayerDays returns the days that match, sorted by day, wallet, token and agent, up to
	// the limit. It has the rounds that CountPlay added.
	PlayerDays(ctx context.Context, filter PlayerDayFilter, limit int) ([]PlayerDay, error)
	// ActivePlayers counts the players who played, by token, agent and, if daily, day,
	// sorted by these.
	ActivePlayers(ctx context.Context, filter FigureFilter, daily bool) ([]ActivePlayers, error)
}

// PlayerDay is what a player played on a day.
type PlayerDay struct {
	figure.PlayerKey
	figure.Cell // without Expected and Variance
}

// PlayerDayFilter narrows players' days; zero fields don't.
type PlayerDayFilter struct {
	FigureFilter
	Wallet wallet.Address
	// AtLeast leaves out days on which the player neither won nor lost that much.
	AtLeast money.Amount
}

// ActivePlayers is a number of players, each counted once.
type ActivePlayers struct {
	Day     string // empty if not by day
	Token   money.Token
	Agent   string
	Players int64
}

// TransactionSums sums up money that was credited, paid out or adjusted, from transactions.
type TransactionSums interface {
	// TransactionSums returns the sums of transactions that ended at or after from and before to,
	// by day, token, agent, type and direction, sorted by these: credited deposits, completed
	// withdrawals, and adjustments. An empty token or agent means all.
	TransactionSums(ctx context.Context, from, to time.Time, token money.Token, agent string) ([]TransactionSum, error)
}

// TransactionSum is a sum of transactions of a day.
type TransactionSum struct {
	Day    string // "YYYY-MM-DD", UTC
	Token  money.Token
	Agent  string // of the player when the transaction was made
	Type   TransactionType
	Credit bool
	// First selects the first credited deposits of their players, in any token. They are
	// also part of the movement of all deposits.
	First  bool
	Count  int64
	Amount money.Total
}
