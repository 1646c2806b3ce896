package game

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Begin validates the config of a stepped round and fills in its defaults. Outside
// configs must reach a stepped game only through it.
//
// Faults are Invalid, naming "gameType", for a game that isn't Stepped, and those of
// Normalize and Stepped.Begin. Any other error is a defect of the game: it panicked or
// stated an invalid number.
func Begin(g Game, config Value, wager money.Amount) (steps Steps, err error) {
	stepped, ok := g.(Stepped)
	if !ok {
		return nil, fault.Field("gameType", "has no steps: its rounds are decided in one call")
	}
	defer recoverPanic(&err)
	normal, err := Normalize(stepped.StepFields(), config)
	if err != nil {
		return nil, err
	}
	steps, err = stepped.Begin(normal, wager)
	switch {
	case err != nil:
		return nil, err
	case steps == nil:
		return nil, fmt.Errorf("%s: Begin returned neither steps nor an error", g.Rules())
	case steps.MaxStake().Den == 0 || steps.MaxMultiplier().Den == 0:
		return nil, fmt.Errorf("%s: greatest stake or multiplier is invalid: its denominator is 0", g.Rules())
	}
	return steps, nil
}

// UpTo returns steps that pay no more than most first wagers, with a config that names no
// greater bound: these, or those of the same config up to the greatest prize within it. False
// means that there are none: the game isn't Capped, or its first step pays more.
func UpTo(steps Steps, most money.Ratio) (capped Steps, ok bool) {
	if set, _ := CapOf(steps); steps.MaxMultiplier().Cmp(most) <= 0 && set.Cmp(most) <= 0 {
		return steps, true
	}
	able, isCapped := steps.(Capped)
	if !isCapped || most.Den == 0 {
		return nil, false
	}
	defer func() {
		if broke := recover(); broke != nil {
			capped, ok = nil, false
		}
	}()
	capped, ok = able.UpTo(most)
	if !ok || capped == nil || capped.MaxMultiplier().Den == 0 || capped.MaxMultiplier().Cmp(most) > 0 {
		return nil, false
	}
	return capped, true
}

// Advance takes one more action. taken are the earlier actions in canonical form, as
// Advance returned them. draws returns the round's draws from their start at each call.
// It returns the action in canonical form, which is stored, and the states before and
// after it.
//
// A fault of kind Invalid, naming "action" or a member of it, refuses an action that
// isn't offered; it reveals no more than the choices do. InvalidState means that the
// round has ended. Any other error is a defect of the game, and the round is void.
func Advance(steps Steps, draws func() Draws, taken []Value, action Value) (normal Value, before, after State, err error) {
	before, err = foldState(steps, draws, taken)
	if err != nil {
		return Value{}, State{}, State{}, err
	}
	normal, after, err = applyAction(steps, draws, taken, before, action)
	return normal, before, after, err
}

// Replay folds a round from its beginning and returns its states: that of the opening,
// and one for each action. It checks the actions like Advance; a fault names them as
// "actions[2].tile", and "actions" if there are too many. Any other error is a defect of
// the game.
func Replay(steps Steps, draws func() Draws, actions []Value) ([]State, error) {
	if len(actions) > StepsMax {
		return nil, fault.Field("actions", "must be at most %d", StepsMax)
	}
	first, err := foldState(steps, draws, nil)
	if err != nil {
		return nil, err
	}
	states, taken := []State{first}, make([]Value, 0, len(actions))
	for i, action := range actions {
		normal, state, err := applyAction(steps, draws, taken, states[i], action)
		if err != nil {
			return nil, ofAction(err, i)
		}
		states, taken = append(states, state), append(taken, normal)
	}
	return states, nil
}

// ofAction adds the index of the action to the field of a fault.
func ofAction(err error, i int) error {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		return err
	}
	const action = "action"
	inside := ""
	if named, _ := refusal.Details["field"].(string); len(named) > len(action) {
		inside = named[len(action):]
	}
	if refusal.Kind == fault.InvalidState {
		return fault.Field("actions", "must be %d: the round has ended after them", i)
	}
	_, what, _ := cutAny(refusal.Message, " ")
	return fault.Field(fmt.Sprintf("actions[%d]%s", i, inside), "%s", what)
}

// Abandoned returns the action that the rules take for an absent player, in canonical
// form. An error is a defect of the game.
func Abandoned(steps Steps, state State) (action Value, err error) {
	defer recoverPanic(&err)
	if state.Ended {
		return Value{}, errEnded
	}
	normal, choice, err := matchOffer(state.Choices, steps.Abandon(state))
	switch {
	case err != nil:
		return Value{}, fmt.Errorf("abandons by an action that isn't offered: %s", err.Error())
	case choice.Stake.Num > 0:
		return Value{}, errors.New("abandons by an action with a further stake")
	}
	return normal, nil
}

// Settle returns the result of an ended round: the outcome is its last shown state, the
// multiplier refers to the total stake, and the wagers are those of that stake.
func Settle(end State) Result {
	multiplier, _ := end.ofStake()
	return Result{Outcome: end.Shown, Multiplier: multiplier, Wagers: Wagers{Stake: end.Stake}}
}

