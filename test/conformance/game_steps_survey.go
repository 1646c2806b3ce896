package conformance

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unique"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

const (
	// stepRounds is how many rounds of the empty config are played by steps, stepRoundsEach the
	// same for each other config. stepEnds is how many sequences of draws of 0 and 2^32-1 are
	// played.
	stepRounds, stepRoundsEach, stepEnds = 1 << 16, 1 << 6, 1 << 3
	// bentRounds is in how many rounds of a config draws are changed, and bentDraws in how many
	// ways after each step.
	bentRounds, bentDraws = 32, 4
)

// stepDefect is a way in which a round played by steps breaks the contract.
type stepDefect int

const (
	stepBroke stepDefect = iota
	stepShape
	stepPromise
	stepStake
	stepEndless
	stepAbandon
	stepFuture
	stepChance
	stepTheory
	stepDefects
)

// stepsSurvey holds the measurements of a stepped game before they are judged.
type stepsSurvey struct {
	game    game.Stepped
	configs []*stepConfig // begins with the empty one
	refused []refusedConfig
}

// stepConfig holds the measurements of one config.
type stepConfig struct {
	game  game.Stepped
	asked game.Value
	steps game.Steps
	// seen is the first state with each defect.
	seen [stepDefects]error
	// looked is in how many rounds draws are changed, and how many are folded again.
	looked int
	// known maps the hash of actions and what was shown after them to what followed.
	known map[[sha256.Size]byte]unique.Handle[string]
	// paid holds the payouts of each player.
	paid [stepPlayers]stepSample
}

func surveySteps(g game.Stepped, rounds int) *stepsSurvey {
	return survey(g, func(i, _ int) (int, int) {
		if i > 0 {
			return stepRoundsEach, bentRounds
		}
		return rounds, bentRounds
	})
}

// survey plays each config in a number of rounds, and examines some of them.
func survey(g game.Stepped, rounds func(i, configs int) (played, looked int)) *stepsSurvey {
	s := &stepsSurvey{game: g}
	all := declaredConfigs(g.StepFields(), g.Rules())
	for i, asked := range all {
		steps, err := begun(g, asked)
		if err != nil {
			s.refused = append(s.refused, refusedConfig{asked, err})
			continue
		}
		played, looked := rounds(i, len(all))
		c := newStepConfig(g, asked, steps, looked)
		if err := guarded(func() error { c.survey(played); return nil }); err != nil {
			c.note(stepBroke, err)
		}
		s.configs = append(s.configs, c)
	}
	return s
}

func newStepConfig(g game.Stepped, asked game.Value, steps game.Steps, looked int) *stepConfig {
	return &stepConfig{game: g, asked: asked, steps: steps, looked: looked, known: map[[sha256.Size]byte]unique.Handle[string]{}}
}

// begun begins a config without a stake, and returns a panic as an error.
func begun(g game.Stepped, config game.Value) (steps game.Steps, err error) {
	err = guarded(func() error {
		steps, err = game.Begin(g, config, 0)
		return err
	})
	return steps, err
}

func (c *stepConfig) note(d stepDefect, err error) {
	if c.seen[d] == nil && err != nil {
		c.seen[d] = err
	}
}

func (c *stepConfig) survey(rounds int) {
	for pattern := range stepEnds {
		for player := range stepPlayers {
			if c.seen[stepEndless] != nil {
				return
			}
			c.round(&stepRound{config: c, draws: endsOf(pattern * (1<<gameEnds/stepEnds + 1)), player: player, random: c.random(pattern)})
		}
	}
	for nonce := range rounds {
		if c.seen[stepEndless] != nil {
			return // each round would take as long
		}
		r := &stepRound{config: c, draws: c.stream(nonce), player: nonce % stepPlayers, random: c.random(nonce), bent: nonce < c.looked}
		if end, ok := c.round(r); ok {
			c.theory(r, end)
		}
	}
}

func (c *stepConfig) stream(nonce int) *gameDraws {
	stream := fairness.NewStream(fairness.ServerSeedFromText("conformance"), c.game.Rules(), int64(nonce))
	return &gameDraws{name: func() string { return fmt.Sprintf("round %d", nonce) }, next: stream.Next}
}

// random returns the source of a player's decisions, which is independent of the draws.
func (c *stepConfig) random(nonce int) game.Draws {
	return fairness.NewStream(fairness.ServerSeedFromText("players"), c.game.Rules(), int64(nonce))
}

// stepPlayers is the number of ways of playing: any choice, hardly ever the one that abandons,
// and abandoning at once.
const stepPlayers = 3

var stepPlayerNames = [stepPlayers]string{"who takes anything", "who goes on", "who abandons"}

// stepRound is one round as it is played.
type stepRound struct {
	config *stepConfig
	draws  *gameDraws
	player int
	random game.Draws
	bent   bool
	// drawn stores the draws, so that each fold gets them from the start.
	drawn   []uint32
	actions []game.Value
}

