package game

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// StepsMax is the most actions of a round. The rules of stepped games end rounds long
// before.
const StepsMax = 256

// Stepped is a Game that is played step by step: a round is opened, and the player sees
// what is shown and chooses among the offers until it has ended. The round is a fold:
// its state is a function of config, draws from their start, and actions so far. Nothing
// else is stored, so anyone can fold it again.
//
// Use it only through Begin, Replay and Advance of this package, which check configs,
// actions, and the game's contract.
type Stepped interface {
	Game
	// StepFields declares the config of a stepped round. Callers must not change it.
	StepFields() []Field
	// Begin accepts a config that Normalize returned for StepFields, or refuses it with a
	// fault of kind Invalid that names "config.<field>". wager is the first stake in base
	// units; it is 0 for figures or verification, and decides nothing.
	Begin(config Value, wager money.Amount) (Steps, error)
}

// Steps is one accepted config of a stepped round. It is immutable and safe for
// concurrent use.
type Steps interface {
	// Config is the config in effect, with defaults filled in. Begin accepts it.
	Config() Value
	// MaxStake is the greatest total stake of a round in first wagers: 1 if no action
	// stakes more.
	MaxStake() money.Ratio
	// MaxMultiplier is the greatest payout of a round, in first wagers. An opening is
	// accepted only if the house can pay it.
	MaxMultiplier() money.Ratio
	// Return is the long-run return of rounds. Each call returns new numbers.
	Return() StepReturn
	// At returns the state of the round after these actions. Callers in this package ensure
	// that the actions are in the canonical form of their offers. At never fails. The state
	// depends only on config, draws and actions, and takes at most DrawsMax draws, always
	// from the first.
	//
	// Everything except Shown follows from what was shown so far: no offer and no list's
	// length reveals draws that weren't shown yet.
	At(draws Draws, actions []Value) State
	// Theory returns the theory, for stored figures, of a round that ended with these
	// actions and this shown state. It takes no draws, so any reader of the round can
	// compute it. If steps are bets of their own the variance is the sum of theirs, each
	// given what was shown before it; else it is that of a whole round.
	Theory(actions []Value, shown Value) Theory
	// Abandon returns the action that ends the round, or brings it nearer to its end, for
	// an absent player. It must be offered and stake nothing.
	Abandon(State) Value
}

// Capped are Steps with the same return for every strategy, so that the house may limit
// the payout without making a round worse.
type Capped interface {
	Steps
	// UpTo returns the same round limited to the greatest prize that isn't above most.
	// Actions that could pay more are not offered; if no winning action is left, the round
	// ends and pays. Its config states the limit, and folds to the same round. False means
	// that the first step already pays more.
	UpTo(most money.Ratio) (Steps, bool)
}

// StepReturn is the long-run return of a config's rounds, in first wagers and before
// payouts are rounded down to base units.
type StepReturn struct {
	// Best is the return of the best strategy: payouts less the stakes after the first
	// wager.
	Best *big.Rat
	// Least is the return of the worst strategy if it is nearly the same; nil if the return
	// depends on skill.
	Least *big.Rat
}

// Theory is the expected payout of one unit staked and its variance, both in parts per
// billion and rounded.
type Theory struct {
	RTPPartsPerBillion      uint64
	VariancePartsPerBillion uint64
}

// TheoryOf returns the theory of a round with this total stake, in first wagers. Later
// stakes are expected to be paid back, so the house's edge is that of the first wager.
// variance is in squares of the first wager.
func TheoryOf(best, variance *big.Rat, stake money.Ratio) Theory {
	staked := ratioToRat(stake)
	paid := new(big.Rat).Sub(best, big.NewRat(1, 1))
	paid.Add(paid, staked)
	square := new(big.Rat).Mul(staked, staked)
	return Theory{
		RTPPartsPerBillion:      PartsPerBillion(paid.Quo(paid, staked)),
		VariancePartsPerBillion: PartsPerBillion(square.Quo(variance, square)),
	}
}

// State is the state of a round.
type State struct {
	// Shown is everything the player has seen so far; only this may leave the house. It is
	// never absent.
	Shown Value
	// Choices are the possible actions: none if the round has ended, else at least one.
	Choices []Offer
	Ended   bool
	// Multiplier is the payout of an ended round in first wagers; 0, including the zero
	// Ratio, is a loss.
	Multiplier money.Ratio
	// Stake is the total stake so far in first wagers; the zero Ratio means 1.
	Stake money.Ratio
}

// Offer is an action that may be taken.
type Offer struct {
	// Action is an object with at least the action's name as member "type". A taken action
	// is that object followed by the members that Fields declares.
	Action Value
	Fields []Field
	// Stake is the action's further stake in first wagers; the zero Ratio means none.
	Stake money.Ratio
	// Chance is the chance of not losing the round by this step, Prize the payout of ending
	// it afterwards, in first wagers; nil if unknown. They inform players.
	Chance, Prize *big.Rat
}

// ActionType is the member with an action's name.
const ActionType = "type"

