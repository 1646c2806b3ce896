// Package figure defines the daily figures of reports. They are updated when money
// moves, so that reports don't scan rounds.
//
// Stores add each round's Cell to the row of its Key in the same commit; readers sum
// rows.
package figure

import (
	"math/big"
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

// Cell holds the figures under a key.
type Cell struct {
	Rounds  int64
	Wagered money.Total // base units
	Paid    money.Total // base units
	// Expected is the expected payout by the rules, in millionths of a base unit.
	Expected money.Total
	// Variance is the payout's variance, in square base units, at most VarianceMax.
	Variance money.Total
}

// VarianceMax is 2^92-1, the greatest stored variance. A sum that reaches it stays
// there, so that sums can't overflow. Sums with an upper bound are the same in any
// order, as lanes require.
var VarianceMax = money.TotalFromParts(1<<52-1, 1<<40-1)

func boundVariance(variance money.Total) money.Total {
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
		Variance: boundVariance(c.Variance.Add(d.Variance)),
	}
}

// GGR returns the gross gaming revenue: wagered less paid.
func (c Cell) GGR() money.Total { return c.Wagered.Sub(c.Paid) }

// Day returns the UTC day of a time in the form of Key.Day.
func Day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// Of returns the row and the cell that a round adds. A void round returned its stake, so
// the stake counts as wagered, paid and expected.
func Of(r bet.Round) (Key, Cell) {
	key := Key{Day: Day(r.At), Token: r.Token, Source: Own, Game: r.GameType, Agent: r.Agent}
	cell := Cell{Rounds: 1, Wagered: money.TotalOf(r.Wager), Paid: money.TotalOf(r.Payout)}
	if r.Void {
		cell.Expected = money.TotalOfProduct(uint64(r.Wager), millionths)
		return key, cell
	}
	cell.Expected = money.TotalOfProduct(uint64(r.Wager), r.Theory.RTPPartsPerBillion).DivFloor(billion / millionths)
	cell.Variance = varianceOf(r.Wager, r.Theory.VariancePartsPerBillion)
	return key, cell
}

// OfSeamless returns the row and the cell that a provider's transaction adds; only bets
// count as rounds. A rollback subtracts what it undid, on its own day; its round stays
// counted. The expected payout is unknown. False means that it moved nothing and took no
// bet.
func OfSeamless(t seamless.Transaction) (Key, Cell, bool) {
	key := Key{Day: Day(t.At), Token: t.Token, Source: t.Provider, Game: t.Game, Agent: t.Agent}
	cell := Cell{Wagered: money.TotalOf(t.Bet), Paid: money.TotalOf(t.Paid())}
	if t.Kind == seamless.Rollback {
		cell.Wagered, cell.Paid = cell.Paid.Neg(), cell.Wagered.Neg()
	}
	if t.Kind.Bets() && t.Status != seamless.Refused {
		cell.Rounds = 1
	}
	return key, cell, cell != Cell{}
}

const (
	billion    = 1_000_000_000
	millionths = 1_000_000
)

// varianceOf returns wager² · partsPerBillion / 10^9 in whole square units, rounded
// down, at most VarianceMax. The product has up to 190 bits, so both factors are split
// into quotient and remainder by a billion.
func varianceOf(wager money.Amount, partsPerBillion uint64) money.Total {
	square := money.TotalOfProduct(uint64(wager), uint64(wager))
	whole, rest := partsPerBillion/billion, partsPerBillion%billion
	lowest := uint64(wager) % billion
	squareRest := lowest * lowest % billion
	sum := square.TimesSaturating(whole).Add(square.DivFloor(billion).TimesSaturating(rest))
	return boundVariance(sum.Add(money.TotalOfProduct(squareRest, rest).DivFloor(billion)))
}

// Verdict is the result of comparing a game's actual return with its theoretical one.
type Verdict string

// The verdicts.
const (
	// Within: the difference is at most the margin.
	Within Verdict = "within"
	// Outside: the difference is above the margin, almost certainly not by chance.
	Outside Verdict = "outside"
	// Few: there are fewer than RoundsMin rounds, too few for a verdict.
	Few Verdict = "few"
	// Unknown: there is no margin, because a provider's rules aren't known here or the
	// stored variance has reached VarianceMax.
	Unknown Verdict = "unknown"
)

// Sigmas is the allowed deviation of the actual return in standard deviations. A sound
// game exceeds it in one of 15,000 reports, if the sum of its rounds is nearly normally
// distributed, which takes RoundsMin rounds.
const (
	Sigmas    = 4
	RoundsMin = 1000
)

// Return is a game's return to player, in parts per million of the amount wagered.
type Return struct {
	// Actual is paid/wagered, Theoretical the return by the rules, both rounded down.
	Actual, Theoretical int64
	// Known reports whether there is a theoretical return; providers' games have none here.
	Known bool
	// Margin is the greatest expected difference, rounded up; 0 if the verdict is Unknown.
	Margin  int64
	Verdict Verdict
}

// AtBestPlay adjusts the return of a game of skill. Its theoretical return assumes best
// play, so a lower return may be due to the players: only a higher one is Outside.
func (r Return) AtBestPlay() Return {
	if r.Verdict == Outside && r.Actual < r.Theoretical {
		r.Verdict = Within
	}
	return r
}

// Return compares the actual with the theoretical return of a game of a source, as in
// Key. The margin is Sigmas standard deviations of the sum of the payouts, plus one base
// unit a round, because payouts are rounded down. The deviation is the root of the sum
// of the variances. A cell without wagers has zero figures and the verdict Few.
func (c Cell) Return(source string) Return {
	r := Return{Known: source == Own, Verdict: Unknown}
	wagered := c.Wagered.Big()
	if wagered.Sign() <= 0 {
		if r.Known {
			r.Verdict = Few
		}
		return r
	}
	million := big.NewInt(millionths)
	paid := new(big.Int).Mul(c.Paid.Big(), million)
	expected := c.Expected.Big() // millionths already
	r.Actual = new(big.Int).Quo(paid, wagered).Int64()
	if !r.Known {
		return r
	}
	r.Theoretical = new(big.Int).Quo(expected, wagered).Int64()
	if c.Variance.Cmp(VarianceMax) >= 0 {
		return r
	}
	deviation := new(big.Int).Sqrt(c.Variance.Big())
	deviation.Add(deviation, big.NewInt(1)) // the root was rounded down
	margin := deviation.Mul(deviation, big.NewInt(Sigmas))
	margin.Add(margin, big.NewInt(c.Rounds)).Mul(margin, million)
	off := new(big.Int).Sub(paid, expected)
	switch {
	case c.Rounds < RoundsMin:
		r.Verdict = Few
	case off.Abs(off).Cmp(margin) > 0:
		r.Verdict = Outside
	default:
		r.Verdict = Within
	}
	rest := new(big.Int)
	margin.QuoRem(margin, wagered, rest)
	if rest.Sign() > 0 {
		margin.Add(margin, big.NewInt(1))
	}
	r.Margin = margin.Int64()
	return r
}