func (r *stepRound) name() string {
	return fmt.Sprintf("%s, after %v", r.draws.name(), r.actions)
}

// at folds the round after some actions. ok is false after a panic.
func (r *stepRound) at(actions []game.Value) (state game.State, ok bool) {
	folded := &gameDraws{}
	folded.next = func() uint32 {
		for len(r.drawn) < folded.asked {
			r.drawn = append(r.drawn, r.draws.next())
		}
		return r.drawn[folded.asked-1]
	}
	state, err := foldedAt(r.config.steps, folded, actions)
	if err != nil {
		r.config.note(stepBroke, fmt.Errorf("%s: %w", r.name(), err))
	}
	return state, err == nil
}

// foldedAt folds a round; for zero ratios see State.
func foldedAt(steps game.Steps, draws game.Draws, actions []game.Value) (state game.State, err error) {
	err = guarded(func() error { state = steps.At(draws, actions); return nil })
	if state.Stake == (money.Ratio{}) {
		state.Stake = money.Ratio{Num: 1, Den: 1}
	}
	if state.Multiplier == (money.Ratio{}) {
		state.Multiplier.Den = 1
	}
	for i := range state.Choices {
		if stake := &state.Choices[i].Stake; *stake == (money.Ratio{}) {
			stake.Den = 1
		}
	}
	return state, err
}

// round plays a round to its end, and returns false if it has none.
func (c *stepConfig) round(r *stepRound) (end game.State, ok bool) {
	state, ok := r.at(nil)
	if ok && state.Stake != (money.Ratio{Num: 1, Den: 1}) {
		c.note(stepStake, fmt.Errorf("%s: begins with a stake of %s", r.name(), state.Stake))
	}
	for ok {
		if ok = c.look(r, state); !ok || state.Ended {
			break
		}
		if len(r.actions) == game.StepsMax {
			c.note(stepEndless, fmt.Errorf("%s takes more than %d steps", r.draws.name(), game.StepsMax))
			return state, false
		}
		choice, action := r.choose(state)
		if choice == nil {
			return state, false
		}
		r.actions = append(r.actions, action)
		var after game.State
		if after, ok = r.at(r.actions); ok {
			staked, fits := state.Stake.Plus(choice.Stake)
			if !fits || after.Stake.Cmp(staked) != 0 {
				c.note(stepStake, fmt.Errorf("%s: the stake is %s, it was %s before an action for %s", r.name(), after.Stake, state.Stake, choice.Stake))
			}
			c.chance(r, choice, after)
		}
		state = after
	}
	return state, ok
}

// choose returns the choice of the round's player.
func (r *stepRound) choose(state game.State) (*game.Offer, game.Value) {
	abandons, err := r.abandon(state)
	if err != nil {
		r.config.note(stepAbandon, fmt.Errorf("%s: %w", r.name(), err))
		return nil, game.Value{}
	}
	choice := &state.Choices[r.random.Pick(uint32(len(state.Choices)))]
	for tries := 0; r.player == 1 && choice.Action.Equal(abandons.Action) && tries < 3; tries++ {
		choice = &state.Choices[r.random.Pick(uint32(len(state.Choices)))]
	}
	if r.player == 2 {
		action := r.config.steps.Abandon(state)
		return abandons, action
	}
	return choice, choice.Pick(r.random)
}

// abandon returns the offer that abandons a round.
func (r *stepRound) abandon(state game.State) (offer *game.Offer, err error) {
	err = guarded(func() error {
		action := r.config.steps.Abandon(state)
		for i := range state.Choices {
			if offer = &state.Choices[i]; fitsOffer(offer, action) {
				if offer.Stake.Num > 0 {
					return fmt.Errorf("is abandoned by %v, which stakes %s more", action, offer.Stake)
				}
				return nil
			}
		}
		return fmt.Errorf("is abandoned by %v, which isn't offered", action)
	})
	return offer, err
}

// fitsOffer reports whether an action is one of an offer's.
func fitsOffer(o *game.Offer, action game.Value) bool {
	var fields []game.Field
	for name, value := range o.Action.Members() {
		fields = append(fields, game.Field{Name: name, Shape: game.Choice{Of: []game.Value{value}}})
	}
	_, err := game.Normalize(append(fields, o.Fields...), action)
	return err == nil
}

