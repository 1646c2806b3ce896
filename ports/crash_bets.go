package ports

import (
	"context"

	"github.com/casino-service/casino/domain/bet"
)

// CrashBets reads bets on shared crash rounds that have no result. The Writer takes bets
// and cash-outs, and settles; a settled bet is among Rounds, under the same id. Results
// are committed and at least as new as the caller's last receipt. After a change of the
// control state that closes a round's gate they have every bet on it.
type CrashBets interface {
	// CrashBets lists up to limit bets on a round with ids after the given one, in the order of
	// their ids. A caller continues by passing the last id it saw, "" at first.
	CrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error)
}