// ActionOf returns the action with a name, without further members.
func ActionOf(name string) Value { return Object(Member{ActionType, Text(name)}) }

// OnlyStepped is embedded by a Stepped game that can't be decided in one call: it has no
// config for that, and Plan refuses.
type OnlyStepped struct{}

// Fields returns nil.
func (OnlyStepped) Fields() []Field { return nil }

// Plan returns a fault.
func (OnlyStepped) Plan(Value, money.Amount) (Plan, error) { return nil, errOnlyStepped }

var errOnlyStepped = fault.Field("gameType", "is played step by step: open a round (POST /rounds)")

// AtOnce reports whether rounds of the game can be decided in one call; OnlyStepped
// games can't.
func AtOnce(g Game) (able bool) {
	defer func() {
		if broke := recover(); broke != nil {
			able = true // a panic isn't the refusal of OnlyStepped
		}
	}()
	_, err := Prepare(g, Object(), 0)
	return !errors.Is(err, errOnlyStepped)
}

// matchOffer returns the canonical form of an action, and the matching choice. A refusal
// is a fault of kind Invalid that names "action" or a member of it; it depends only on
// the choices.
func matchOffer(choices []Offer, action Value) (Value, *Offer, error) {
	if action.kind != ObjectKind {
		return Value{}, nil, fault.Field("action", "must be an object with a type")
	}
	named, _ := countMembers(action, ActionType)
	if named.kind != TextKind {
		return Value{}, nil, fault.Field("action."+ActionType, "must be one of %s", namesOf(choices))
	}
	for i := range choices {
		if choices[i].Action.Get(ActionType).Text() != named.text {
			continue
		}
		normal, problem := Record{Fields: choices[i].fields()}.normalize(action)
		if problem != nil {
			return Value{}, nil, fault.Field("action"+problem.where, "%s", problem.what)
		}
		return normal, &choices[i], nil
	}
	return Value{}, nil, fault.Field("action."+ActionType, "must be one of %s", namesOf(choices))
}

// fields returns the fields of an action of this offer.
func (o *Offer) fields() []Field {
	fields := make([]Field, 0, o.Action.Len()+len(o.Fields))
	for name, value := range o.Action.Members() {
		fields = append(fields, Field{Name: name, Shape: Choice{Of: []Value{value}}})
	}
	return append(fields, o.Fields...)
}

func namesOf(choices []Offer) string {
	text := ""
	for i := range choices {
		if i > 0 {
			text += ", "
		}
		text += choices[i].Action.Get(ActionType).Text()
	}
	return text
}

// Games with the same return for every strategy have a bound on the payout in their
// config. Players may set it to cash out automatically, and the house sets or lowers it
// to what it can pay. It is part of the config, so that folding the round again needs
// nothing else.

const (
	// capName is the bound's field, capDecimals its decimals.
	capName, capDecimals = "maxMultiplier", 4
	// capMost is the greatest bound of a config, in its units.
	capMost = 100_000_000_000_0000
	// cashOutName is the action that ends a round and pays its present prize.
	cashOutName = "cashOut"
)

// cashOut is the action of cashOutName.
var cashOut = ActionOf(cashOutName)

// capField declares the bound.
func capField() Field {
	return Field{
		Name: capName, Title: "Cash out at", Optional: true,
		Description: "The most that the round may pay, in wagers: no step is offered that could pay more, and when none is left the round is cashed out.",
		Shape:       Number{Min: 1_0000, Max: capMost, Decimals: capDecimals},
	}
}

// capOf returns the bound of a config, false if it has none.
func capOf(config Value) (money.Ratio, bool) {
	units, ok := config.Get(capName).Units(capDecimals)
	return money.Ratio{Num: uint64(units), Den: tenThousandths}, ok
}

// CapOf returns the bound in the config of a round, and whether it has one.
func CapOf(steps Steps) (most money.Ratio, named bool) {
	if most, named = capOf(steps.Config()); !named {
		return money.Ratio{}, false
	}
	return most, true
}

// FloorCap returns the greatest bound up to most that a config may have: most rounded down to
// ten-thousandths.
func FloorCap(most money.Ratio) money.Ratio {
	hi, lo := bits.Mul64(most.Num, tenThousandths)
	units := uint64(capMost)
	if hi < most.Den {
		if quotient, _ := bits.Div64(hi, lo, most.Den); quotient < capMost {
			units = quotient
		}
	}
	return money.Ratio{Num: units, Den: tenThousandths}
}

// cappedConfig returns a config with the bound lowered to most, rounded down.
func cappedConfig(config Value, most money.Ratio) (Value, bool) {
	if set, ok := capOf(config); ok && set.Cmp(most) <= 0 {
		return config, true
	}
	units := FloorCap(most).Num
	members := make([]Member, 0, config.Len()+1)
	for name, value := range config.Members() {
		if name != capName {
			members = append(members, Member{name, value})
		}
	}
	return Object(append(members, Member{capName, Dec(int64(units), capDecimals)})...), units >= tenThousandths
}