// TheoryFor returns the theory, for stored figures, of a round that ended with these
// actions and this shown state. An error is a defect of the game, or the round doesn't
// belong to these steps.
func TheoryFor(steps Steps, actions []Value, shown Value) (theory Theory, err error) {
	defer recoverPanic(&err)
	return steps.Theory(actions, shown), nil
}

var errEnded = fault.New(fault.InvalidState, "the round has ended")

func recoverPanic(err *error) {
	if broke := recover(); broke != nil {
		*err = fmt.Errorf("panicked: %v", broke)
	}
}

// applyAction checks an action against the state before it and applies it.
func applyAction(steps Steps, draws func() Draws, taken []Value, before State, action Value) (Value, State, error) {
	switch {
	case before.Ended:
		return Value{}, State{}, errEnded
	case len(taken) >= StepsMax:
		return Value{}, State{}, fmt.Errorf("a round takes more than %d steps", StepsMax)
	}
	normal, choice, err := matchOffer(before.Choices, action)
	if err != nil {
		return Value{}, State{}, err
	}
	state, err := foldState(steps, draws, append(taken[:len(taken):len(taken)], normal))
	if err != nil {
		return Value{}, State{}, err
	}
	if staked, ok := before.Stake.Plus(choice.Stake); !ok || state.Stake.Cmp(staked) != 0 {
		return Value{}, State{}, fmt.Errorf("after %v the stake is %s, it was %s and the action's is %s", normal, state.Stake, before.Stake, choice.Stake)
	}
	return normal, state, nil
}

// foldState folds a round and checks its state against the steps' contract.
func foldState(steps Steps, draws func() Draws, actions []Value) (state State, err error) {
	defer recoverPanic(&err)
	state = steps.At(&boundedDraws{draws().Next, DrawsMax}, actions)
	if state.Stake == (money.Ratio{}) {
		state.Stake = money.Ratio{Num: 1, Den: 1}
	}
	if state.Multiplier == (money.Ratio{}) {
		state.Multiplier.Den = 1
	}
	if err := state.checkContract(steps); err != nil {
		return State{}, err
	}
	if len(actions) == 0 && state.Stake.Cmp(money.Ratio{Num: 1, Den: 1}) != 0 {
		return State{}, fmt.Errorf("begins with a stake of %s first wagers", state.Stake)
	}
	return state, nil
}

// checkContract reports a breach of the contract by a state.
func (s *State) checkContract(steps Steps) error {
	for i := range s.Choices {
		if stake := &s.Choices[i].Stake; *stake == (money.Ratio{}) {
			stake.Den = 1
		}
	}
	switch {
	case s.Shown.kind == Absent:
		return errors.New("shows nothing")
	case s.Ended && len(s.Choices) > 0:
		return errors.New("has ended and offers choices")
	case !s.Ended && len(s.Choices) == 0:
		return errors.New("has not ended and offers no choice")
	case s.Stake.Den == 0 || s.Stake.Num == 0 || s.Stake.Cmp(steps.MaxStake()) > 0:
		return fmt.Errorf("has a stake of %s first wagers, the most is %s", s.Stake, steps.MaxStake())
	case s.Multiplier.Den == 0:
		return errors.New("multiplier is invalid: its denominator is 0")
	case s.Multiplier.Cmp(steps.MaxMultiplier()) > 0:
		return fmt.Errorf("pays %s first wagers, which is above the greatest multiplier of %s", s.Multiplier, steps.MaxMultiplier())
	}
	if _, fits := s.ofStake(); !fits {
		return fmt.Errorf("pays %s of a stake of %s first wagers, which doesn't fit a multiplier of 64 bits", s.Multiplier, s.Stake)
	}
	return s.checkChoices(steps.MaxStake())
}

func (s *State) checkChoices(most money.Ratio) error {
	for i := range s.Choices {
		choice := &s.Choices[i]
		name := choice.Action.Get(ActionType).Text()
		if choice.Action.kind != ObjectKind || name == "" {
			return fmt.Errorf("offers %v, which isn't an object with a type", choice.Action)
		}
		for j := range i {
			if s.Choices[j].Action.Get(ActionType).Text() == name {
				return fmt.Errorf("offers %q twice", name)
			}
		}
		if staked, ok := s.Stake.Plus(choice.Stake); choice.Stake.Den == 0 || !ok || staked.Cmp(most) > 0 {
			return fmt.Errorf("offers %q for %s first wagers after %s, the most is %s", name, choice.Stake, s.Stake, most)
		}
	}
	return nil
}

// ofStake returns the multiplier relative to the total stake; false if it isn't a ratio
// of 64 bits.
func (s *State) ofStake() (money.Ratio, bool) {
	if s.Stake.Num == s.Stake.Den {
		return s.Multiplier, true
	}
	if s.Multiplier.Num == 0 {
		return money.Ratio{Den: 1}, true
	}
	m := s.Multiplier.Reduced()
	over, num := bits.Mul64(m.Num, s.Stake.Den)
	above, den := bits.Mul64(m.Den, s.Stake.Num)
	return money.Ratio{Num: num, Den: den}.Reduced(), over == 0 && above == 0
}
