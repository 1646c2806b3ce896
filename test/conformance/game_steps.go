package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// stepLaw is one sentence of the contract of stepped games.
type stepLaw struct {
	sentence string
	holds    func(*stepsSurvey) error
}

// stepLaws are the laws of a game that is game.Stepped.
var stepLaws = []stepLaw{
	{"the config of its steps is named and described", func(s *stepsSurvey) error { return describeFields("", s.game.StepFields()) }},
	{"a config of its steps that took effect begins again to the same effect", perSteps(stepsRoundTrip)},
	{"what its steps declare begins, or is refused by its field", stepsDeclared},
	{"what its steps don't declare is refused by its field", stepsStrange},
	{"a step ends without a panic for all draws", perSteps(none(stepBroke))},
	{"a state shows something, and offers what can be taken until it has ended", perSteps(none(stepShape))},
	{"no state pays or stakes more than the steps promise", perSteps(none(stepPromise))},
	{"the stake is the sum of the actions' stakes", perSteps(none(stepStake))},
	{"a round ends within so many steps", perSteps(none(stepEndless))},
	{"an abandoned round takes an offer that stakes nothing more", perSteps(none(stepAbandon))},
	{"a state's offers depend on what was shown, not on later draws", perSteps(none(stepFuture))},
	{"the same draws and actions come to the same", perSteps(stepsReplayAlike)},
	{"a round is folded without its stake", perSteps(stepsWithoutStake)},
	{"the return of the steps is stated, within that of the game", perSteps(stepsReturnStated)},
	{"every way of playing is paid at most the best and at least the least", perSteps(stepsReturnPaid)},
	{"a round's kept figures depend on what it shows, and have the return of its stake", perSteps(none(stepTheory))},
	{"a chance that is stated is what the draws give, and its prize is paid", perSteps(stepsChances)},
	{"a bound of what a round pays is kept, and keeps the return", perSteps(stepsBound)},
}

// perSteps checks a law on each config that was begun.
func perSteps(holds func(*stepConfig) error) func(*stepsSurvey) error {
	return func(s *stepsSurvey) error {
		var broken []error
		for _, c := range s.configs {
			if err := guarded(func() error { return holds(c) }); err != nil {
				broken = append(broken, fmt.Errorf("%v: %w", c.asked, err))
			}
		}
		if len(s.configs) == 0 {
			broken = append(broken, errors.New("no config was begun"))
		}
		return errors.Join(broken...)
	}
}

func none(d stepDefect) func(*stepConfig) error {
	return func(c *stepConfig) error { return c.seen[d] }
}

func stepsDeclared(s *stepsSurvey) error {
	var wrong []error
	for _, r := range s.refused {
		if !namesFieldOf(s.game.StepFields(), r.err, false) {
			wrong = append(wrong, fmt.Errorf("%v: %w, which names no declared field", r.config, r.err))
		}
	}
	return errors.Join(wrong...)
}

func stepsStrange(s *stepsSurvey) error {
	var wrong []error
	for _, config := range strangeConfigs(s.game.StepFields()) {
		_, err := begun(s.game, config)
		if err == nil {
			wrong = append(wrong, fmt.Errorf("%v begins", config))
		} else if !namesFieldOf(s.game.StepFields(), err, true) {
			wrong = append(wrong, fmt.Errorf("%v: %w, which names no field", config, err))
		}
	}
	return errors.Join(wrong...)
}

// foldedAtOnce is how many rounds are folded before they are compared.
const foldedAtOnce = 32

// foldedAlike compares two plays of the examined rounds.
func (c *stepConfig) foldedAlike(a, b game.Steps) error {
	for from := 0; from < c.looked; from += foldedAtOnce {
		if err := sameStates(c.folds(a, from), c.folds(b, from)); err != nil {
			return err
		}
	}
	return nil
}

// folds returns the states of some rounds, each after every action of a player who decides only
// by the offers.
func (c *stepConfig) folds(steps game.Steps, from int) (all []game.State) {
	for nonce := from; nonce < min(from+foldedAtOnce, c.looked); nonce++ {
		random := c.random(nonce)
		var actions []game.Value
		for len(actions) <= game.StepsMax {
			state, err := foldedAt(steps, c.stream(nonce), actions)
			all = append(all, state)
			if err != nil || state.Ended || stateIsWhole(state) != nil {
				break
			}
			actions = append(actions, state.Choices[random.Pick(uint32(len(state.Choices)))].Pick(random))
		}
	}
	return all
}

