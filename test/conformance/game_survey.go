package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

const (
	// gameRounds and gameRoundsEach are how many rounds are sampled of the empty config and of
	// each other one that can't be counted.
	gameRounds, gameRoundsEach = 1 << 18, 1 << 13
	// gameRoundsTried rounds are played of every config, and all sequences of gameEnds draws of 0
	// and 2^32-1.
	gameRoundsTried, gameEnds = 64, 8
)

// defect is a way in which a round breaks the contract.
type defect int

const (
	broke defect = iota
	noNumber
	passed
	blank
	defects
)

// gameSurvey holds the measurements of a game before they are judged.
type gameSurvey struct {
	game game.Game
	// configs begins with the empty one.
	configs []*configSurvey
	// refused are declared configs that were not planned.
	refused []refusedConfig
}

type refusedConfig struct {
	config game.Value
	err    error
}

// configSurvey holds the measurements of one config.
type configSurvey struct {
	game  game.Game
	asked game.Value
	plan  game.Plan
	// greatest is the plan's stated maximum payout.
	greatest money.Ratio
	// most is the greatest multiplier that occurred.
	most money.Ratio
	// seen is the first round with each defect, or nil.
	seen [defects]error

	// how says how the return was measured, and counted that it is exact.
	how     string
	counted bool
	// mean and square are those of the multiplier if they were counted, and chance is that of the
	// greatest one.
	mean, square, chance *big.Rat
	sample               sample
}

func surveyGame(g game.Game, short bool) *gameSurvey {
	s := &gameSurvey{game: g}
	for i, asked := range declaredConfigs(g.Fields(), g.Rules()) {
		plan, err := prepared(g, asked)
		if err != nil {
			s.refused = append(s.refused, refusedConfig{asked, err})
			continue
		}
		c := &configSurvey{game: g, asked: asked, plan: plan, most: money.Ratio{Den: 1}}
		rounds := gameRoundsEach
		if i == 0 {
			rounds = gameRounds
		}
		if short {
			rounds /= 8
		}
		if err := guarded(func() error { c.survey(rounds); return nil }); err != nil {
			c.note(broke, err)
		}
		s.configs = append(s.configs, c)
	}
	return s
}

// prepared plans a config without a stake, and returns a panic as an error.
func prepared(g game.Game, config game.Value) (plan game.Plan, err error) {
	err = guarded(func() error {
		plan, err = game.Prepare(g, config, 0)
		return err
	})
	if err == nil && plan == nil {
		err = errors.New("neither a plan nor a refusal")
	}
	return plan, err
}

func (c *configSurvey) survey(rounds int) {
	c.greatest = c.plan.MaxMultiplier()
	for pattern := range 1 << gameEnds {
		c.play(endsOf(pattern))
	}
	for nonce := range gameRoundsTried {
		c.play(c.stream(nonce))
	}
	switch {
	case c.countTree() || c.countSteps():
		c.counted = true
	default:
		c.sample.take(c, rounds)
	}
	if shown, ok := c.game.(GreatestDraws); ok && c.most.Cmp(c.greatest) < 0 {
		c.play(drawsOf(shown.GreatestDraws(c.plan)))
	}
}

func (c *configSurvey) note(d defect, err error) {
	if c.seen[d] == nil {
		c.seen[d] = err
	}
}

// play plays one round and records its defects. It returns false if the round has no multiplier.
func (c *configSurvey) play(draws *gameDraws) (money.Ratio, bool) {
	var result game.Result
	if err := guarded(func() error { result = c.plan.Play(draws); return nil }); err != nil {
		c.note(broke, fmt.Errorf("%s: %w", draws.name(), err))
		return money.Ratio{}, false
	}
	if result.Outcome.Kind() == game.Absent {
		c.note(blank, fmt.Errorf("%s: no outcome is shown", draws.name()))
	}
	multiplier := result.Multiplier
	if multiplier == (money.Ratio{}) {
		multiplier.Den = 1
	}
	if multiplier.Den == 0 {
		c.note(noNumber, fmt.Errorf("%s: pays %d/0", draws.name(), multiplier.Num))
		return money.Ratio{}, false
	}
	if multiplier.Cmp(c.greatest) > 0 {
		c.note(passed, fmt.Errorf("%s: pays %s, stated are at most %s", draws.name(), multiplier, c.greatest))
	}
	if multiplier.Cmp(c.most) > 0 {
		c.most = multiplier
	}
	return multiplier, true
}

// moments returns the plan's stated moments.
func (c *configSurvey) moments() (moments game.Moments, err error) {
	err = guarded(func() error { moments = c.plan.Moments(); return nil })
	if err == nil && (moments.Mean == nil || moments.MeanSquare == nil) {
		err = errors.New("moments are missing")
	}
	return moments, err
}

