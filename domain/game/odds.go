package game

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/money"
)

// lattice is how many values a draw has.
const lattice = 1 << 32

// billion is the unit of figures in parts per billion.
const billion = 1_000_000_000

// Moments are the exact mean and mean square of a multiplier.
type Moments struct{ Mean, MeanSquare *big.Rat }

// Variance returns the mean square less the square of the mean.
func (m Moments) Variance() *big.Rat {
	square := new(big.Rat).Mul(m.Mean, m.Mean)
	return square.Sub(m.MeanSquare, square)
}

// PartsPerBillion returns a non-negative number in units of 10^-9, rounded half
// up; one that doesn't fit in 64 bits is the largest that does.
func PartsPerBillion(r *big.Rat) uint64 {
	doubled := new(big.Int).Mul(r.Num(), big.NewInt(2*billion))
	doubled.Add(doubled, r.Denom())
	rounded := doubled.Div(doubled, new(big.Int).Lsh(r.Denom(), 1))
	if !rounded.IsUint64() {
		return math.MaxUint64
	}
	return rounded.Uint64()
}

// Odds is the chance of a round with a single prize: Wins of 2^32 draws pay
// Prize, the others nothing. Plans of such games embed it and have their figures.
// A chance that takes several draws must be a whole number of 2^-32 as well, and
// the prize's denominator positive.
type Odds struct {
	Prize money.Ratio
	Wins  uint64
}

// MaxMultiplier returns the prize.
func (o Odds) MaxMultiplier() money.Ratio { return o.Prize }

// GreatestChance returns the chance of the prize.
func (o Odds) GreatestChance() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(o.Wins), big.NewInt(lattice))
}

// Moments returns the exact mean and mean square of the multiplier.
func (o Odds) Moments() Moments {
	chance := new(big.Rat).SetFrac(new(big.Int).SetUint64(o.Wins), big.NewInt(lattice))
	prize := rational(o.Prize)
	mean := new(big.Rat).Mul(prize, chance)
	return Moments{Mean: mean, MeanSquare: new(big.Rat).Mul(mean, prize)}
}

// rational returns a ratio whose denominator is positive.
func rational(r money.Ratio) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
}

// RTPPartsPerBillion returns the mean in units of 10^-9, rounded half up.
func (o Odds) RTPPartsPerBillion() uint64 {
	num, den := o.Prize.Num, o.Prize.Den
	if !o.small() || billion%den != 0 {
		return PartsPerBillion(o.Moments().Mean)
	}
	// num·wins stays below 2^64 because both are at most 2^32.
	hi, lo := bits.Mul64(num*o.Wins, billion/den)
	lo, carry := bits.Add64(lo, lattice/2, 0)
	return (hi+carry)<<32 | lo>>32
}

// VariancePartsPerBillion returns the variance in units of 10^-9, rounded half
// up: prize² · wins·(2^32-wins) / 2^64.
func (o Odds) VariancePartsPerBillion() uint64 {
	num, den := o.Prize.Num, o.Prize.Den
	if !o.small() || billion%(den*den) != 0 {
		return PartsPerBillion(o.Moments().Variance())
	}
	hi, lo := bits.Mul64(num*num, o.Wins*(lattice-o.Wins))
	// (hi·2^64 + lo) · scale / 2^64: dividing by 2^64 is taking the high word.
	scale := billion / (den * den)
	overflow, whole := bits.Mul64(hi, scale)
	carry, rest := bits.Mul64(lo, scale)
	whole, over := bits.Add64(whole, carry, rest>>63)
	if overflow+over != 0 {
		return math.MaxUint64
	}
	return whole
}

// small reports whether the products above fit their 64 bits.
func (o Odds) small() bool {
	return o.Prize.Num < lattice && o.Prize.Den < lattice && o.Wins <= lattice
}

// result pays the prize when the round is won.
func (o Odds) result(won bool, outcome Value) Result {
	if !won {
		return Result{Outcome: outcome, Multiplier: money.Ratio{Den: 1}}
	}
	return Result{Outcome: outcome, Multiplier: o.Prize}
}

// rtpOf starts the range of a game whose default config has these odds.
func rtpOf(standard Odds) RTP {
	mean := func() *big.Rat { return standard.Moments().Mean }
	return RTP{Default: mean(), Min: mean(), Max: mean()}
}

// widen takes one more config into the range.
func (r *RTP) widen(odds Odds) {
	mean := odds.Moments().Mean
	if mean.Cmp(r.Min) < 0 {
		r.Min = mean
	}
	if mean.Cmp(r.Max) > 0 {
		r.Max = mean
	}
}
