package bet

import (
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Shared names a round that many players bet on: its number in a hash chain. The zero
// value names none.
type Shared struct {
	Chain  string
	Number int64
}

// SharedIn returns the shared round in an open round's event, the zero Shared if it is a
// stepped round's.
func SharedIn(e event.Event) Shared {
	return Shared{Chain: e.Value(chainField), Number: e.Number("number")}
}

// IsShared reports whether the round is a bet on a shared round.
func (o Open) IsShared() bool { return o.Shared != Shared{} }

// IsShared reports whether the round was a bet on a shared round: one that took a stake
// before it ended, and was drawn from no seed pair.
func (r Round) IsShared() bool { return r.PairID == "" && r.Stepped() }

// SharedResult is the result of a bet on a shared round.
type SharedResult struct {
	Outcome    game.Value
	Multiplier money.Ratio
	Payout     money.Amount
	// Void reports that the stake is returned instead of a result.
	Void   bool
	Theory Theory
}

// EndShared returns the settled round of a bet on a shared round. Balance is the player's
// before it.
func (o Open) EndShared(result SharedResult, at time.Time, balance money.Amount) Round {
	at = o.nextActionTime(at)
	if result.Void {
		return o.toVoidRound(at, balance)
	}
	round := o.toSettledRound(at, balance)
	round.Outcome, round.Multiplier, round.Payout, round.Theory = result.Outcome, result.Multiplier, result.Payout, result.Theory
	round.Balance += result.Payout
	return round
}