// agree reports whether a stated value is the counted one, within the tolerance of a Nearly.
func (c *configSurvey) agree(stated, counted *big.Rat) bool {
	near, ok := c.plan.(game.Nearly)
	if !ok {
		return stated.Cmp(counted) == 0
	}
	apart := new(big.Rat).Sub(stated, counted)
	return apart.Abs(apart).Cmp(new(big.Rat).Mul(counted, near.Within())) <= 0
}

// nearEnough refuses a plan that states less than a millionth of what the draws give.
func nearEnough(c *configSurvey) error {
	near, ok := c.plan.(game.Nearly)
	if !ok {
		return nil
	}
	if within := near.Within(); within == nil || within.Sign() < 0 || within.Cmp(big.NewRat(1, 1_000_000)) > 0 {
		return fmt.Errorf("within %v of itself", within)
	}
	return nil
}

func (c *configSurvey) meanIsPaid() error {
	moments, err := c.moments()
	switch {
	case err != nil:
		return err
	case !c.counted && c.sample.rounds == 0:
		return errors.New("no round could be played")
	case !c.counted:
		return c.sample.mean(moments)
	case !c.agree(moments.Mean, c.mean):
		return fmt.Errorf("states %s, the draws pay %s = %s (%s)", moments.Mean, c.mean, c.mean.FloatString(9), c.how)
	}
	return nil
}

func (c *configSurvey) squareIsPaid() error {
	moments, err := c.moments()
	switch {
	case err != nil:
		return err
	case !c.counted && c.sample.rounds == 0:
		return errors.New("no round could be played")
	case !c.counted:
		return c.sample.square(moments)
	case !c.agree(moments.MeanSquare, c.square):
		return fmt.Errorf("states a mean square of %s, the draws give %s (%s)", moments.MeanSquare, c.square, c.how)
	}
	return nil
}

// chanceIsPaid compares the stated chance of the greatest multiplier with the count; for a sample
// it only checks that it is a chance, and not greater than the mean allows.
func (c *configSurvey) chanceIsPaid() error {
	stated, ok := c.plan.(game.KnownChance)
	if !ok {
		return nil
	}
	chance := stated.GreatestChance()
	switch {
	case chance == nil || chance.Sign() < 0 || chance.Cmp(big.NewRat(1, 1)) > 0:
		return fmt.Errorf("a chance of %v", chance)
	case c.counted && c.greatest.Num > 0 && !c.agree(chance, c.chance):
		return fmt.Errorf("states %s, the draws give %s (%s)", chance, c.chance, c.how)
	}
	moments, err := c.moments()
	most, isNumber := rationalOf(c.greatest)
	if err != nil || !isNumber {
		return err
	}
	if paid := most.Mul(most, chance); paid.Cmp(moments.Mean) > 0 {
		return fmt.Errorf("with a chance of %s the greatest multiplier alone pays %s, above the mean of %s", chance, paid, moments.Mean)
	}
	return nil
}

// sample is the payouts of a stream of rounds.
type sample struct {
	rounds int
	// sum adds multipliers; cutSum and cutSquares add multipliers and squares, each limited by
	// its cut.
	sum, cutSum, cutSquares float64
	cut, cutSquare          float64
}

// sampleDoubt is x where a correct game fails a bound with a chance of e^-x, once in 10^9;
// sampleExcess is by which part of itself a mean square may be exceeded.
const sampleDoubt, sampleExcess = 21, 0.25

// take plays the rounds. The effect of a single prize is cut, because the bounds of overpayment
// widen with the greatest prize: a game that returns m on average returns at most m with prizes
// cut.
func (s *sample) take(c *configSurvey, rounds int) {
	c.how = fmt.Sprintf("sampled in %d rounds", rounds)
	square := 1.0
	if moments, err := c.moments(); err == nil {
		square, _ = moments.MeanSquare.Float64()
	}
	s.rounds = rounds
	s.cut = math.Sqrt(float64(rounds) * square / (4 * sampleDoubt))
	s.cutSquare = float64(rounds) * square / sampleDoubt * sampleExcess * sampleExcess / (2 + 2*sampleExcess/3)
	for nonce := range rounds {
		multiplier, _ := c.play(c.stream(gameRoundsTried + nonce))
		if multiplier.Num == 0 {
			continue
		}
		pays := float64(multiplier.Num) / float64(multiplier.Den)
		s.sum += pays
		s.cutSum += min(pays, s.cut)
		s.cutSquares += min(pays*pays, s.cutSquare)
	}
}

