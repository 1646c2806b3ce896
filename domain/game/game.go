// Package game holds the rules of the house's own games.
//
// A Game declares the fields of its config once; from that one declaration come
// validation, defaults and the published JSON schema. Prepare turns a config
// into a Plan, and every refusal happens there, before anything is drawn. A Plan
// states its exact return to player and its greatest multiplier, and Play turns
// draws into an outcome and a multiplier and can't fail.
//
// A Stepped game is played step by step, by choices that follow from what was shown
// before: its round is a fold of config, draws and actions, which Begin, Advance and
// Replay make and hold against what the game promised.
//
// Probabilities are counted, not estimated: a draw is one of 2^32 values, and
// the return to player is the exact sum over all of them, before the payout is
// rounded down to base units. Returns, multipliers and moments are in wagers, as
// exact ratios; amounts are in base units of a token. Tests prove each figure by
// enumeration.
//
// To add a game of your own, implement Game, prove it with conformance.Game of
// test/conformance, and hand it to NewRegistry, which tries it out at each start.
// Bet decisions, the verifier and the adapters that publish games import this
// package. A Value has no codec here; adapters map it to JSON.
package game

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/money"
)

// Game is the rules of one game. Its methods are pure and safe for concurrent
// use. A change of anything that changes an outcome, a payout or a published
// figure is a new Game with another Rules text: rounds keep the text and stay
// verifiable.
type Game interface {
	// Type is the game's name in requests: "dice". Lower-case letters, digits
	// and dashes.
	Type() string
	// Rules names this version of the rules and tables: Type, a slash and a
	// version, "dice/1".
	Rules() string
	// Title is the game's name for people.
	Title() string
	// Fields declares the config. Callers must not change it.
	Fields() []Field
	// Plan accepts a config that Normalize returned, or refuses it with a fault of
	// kind Invalid that names "config.<field>". No refusal comes after it.
	//
	// wager is the round's stake in base units. It matters only to a game whose
	// config holds amounts. It is 0 when figures or a verification are wanted and
	// no stake is at hand; amounts in the config then stand for themselves.
	Plan(config Value, wager money.Amount) (Plan, error)
	// RTP is the return to player over all configs.
	RTP() RTP
}

// Tabled is a Game whose rules rest on a table: reels, pays, segments. The table
// is published with the game, for its form see the game; without it nobody could
// recompute a round.
type Tabled interface {
	Game
	Table() Value
}

// Explained is a Game with a text for players: how a round goes and what it pays.
type Explained interface {
	Game
	Explanation() string
}

// RTP is a game's exact return to player, in wagers paid a wager, before payouts
// are rounded down: of the empty config, and the least and the greatest of any
// config, from 0 to 1. All three are there. Each call gives fresh numbers.
type RTP struct{ Default, Min, Max *big.Rat }

// Plan is one accepted config, ready to be played. It is immutable and safe for
// concurrent use.
type Plan interface {
	// Config is the config as it took effect, defaults filled in.
	Config() Value
	// MaxMultiplier is the most that a round can pay, in wagers. Some draws reach it
	// and none pay more: a bet is accepted only if the house can pay so much, and a
	// round that pays more is void.
	MaxMultiplier() money.Ratio
	// Moments are the exact mean and mean square of the multiplier.
	Moments() Moments
	// RTPPartsPerBillion is the mean in units of 10^-9, rounded half up. It is
	// cheap: it is kept with every round.
	RTPPartsPerBillion() uint64
	// VariancePartsPerBillion is the variance of the multiplier in units of 10^-9,
	// rounded half up, and cheap.
	VariancePartsPerBillion() uint64
	// Play decides the round. It is total: there are no draws for which it fails,
	// so that a refusal can never tell an outcome. It depends on the config and the
	// draws alone, and asks for at most DrawsMax of them.
	Play(draws Draws) Result
}

// Nearly is a Plan whose moments take ways as equally likely that draws make so only
// nearly, where counting the draws would cost each bet many times what it takes.
type Nearly interface {
	Plan
	// Within is by how large a part of itself a stated moment or chance differs from what
	// the draws give at most, and at most a millionth.
	Within() *big.Rat
}

