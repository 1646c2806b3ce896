package game

import (
	"errors"
	"fmt"
	"math/big"

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
