package game_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// scripted is a stepped game with states written by a test, one for each number of
// actions.
type scripted struct {
	game.OnlyStepped
	game.Game
	states  []game.State
	abandon game.Value
	most    money.Ratio
	stake   money.Ratio
}

func (scripted) Type() string             { return "scripted" }
func (scripted) Rules() string            { return "scripted/1" }
func (scripted) Fields() []game.Field     { return nil }
func (scripted) StepFields() []game.Field { return nil }
func (scripted) Plan(game.Value, money.Amount) (game.Plan, error) {
	return game.OnlyStepped{}.Plan(game.Value{}, 0)
}
func (s scripted) Begin(game.Value, money.Amount) (game.Steps, error) { return s, nil }
func (scripted) Config() game.Value                                   { return game.Object() }
func (s scripted) MaxStake() money.Ratio                              { return s.stake }
func (s scripted) MaxMultiplier() money.Ratio                         { return s.most }
func (scripted) Return() game.StepReturn                              { return game.StepReturn{} }
func (scripted) Theory([]game.Value, game.Value) game.Theory          { panic("no theory") }
func (s scripted) Abandon(game.State) game.Value                      { return s.abandon }
func (s scripted) At(_ game.Draws, actions []game.Value) game.State   { return s.states[len(actions)] }

func noDraws() game.Draws { return stream("none", "none", 0) }

var one = money.Ratio{Num: 1, Den: 1}

// open returns a state that awaits an action.
func open(choices ...game.Offer) game.State {
	return game.State{Shown: game.Object(), Choices: choices}
}

func offer(name string) game.Offer { return game.Offer{Action: game.ActionOf(name)} }

