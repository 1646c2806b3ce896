package game

import (
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Wagers are the possible wagers of a round by its config and actions. The zero Wagers
// allow any.
type Wagers struct {
	// Sum is the sum of the config's amounts, 0 for a config without amounts.
	Sum money.Amount
	// Stake is the total stake of a stepped round in first wagers; the zero Ratio means 1.
	Stake money.Ratio
}

// Wagered is a Plan with a config that states the wager.
type Wagered interface {
	Plan
	// Wagers returns the possible wagers of the config; any if it has no amounts.
	Wagers() Wagers
}

// wagersOf returns a plan's wagers.
func wagersOf(plan Plan) Wagers {
	if says, ok := plan.(Wagered); ok {
		return says.Wagers()
	}
	return Wagers{}
}

// Allow reports whether a round can have this total wager: the sum of its amounts, or a
// first wager with the stakes of its actions.
func (w Wagers) Allow(wager money.Amount) bool {
	if w.Sum != 0 && wager != w.Sum {
		return false
	}
	if w.Stake.Num == w.Stake.Den {
		return true
	}
	// The least first wager that gives this total stake, if any does.
	num, den := new(big.Int).SetUint64(w.Stake.Num), new(big.Int).SetUint64(w.Stake.Den)
	least := den.Mul(den, big.NewInt(int64(wager)))
	least.Add(least, num).Sub(least, big.NewInt(1)).Quo(least, num)
	if !least.IsInt64() {
		return false
	}
	staked, fits := money.Amount(least.Int64()).Times(w.Stake)
	return fits && staked == wager
}

// Text formats the wagers as JSON.
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

// stakedMost limits the amounts of bets in a config and their sum, in base units, so
// that thirty-six times the sum fits an amount.
const stakedMost = 100_000_000_000_000_000

// stakedAmount returns the field of a bet's amount.
func stakedAmount() Field {
	return Field{
		Name: "amount", Title: "Amount", Description: "The part of the wager on this bet, in base units. All parts add up to the wager.",
		Shape: Number{Min: 1, Max: stakedMost},
	}
}

// wagers implements Wagered for plans that embed it.
type wagers Wagers

// Wagers returns the plan's wagers.
func (w wagers) Wagers() Wagers { return Wagers(w) }

// stakedWagers returns the wagers of a config with this total of amounts; any for a
// config without bets, because the whole wager is on the standard bet then.
func stakedWagers(config Value, total uint64) wagers {
	if config.Get("bets").kind == Absent {
		return wagers{}
	}
	return wagers{Sum: money.Amount(total)}
}

// stakedBets returns the bets of a config and their total. A config without bets has the
// whole wager on the standard bet, with the amount as last member; without a wager the
// amount is 1, because only proportions matter then.
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
