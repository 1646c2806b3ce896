package conformance

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

// Game checks a game against the contract of domain/game:
//
//	func TestMyGame(t *testing.T) { conformance.Game(t, mygame.New()) }
//
// It tries the empty config, every declared field at its limits and at some values between, and
// some random configs; draws and configs are the same in each run. A config's return and variance
// are found in the first possible of these ways:
//
//   - counted, exactly: every outcome of the round's Picks, of at most 65,536, weighted by how
//     many of the 2^32 draws give it;
//   - counted, exactly: a round of one Next, by bisection of where its multiplier changes, if it
//     only rises or only falls with the draw at each of 4,295 draws all over the range. A round
//     that does otherwise in between must draw by Pick;
//   - sampled: 262,144 rounds of the empty config and 8,192 of each other one, an eighth of both
//     with -short. With n rounds and a stated mean square q, their mean may be 6.5·√(q/n) below
//     the stated one, and with its greatest prizes cut 7.3·√(q/n) above it; their mean square,
//     cut as well, may be a quarter above q. A correct game exceeds each of these once in 10^9. A
//     prize rarer than one in n rounds hardly shows.
//
// If the greatest multiplier is neither counted nor reached by draws of 0 and 2^32-1, the game
// must say how it is reached: see GreatestDraws.
//
// A game that is game.Stepped is also played by steps, by players who take any offer, who
// continue as long as they can and who abandon at once; and after each step with changed draws
// that weren't shown. A game that can't be decided in one call is checked by its steps alone.
func Game(t *testing.T, g game.Game) {
	t.Helper()
	defer failed(t)
	s := &gameSurvey{game: g}
	if game.AtOnce(g) {
		s = surveyGame(g, testing.Short())
	}
	for _, l := range gameLaws {
		if l.perConfig && !game.AtOnce(g) {
			continue
		}
		sub(t, l.sentence, func(t *testing.T) { check(t, l.holds(s)) })
	}
	stepped, ok := g.(game.Stepped)
	if !ok {
		return
	}
	rounds := stepRounds
	if testing.Short() {
		rounds /= 16
	}
	lawful(t, surveySteps(stepped, rounds))
}

func lawful(t *testing.T, steps *stepsSurvey) {
	t.Helper()
	for _, l := range stepLaws {
		sub(t, l.sentence, func(t *testing.T) { check(t, l.holds(steps)) })
	}
}

// Streams checks the laws of a stepped game on a number of random streams with lists of actions,
// half of them of the empty config and the others of all configs that Game tries: each is folded
// repeatedly, and after each step with changed draws that weren't shown. Game does the same with
// fewer; use Streams for a long run.
func Streams(t *testing.T, g game.Stepped, streams int) {
	t.Helper()
	defer failed(t)
	lawful(t, survey(g, func(i, configs int) (played, looked int) {
		n := streams
		if configs > 1 {
			n = streams - streams/2
			if i > 0 {
				n = streams / 2 / (configs - 1)
				if i <= streams/2%(configs-1) {
					n++
				}
			}
		}
		n = max(n, stepPlayers) // each way of playing is compared with the return
		return n, n
	}))
}

// GreatestDraws is a game that says how its greatest multiplier is reached. Only the suite uses
// it, so it may be a test's wrapper around the game.
type GreatestDraws interface {
	game.Game
	// GreatestDraws returns the first draws of a round that pays the plan's greatest
	// multiplier; the draws after them are 0.
	GreatestDraws(game.Plan) []uint32
}

// gameLaw is one sentence of the contract. holds returns how a game breaks it, once per config,
// and nil for a correct one.
type gameLaw struct {
	sentence string
	holds    func(*gameSurvey) error
	// perConfig says that the law concerns rounds that are decided in one call.
	perConfig bool
}

