package capture

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/cmd/internal/statistics"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// ask is a bet that was sent while a nonce of its pair waited.
type ask struct {
	line, config int
	asked        Asked
	nonce        int64
	// again is how many bets were asked at the nonce before it.
	again    int
	declined bool
}

// addAsk notes a bet at the pair's waiting nonce.
func (p *pair) addAsk(config int, asked Asked, line int, declined bool) {
	next := ask{line: line, config: config, asked: asked, nonce: int64(len(p.rounds)), declined: declined}
	if n := len(p.asks); n > 0 && p.asks[n-1].nonce == next.nonce {
		next.again = p.asks[n-1].again + 1
	}
	p.asks = append(p.asks, next)
}

// stream gives the draws of a revealed pair's nonce.
func (p *pair) stream(nonce int64) *fairness.Stream {
	return fairness.NewStream(fairness.ServerSeedFromText(p.reveal.ServerSeed), p.clientSeed, nonce)
}

// outcome is what a bet that was taken, or not, comes to by its seeds.
type outcome struct {
	config   int
	again    int
	declined bool
	// multiplier is what it pays in wagers; of a round that is played step by step, which
	// depends on its actions, category is its first draw's instead.
	multiplier float64
	steps      bool
	category   int
	chance     float64 // of the only multiplier that pays, 0 where there are several
	mean       statistics.Mean
}

// againMax is how many bets at one nonce are counted: the first, and the one after it.
const againMax = 2

// addOutcomes recomputes the bets of a revealed pair, those that weren't taken at the nonce
// that waited for them.
func (c *checker) addOutcomes(p *pair) {
	for _, a := range p.asks {
		of := c.configs[a.config]
		if of == nil || a.again >= againMax {
			continue
		}
		o := outcome{config: a.config, again: a.again, declined: a.declined, steps: of.name == stepped, category: int(p.stream(a.nonce).Next() >> firstShift)}
		if !o.steps {
			plan, result, err := c.wouldBe(p, of, a.asked, a.nonce)
			if err != nil {
				continue // said of the bet
			}
			o.multiplier = float64(result.Multiplier.Num) / float64(max(1, result.Multiplier.Den))
			o.chance, o.mean = c.expectation(a, plan)
		}
		c.outcomes = append(c.outcomes, o)
		c.countCheck(checkSelection)
	}
}

// firstShift leaves the upper four bits of a draw.
const firstShift = 28

// expectation returns the chance of winning where all wins are of one multiplier, and the
// moments of what the bet pays.
func (c *checker) expectation(a ask, plan game.Plan) (chance float64, mean statistics.Mean) {
	key := fmt.Sprint(a.config, " ", a.asked.Wager)
	o := c.odds[key]
	if o == nil {
		o = oddsOf(plan)
		c.odds[key] = o
	}
	if o.known && o.two {
		chance = o.chance
	}
	return chance, statistics.Mean{Sum: o.mean, Square: o.square, Variance: o.variance, Most: o.most - o.mean}
}

// selectionLevel is the level of all tests together whether refusals depend on outcomes: an
// honest service is accused in one of a million captures.
const selectionLevel = 1e-6

// testSelection tests whether the bets that weren't taken are others than those that were,
// by what they would have paid. An honest house decides before anything is drawn, so that
// which bets it refuses doesn't depend on their outcomes. Each nonce counts once in a test:
// bets at one nonce share its draws.
func (c *checker) testSelection() {
	var tests []Test
	for _, gameType := range append(slices.Clone(c.report.Header.Games), "") {
		for again := range againMax {
			of := c.outcomesOf(gameType, again)
			if again == 0 && gameType != "" {
				c.summarizeDeclined(gameType, of)
			}
			if !slices.ContainsFunc(of, func(o outcome) bool { return o.declined }) {
				continue
			}
			which := ""
			if again > 0 {
				which = ", asked again"
			}
			for _, t := range testDeclined(of) {
				tests = append(tests, Test{Game: gameType, Test: t.Test + which, P: t.P})
			}
		}
	}
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = tests[i].P
	}
	for i, refused := range statistics.Holm(p, selectionLevel) {
		if tests[i].Refused = refused; refused {
			c.addFinding(checkSelection, finding{}, "%s: which bets were refused or left unanswered depends on what they would have paid. By chance that is seen once in %.2g captures; the bound is Holm's for %d tests at a level of %g for all",
				tests[i].testName(), 1/max(tests[i].P, 1e-300), len(p), selectionLevel)
		}
	}
	c.report.Selection = tests
}

