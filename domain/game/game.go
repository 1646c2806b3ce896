// Package game implements the rules of the house's own games.
//
// A Game declares the fields of its config once; validation, defaults and the published
// JSON schema follow from it. Prepare turns a config into a Plan, and makes every
// refusal before anything is drawn. A Plan states its exact return to player and its
// greatest multiplier. Play turns draws into an outcome and a multiplier and can't fail.
//
// A Stepped game is played by choices that depend on what was shown before. Its round is
// a fold of config, draws and actions. Begin, Advance and Replay compute it and check it
// against the game's contract.
//
// Probabilities are counted, not estimated: a draw is one of 2^32 values, and the return
// to player is the exact sum over all of them, before the payout is rounded down to base
// units. Returns, multipliers and moments are exact ratios in wagers; amounts are in
// base units of a token. Tests prove each figure by enumeration.
//
// To add a game of your own, implement Game, test it with conformance.Game of
// test/conformance, and pass it to NewRegistry, which tries it out at each start. Values
// have no codec here; adapters map them to JSON.
package game

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/money"
)

// Game is the rules of one game. Its methods are pure and safe for concurrent use.
// Changing an outcome, a payout or a published figure requires a new Game with another
// Rules text: rounds store the text and stay verifiable.
type Game interface {
	// Type is the game's name in requests, such as "dice": lower-case letters, digits and
	// dashes.
	Type() string
	// Rules identifies this version of the rules and tables: Type, a slash and a version,
	// "dice/1".
	Rules() string
	// Title is the game's displayed name.
	Title() string
	// Fields declares the config. Callers must not change it.
	Fields() []Field
	// Plan accepts a config from Normalize, or refuses it with a fault of kind Invalid that
	// names "config.<field>". There are no later refusals.
	//
	// wager is the round's stake in base units. It matters only to games with amounts in
	// their config. It is 0 for figures or verification without a stake; amounts in the
	// config then count as they are.
	Plan(config Value, wager money.Amount) (Plan, error)
	// RTP is the return to player over all configs.
	RTP() RTP
}

// Tabled is a Game with rules that depend on a table: reels, pays, segments. The table
// is published with the game, because recomputing a round needs it. Each game defines
// its form.
type Tabled interface {
	Game
	Table() Value
}

// Explained is a Game with a text for players about its course and payouts.
type Explained interface {
	Game
	Explanation() string
}

// RTP is a game's exact return to player, as paid by wagered before payouts are rounded
// down: of the empty config, and the least and the greatest of any config, from 0 to 1.
// All three are set. Each call returns new numbers.
type RTP struct{ Default, Min, Max *big.Rat }

// Plan is one accepted config, ready to be played. It is immutable and safe for
// concurrent use.
type Plan interface {
	// Config is the config in effect, with defaults filled in.
	Config() Value
	// MaxMultiplier is the greatest payout of a round, in wagers. Some draws reach it and
	// none exceed it: a bet is accepted only if the house can pay it, and a round that pays
	// more is void.
	MaxMultiplier() money.Ratio
	// Moments are the exact mean and mean square of the multiplier.
	Moments() Moments
	// RTPPartsPerBillion is the mean in units of 10^-9, rounded half up. It must be fast:
	// every round stores it.
	RTPPartsPerBillion() uint64
	// VariancePartsPerBillion is the variance of the multiplier in units of 10^-9, rounded
	// half up. It must be fast.
	VariancePartsPerBillion() uint64
	// Play decides the round. It succeeds for all draws, so that a refusal can't reveal an
	// outcome. The result depends only on config and draws, and takes at most DrawsMax of
	// them.
	Play(draws Draws) Result
}

// Nearly is a Plan with moments that treat nearly equally likely ways as equal, because
// an exact count would take many times as long as the bet.
type Nearly interface {
	Plan
	// Within is the greatest relative error of a stated moment or chance, at most a
	// millionth.
	Within() *big.Rat
}

