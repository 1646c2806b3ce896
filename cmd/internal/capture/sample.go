package capture

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/statistics"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// sample is the data of a round for the statistics.
type sample struct {
	config        int
	wager, payout float64
	// first is the first draw of the round, and odds are those of its plan; nil for a stepped
	// round, because its return depends on the actions.
	first uint32
	odds  *odds
}

// odds are the figures of a plan as floating-point numbers.
type odds struct {
	mean, square, variance, most float64
	// chance is the probability of the greatest multiplier, known whether it is stated. two
	// means that a round pays either the greatest multiplier or nothing.
	chance     float64
	known, two bool
}

// oddsOf reads the figures of a plan. A round pays either the maximum M or nothing if and
// only if the mean square is M times the mean: E X(M-X) is then 0, and every X is within 0
// … M.
func oddsOf(plan game.Plan) *odds {
	moments := plan.Moments()
	most := plan.MaxMultiplier()
	greatest := new(big.Rat).SetFrac(new(big.Int).SetUint64(most.Num), new(big.Int).SetUint64(most.Den))
	float := func(r *big.Rat) float64 { f, _ := r.Float64(); return f }
	o := &odds{
		mean: float(moments.Mean), square: float(moments.MeanSquare), variance: float(moments.Variance()), most: float(greatest),
		two: new(big.Rat).Mul(greatest, moments.Mean).Cmp(moments.MeanSquare) == 0,
	}
	if of, ok := plan.(game.KnownChance); ok {
		o.chance, o.known = float(of.GreatestChance()), true
	}
	return o
}

// counting counts draws by their upper byte.
type counting struct {
	*fairness.Stream
	counts []int
}

// Next implements game.Draws.
func (d counting) Next() uint32 {
	k := d.Stream.Next()
	d.counts[k>>24]++
	return k
}

// Pick implements game.Draws.
func (d counting) Pick(n uint32) uint32 { return uint32(uint64(d.Next()) * uint64(n) >> 32) }

// addSample adds a round to the statistics: its payout, and the draws of its seeds.
func (c *checker) addSample(p *pair, r *answered) {
	of := c.configs[r.config]
	if of == nil || r.round.Wager <= 0 {
		return
	}
	nonce := r.nonce()
	if c.draws[of.gameType] == nil {
		c.draws[of.gameType] = make([]int, 256)
	}
	taken := sample{
		config: r.config, wager: float64(r.round.Wager), payout: float64(r.round.Payout),
		first: p.stream(nonce).Next(),
	}
	draws := counting{p.stream(nonce), c.draws[of.gameType]}
	if len(r.states) > 0 {
		draws.Next() // stepped rounds may not have used all draws
	} else {
		plan, err := verifier.Plan(c.games, of.gameType, of.rules, r.asked.Config, money.Amount(r.asked.Wager))
		if err != nil {
			return // reported for the round
		}
		if _, err := game.Play(plan, draws); err != nil {
			return // a round that can't be decided is void and is reported
		}
		taken.odds = c.oddsFor(r.config, r.asked.Wager, plan)
	}
	c.samples = append(c.samples, taken)
}

// oddsFor returns the odds of a config's plan, which are computed once for a wager.
func (c *checker) oddsFor(config int, wager int64, plan game.Plan) *odds {
	key := fmt.Sprint(config, " ", wager)
	if c.odds[key] == nil {
		c.odds[key] = oddsOf(plan)
	}
	return c.odds[key]
}

// expectedMin is the minimum expected count of a value for a comparison of counts.
const expectedMin = 20

// cellsOf merges counts of 256 values until each is expected often enough. It returns nil
// if there are too few.
func cellsOf(counts []int) []int {
	total := 0
	for _, n := range counts {
		total += n
	}
	for len(counts) > 1 && total < expectedMin*len(counts) {
		half := make([]int, len(counts)/2)
		for i, n := range counts {
			half[i/2] += n
		}
		counts = half
	}
	if len(counts) < 4 {
		return nil
	}
	return counts
}

// serialMin is the number of draws from which the correlation is nearly normal.
const serialMin = 100

// testStatistics tests the results of the rounds, and reports results that are too unlikely
// at the level of all tests together.
func (c *checker) testStatistics() {
	byGame, byConfig := map[string][]sample{}, map[int][]sample{}
	for _, s := range c.samples {
		gameType := c.configs[s.config].gameType
		byGame[gameType], byConfig[s.config] = append(byGame[gameType], s), append(byConfig[s.config], s)
	}
	all := make([]int, 256)
	for _, gameType := range c.report.Header.Games {
		samples := byGame[gameType]
		if len(samples) == 0 {
			continue
		}
		for i, n := range c.draws[gameType] {
			all[i] += n
		}
		c.addTest(Test{Game: gameType, Test: "chi-square of all draws"}, chiSquare(c.draws[gameType]))
		c.testSequence(Test{Game: gameType}, samples)
		c.testReturns(Test{Game: gameType, Test: "return"}, samples)
		c.testStakes(gameType, samples)
		for _, number := range c.configNumbers(gameType) {
			c.ofConfig(number, byConfig[number])
		}
		c.summarizeGame(gameType, samples)
	}
	c.addTest(Test{Test: "chi-square of all draws"}, chiSquare(all))
	c.testSequence(Test{}, c.samples)
	c.testReturns(Test{Test: "return"}, c.samples)
	c.judgeTests(checkStatistics, c.report.Tests, c.report.Level, "")
}