// sameStates compares two plays of the same rounds.
func sameStates(a, b []game.State) error {
	if len(a) != len(b) {
		return fmt.Errorf("the same rounds have %d states and then %d", len(a), len(b))
	}
	for i := range a {
		one, other := &a[i], &b[i]
		if !one.Shown.Equal(other.Shown) || one.Ended != other.Ended || one.Multiplier != other.Multiplier ||
			one.Stake != other.Stake || len(one.Choices) != len(other.Choices) {
			return fmt.Errorf("the same draws and actions gave %v, paying %s, and then %v, paying %s", one.Shown, one.Multiplier, other.Shown, other.Multiplier)
		}
	}
	return nil
}

// stepsReplayAlike folds rounds again, concurrently.
func stepsReplayAlike(c *stepConfig) error {
	for from := 0; from < c.looked; from += foldedAtOnce {
		once := c.folds(c.steps, from)
		again := make([]error, 3)
		var all sync.WaitGroup
		for i := range again {
			all.Go(func() { again[i] = sameStates(once, c.folds(c.steps, from)) })
		}
		all.Wait()
		if err := errors.Join(again...); err != nil {
			return err
		}
	}
	return nil
}

func stepsWithoutStake(c *stepConfig) error {
	staked, err := game.Begin(c.game, c.asked, 1_000_000)
	if err != nil {
		return fmt.Errorf("with a stake: %w", err)
	}
	return c.foldedAlike(c.steps, staked)
}

func stepsRoundTrip(c *stepConfig) error {
	again, err := begun(c.game, c.steps.Config())
	switch {
	case err != nil:
		return fmt.Errorf("took effect as %v: %w", c.steps.Config(), err)
	case !again.Config().Equal(c.steps.Config()):
		return fmt.Errorf("took effect as %v, and that as %v", c.steps.Config(), again.Config())
	case again.MaxMultiplier() != c.steps.MaxMultiplier() || again.MaxStake() != c.steps.MaxStake():
		return fmt.Errorf("took effect as %v, which promises otherwise", c.steps.Config())
	}
	return c.foldedAlike(c.steps, again)
}

func stepsReturnStated(c *stepConfig) error {
	stated, rtp := c.steps.Return(), c.game.RTP()
	switch {
	case stated.Best == nil || rtp.Min == nil || rtp.Max == nil || rtp.Default == nil:
		return errors.New("the return is missing")
	case stated.Best.Cmp(big.NewRat(1, 1)) > 0:
		return fmt.Errorf("%s is above 1", stated.Best)
	case stated.Best.Cmp(rtp.Min) < 0 || stated.Best.Cmp(rtp.Max) > 0:
		return fmt.Errorf("returns %s, stated are %s to %s", stated.Best, rtp.Min, rtp.Max)
	case stated.Least != nil && (stated.Least.Sign() < 0 || stated.Least.Cmp(stated.Best) > 0):
		return fmt.Errorf("returns at least %s and at best %s", stated.Least, stated.Best)
	case !game.AtOnce(c.game) && c.asked.Len() == 0 && stated.Best.Cmp(rtp.Default) != 0:
		return fmt.Errorf("returns %s, the stated default is %s", stated.Best, rtp.Default)
	}
	return nil
}

// stepsReturnPaid compares a sample with the stated returns: with prizes cut it may not exceed
// the best, and if all ways of playing return the same, the whole may not fall below the least
// (see sample.mean, with the mean square that the stated variances give).
func stepsReturnPaid(c *stepConfig) error {
	var wrong []error
	for player := range c.paid {
		if err := c.paid[player].returned(c.steps); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", stepPlayerNames[player], err))
		}
	}
	return errors.Join(wrong...)
}

func (s *stepSample) returned(steps game.Steps) error {
	stated := steps.Return()
	if s.rounds == 0 || stated.Best == nil {
		return errors.New("no round was played to its end, or no return is stated")
	}
	n := float64(s.rounds)
	best, _ := stated.Best.Float64()
	if over := s.over(stepCut + floatOf(steps.MaxStake())); s.cutSum/n > best+over {
		return fmt.Errorf("states %.6f at best, %d rounds pay %.6f with prizes cut at %d; a sound game would pay at most %.6f", best, s.rounds, s.cutSum/n, stepCut, best+over)
	}
	if stated.Least == nil {
		return nil
	}
	least, _ := stated.Least.Float64()
	if under := math.Sqrt(2 * sampleDoubt * (s.variance/n + best*best) / n); s.sum/n < least-under {
		return fmt.Errorf("states %.6f at least, %d rounds pay %.6f; a sound game of that variance would pay at least %.6f", least, s.rounds, s.sum/n, least-under)
	}
	return nil
}

