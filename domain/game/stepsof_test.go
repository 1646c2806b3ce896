package game_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// TestHiloBySteps: a round of guesses is what a round in one call is that has the same, up
// to the first wrong one.
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

// TestDragonTowerBySteps: a climb is what a round in one call is that picks the same.
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

// TestStepsWithoutAStep: cashing out at once pays 0.99, so that every way to play returns
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

// TestHiloUpToABound: a guess that could pay more isn't offered, and when none is left the
// round is cashed out.
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