// look checks a state against the contract. It returns false if the round can't be continued.
func (c *stepConfig) look(r *stepRound, state game.State) bool {
	wrong := stateIsWhole(state)
	c.note(stepShape, at(r, wrong))
	most := c.steps.MaxMultiplier()
	switch {
	case state.Multiplier.Den == 0 || state.Stake.Den == 0:
		c.note(stepPromise, at(r, fmt.Errorf("multiplier %s and stake %s are no numbers", state.Multiplier, state.Stake)))
		return false
	case state.Multiplier.Cmp(most) > 0:
		c.note(stepPromise, at(r, fmt.Errorf("pays %s, stated are at most %s", state.Multiplier, most)))
	case state.Stake.Cmp(c.steps.MaxStake()) > 0:
		c.note(stepPromise, at(r, fmt.Errorf("stakes %s, stated are at most %s", state.Stake, c.steps.MaxStake())))
	}
	for i := range state.Choices {
		choice := &state.Choices[i]
		if staked, ok := state.Stake.Plus(choice.Stake); choice.Stake.Den == 0 || !ok || staked.Cmp(c.steps.MaxStake()) > 0 {
			c.note(stepPromise, at(r, fmt.Errorf("offers %v for %s more, stated are at most %s in all", choice.Action, choice.Stake, c.steps.MaxStake())))
		}
	}
	if wrong != nil {
		return false
	}
	if r.bent {
		c.knows(r.name(), r.actions, state)
		c.bend(r, state)
	}
	return true
}

func at(r *stepRound, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.name(), err)
}

// stateIsWhole reports a state that isn't shown, or has choices that can't be taken.
func stateIsWhole(state game.State) error {
	switch {
	case state.Shown.Kind() == game.Absent:
		return errors.New("shows nothing")
	case state.Ended && len(state.Choices) > 0:
		return errors.New("has ended and offers choices")
	case !state.Ended && len(state.Choices) == 0:
		return errors.New("has not ended and offers nothing")
	}
	var types []string
	for i := range state.Choices {
		o := &state.Choices[i]
		name := o.Action.Get(game.ActionType).Text()
		if name == "" || slices.Contains(types, name) {
			return fmt.Errorf("offers %v without a type, or with that of another offer", o.Action)
		}
		types = append(types, name)
		for _, f := range o.Fields {
			if o.Action.Get(f.Name).Kind() != game.Absent {
				return fmt.Errorf("offers %v, and asks for its %q", o.Action, f.Name)
			}
		}
		if err := describeFields(name+".", o.Fields); err != nil {
			return err
		}
	}
	return nil
}

// knows records what followed from what was shown, and reports a different result.
func (c *stepConfig) knows(name string, actions []game.Value, state game.State) {
	var shown, follows strings.Builder
	fmt.Fprint(&shown, actions, state.Shown)
	fmt.Fprint(&follows, state.Ended, state.Multiplier.Reduced(), state.Stake.Reduced())
	for i := range state.Choices {
		o := &state.Choices[i]
		fmt.Fprint(&follows, o.Action, game.Schema(o.Fields), o.Stake.Reduced(), o.Chance, o.Prize)
	}
	key, now := sha256.Sum256([]byte(shown.String())), unique.Make(follows.String())
	former, isKnown := c.known[key]
	switch {
	case isKnown && former != now:
		c.note(stepFuture, fmt.Errorf("%s: after showing %v it continues with %s, elsewhere with %s", name, state.Shown, now.Value(), former.Value()))
	case !isKnown:
		c.known[key] = now
	}
}

// bend changes draws that were already taken and checks that only what is shown depends on them.
func (c *stepConfig) bend(r *stepRound, state game.State) {
	if len(r.drawn) == 0 {
		return
	}
	for range bentDraws {
		drawn := slices.Clone(r.drawn)
		drawn[r.random.Pick(uint32(len(drawn)))] = r.random.Next()
		other, err := foldedAt(c.steps, drawsOf(drawn), r.actions)
		if err == nil && other.Shown.Equal(state.Shown) && stateIsWhole(other) == nil {
			c.knows(r.name()+" with another draw", r.actions, other)
		}
	}
}

// chance counts a step with a stated chance, and compares its prize with the payouts with which
// the round can end.
func (c *stepConfig) chance(r *stepRound, choice *game.Offer, after game.State) {
	if choice.Chance == nil {
		return
	}
	lost := after.Ended && after.Multiplier.Num == 0
	p, _ := choice.Chance.Float64()
	if p < 0 || p > 1 {
		c.note(stepChance, at(r, fmt.Errorf("a chance of %s", choice.Chance)))
	}
	paid := &c.paid[r.player]
	paid.chances += p
	paid.chanceVariance += p * (1 - p)
	if lost {
		return
	}
	paid.hits++
	if choice.Prize == nil {
		return
	}
	end := after
	for tries := 0; !end.Ended && tries < game.StepsMax; tries++ {
		taken := slices.Clone(r.actions)
		var ok bool
		if end, ok = r.at(append(taken, c.steps.Abandon(end))); !ok {
			return
		}
	}
	if pays, ok := rationalOf(end.Multiplier); ok && pays.Cmp(choice.Prize) != 0 {
		c.note(stepChance, at(r, fmt.Errorf("states a prize of %s and could be ended with %s", choice.Prize, pays)))
	}
}