// KnownChance is a Plan that knows how likely its greatest multiplier is. All plans
// of the house's own games do.
type KnownChance interface {
	Plan
	// GreatestChance is the exact chance that a round pays MaxMultiplier. Each call
	// gives a fresh number.
	GreatestChance() *big.Rat
}

// DrawsMax is how many draws a round may ask for. It keeps a game from being
// registered that draws until it likes what it gets: some draws never end that.
const DrawsMax = 1 << 16

// Draws is where a round's randomness comes from: a fairness.Stream.
type Draws interface {
	// Next returns the next draw k, 0 … 2^32-1.
	Next() uint32
	// Pick draws once and returns (k·n) >> 32, which is below n.
	Pick(n uint32) uint32
}

// Result is what a round's draws decided.
type Result struct {
	// Outcome is the game's own account of what happened. It is never absent: a
	// round without an outcome is shown to players as a void one.
	Outcome Value
	// Multiplier is what the rules pay in wagers, 0 for a loss; the zero Ratio is a
	// loss too. The payout is wager.Times(Multiplier), which rounds down to a base
	// unit.
	Multiplier money.Ratio
	// Wagers are what the round can have wagered; Play leaves them to Registry.Verify.
	Wagers Wagers
}

// Prepare validates a config, fills in defaults and plans the round. It is the
// only way configs from outside should reach a game; its faults are those of
// Normalize and of Game.Plan.
func Prepare(g Game, config Value, wager money.Amount) (Plan, error) {
	normal, err := Normalize(g.Fields(), config)
	if err != nil {
		return nil, err
	}
	return g.Plan(normal, wager)
}

// Play plays a plan. Rounds are decided by it, verified by it, and it is how a
// registry tries games out. A loss comes back as 0/n with n above 0, also when
// the game returned the zero Ratio.
//
// The error is never a fault: it is a defect of the game, which panicked, or whose
// multiplier is no number or above the plan's MaxMultiplier. There is no result
// then.
func Play(plan Plan, draws Draws) (result Result, err error) {
	defer func() {
		if broke := recover(); broke != nil {
			result, err = Result{}, fmt.Errorf("panicked: %v", broke)
		}
	}()
	result = plan.Play(draws)
	switch multiplier := &result.Multiplier; {
	case *multiplier == money.Ratio{}:
		// Rounds are kept with numerator and denominator, and readers divide.
		multiplier.Den = 1
	case multiplier.Den == 0:
		return Result{}, errors.New("multiplier is no number: its denominator is 0")
	case multiplier.Cmp(plan.MaxMultiplier()) > 0:
		return Result{}, fmt.Errorf("pays %s wagers, which is above its greatest multiplier of %s", multiplier, plan.MaxMultiplier())
	}
	return result, nil
}

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
	prize := ratioToRat(o.Prize)
	mean := new(big.Rat).Mul(prize, chance)
	return Moments{Mean: mean, MeanSquare: new(big.Rat).Mul(mean, prize)}
}

// ratioToRat returns a ratio whose denominator is positive.
func ratioToRat(r money.Ratio) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
}

// RTPPartsPerBillion returns the mean in units of 10^-9, rounded half up.
func (o Odds) RTPPartsPerBillion() uint64 {
	num, den := o.Prize.Num, o.Prize.Den
	if !o.fitsWords() || billion%den != 0 {
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
	if !o.fitsWords() || billion%(den*den) != 0 {
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

// fitsWords reports whether the products above fit their 64 bits.
func (o Odds) fitsWords() bool {
	return o.Prize.Num < lattice && o.Prize.Den < lattice && o.Wins <= lattice
}

// resultOf pays the prize when the round is won.
func (o Odds) resultOf(won bool, outcome Value) Result {
	if !won {
		return Result{Outcome: outcome, Multiplier: money.Ratio{Den: 1}}
	}
	return Result{Outcome: outcome, Multiplier: o.Prize}
}
