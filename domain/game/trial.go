package game

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/fairness"
)

const (
	// trialRounds is the number of trial rounds with a game's default config, besides the
	// rounds of the ends.
	trialRounds = 128
	// trialEnds is the length of the sequences of the extreme draws 0 and 2^32-1: every
	// such sequence is played, repeated as needed.
	trialEnds = 6
	// trialDoubt is x if a correct game is refused with a chance of e^-x: once in 10^12
	// games. The draws are constants, so a game is refused always or never.
	trialDoubt = 28
)

// boundedDraws are draws for a trial; they panic if a round takes too many.
type boundedDraws struct {
	next func() uint32
	left int
}

func (d *boundedDraws) Next() uint32 {
	if d.left == 0 {
		panic(fmt.Sprintf("a round asks for more than %d draws", DrawsMax))
	}
	d.left--
	return d.next()
}

func (d *boundedDraws) Pick(n uint32) uint32 { return uint32(uint64(d.Next()) * uint64(n) >> 32) }

// endDraws repeats the lowest bits of a pattern: 0 for a clear bit, else 2^32-1.
func endDraws(pattern int) func() uint32 {
	asked := 0
	return func() uint32 {
		bit := pattern >> (asked % trialEnds) & 1
		asked++
		return -uint32(bit)
	}
}

// tryDefaultConfig plays a game's default config, as for a request without a config, and
// checks it against the game's statements. The order of refusals is RTP, the plan's
// figures, the rounds of the ends, the rounds of a stream.
func tryDefaultConfig(g Game) (err error) {
	defer func() {
		if broke := recover(); broke != nil {
			err = fmt.Errorf("panicked: %v", broke)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", g.Rules(), err)
		}
	}()
	rtp := g.RTP()
	if err := rtp.checkPublishable(); err != nil {
		return err
	}
	if err := trySteps(g, rtp); err != nil || !AtOnce(g) {
		return err
	}
	plan, err := Prepare(g, Object(), 0)
	if err != nil {
		return fmt.Errorf("empty config: %w", err)
	}
	moments := plan.Moments()
	switch {
	case plan.MaxMultiplier().Den == 0:
		return errors.New("greatest multiplier is invalid: its denominator is 0")
	case moments.Mean == nil || moments.MeanSquare == nil:
		return errors.New("moments are missing")
	case moments.Mean.Cmp(rtp.Default) != 0:
		return fmt.Errorf("states a default RTP of %s, and a mean of %s for the empty config", rtp.Default, moments.Mean)
	case moments.Variance().Sign() < 0:
		return fmt.Errorf("variance %s is below 0", moments.Variance())
	}
	for pattern := range 1 << trialEnds {
		if _, err := Play(plan, &boundedDraws{endDraws(pattern), DrawsMax}); err != nil {
			return fmt.Errorf("draws of 0 and 2^32-1 in the order %0*b: %w", trialEnds, pattern, err)
		}
	}
	return tryRounds(g.Rules(), plan, moments)
}

// checkPublishable reports an RTP that can't be published.
func (r RTP) checkPublishable() error {
	switch {
	case r.Default == nil || r.Min == nil || r.Max == nil:
		return errors.New("RTP is missing")
	case r.Min.Sign() < 0 || r.Min.Cmp(r.Default) > 0 || r.Default.Cmp(r.Max) > 0:
		return fmt.Errorf("RTP is out of order: least %s, default %s, greatest %s", r.Min, r.Default, r.Max)
	case r.Max.Cmp(big.NewRat(1, 1)) > 0:
		return fmt.Errorf("RTP of up to %s is above 1", r.Max)
	}
	return nil
}

// tryRounds plays a stream's rounds and refuses a game that pays more than its figures
// allow. By Bernstein's inequality n rounds of mean m, variance v and greatest
// multiplier b exceed n·m by t with a chance of at most e^-(t²/2 / (n·v + b·t/3)).
func tryRounds(rules string, plan Plan, moments Moments) error {
	seed, paid := fairness.ServerSeedFromText("trial"), new(big.Rat)
	for nonce := range int64(trialRounds) {
		stream := fairness.NewStream(seed, rules, nonce)
		result, err := Play(plan, &boundedDraws{stream.Next, DrawsMax})
		if err != nil {
			return fmt.Errorf("round %d of the trial: %w", nonce, err)
		}
		if result.Multiplier.Num > 0 {
			paid.Add(paid, ratioToRat(result.Multiplier))
		}
	}
	rounds := big.NewRat(trialRounds, 1)
	excess := new(big.Rat).Sub(paid, new(big.Rat).Mul(rounds, moments.Mean))
	if excess.Sign() <= 0 {
		return nil
	}
	spread := new(big.Rat).Mul(rounds, moments.Variance())
	third := new(big.Rat).Mul(ratioToRat(plan.MaxMultiplier()), excess)
	spread.Add(spread, third.Quo(third, big.NewRat(3, 1)))
	if new(big.Rat).Mul(excess, excess).Cmp(spread.Mul(spread, big.NewRat(2*trialDoubt, 1))) > 0 {
		return fmt.Errorf("pays %s wagers in %d rounds, which is nearly impossible with its stated RTP of %s and variance of %s",
			paid.FloatString(2), trialRounds, moments.Mean.FloatString(4), moments.Variance().FloatString(4))
	}
	return nil
}

// trialStepped is the number of trial rounds with a stepped game's empty config, each
// once abandoned at its beginning and once by random choices.
const trialStepped = 16

// trySteps plays a stepped game's empty config and checks it against the game's
// statements.
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
			randomChooser(fairness.NewStream(seed, g.Rules()+" by choice", nonce)),
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
	state, err := foldState(steps, draws, nil)
	for err == nil && !state.Ended {
		var action Value
		if action, err = choose(state); err == nil {
			action, state, err = applyAction(steps, draws, taken, state, action)
			taken = append(taken, action)
		}
	}
	return err
}

// randomChooser takes random offers.
func randomChooser(random Draws) func(State) (Value, error) {
	return func(s State) (Value, error) {
		choice := &s.Choices[random.Pick(uint32(len(s.Choices)))]
		return choice.Pick(random), nil
	}
}

// Pick returns a random action of an offer, for trials and tests.
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

// pickOf returns a random value of a shape.
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

// pickList returns a list of random length. A distinct list has the items found in a
// limited number of tries, but at least its minimum if possible.
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