var gameLaws = []gameLaw{
	{"the game and its fields are named and described", gameIsDescribed, false},
	{"a registry takes the game", registryTakes, false},
	{"the return to player is stated, in order and at most 1", returnIsStated, false},
	{"the empty config returns the stated default, and every config is in the stated range", returnsInRange, true},
	{"the moments are finite, fit each other, and are kept rounded", perConfig(momentsFit), true},
	{"an approximate value is within a millionth", perConfig(nearEnough), true},
	{"the return is what the draws pay", perConfig((*configSurvey).meanIsPaid), true},
	{"the variance is what the draws pay", perConfig((*configSurvey).squareIsPaid), true},
	{"the greatest multiplier is reached", greatestIsReached, true},
	{"the chance of the greatest multiplier, where it is stated, is what the draws give", perConfig((*configSurvey).chanceIsPaid), true},
	{"no draws pay more than the greatest multiplier", perConfig(func(c *configSurvey) error { return c.seen[passed] }), true},
	{"a multiplier is a number", perConfig(func(c *configSurvey) error { return c.seen[noNumber] }), true},
	{"every round has an outcome", perConfig(func(c *configSurvey) error { return c.seen[blank] }), true},
	{"a round ends without a panic for all draws", perConfig(func(c *configSurvey) error { return c.seen[broke] }), true},
	{"the same draws decide the same", perConfig(replaysAlike), true},
	{"a round is verified without its stake", perConfig(stakeDecidesNothing), true},
	{"a config that took effect is planned again to the same effect", perConfig(configRoundTrips), true},
	{"a declared config is planned, or refused by its field", declaredIsPlanned, true},
	{"what isn't declared is refused by its field", strangeIsRefused, true},
}

// perConfig checks a law on each planned config.
func perConfig(holds func(*configSurvey) error) func(*gameSurvey) error {
	return func(s *gameSurvey) error {
		var broken []error
		for _, c := range s.configs {
			if err := guarded(func() error { return holds(c) }); err != nil {
				broken = append(broken, fmt.Errorf("%v: %w", c.asked, err))
			}
		}
		if len(s.configs) == 0 {
			broken = append(broken, errors.New("no config was planned"))
		}
		return errors.Join(broken...)
	}
}

// guarded returns a panic as an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panicked: %v", p)
		}
	}()
	return f()
}

func registryTakes(s *gameSurvey) error {
	_, err := game.NewRegistry(s.game)
	return err
}

func gameIsDescribed(s *gameSurvey) error {
	var missing []error
	if version, ok := strings.CutPrefix(s.game.Rules(), s.game.Type()+"/"); s.game.Type() == "" || !ok || version == "" {
		missing = append(missing, fmt.Errorf("type %q, rules %q: rules are the type, a slash and a version", s.game.Type(), s.game.Rules()))
	}
	if strings.TrimSpace(s.game.Title()) == "" {
		missing = append(missing, errors.New("no title"))
	}
	if tabled, ok := s.game.(game.Tabled); ok && tabled.Table().Kind() == game.Absent {
		missing = append(missing, errors.New("rests on a table that is absent"))
	}
	return errors.Join(append(missing, describeFields("", s.game.Fields()))...)
}

// describeFields reports fields without texts, and those without a fitting value.
func describeFields(within string, fields []game.Field) error {
	var wrong []error
	names := map[string]bool{}
	for _, f := range fields {
		where := within + f.Name
		if f.Name == "" || strings.TrimSpace(f.Title) == "" || strings.TrimSpace(f.Description) == "" {
			wrong = append(wrong, fmt.Errorf("field %q: name %q, title %q, description %q", where, f.Name, f.Title, f.Description))
		}
		if names[f.Name] {
			wrong = append(wrong, fmt.Errorf("field %q is declared twice", where))
		}
		names[f.Name] = true
		wrong = append(wrong, describeShape(where, f.Shape))
	}
	return errors.Join(wrong...)
}

func describeShape(where string, shape game.Shape) error {
	switch shape := shape.(type) {
	case game.Flag:
		return nil
	case game.Number:
		if shape.Min <= shape.Max && shape.Decimals <= game.ScaleMax {
			return nil
		}
	case game.Choice:
		if len(shape.Of) > 0 {
			return nil
		}
	case game.ListOf:
		if shape.MinItems >= 0 && shape.MinItems <= shape.MaxItems && shape.MaxItems > 0 {
			return describeShape(where+"[]", shape.Item)
		}
	case game.Record:
		return describeFields(where+".", shape.Fields)
	}
	return fmt.Errorf("field %q: no value fits %+v", where, shape)
}

func returnIsStated(s *gameSurvey) error {
	return guarded(func() error {
		rtp := s.game.RTP()
		switch {
		case rtp.Default == nil || rtp.Min == nil || rtp.Max == nil:
			return errors.New("the return is missing")
		case rtp.Min.Sign() < 0 || rtp.Min.Cmp(rtp.Default) > 0 || rtp.Default.Cmp(rtp.Max) > 0:
			return fmt.Errorf("out of order: %s, %s, %s", rtp.Min, rtp.Default, rtp.Max)
		case rtp.Max.Cmp(big.NewRat(1, 1)) > 0:
			return fmt.Errorf("%s is above 1", rtp.Max)
		}
		return nil
	})
}