// KnownChance is a Plan with a known chance of its greatest multiplier. All plans of the
// house's own games implement it.
type KnownChance interface {
	Plan
	// GreatestChance is the exact chance that a round pays MaxMultiplier. Each call returns
	// a new number.
	GreatestChance() *big.Rat
}

// DrawsMax is the most draws of a round. It excludes games that draw until they get
// certain values, which for some draws never ends.
const DrawsMax = 1 << 16

// Draws is the source of a round's randomness: a fairness.Stream.
type Draws interface {
	// Next returns the next draw k, 0 … 2^32-1.
	Next() uint32
	// Pick draws once and returns (k·n) >> 32, which is below n.
	Pick(n uint32) uint32
}

// Result is the result of a round's draws.
type Result struct {
	// Outcome describes what happened, in the game's own form. It is never absent: players
	// see a round without an outcome as void.
	Outcome Value
	// Multiplier is the payout by the rules in wagers; 0, including the zero Ratio, is a
	// loss. The payout is wager.Times(Multiplier), which rounds down to a base unit.
	Multiplier money.Ratio
	// Wagers are the possible wagers of the round; Registry.Verify sets them, Play doesn't.
	Wagers Wagers
}

// Prepare validates a config, fills in defaults and plans the round. Outside configs
// must reach a game only through it; its faults are those of Normalize and of Game.Plan.
func Prepare(g Game, config Value, wager money.Amount) (Plan, error) {
	normal, err := Normalize(g.Fields(), config)
	if err != nil {
		return nil, err
	}
	return g.Plan(normal, wager)
}

// Play plays a plan. Rounds, verification and a registry's trials use it. A loss is
// returned as 0/n with n above 0, even if the game returned the zero Ratio.
//
// An error is never a fault, but a defect of the game: it panicked, or its multiplier is
// invalid or above the plan's MaxMultiplier. There is no result then.
func Play(plan Plan, draws Draws) (result Result, err error) {
	defer func() {
		if broke := recover(); broke != nil {
			result, err = Result{}, fmt.Errorf("panicked: %v", broke)
		}
	}()
	result = plan.Play(draws)
	switch multiplier := &result.Multiplier; {
	case *multiplier == money.Ratio{}:
		// Rounds store numerator and denominator, and readers divide.
		multiplier.Den = 1
	case multiplier.Den == 0:
		return Result{}, errors.New("multiplier is invalid: its denominator is 0")
	case multiplier.Cmp(plan.MaxMultiplier()) > 0:
		return Result{}, fmt.Errorf("pays %s wagers, which is above its greatest multiplier of %s", multiplier, plan.MaxMultiplier())
	}
	return result, nil
}

// lattice is the number of values of a draw.
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

// PartsPerBillion returns a non-negative number in units of 10^-9, rounded half up, at
// most the largest uint64.
func PartsPerBillion(r *big.Rat) uint64 {
	doubled := new(big.Int).Mul(r.Num(), big.NewInt(2*billion))
	doubled.Add(doubled, r.Denom())
	rounded := doubled.Div(doubled, new(big.Int).Lsh(r.Denom(), 1))
	if !rounded.IsUint64() {
		return math.MaxUint64
	}
	return rounded.Uint64()
}

// Odds is the chance of a round with a single prize: Wins of 2^32 draws pay Prize, the
// others nothing. Plans of such games embed it. A chance over several draws must be a
// multiple of 2^-32 too, and the prize's denominator positive.
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

// ratioToRat converts a ratio with a positive denominator.
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

// fitsWords reports whether the products above fit 64 bits.
func (o Odds) fitsWords() bool {
	return o.Prize.Num < lattice && o.Prize.Den < lattice && o.Wins <= lattice
}

// resultOf returns the result of a round, with the prize if it is won.
func (o Odds) resultOf(won bool, outcome Value) Result {
	if !won {
		return Result{Outcome: outcome, Multiplier: money.Ratio{Den: 1}}
	}
	return Result{Outcome: outcome, Multiplier: o.Prize}
}