// outcomesOf are those of a game, or of all, that were asked in this place at their nonces.
func (c *checker) outcomesOf(gameType string, again int) (of []outcome) {
	for _, o := range c.outcomes {
		if o.again == again && (gameType == "" || c.configs[o.config].gameType == gameType) {
			of = append(of, o)
		}
	}
	return of
}

// testDeclined tests outcomes of which some were declined.
func testDeclined(of []outcome) (tests []Test) {
	strata, kinds, values := map[int]*statistics.Stratum{}, map[int]*statistics.Contingency{}, map[int][]float64{}
	for _, o := range of {
		if strata[o.config] == nil {
			strata[o.config], kinds[o.config] = &statistics.Stratum{}, &statistics.Contingency{}
		}
		if value := o.value(); !slices.Contains(values[o.config], value) {
			values[o.config] = append(values[o.config], value)
		}
	}
	for config, all := range values {
		slices.Sort(all)
		kinds[config].Chosen, kinds[config].Others = make([]int, len(all)), make([]int, len(all))
	}
	var chances []float64
	var mean statistics.Mean
	known, paid := 0, 0.0
	for _, o := range of {
		at, _ := slices.BinarySearch(values[o.config], o.value())
		if s := strata[o.config]; o.declined {
			kinds[o.config].Chosen[at]++
			s.Add(o.won(), true)
			if o.chance > 0 {
				chances, known = append(chances, o.chance), known+count(o.won())
			}
			if o.mean.Square > 0 {
				weight := 1 / o.mean.Square
				mean.Sum, mean.Square, mean.Variance = mean.Sum+weight*o.mean.Sum, mean.Square+weight*weight*o.mean.Square, mean.Variance+weight*weight*o.mean.Variance
				mean.Most, paid = max(mean.Most, weight*o.mean.Most), paid+weight*o.multiplier
			}
		} else {
			kinds[o.config].Others[at]++
			s.Add(o.won(), false)
		}
	}
	if slices.ContainsFunc(of, func(o outcome) bool { return o.declined && !o.steps }) {
		tests = append(tests, Test{Test: "wins among refused bets", P: statistics.Chosen(sortedValues(strata))})
	}
	if len(chances) > 0 {
		tests = append(tests, Test{Test: "wins of refused bets against their chances", P: statistics.Trials(chances, known)})
	}
	if mean.Square > 0 {
		tests = append(tests, Test{Test: "return of refused bets", P: mean.Of(paid)})
	}
	if p, compared := statistics.SameShares(sortedValues(kinds), expectedMin); compared {
		tests = append(tests, Test{Test: "chi-square of multipliers of refused bets", P: p})
	}
	return tests
}

// value is what outcomes are told apart by.
func (o outcome) value() float64 {
	if o.steps {
		return float64(o.category)
	}
	return o.multiplier
}

// won reports whether the bet pays more than its wager.
func (o outcome) won() bool { return !o.steps && o.multiplier > 1 }

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// sortedValues are the values of a map, in the order of their keys.
func sortedValues[T any](of map[int]*T) (all []T) {
	keys := make([]int, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		all = append(all, *of[key])
	}
	return all
}

// summarizeDeclined adds to the report what the bets of a game that weren't taken come to.
func (c *checker) summarizeDeclined(gameType string, of []outcome) {
	sum := Declined{Game: gameType}
	for _, o := range of {
		switch {
		case o.steps:
		case o.declined:
			sum.Bets, sum.Won, sum.Paid = sum.Bets+1, sum.Won+count(o.won()), sum.Paid+o.multiplier
		default:
			sum.Taken, sum.TakenWon = sum.Taken+1, sum.TakenWon+count(o.won())
		}
	}
	if sum.Bets > 0 {
		sum.Paid /= float64(sum.Bets)
		c.report.Declined = append(c.report.Declined, sum)
	}
}