// configNumbers returns the configs of a game in order.
func (c *checker) configNumbers(gameType string) (numbers []int) {
	for number, of := range c.configs {
		if of.gameType == gameType {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// ofConfig tests the rounds of one config.
func (c *checker) ofConfig(number int, samples []sample) {
	if len(samples) == 0 {
		c.report.NotPlayed = append(c.report.NotPlayed, c.configs[number].gameType+" "+c.configs[number].text)
		return
	}
	first := make([]int, 256)
	for _, s := range samples {
		first[s.first>>24]++
	}
	of := Test{Game: c.configs[number].gameType, Config: c.configs[number].text, Test: "chi-square of first draws"}
	c.addTest(of, chiSquare(first))
	o := samples[0].odds
	if o == nil {
		return
	}
	if o.known && !slices.ContainsFunc(samples, func(s sample) bool { return s.odds.chance != o.chance || s.odds.most != o.most }) {
		reached := 0
		for _, s := range samples {
			if s.payout+1 > s.wager*s.odds.most { // payouts are rounded down to a unit
				reached++
			}
		}
		of.Test = "greatest multiplier"
		c.addTest(of, statistics.Binomial(reached, len(samples), o.chance))
		if o.two { // then the binomial test covers the return
			return
		}
	}
	of.Test = "return"
	c.testReturns(of, samples)
}

// testSequence tests first draws in the order of their rounds.
func (c *checker) testSequence(of Test, samples []sample) {
	if len(samples) < serialMin {
		return
	}
	draws := make([]uint32, len(samples))
	for i, s := range samples {
		draws[i] = s.first
	}
	of.Test = "runs of first draws"
	c.addTest(of, statistics.Runs(draws))
	of.Test = "serial correlation of first draws"
	c.addTest(of, statistics.Serial(draws))
}

// testStakes tests the rounds with the smallest and the greatest stake separately.
func (c *checker) testStakes(gameType string, samples []sample) {
	byWager := func(a, b sample) int { return cmp.Compare(a.wager, b.wager) }
	least, most := slices.MinFunc(samples, byWager).wager, slices.MaxFunc(samples, byWager).wager
	if least == most {
		return
	}
	of := func(wager float64) []sample {
		return slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.wager != wager })
	}
	c.testReturns(Test{Game: gameType, Test: "return at the smallest stake"}, of(least))
	c.testReturns(Test{Game: gameType, Test: "return at the greatest stake"}, of(most))
}

// testReturns tests the payouts in relation to the wagers. Each is weighted by the inverse
// of its mean square, so that rare payouts of a thousandfold don't hide the others.
// Rounding to whole units is allowed for.
func (c *checker) testReturns(of Test, samples []sample) {
	var claimed statistics.Mean
	sum, cut := 0.0, 0.0
	for _, s := range samples {
		if s.odds == nil || s.odds.square == 0 {
			continue
		}
		weight := 1 / s.odds.square
		claimed.Sum += weight * s.odds.mean
		claimed.Square += weight * weight * s.odds.square
		claimed.Variance += weight * weight * s.odds.variance
		claimed.Most = max(claimed.Most, weight*(s.odds.most-s.odds.mean))
		sum += weight * s.payout / s.wager
		cut += weight / s.wager
	}
	if claimed.Square == 0 {
		return
	}
	if sum < claimed.Sum {
		sum = min(sum+cut, claimed.Sum)
	}
	c.addTest(of, claimed.Of(sum))
}

func chiSquare(counts []int) float64 {
	if cells := cellsOf(counts); cells != nil {
		return statistics.ChiSquare(cells)
	}
	return untested
}

// untested marks a sample that is too small.
const untested = -1

// addTest adds a test to the report.
func (c *checker) addTest(of Test, p float64) {
	if p != untested {
		of.P = p
		c.report.Tests = append(c.report.Tests, of)
	}
}

// judgeTests refuses tests at the level of all of them together. A finding says what follows.
func (c *checker) judgeTests(check string, tests []Test, level float64, follows string) {
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = tests[i].P
	}
	for i, refused := range statistics.Holm(p, level) {
		if tests[i].Refused = refused; refused {
			c.addFinding(check, finding{}, "%s: %sthe sample has a probability of %.2g, less than Holm's bound for one of %d tests at a level of %g for all",
				tests[i].testName(), follows, p[i], len(p), level)
		}
	}
}

// summarizeGame adds a game to the report.
func (c *checker) summarizeGame(gameType string, samples []sample) {
	of := Game{Game: gameType, Rounds: len(samples)}
	configs := map[int]bool{}
	expected, known := 0.0, true
	for _, s := range samples {
		configs[s.config] = true
		of.Wagered, of.Paid = of.Wagered+int64(s.wager), of.Paid+int64(s.payout)
		if known = known && s.odds != nil; known {
			expected += s.wager * s.odds.mean
		}
	}
	of.Configs, of.Returned = len(configs), float64(of.Paid)/float64(of.Wagered)
	if known {
		of.Expected = expected / float64(of.Wagered)
	}
	c.report.Games = append(c.report.Games, of)
}