// mean compares the sample with the stated mean. With n rounds of mean m and mean
// square q of multipliers that aren't negative, and x for sampleDoubt, the sum
// falls below n·m - √(2·x·n·q) with a chance of at most e^-x, because e^-y is at
// most 1 - y + y²/2; and with multipliers cut at b it exceeds n·m + t, where
// t²/2 = x·(n·q + b·t/3), with a chance of at most e^-x (Bernstein's inequality).
func (s *sample) mean(stated game.Moments) error {
	m, _ := stated.Mean.Float64()
	q, _ := stated.MeanSquare.Float64()
	n := float64(s.rounds)
	under := math.Sqrt(2 * sampleDoubt * n * q)
	over := exceeds(n*q, s.cut)
	if s.sum < n*m-under || s.cutSum > n*m+over {
		return fmt.Errorf("states %.6f, %d rounds pay %.6f a round (%.6f with prizes cut at %.1f); a sound game would pay %.6f to %.6f",
			m, s.rounds, s.sum/n, s.cutSum/n, s.cut, m-under/n, m+over/n)
	}
	return nil
}

// square compares the sample with the stated mean square. A sample only shows an understated one:
// the part of a prize too rare to occur is unknown.
func (s *sample) square(stated game.Moments) error {
	q, _ := stated.MeanSquare.Float64()
	n := float64(s.rounds)
	// The squares, cut at b, have a mean square of at most b·q.
	if over := exceeds(n*q*s.cutSquare, s.cutSquare); s.cutSquares > n*q+over {
		return fmt.Errorf("states a mean square of %.6f, %d rounds have %.6f with squares cut at %.1f; a sound game would have at most %.6f",
			q, s.rounds, s.cutSquares/n, s.cutSquare, q+over/n)
	}
	return nil
}

// exceeds returns the t of t²/2 = x·(spread + cut·t/3), for x = sampleDoubt.
func exceeds(spread, cut float64) float64 {
	half := sampleDoubt * cut / 3
	return half + math.Sqrt(half*half+2*sampleDoubt*spread)
}

// stream returns the draws of one of the config's rounds.
func (c *configSurvey) stream(nonce int) *gameDraws {
	stream := fairness.NewStream(fairness.ServerSeedFromText("conformance"), c.game.Rules(), int64(nonce))
	name := func() string { return fmt.Sprintf("round %d", nonce) }
	return &gameDraws{name: name, next: stream.Next}
}

// trials are draws that every config is played with more than once.
func (c *configSurvey) trials() []func() *gameDraws {
	var all []func() *gameDraws
	for pattern := range 1 << gameEnds {
		all = append(all, func() *gameDraws { return endsOf(pattern) })
	}
	for nonce := range gameRoundsTried {
		all = append(all, func() *gameDraws { return c.stream(nonce) })
	}
	return all
}

// results plays the trials; a round that panics has no result.
func (c *configSurvey) results(plan game.Plan) []game.Result {
	var all []game.Result
	for _, draws := range c.trials() {
		var result game.Result
		_ = guarded(func() error { result = plan.Play(draws()); return nil }) // another law checks panics
		all = append(all, result)
	}
	return all
}

// alike compares two plans' figures and the results of the same draws.
func alike(a, b []game.Result) error {
	for i := range a {
		if !a[i].Outcome.Equal(b[i].Outcome) || a[i].Multiplier != b[i].Multiplier {
			return fmt.Errorf("the same draws gave %v, paying %s, and then %v, paying %s",
				a[i].Outcome, a[i].Multiplier, b[i].Outcome, b[i].Multiplier)
		}
	}
	return nil
}

// replaysAlike plays the trials again, concurrently.
func replaysAlike(c *configSurvey) error {
	once := c.results(c.plan)
	again := make([]error, 3)
	var all sync.WaitGroup
	for i := range again {
		all.Go(func() { again[i] = alike(once, c.results(c.plan)) })
	}
	all.Wait()
	return errors.Join(again...)
}

// stakeDecidesNothing plans again with a stake. A config that holds amounts may be refused for
// it.
func stakeDecidesNothing(c *configSurvey) error {
	staked, err := game.Prepare(c.game, c.asked, 1_000_000)
	if err != nil {
		return nil //nolint:nilerr // another law judges the refusal
	}
	return alike(c.results(c.plan), c.results(staked))
}

func configRoundTrips(c *configSurvey) error {
	again, err := prepared(c.game, c.plan.Config())
	if err != nil {
		return fmt.Errorf("took effect as %v: %w", c.plan.Config(), err)
	}
	switch {
	case !again.Config().Equal(c.plan.Config()):
		return fmt.Errorf("took effect as %v, and that as %v", c.plan.Config(), again.Config())
	case again.MaxMultiplier().Cmp(c.plan.MaxMultiplier()) != 0,
		again.RTPPartsPerBillion() != c.plan.RTPPartsPerBillion(),
		again.VariancePartsPerBillion() != c.plan.VariancePartsPerBillion():
		return fmt.Errorf("took effect as %v, which has other figures", c.plan.Config())
	}
	return alike(c.results(c.plan), c.results(again))
}