// TestAStateThatBreaksItsPromiseIsADefect: a breach of the contract is an internal
// error, not a fault, so that the round is void instead of refused.
func TestAStateThatBreaksItsPromiseIsADefect(t *testing.T) {
	t.Parallel()
	end := game.State{Shown: game.Object(), Ended: true}
	paying := func(m, stake money.Ratio) game.State {
		return game.State{Shown: game.Object(), Ended: true, Multiplier: m, Stake: stake}
	}
	staking := offer("go")
	staking.Stake = one
	for name, row := range map[string]struct {
		states []game.State
		says   string
	}{
		"shows nothing":            {[]game.State{{Choices: []game.Offer{offer("go")}}}, "shows nothing"},
		"no choice":                {[]game.State{open()}, "offers no choice"},
		"choices at the end":       {[]game.State{open(offer("go")), {Shown: game.Object(), Ended: true, Choices: []game.Offer{offer("go")}}}, "has ended and offers"},
		"pays too much":            {[]game.State{open(offer("go")), paying(money.Ratio{Num: 3, Den: 1}, one)}, "above the greatest multiplier"},
		"pays no number":           {[]game.State{open(offer("go")), paying(money.Ratio{Num: 1}, one)}, "multiplier is invalid"},
		"stakes too much":          {[]game.State{open(offer("go")), paying(one, money.Ratio{Num: 3, Den: 1})}, "the most is 2"},
		"stakes nothing":           {[]game.State{open(offer("go")), paying(one, money.Ratio{Den: 1})}, "the most is 2"},
		"stakes no number":         {[]game.State{open(offer("go")), paying(one, money.Ratio{Num: 1})}, "the most is 2"},
		"stakes unasked":           {[]game.State{open(offer("go")), paying(one, money.Ratio{Num: 2, Den: 1})}, "the action's is 0"},
		"doesn't stake":            {[]game.State{open(staking), paying(one, one)}, "the action's is 1"},
		"begins with two":          {[]game.State{paying(one, money.Ratio{Num: 2, Den: 1})}, "begins with a stake of 2"},
		"offers what is too much":  {[]game.State{{Shown: game.Object(), Choices: []game.Offer{staking}, Stake: money.Ratio{Num: 3, Den: 2}}}, "the most is 2"},
		"offers twice":             {[]game.State{open(offer("go"), offer("go"))}, "twice"},
		"offers nothing with name": {[]game.State{open(game.Offer{Action: game.Text("go")})}, "isn't an object with a type"},
		"panics":                   {[]game.State{open(offer("go"))}, "panicked"},
		"no multiplier of 64 bits": {[]game.State{open(staking), paying(money.Ratio{Num: 1<<64 - 1, Den: 1<<64 - 3}, money.Ratio{Num: 2, Den: 1})}, "64 bits"},
	} {
		s := scripted{states: row.states, most: money.Ratio{Num: 2, Den: 1}, stake: money.Ratio{Num: 2, Den: 1}}
		_, err := game.Replay(s, noDraws, []game.Value{action("go")})
		if err == nil || fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	sound := scripted{states: []game.State{open(staking), paying(money.Ratio{Num: 3, Den: 2}, money.Ratio{Num: 2, Den: 1})}, most: money.Ratio{Num: 2, Den: 1}, stake: money.Ratio{Num: 2, Den: 1}}
	if got := ended(t, sound, noDraws, action("go")).Multiplier; got != (money.Ratio{Num: 3, Den: 4}) {
		t.Errorf("3/2 of the first wager is %s of two", got)
	}
	if _, err := game.Replay(scripted{states: []game.State{open(offer("go")), end}, most: one, stake: one}, noDraws, []game.Value{action("go")}); err != nil {
		t.Error(err)
	}
}

// TestAnActionThatIsNotOfferedIsRefused checks that the refusal names the action.
func TestAnActionThatIsNotOfferedIsRefused(t *testing.T) {
	t.Parallel()
	steps := begin(t, game.Mines(), "mines", 24)
	draws := func() game.Draws { return stream("steps", "of mines", 1) }
	for _, row := range []struct {
		action game.Value
		field  string
	}{
		{game.Value{}, "action"},
		{game.Text("open"), "action"},
		{object("tile", 3), "action.type"},
		{object("type", 3), "action.type"},
		{action("close"), "action.type"},
		{action("open"), "action.tile"},
		{action("open", "tile", 25), "action.tile"},
		{action("open", "tile", game.Dec(10, 1)), "action.tile"},
		{action("open", "tile", 1, "tile", 2), "action.tile"},
		{action("open", "tile", 1, "mine", false), "action.mine"},
		{action("cashOut", "tile", 1), "action.tile"},
		{object("type", "cashOut", "type", "cashOut"), "action.type"},
	} {
		_, _, _, err := game.Advance(steps, draws, nil, row.action)
		if field := fieldOf(err); fault.KindOf(err) != fault.Invalid || field != row.field {
			t.Errorf("%v: %q, %v", row.action, field, err)
		}
		_, err = game.Replay(steps, draws, []game.Value{row.action})
		if field := fieldOf(err); field != "actions[0]"+strings.TrimPrefix(row.field, "action") || !strings.HasPrefix(err.Error(), field+": ") {
			t.Errorf("%v among others: %v", row.action, err)
		}
	}
	taken, before, after, err := game.Advance(steps, draws, nil, object("tile", 7, "type", "open"))
	if err != nil || !taken.Equal(action("open", "tile", 7)) || before.Ended || !after.Ended {
		t.Fatalf("%v, %v, %v, %v", taken, before, after, err)
	}
	if _, _, _, err := game.Advance(steps, draws, []game.Value{taken}, action("cashOut")); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("after the end: %v", err)
	}
	if _, err := game.Replay(steps, draws, []game.Value{taken, action("cashOut")}); fieldOf(err) != "actions" {
		t.Errorf("after the end: %v", err)
	}
	if _, err := game.Replay(steps, draws, slices.Repeat([]game.Value{taken}, game.StepsMax+1)); fieldOf(err) != "actions" {
		t.Errorf("too many: %v", err)
	}
}

