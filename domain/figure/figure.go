// Package figure is the daily figures of reports, counted when the money moves so
// that nobody has to scan rounds later.
//
// Stores add the Cell of each round to the row of its Key in the same commit;
// readers sum rows. Nothing here decides anything.
package figure

import (
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// Own is the source of the house's own games; a provider's games have the
// provider's code.
const Own = "casino"

// Key names one row of daily figures.
type Key struct {
	Day    string // "YYYY-MM-DD", UTC
	Token  money.Token
	Source string
	Game   string
	Agent  string
}

// Cell is the figures under a key.
type Cell struct {
	Rounds  int64
	Wagered money.Total // base units
	Paid    money.Total // base units
	// Expected is the expected payout by the rules, in millionths of a base unit.
	Expected money.Total
	// Variance is the payout's variance, in square base units, at most VarianceMax.
	Variance money.Total
}

// VarianceMax is 2^92-1. Squares outgrow every kept figure: a statistic that has
// reached it stays there, so that rows can be added up without a wrapped sum.
// Sums that stop at a bound come to the same in any order, which is what lanes
// need.
var VarianceMax = money.TotalFromParts(1<<52-1, 1<<40-1)

func bounded(variance money.Total) money.Total {
	if variance.Cmp(VarianceMax) > 0 {
		return VarianceMax
	}
	return variance
}

// Add returns the sum of two cells.
func (c Cell) Add(d Cell) Cell {
	return Cell{
		Rounds:   c.Rounds + d.Rounds,
		Wagered:  c.Wagered.Add(d.Wagered),
		Paid:     c.Paid.Add(d.Paid),
		Expected: c.Expected.Add(d.Expected),
		Variance: bounded(c.Variance.Add(d.Variance)),
	}
}

// GGR is the gross gaming revenue: wagered less paid.
func (c Cell) GGR() money.Total { return c.Wagered.Sub(c.Paid) }

// Day returns the UTC day of a moment as keys name it.
func Day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// Of returns the row and the cell that a round adds. A void round returned its
// stake: it counts as wagered and as paid, and its expected payout is the stake.
func Of(r bet.Round) (Key, Cell) {
	key := Key{Day: Day(r.At), Token: r.Token, Source: Own, Game: r.GameType, Agent: r.Agent}
	cell := Cell{Rounds: 1, Wagered: money.TotalOf(r.Wager), Paid: money.TotalOf(r.Payout)}
	if r.Void {
		cell.Expected = money.TotalOfProduct(uint64(r.Wager), millionths)
		return key, cell
	}
	cell.Expected = money.TotalOfProduct(uint64(r.Wager), r.Theory.RTPPartsPerBillion).DivFloor(billion / millionths)
	cell.Variance = variance(r.Wager, r.Theory.VariancePartsPerBillion)
	return key, cell
}

// OfSeamless returns the row and the cell that a provider's transaction adds; the
// bet counts the round. The expected payout isn't known here. False means that
// it moved nothing and took no bet.
func OfSeamless(t seamless.Transaction) (Key, Cell, bool) {
	key := Key{Day: Day(t.At), Token: t.Token, Source: t.Provider, Game: t.Game, Agent: t.Agent}
	cell := Cell{Wagered: money.TotalOf(t.Bet), Paid: money.TotalOf(t.Paid())}
	if t.Kind.Bets() && t.Status != seamless.Refused {
		cell.Rounds = 1
	}
	return key, cell, cell != Cell{}
}

const (
	billion    = 1_000_000_000
	millionths = 1_000_000
)

// variance returns wager² · partsPerBillion / 10^9 in whole square units, rounded
// down, at most VarianceMax. The product has up to 190 bits, so wager² is taken
// as quotient and rest of a billion, and so are the parts.
func variance(wager money.Amount, partsPerBillion uint64) money.Total {
	square := money.TotalOfProduct(uint64(wager), uint64(wager))
	whole, rest := partsPerBillion/billion, partsPerBillion%billion
	lowest := uint64(wager) % billion
	squareRest := lowest * lowest % billion
	sum := square.TimesSaturating(whole).Add(square.DivFloor(billion).TimesSaturating(rest))
	return bounded(sum.Add(money.TotalOfProduct(squareRest, rest).DivFloor(billion)))
}
