package game

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// StepsMax is how many actions a round may take. A round that is played step by step
// ends by its rules long before.
const StepsMax = 256

// Stepped is a Game that is played step by step: a round is opened, its player sees
// what is shown and chooses among what is offered, until it has ended. Such a round is
// a fold: what it has come to is a function of its config, the draws of its seeds and
// nonce from their start, and the actions so far. Nothing else is kept of it, so that
// anyone can fold it again.
//
// Begin, Replay and Advance of this package are the only ways to it: they check configs
// and actions, and hold each state against what the game promised.
type Stepped interface {
	Game
	// StepFields declares the config of a round that is played step by step. Callers
	// must not change it.
	StepFields() []Field
	// Begin accepts a config that Normalize returned for StepFields, or refuses it with a
	// fault of kind Invalid that names "config.<field>". wager is the first stake in base
	// units; it is 0 when figures or a verification are wanted, and decides nothing.
	Begin(config Value, wager money.Amount) (Steps, error)
}

// Steps is one accepted config of a round that is played step by step. It is immutable
// and safe for concurrent use.
type Steps interface {
	// Config is the config as it took effect, defaults filled in. Begin accepts it.
	Config() Value
	// MaxStake is the most that a round can take in all, in first wagers: 1 where no
	// action stakes more.
	MaxStake() money.Ratio
	// MaxMultiplier is the most that a round can pay, in first wagers. An opening is
	// accepted only if the house can pay so much.
	MaxMultiplier() money.Ratio
	// Return is what rounds pay in the long run. Each call gives fresh numbers.
	Return() StepReturn
	// At returns what the round has come to after these actions, in the canonical form of
	// what was offered before each of them, which the callers in this package see to. It is
	// total: there are no draws for which it fails. It depends on the config, the draws and
	// the actions alone, and asks for at most DrawsMax draws, always from the first.
	//
	// Everything but Shown follows from what was shown so far: neither an offer nor the
	// length of a list says anything about draws that weren't shown yet.
	At(draws Draws, actions []Value) State
	// Theory is what kept figures add up for a round that ended with these actions and
	// showed this: it takes no draws, so that it is known to whoever reads the round. The
	// variance is, where steps are bets of their own, the sum of theirs, each given what was
	// shown before it; else that of a whole round.
	Theory(actions []Value, shown Value) Theory
	// Abandon returns the action that ends the round, or brings it nearer to its end, for
	// a player who never comes back: one that is offered and stakes nothing.
	Abandon(State) Value
}

// Capped are Steps whose every strategy returns the same, so that the house may bound
// what a round pays without making it worse.
type Capped interface {
	Steps
	// UpTo returns the same round up to the greatest prize that isn't above most: an action
	// is not offered that could pay more, and when there is none left that the player could
	// win by, the round ends and pays what it came to. Its config says so, and folds to the
	// same. False means that the first step already pays more.
	UpTo(most money.Ratio) (Steps, bool)
}

// StepReturn is what rounds of a config return in the long run, in first wagers and
// before payouts are rounded down to base units.
type StepReturn struct {
	// Best is the return of the best strategy: payouts less what was staked after the
	// first wager.
	Best *big.Rat
	// Least is that of the worst strategy, where it is all but the same; nil where the
	// return depends on how well a round is played.
	Least *big.Rat
}

// Theory is the expected payout of one unit staked and the variance of that payout, both
// in parts per billion and rounded.
type Theory struct {
	RTPPartsPerBillion      uint64
	VariancePartsPerBillion uint64
}

// TheoryOf returns the theory of a round that staked so much, in first wagers: what is
// staked later is expected to be paid back, so that the house's part is that of the first
// wager. variance is in squares of the first wager.
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

// State is what a round has come to.
type State struct {
	// Shown is all that may leave the house: what the player has seen so far. It is never
	// absent.
	Shown Value
	// Choices are what the player may do. There are none when the round has ended, else
	// at least one.
	Choices []Offer
	Ended   bool
	// Multiplier is what an ended round pays in first wagers, 0 for a loss; the zero Ratio
	// is a loss too.
	Multiplier money.Ratio
	// Stake is everything staked so far in first wagers; the zero Ratio is 1.
	Stake money.Ratio
}

// Offer is an action that may be taken.
type Offer struct {
	// Action is an object with at least the action's name, as its member "type". An action
	// is that object with the members that Fields declare behind its own.
	Action Value
	Fields []Field
	// Stake is what the action takes of the player in further first wagers; the zero Ratio
	// is nothing.
	Stake money.Ratio
	// Chance is that of not losing the round by this step, and Prize what the round could
	// be ended with after it, in first wagers: where the rules know them, else nil. They
	// are for people, who see what a step is worth.
	Chance, Prize *big.Rat
}

// ActionType is the name of the member of an action that says which it is.
const ActionType = "type"

// ActionOf returns the action of a name, without further members.
func ActionOf(name string) Value { return Object(Member{ActionType, Text(name)}) }

// OnlyStepped is embedded by a Stepped game that can't be decided in one call: it has no
// config for that, and Plan refuses.
type OnlyStepped struct{}

// Fields declares nothing.
func (OnlyStepped) Fields() []Field { return nil }

// Plan refuses.
func (OnlyStepped) Plan(Value, money.Amount) (Plan, error) { return nil, errOnlyStepped }

var errOnlyStepped = fault.Field("gameType", "is played step by step: its rounds are opened")

// AtOnce reports whether rounds of the game can be decided in one call: what OnlyStepped
// refuses can't.
func AtOnce(g Game) (able bool) {
	defer func() {
		if broke := recover(); broke != nil {
			able = true // it has a plan, if a broken one
		}
	}()
	_, err := Prepare(g, Object(), 0)
	return !errors.Is(err, errOnlyStepped)
}

// matchOffer returns the canonical form of an action, and which of the choices it takes. A
// refusal is a fault of kind Invalid that names "action" or a member of it; it follows
// from the choices alone.
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

// fields are all that an action of this offer consists of.
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

// The games whose every strategy returns the same have a bound of what a round pays in
// their config: the player may set one to be cashed out by, and the house sets or lowers
// it to what it can afford. It is part of the config, so that who folds the round again
// needs nothing else.

const (
	// capName is the field of the bound, and capDecimals how finely it is set.
	capName, capDecimals = "maxMultiplier", 4
	// capMost is the greatest bound that a config may have, in its units.
	capMost = 100_000_000_000_0000
	// cashOutName is the action by which a round is ended that can be.
	cashOutName = "cashOut"
)

// cashOut is the action that ends a round and pays what it came to.
var cashOut = ActionOf(cashOutName)

// capField declares the bound.
func capField() Field {
	return Field{
		Name: capName, Title: "Cash out at", Optional: true,
		Description: "The most that the round may pay, in wagers: no step is offered that could pay more, and when none is left the round is cashed out.",
		Shape:       Number{Min: 1_0000, Max: capMost, Decimals: capDecimals},
	}
}

// capOf returns the bound of a config; without one that is false.
func capOf(config Value) (money.Ratio, bool) {
	units, ok := config.Get(capName).Units(capDecimals)
	return money.Ratio{Num: uint64(units), Den: tenThousandths}, ok
}

// CapOf returns the most that a round may pay by its config, and whether it names that; the
// zero Ratio where it doesn't.
func CapOf(steps Steps) (most money.Ratio, named bool) {
	if most, named = capOf(steps.Config()); !named {
		return money.Ratio{}, false
	}
	return most, true
}

// FloorCap returns the greatest bound that a config may have and that isn't above most: in
// ten-thousandths, rounded down.
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
