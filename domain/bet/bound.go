package bet

import (
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// The rule for reservations of stepped rounds, as published in docs/fairness/steps.md. A
// round reserves its Bound times its first wager. The bound is at most ReserveMultiple unless
// the player asks for more. A round with such a bound may use the whole room. A round that
// can win more may be opened only while the total exposure with it stays within a part of the
// room: 1/FixedPart if the game can't be bounded lower, 1/AskedPart if the player asked for
// more. So at least three quarters of the room are left to rounds with wagers of at least a
// fiftieth of their reservation. Before such a round that reserves up to a quarter of the
// room is refused, the wagers of the open rounds reach 1 % of the room.
const (
	ReserveMultiple = 50
	FixedPart       = 4
	AskedPart       = 8
)

// Bound returns the maximum multiplier of a stepped round that its game doesn't limit
// further: the lesser of maxPayout / wager, rounded down by game.FloorCap, and of what the
// player asked for, ReserveMultiple for the zero Ratio.
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

// BoundSteps returns the bounded steps of a round, and the divisor of the part of the room
// that it may use. Both depend only on the config asked for, the wager and the token's
// greatest payout. It reports false if the first step could pay more than that payout.
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

// OpenedSteps returns BoundSteps of a config asked for. Errors are those of game.Begin, and
// of kind WagerOutOfRange if the first step could pay more than maxPayout.
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

// CheckConfig returns an error if a stepped round's config isn't that of OpenedSteps.
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
		return fmt.Errorf("the config is %v; the one asked for, a first wager of %d and a maxPayout of %d give %v", took.Config(), wager, maxPayout, want.Config())
	}
	return nil
}

// CheckBound returns an error if the config isn't that of OpenedSteps, or if the round doesn't
// reserve its wager times their greatest multiplier.
func (o Open) CheckBound(rules game.Game) error {
	if err := CheckConfig(rules, o.Config, o.Asked, o.Wager, o.MaxPayout); err != nil {
		return err
	}
	steps, err := game.Begin(rules, o.Config, o.Wager)
	if err != nil {
		return err
	}
	if exposure, fits := o.Wager.Times(steps.MaxMultiplier()); !fits || exposure != o.Exposure || steps.MaxMultiplier() != o.MaxMultiplier {
		return fmt.Errorf("it reserves %d for %s first wagers, its config %d for %s", o.Exposure, o.MaxMultiplier, exposure, steps.MaxMultiplier())
	}
	return nil
}
