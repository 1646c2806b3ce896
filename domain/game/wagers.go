package game

import (
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/fault"
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

// stakedMost bounds the amounts of bets in a config and their sum, in base units, so
// that thirty-six times the sum fits an amount.
const stakedMost = 100_000_000_000_000_000

// stakedAmount is the field of a bet's amount.
func stakedAmount() Field {
	return Field{
		Name: "amount", Title: "Amount", Description: "The part of the wager on this bet, in base units. All parts add up to the wager.",
		Shape: Number{Min: 1, Max: stakedMost},
	}
}

// wagers are those of a plan.
type wagers Wagers

// Wagers serves Wagered.
func (w wagers) Wagers() Wagers { return Wagers(w) }

// stakedWagers are the wagers of a config whose amounts add up to this; any of one without
// amounts, as the whole wager is on the standard bet then.
func stakedWagers(config Value, total uint64) wagers {
	if config.Get("bets").kind == Absent {
		return wagers{}
	}
	return wagers{Sum: money.Amount(total)}
}

// stakedBets returns the bets of a config and what they add up to. Without any, the
// whole wager is on the standard bet, whose amount is its last member; without a
// wager that is 1, as only the proportions matter then.
func stakedBets(config Value, wager money.Amount, standard ...Member) (bets Value, total uint64, err error) {
	bets = config.Get("bets")
	if bets.kind == Absent {
		bets = List(Object(append(standard, Member{"amount", Int(max(int64(wager), 1))})...))
	}
	for bet := range bets.Items() {
		amount, _ := bet.Get("amount").Int()
		total += uint64(amount)
		if amount > stakedMost || total > stakedMost {
			return Value{}, 0, fault.Field("config.bets", "must add up to at most %d base units", int64(stakedMost))
		}
	}
	if wager > 0 && total != uint64(wager) {
		return Value{}, 0, fault.Field("config.bets", "add up to %d base units, the wager is %d", total, wager)
	}
	return bets, total, nil
}
