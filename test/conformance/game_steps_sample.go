package conformance

import (
	"fmt"
	"math"
	"math/big"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// stepCut is where prizes are cut, so that rare ones decide nothing.
const stepCut = 16

// stepSample is what rounds paid, in first wagers and less what was staked later.
type stepSample struct {
	rounds int
	// sum adds what was paid, cutSum and cutSquares with prizes cut at stepCut, and variance
	// what states say.
	sum, cutSum, cutSquares, variance float64
	// hits and chances are how often a step with a stated chance wasn't lost and how often
	// it would be on the average, with the variance of that.
	hits, chances, chanceVariance float64
}

// theory counts a round that has ended, with what kept figures add up for it.
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

// add counts what a round paid, and the variance of a unit that it staked.
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

// over is how far the mean of the cut payouts may exceed their expectation, by their own
// variance (the empirical Bernstein bound), with a chance of e^-sampleDoubt.
func (s *stepSample) over(span float64) float64 {
	n := float64(s.rounds)
	mean := s.cutSum / n
	variance := max(0, s.cutSquares/n-mean*mean)
	return math.Sqrt(2*variance*(sampleDoubt+1)/n) + 7*span*(sampleDoubt+1)/(3*(n-1))
}
