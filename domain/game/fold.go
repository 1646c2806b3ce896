package game

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Begin validates the config of a round that is played step by step and fills in its
// defaults. It is the only way configs from outside should reach a stepped game.
//
// Faults: of kind Invalid, naming "gameType" for a game that isn't Stepped, those of
// Normalize, and those of Stepped.Begin. Any other error is a defect of the game, which
// panicked or promises what is no number.
func Begin(g Game, config Value, wager money.Amount) (steps Steps, err error) {
	stepped, ok := g.(Stepped)
	if !ok {
		return nil, fault.Field("gameType", "is decided in one call: it has no steps")
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
		return nil, fmt.Errorf("%s: neither steps nor a refusal", g.Rules())
	case steps.MaxStake().Den == 0 || steps.MaxMultiplier().Den == 0:
		return nil, fmt.Errorf("%s: greatest stake or multiplier is no number: its denominator is 0", g.Rules())
	}
	return steps, nil
}

// UpTo returns steps that pay at most so much, in first wagers, and whose config names no
// greater bound: these, or those of the same config up to the greatest prize that isn't above
// it. False means that there are
// none: the game isn't Capped, or its first step already pays more.
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

// Advance takes one action more. taken are the actions so far in canonical form, each as
// an earlier Advance returned it, and draws gives the round's draws from their start at
// each call. It returns the action in canonical form, which is what is kept, and the
// states before and after it.
//
// A fault of kind Invalid, naming "action" or a member of it, refuses an action that
// isn't offered; it tells nothing but what the choices do. InvalidState is that of a
// round that has ended. Any other error is a defect of the game, and the round is void.
func Advance(steps Steps, draws func() Draws, taken []Value, action Value) (normal Value, before, after State, err error) {
	before, err = foldState(steps, draws, taken)
	if err != nil {
		return Value{}, State{}, State{}, err
	}
	normal, after, err = applyAction(steps, draws, taken, before, action)
	return normal, before, after, err
}

// Replay folds a round from its beginning and returns its states: that of the opening,
// and one for each action. The actions are checked as Advance checks them; a fault names
// them as "actions[2].tile", and "actions" when there are too many. Any other error is a
// defect of the game.
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

// ofAction names the action among many that a fault is of.
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

// Abandoned returns the action that the rules take for a player who never comes back, in
// canonical form. An error is a defect of the game.
func Abandoned(steps Steps, state State) (action Value, err error) {
	defer recoverPanic(&err)
	if state.Ended {
		return Value{}, errEnded
	}
	normal, choice, err := matchOffer(state.Choices, steps.Abandon(state))
	switch {
	case err != nil:
		return Value{}, fmt.Errorf("abandons by what isn't offered: %s", err.Error())
	case choice.Stake.Num > 0:
		return Value{}, errors.New("abandons by an action that stakes more")
	}
	return normal, nil
}

// Settle returns what an ended round comes to: the outcome is what was shown at its end,
// the multiplier is of everything that was staked, and the wagers are what that can be.
func Settle(end State) Result {
	multiplier, _ := end.ofStake()
	return Result{Outcome: end.Shown, Multiplier: multiplier, Wagers: Wagers{Stake: end.Stake}}
}

// TheoryFor returns what kept figures add up for a round that ended with these actions and
// showed this. An error is a defect of the game, or a round that isn't one of these steps.
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

// applyAction checks an action against the state before it and takes it.
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

// foldState folds a round and holds its state against what the steps promise.
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

// checkContract reports what a state breaks of the contract.
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
		return errors.New("multiplier is no number: its denominator is 0")
	case s.Multiplier.Cmp(steps.MaxMultiplier()) > 0:
		return fmt.Errorf("pays %s first wagers, which is above the greatest multiplier of %s", s.Multiplier, steps.MaxMultiplier())
	}
	if _, fits := s.ofStake(); !fits {
		return fmt.Errorf("pays %s of a stake of %s first wagers, which is no multiplier of 64 bits", s.Multiplier, s.Stake)
	}
	return s.checkChoices(steps.MaxStake())
}

func (s *State) checkChoices(most money.Ratio) error {
	for i := range s.Choices {
		choice := &s.Choices[i]
		name := choice.Action.Get(ActionType).Text()
		if choice.Action.kind != ObjectKind || name == "" {
			return fmt.Errorf("offers %v, which is no object with a type", choice.Action)
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

// ofStake is the multiplier of everything that was staked; false where it is no ratio of
// 64 bits.
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
