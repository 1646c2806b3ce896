package game

import (
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// Wagers are what a round can have wagered, by its config and its actions. The zero Wagers
// are any.
type Wagers struct {
	// Sum is what the amounts of the config add up to; 0 is a config without amounts.
	Sum money.Amount
	// Stake is everything staked in first wagers, of a round that was played step by step;
	// the zero Ratio is 1.
	Stake money.Ratio
}

// Wagered is a Plan whose config says what was wagered.
type Wagered interface {
	Plan
	// Wagers are those that the config was accepted with or can be; any where it has none.
	Wagers() Wagers
}

// wagersOf are those of a plan.
func wagersOf(plan Plan) Wagers {
	if says, ok := plan.(Wagered); ok {
		return says.Wagers()
	}
	return Wagers{}
}

// Allow reports whether a round can have wagered so much: the sum of its amounts, or a
// first wager and what its actions staked beside it.
func (w Wagers) Allow(wager money.Amount) bool {
	if w.Sum != 0 && wager != w.Sum {
		return false
	}
	if w.Stake.Num == w.Stake.Den {
		return true
	}
	// The least first wager of which that much would have been staked, if any would.
	num, den := new(big.Int).SetUint64(w.Stake.Num), new(big.Int).SetUint64(w.Stake.Den)
	least := den.Mul(den, big.NewInt(int64(wager)))
	least.Add(least, num).Sub(least, big.NewInt(1)).Quo(least, num)
	if !least.IsInt64() {
		return false
	}
	staked, fits := money.Amount(least.Int64()).Times(w.Stake)
	return fits && staked == wager
}

// Text says what they are, as JSON.
func (w Wagers) Text() string {
	switch {
	case w.Sum != 0:
		return fmt.Sprint(int64(w.Sum))
	case w.Stake.Num == w.Stake.Den:
		return `"any"`
	default:
		return fmt.Sprintf("\"a whole first wager %s times\"", w.Stake.Reduced())
	}
}