func fieldOf(err error) string {
	if refusal, ok := err.(*fault.Error); ok {
		field, _ := refusal.Details["field"].(string)
		return field
	}
	return ""
}

// TestWhoMayBeBegun: configs are refused by their fields, and games by their type.
func TestWhoMayBeBegun(t *testing.T) {
	t.Parallel()
	for field, begins := range map[string]func() (game.Steps, error){
		"gameType":             func() (game.Steps, error) { return game.Begin(game.Dice(), game.Object(), 0) },
		"config.picks":         func() (game.Steps, error) { return game.Begin(game.Mines(), object("picks", listOf(1)), 0) },
		"config.mines":         func() (game.Steps, error) { return game.Begin(game.Mines(), object("mines", 25), 0) },
		"config.maxMultiplier": func() (game.Steps, error) { return game.Begin(game.Mines(), object("maxMultiplier", 1), 0) },
	} {
		if steps, err := begins(); fieldOf(err) != field || steps != nil {
			t.Errorf("%s: %v, %v", field, steps, err)
		}
	}
	if _, err := game.Prepare(scripted{}, game.Object(), 0); fieldOf(err) != "gameType" || game.AtOnce(scripted{}) || !game.AtOnce(game.Mines()) {
		t.Errorf("decided in one call: %v", err)
	}
	if _, err := game.TheoryFor(scripted{}, nil, game.Object()); err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("a theory that breaks down: %v", err)
	}
	if _, err := game.Begin(scripted{stake: one}, game.Object(), 0); err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("without a greatest multiplier: %v", err)
	}
	if steps, ok := game.UpTo(scripted{most: one, stake: one}, money.Ratio{Num: 1, Den: 2}); ok || steps != nil {
		t.Error("a game that isn't Capped is bounded")
	}
}

// TestAbandonedTakesWhatIsOffered checks that it takes nothing else.
func TestAbandonedTakesWhatIsOffered(t *testing.T) {
	t.Parallel()
	staking := offer("double")
	staking.Stake = one
	state := open(offer("stand"), staking)
	for name, want := range map[string]bool{"stand": true, "double": false, "leave": false} {
		action, err := game.Abandoned(scripted{abandon: game.ActionOf(name)}, state)
		if got := err == nil && action.Equal(game.ActionOf(name)); got != want {
			t.Errorf("%s: %v, %v", name, action, err)
		}
	}
}

// TestHiloBySteps: a stepped round of guesses equals a round in one call with the same
// guesses, up to the first wrong one.
func TestHiloBySteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		guesses := rapid.SliceOfN(rapid.SampledFrom([]string{"higher", "lower", "skip"}), 1, 14).Draw(t, "guesses")
		guesses[len(guesses)-1] = "higher"
		nonce := rapid.Int64Range(0, 1<<40).Draw(t, "nonce")
		draws := func() game.Draws { return stream("steps", "of hilo", nonce) }
		var listed, actions []game.Value
		for _, guess := range guesses {
			listed = append(listed, game.Text(guess))
			actions = append(actions, action(guess))
		}
		plan, err := game.Prepare(game.Hilo(), object("guesses", game.List(listed...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		want := plan.Play(draws())
		right, _ := want.Outcome.Get("right").Int()
		if int(right) < len(actions) {
			actions = actions[:right+1]
		} else {
			actions = append(actions, action("cashOut"))
		}
		got := ended(t, begin(t, game.Hilo()), draws, actions...)
		shown := got.Outcome.Get("cards")
		if got.Multiplier.Cmp(want.Multiplier) != 0 || !got.Outcome.Get("right").Equal(want.Outcome.Get("right")) ||
			shown.Len() != min(int(right)+2, want.Outcome.Get("cards").Len()) || !shown.At(shown.Len()-1).Equal(want.Outcome.Get("cards").At(shown.Len()-1)) {
			t.Fatalf("%v pays %s, in one call %v pays %s", got.Outcome, got.Multiplier, want.Outcome, want.Multiplier)
		}
	})
}

