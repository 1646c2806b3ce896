package game

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/fairness"
)

// trialStepped is how many rounds of its empty config a stepped game plays before it is
// offered, each once abandoned at its beginning and once by choices at random.
const trialStepped = 16

// trySteps plays a stepped game's empty config and holds it against what the game states.
func trySteps(g Game, rtp RTP) error {
	if _, ok := g.(Stepped); !ok {
		return nil
	}
	steps, err := Begin(g, Object(), 0)
	if err != nil {
		return fmt.Errorf("empty config, by steps: %w", err)
	}
	stated := steps.Return()
	switch {
	case stated.Best == nil:
		return errors.New("the return of its steps is missing")
	case stated.Best.Cmp(rtp.Max) > 0 || stated.Best.Cmp(rtp.Min) < 0:
		return fmt.Errorf("its steps return %s, stated are %s to %s", stated.Best, rtp.Min, rtp.Max)
	case stated.Least != nil && (stated.Least.Sign() < 0 || stated.Least.Cmp(stated.Best) > 0):
		return fmt.Errorf("its steps return at least %s and at best %s", stated.Least, stated.Best)
	case !AtOnce(g) && stated.Best.Cmp(rtp.Default) != 0:
		return fmt.Errorf("states a default RTP of %s, its steps of the empty config return %s", rtp.Default, stated.Best)
	}
	seed := fairness.ServerSeedFromText("trial")
	for nonce := range int64(trialStepped) {
		draws := func() Draws { return fairness.NewStream(seed, g.Rules(), nonce) }
		for _, choose := range []func(State) (Value, error){
			func(s State) (Value, error) { return Abandoned(steps, s) },
			chooser(fairness.NewStream(seed, g.Rules()+" by choice", nonce)),
		} {
			if err := tryRound(steps, draws, choose); err != nil {
				return fmt.Errorf("round %d of the trial, by steps: %w", nonce, err)
			}
		}
	}
	return nil
}

// tryRound plays a round to its end.
func tryRound(steps Steps, draws func() Draws, choose func(State) (Value, error)) error {
	var taken []Value
	state, err := at(steps, draws, nil)
	for err == nil && !state.Ended {
		var action Value
		if action, err = choose(state); err == nil {
			action, state, err = next(steps, draws, taken, state, action)
			taken = append(taken, action)
		}
	}
	return err
}

// chooser takes what is offered at random.
func chooser(random Draws) func(State) (Value, error) {
	return func(s State) (Value, error) {
		choice := &s.Choices[random.Pick(uint32(len(s.Choices)))]
		return choice.Pick(random), nil
	}
}

// Pick returns one of the actions that an offer stands for, picked by draws: for trials and
// for tests, which play at random.
func (o *Offer) Pick(random Draws) Value {
	members := make([]Member, 0, o.Action.Len()+len(o.Fields))
	for name, value := range o.Action.Members() {
		members = append(members, Member{name, value})
	}
	for i := range o.Fields {
		field := &o.Fields[i]
		members = append(members, Member{field.Name, pickOf(field.Shape, random)})
	}
	return Object(members...)
}

// pickOf returns a value of a shape.
func pickOf(shape Shape, random Draws) Value {
	switch shape := shape.(type) {
	case Flag:
		return Bool(random.Pick(2) == 1)
	case Number:
		span := new(big.Int).Sub(big.NewInt(shape.Max), big.NewInt(shape.Min))
		at := new(big.Int).SetUint64(uint64(random.Next())<<32 | uint64(random.Next()))
		at.Mod(at, span.Add(span, big.NewInt(1)))
		return Dec(at.Add(at, big.NewInt(shape.Min)).Int64(), shape.Decimals)
	case Choice:
		return shape.Of[random.Pick(uint32(len(shape.Of)))]
	case ListOf:
		return pickList(shape, random)
	case Record:
		members := make([]Member, len(shape.Fields))
		for i := range members {
			members[i] = Member{shape.Fields[i].Name, pickOf(shape.Fields[i].Shape, random)}
		}
		return Object(members...)
	}
	return Value{}
}

// pickList returns a list of any length that fits. A distinct one has as many items as
// were found in some tries, and at least those that it must have where there are so many.
func pickList(shape ListOf, random Draws) Value {
	wanted := shape.MinItems + int(random.Pick(uint32(shape.MaxItems-shape.MinItems+1)))
	var items []Value
	for tries := 0; len(items) < wanted && (tries < 4*wanted || len(items) < shape.MinItems && tries < DrawsMax); tries++ {
		item := pickOf(shape.Item, random)
		repeated := false
		for _, other := range items {
			repeated = repeated || shape.Distinct && other.Equal(item)
		}
		if !repeated {
			items = append(items, item)
		}
	}
	return List(items...)
}