func returnsInRange(s *gameSurvey) error {
	if err := returnIsStated(s); err != nil {
		return err
	}
	rtp := s.game.RTP()
	return perConfig(func(c *configSurvey) error {
		moments, err := c.moments()
		switch {
		case err != nil:
			return err
		case c.asked.Len() == 0 && moments.Mean.Cmp(rtp.Default) != 0:
			return fmt.Errorf("returns %s, the stated default is %s", moments.Mean, rtp.Default)
		case moments.Mean.Cmp(rtp.Min) < 0 || moments.Mean.Cmp(rtp.Max) > 0:
			return fmt.Errorf("returns %s, stated are %s to %s", moments.Mean, rtp.Min, rtp.Max)
		}
		return nil
	})(s)
}

func momentsFit(c *configSurvey) error {
	moments, err := c.moments()
	if err != nil {
		return err
	}
	most, ok := rationalOf(c.plan.MaxMultiplier())
	if !ok {
		return errors.New("the greatest multiplier is no number")
	}
	var wrong []error
	if moments.Mean.Sign() < 0 || moments.Mean.Cmp(most) > 0 {
		wrong = append(wrong, fmt.Errorf("a mean of %s isn't between 0 and the greatest multiplier of %s", moments.Mean, most))
	}
	if variance := moments.Variance(); variance.Sign() < 0 {
		wrong = append(wrong, fmt.Errorf("a variance of %s is below 0", variance))
	}
	if bound := new(big.Rat).Mul(moments.Mean, most); moments.MeanSquare.Cmp(bound) > 0 {
		wrong = append(wrong, fmt.Errorf("a mean square of %s takes prizes above %s", moments.MeanSquare, most))
	}
	if got, want := c.plan.RTPPartsPerBillion(), game.PartsPerBillion(moments.Mean); got != want {
		wrong = append(wrong, fmt.Errorf("keeps a return of %d parts per billion, its mean is %d", got, want))
	}
	if got, want := c.plan.VariancePartsPerBillion(), game.PartsPerBillion(moments.Variance()); got != want {
		wrong = append(wrong, fmt.Errorf("keeps a variance of %d parts per billion, its own is %d", got, want))
	}
	return errors.Join(wrong...)
}

func greatestIsReached(s *gameSurvey) error {
	_, shown := s.game.(GreatestDraws)
	return perConfig(func(c *configSurvey) error {
		if c.most.Cmp(c.plan.MaxMultiplier()) >= 0 {
			return nil
		}
		err := fmt.Errorf("states %s, the most that was met is %s (%s)", c.plan.MaxMultiplier(), c.most, c.how)
		if !shown && !c.counted {
			return fmt.Errorf("%w: a game with too many rounds to count says by GreatestDraws how it is reached", err)
		}
		return err
	})(s)
}

// namesField reports whether an error refuses a config: it is of kind Invalid and names a
// declared field, or the whole config.
func namesField(g game.Game, err error, whole bool) bool {
	return namesFieldOf(g.Fields(), err, whole)
}

func namesFieldOf(fields []game.Field, err error, whole bool) bool {
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid {
		return false
	}
	named, _ := refusal.Details["field"].(string)
	for _, f := range fields {
		if named == "config."+f.Name {
			return true
		}
	}
	return whole && (named == "config" || strings.HasPrefix(named, "config."))
}

func declaredIsPlanned(s *gameSurvey) error {
	var wrong []error
	for _, r := range s.refused {
		if !namesField(s.game, r.err, false) {
			wrong = append(wrong, fmt.Errorf("%v: %w, which names no declared field", r.config, r.err))
		}
	}
	return errors.Join(wrong...)
}

func strangeIsRefused(s *gameSurvey) error {
	var wrong []error
	for _, config := range strangeConfigs(s.game.Fields()) {
		_, err := prepared(s.game, config)
		if err == nil {
			wrong = append(wrong, fmt.Errorf("%v is planned", config))
		} else if !namesField(s.game, err, true) {
			wrong = append(wrong, fmt.Errorf("%v: %w, which names no field", config, err))
		}
	}
	return errors.Join(wrong...)
}