// TestDragonTowerBySteps: a climb equals a round in one call with the same picks.
func TestDragonTowerBySteps(t *testing.T) {
	t.Parallel()
	tiles := map[string]int{"easy": 4, "medium": 3, "hard": 2, "expert": 3, "master": 4}
	rapid.Check(t, func(t *rapid.T) {
		difficulty := rapid.SampledFrom([]string{"easy", "medium", "hard", "expert", "master"}).Draw(t, "difficulty")
		picks := rapid.SliceOfN(rapid.IntRange(0, tiles[difficulty]-1), 1, 9).Draw(t, "picks")
		nonce := rapid.Int64Range(0, 1<<40).Draw(t, "nonce")
		draws := func() game.Draws { return stream("steps", "of a tower", nonce) }
		plan, err := game.Prepare(game.DragonTower(), object("difficulty", difficulty, "picks", listOf(picks...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		want := plan.Play(draws())
		var actions []game.Value
		for level, tile := range picks {
			actions = append(actions, action("climb", "tile", tile))
			if !containsInt(numbersShown(want.Outcome.Get("levels").At(level)), tile) {
				break
			}
		}
		if want.Multiplier.Num > 0 && len(picks) < 9 {
			actions = append(actions, action("cashOut"))
		}
		got := ended(t, begin(t, game.DragonTower(), "difficulty", difficulty), draws, actions...)
		if got.Multiplier.Cmp(want.Multiplier) != 0 || !got.Outcome.Get("levels").Equal(want.Outcome.Get("levels")) {
			t.Fatalf("%v pays %s, in one call %v pays %s", got.Outcome, got.Multiplier, want.Outcome, want.Multiplier)
		}
	})
}

// TestStepsWithoutAStep: cashing out at once pays 0.99, so that every strategy returns
// the same.
func TestStepsWithoutAStep(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Mines(), game.Hilo(), game.DragonTower()} {
		got := ended(t, begin(t, g), func() game.Draws { return stream("steps", "none", 3) }, action("cashOut"))
		if rat(got.Multiplier).Cmp(big.NewRat(99, 100)) != 0 {
			t.Errorf("%s: %s", g.Type(), got.Multiplier)
		}
	}
}

// TestHiloUpToABound: guesses that could pay more aren't offered, and the round is
// cashed out when none is left.
func TestHiloUpToABound(t *testing.T) {
	t.Parallel()
	bound := money.Ratio{Num: 2, Den: 1}
	steps, ok := game.UpTo(begin(t, game.Hilo()), bound)
	if !ok || steps.MaxMultiplier().Cmp(bound) != 0 {
		t.Fatalf("%v, up to %s", ok, steps.MaxMultiplier())
	}
	out, refused := 0, 0
	for nonce := range int64(300) {
		draws := func() game.Draws { return stream("steps", "up to 2", nonce) }
		var taken []game.Value
		for {
			states, err := game.Replay(steps, draws, taken)
			if err != nil {
				t.Fatal(err)
			}
			state := states[len(states)-1]
			if state.Ended {
				if state.Multiplier.Num > 0 && len(taken) < 51 {
					out++
					if next := new(big.Rat).Mul(rat(state.Multiplier), big.NewRat(13, 12)); next.Cmp(big.NewRat(2, 1)) <= 0 {
						t.Errorf("%v: cashed out at %s with %s to gain", state.Shown, state.Multiplier, next.FloatString(4))
					}
				}
				break
			}
			if state.Choices[0].Action.Get("type").Text() == "skip" || len(state.Choices) < 4 {
				refused++
			}
			taken = append(taken, state.Choices[0].Action)
		}
	}
	if out == 0 || refused == 0 {
		t.Errorf("%d rounds were cashed out, %d guesses not offered", out, refused)
	}
}
