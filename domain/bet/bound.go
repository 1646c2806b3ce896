package bet

import (
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// The rule of what a stepped round reserves, as docs/fairness/steps.md publishes it. A round
// reserves its Bound times its first wager, and nobody is bounded above ReserveMultiple who
// doesn't ask for it. A round of at most ReserveMultiple may use all of the room. One that
// can win more may only be opened while everything that is reserved with it stays within a
// part of the room: the FixedPart-th where its game can't be bounded lower, the AskedPart-th
// where its player asked for more. So three quarters of the room at least are filled by
// rounds whose wagers come to a fiftieth of what they reserve: until a round is refused that
// asks for no more and reserves up to a quarter of the room, the wagers of the open rounds
// come to 1 % of the room.
const (
	ReserveMultiple = 50
	FixedPart       = 4
	AskedPart       = 8
)

// Bound returns the most that a stepped round may pay, in first wagers, beside what its game
// can pay: the least of maxPayout / wager, rounded down as game.FloorCap does, and what the
// player asked for, which is ReserveMultiple for the zero Ratio.
func Bound(wager, maxPayout money.Amount, asked money.Ratio) money.Ratio {
	if asked == (money.Ratio{}) {
		asked = money.Ratio{Num: ReserveMultiple, Den: 1}
	}
	limit := game.FloorCap(money.Ratio{Num: uint64(max(0, maxPayout)), Den: uint64(max(1, wager))})
	if limit.Cmp(asked) < 0 {
		return limit
	}
	return asked
}

// BoundSteps returns the steps that a round is opened by whose player asked for these, and
// the part of the room that it may use as its divisor. Both follow from the config that was
// asked for, the wager and the token's greatest payout alone. It is false where the first
// step could pay more than that.
func BoundSteps(asked game.Steps, wager, maxPayout money.Amount) (steps game.Steps, part money.Amount, ok bool) {
	most, limit := asked.MaxMultiplier(), money.Ratio{Num: uint64(max(0, maxPayout)), Den: uint64(max(1, wager))}
	set, named := game.CapOf(asked)
	bound := Bound(wager, maxPayout, set)
	if capped, able := asked.(game.Capped); !able {
		steps, ok = asked, most.Cmp(limit) <= 0
	} else if steps, ok = game.UpTo(capped, bound); !ok && !named {
		steps, ok = game.UpTo(capped, limit)
	}
	switch plain := (money.Ratio{Num: ReserveMultiple, Den: 1}); {
	case !ok:
		return nil, 0, false
	case steps.MaxMultiplier().Cmp(plain) <= 0:
		return steps, 1, true
	case named:
		return steps, AskedPart, true
	}
	return steps, FixedPart, true
}

// OpenedSteps returns BoundSteps of a config that was asked for. Errors are those of
// game.Begin, and of kind WagerOutOfRange where the first step could pay more than maxPayout.
func OpenedSteps(rules game.Game, asked game.Value, wager, maxPayout money.Amount) (game.Steps, error) {
	begun, err := game.Begin(rules, asked, wager)
	if err != nil {
		return nil, err
	}
	steps, _, ok := BoundSteps(begun, wager, maxPayout)
	if !ok {
		return nil, fault.New(fault.WagerOutOfRange, "wager: could pay more than the limit of %d base units a round", maxPayout).With("field", "wager")
	}
	return steps, nil
}

// CheckConfig reports why a stepped round's config isn't that of OpenedSteps.
func CheckConfig(rules game.Game, config, asked game.Value, wager, maxPayout money.Amount) error {
	want, err := OpenedSteps(rules, asked, wager, maxPayout)
	if err != nil {
		return err
	}
	took, err := game.Begin(rules, config, wager)
	if err != nil {
		return err
	}
	if !took.Config().Equal(want.Config()) {
		return fmt.Errorf("the config is %v; by the one that was asked for, a first wager of %d and a maxPayout of %d it is %v", took.Config(), wager, maxPayout, want.Config())
	}
	return nil
}

// CheckBound reports what an open round has that its bound doesn't follow from: it is opened
// by OpenedSteps of the config that was asked for, the wager and the token's greatest payout,
// and reserves the wager times their greatest multiplier.
func (o Open) CheckBound(rules game.Game) error {
	steps, err := OpenedSteps(rules, o.Asked, o.Wager, o.MaxPayout)
	if err != nil {
		return fmt.Errorf("what was asked for: %w", err)
	}
	if !steps.Config().Equal(o.Config) {
		return fmt.Errorf("its config is %v, by what was asked for, wager and maxPayout it is %v", o.Config, steps.Config())
	}
	if exposure, fits := o.Wager.Times(steps.MaxMultiplier()); !fits || exposure != o.Exposure || steps.MaxMultiplier() != o.MaxMultiplier {
		return fmt.Errorf("it reserves %d for %s first wagers, its config asks for %d for %s", o.Exposure, o.MaxMultiplier, exposure, steps.MaxMultiplier())
	}
	return nil
}
