package game

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

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