// stepsChances counts steps that weren't lost. Each step is a separate bet, given what was shown
// before it.
func stepsChances(c *stepConfig) error {
	if err := c.seen[stepChance]; err != nil {
		return err
	}
	for player := range c.paid {
		s := &c.paid[player]
		within := sampleDoubt/3 + math.Sqrt(sampleDoubt*sampleDoubt/9+2*sampleDoubt*s.chanceVariance)
		if off := math.Abs(s.hits - s.chances); off > within {
			return fmt.Errorf("%.0f steps weren't lost, by the stated chances it were %.1f, %.1f more or less", s.hits, s.chances, within)
		}
	}
	return nil
}

// stepsBound limits rounds to some of their possible payouts, and plays them.
func stepsBound(c *stepConfig) error {
	capped, ok := c.steps.(game.Capped)
	if !ok {
		return nil
	}
	most := c.steps.MaxMultiplier()
	for _, bound := range []money.Ratio{most, {Num: most.Num, Den: most.Den * 2}, {Num: 5, Den: 1}, {Num: 2, Den: 1}, {Num: 3, Den: 2}, {Num: 1, Den: 2}} {
		steps, fits := capped.UpTo(bound)
		if !fits {
			continue
		}
		again, err := begun(c.game, steps.Config())
		switch {
		case steps.MaxMultiplier().Cmp(bound) > 0 || steps.MaxMultiplier().Cmp(most) > 0:
			return fmt.Errorf("bounded by %s it pays up to %s", bound, steps.MaxMultiplier())
		case err != nil:
			return fmt.Errorf("bounded by %s its config %v: %w", bound, steps.Config(), err)
		}
		under := newStepConfig(c.game, steps.Config(), steps, bentRounds)
		under.survey(stepRoundsEach)
		if err := errors.Join(append(under.seen[:], stepsReturnPaid(under), under.foldedAlike(steps, again))...); err != nil {
			return fmt.Errorf("bounded by %s: %w", bound, err)
		}
		if inner, outer := steps.Return(), c.steps.Return(); inner.Best.Cmp(outer.Best) > 0 || inner.Least == nil || inner.Least.Cmp(outer.Least) < 0 {
			return fmt.Errorf("bounded by %s it returns %v to %v, without %v to %v", bound, inner.Least, inner.Best, outer.Least, outer.Best)
		}
	}
	return nil
}

// stepCut is where prizes are cut, so that rare ones don't decide the result.
const stepCut = 16

// stepSample is the payouts of rounds, in first wagers and minus later stakes.
type stepSample struct {
	rounds int
	// sum adds the payouts, cutSum and cutSquares add them with prizes cut at stepCut, and
	// variance adds the variances of states.
	sum, cutSum, cutSquares, variance float64
	// hits is how often a step with a stated chance wasn't lost, chances the expected number,
	// with its variance.
	hits, chances, chanceVariance float64
}

// theory counts an ended round with the values that the kept figures sum up.
func (c *stepConfig) theory(r *stepRound, end game.State) {
	var theory game.Theory
	err := guarded(func() error { theory = c.steps.Theory(r.actions, end.Shown); return nil })
	best := c.steps.Return().Best
	if err == nil && best != nil {
		if want := game.TheoryOf(best, new(big.Rat), end.Stake).RTPPartsPerBillion; theory.RTPPartsPerBillion != want {
			err = fmt.Errorf("keeps a return of %d parts per billion, that of %s first wagers is %d", theory.RTPPartsPerBillion, end.Stake, want)
		}
	}
	c.note(stepTheory, at(r, err))
	c.paid[r.player].add(end, float64(theory.VariancePartsPerBillion)/1e9)
}

// add counts a round's payout, and the variance per staked unit.
func (s *stepSample) add(end game.State, variance float64) {
	pays, staked := floatOf(end.Multiplier), floatOf(end.Stake)
	s.rounds++
	s.sum += pays - (staked - 1)
	cut := min(pays, stepCut) - (staked - 1)
	s.cutSum += cut
	s.cutSquares += cut * cut
	s.variance += variance * staked * staked
}

func floatOf(r money.Ratio) float64 { return float64(r.Num) / float64(r.Den) }

// over returns how far the mean of the cut payouts may exceed its expectation, by their own
// variance (the empirical Bernstein bound), with a chance of e^-sampleDoubt.
func (s *stepSample) over(span float64) float64 {
	n := float64(s.rounds)
	mean := s.cutSum / n
	variance := max(0, s.cutSquares/n-mean*mean)
	return math.Sqrt(2*variance*(sampleDoubt+1)/n) + 7*span*(sampleDoubt+1)/(3*(n-1))
}
