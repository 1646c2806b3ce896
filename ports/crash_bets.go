package ports

import (
	"context"

	"github.com/casino-service/casino/domain/bet"
)

// CrashBets reads bets on shared crash rounds. The Writer takes bets and cash-outs, and
// settles; a settled bet is among Rounds, under the same id. Results are committed and at
// least as new as the caller's last receipt. Lists are in the order of ids. A caller continues
// by passing the last id it saw, "" at first.
type CrashBets interface {
	// CrashBets lists up to limit bets on a round that have no result, with ids after the given
	// one. After a change of the round that closes its gate they are all of them.
	CrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error)
	// SettledCrashBets lists up to limit bets on a round that have their results, void ones too,
	// with ids after the given one. Who reads them after CrashBets has each bet at least once.
	SettledCrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Round, error)
}
