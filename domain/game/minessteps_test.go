package game_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// begin begins a round by steps.
func begin(t fataler, g game.Game, config ...any) game.Steps {
	steps, err := game.Begin(g, object(config...), 0)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return steps
}

type fataler interface{ Fatalf(string, ...any) }

// action is one that a player sends.
func action(name string, members ...any) game.Value {
	return object(append([]any{"type", name}, members...)...)
}

// ended folds a round that has to be over then.
func ended(t fataler, steps game.Steps, draws func() game.Draws, actions ...game.Value) game.Result {
	states, err := game.Replay(steps, draws, actions)
	if err != nil {
		t.Fatalf("%v: %v", actions, err)
	}
	last := states[len(states)-1]
	if !last.Ended {
		t.Fatalf("%v: goes on with %v", actions, last.Shown)
	}
	return game.Settle(last)
}

// TestMinesBySteps: a round of clicks is what a round in one call is that picks the same
// tiles, up to the click on a mine.
func TestMinesBySteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 24).Draw(t, "mines")
		picks := setOf(t, "picks", 25, 1, 25-count)
		nonce := rapid.Int64Range(0, 1<<40).Draw(t, "nonce")
		draws := func() game.Draws { return stream("steps", "of mines", nonce) }
		plan, err := game.Prepare(game.Mines(), object("mines", count, "picks", listOf(picks...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		want, steps := plan.Play(draws()), begin(t, game.Mines(), "mines", count)
		hidden := numbersShown(want.Outcome.Get("mines"))
		var actions []game.Value
		for _, tile := range picks {
			actions = append(actions, action("open", "tile", tile))
			if containsInt(hidden, tile) {
				break
			}
		}
		if want.Multiplier.Num > 0 && len(picks) < 25-count {
			actions = append(actions, action("cashOut"))
		}
		got := ended(t, steps, draws, actions...)
		if got.Multiplier.Cmp(want.Multiplier) != 0 || !got.Outcome.Get("mines").Equal(want.Outcome.Get("mines")) {
			t.Fatalf("%v pays %s, in one call %v pays %s", got.Outcome, got.Multiplier, want.Outcome, want.Multiplier)
		}
	})
}

func containsInt(all []int, one int) bool {
	for _, n := range all {
		if n == one {
			return true
		}
	}
	return false
}

// TestMinesUpToABound: the last tile whose prize isn't above the bound is cashed out.
func TestMinesUpToABound(t *testing.T) {
	t.Parallel()
	for count := 1; count <= 24; count++ {
		free := begin(t, game.Mines(), "mines", count)
		for _, bound := range []money.Ratio{{Num: 10309, Den: 10000}, {Num: 5, Den: 1}, {Num: 24_7500, Den: 10000}, {Num: 1_000_001, Den: 3}} {
			steps, ok := game.UpTo(free, bound)
			least := minesPrize(count, 1)
			if fits := least.Cmp(rat(bound)) <= 0; fits != ok {
				t.Fatalf("%d mines up to %s: %v, the first tile pays %s", count, bound, ok, least)
			} else if !ok {
				continue
			}
			most := 1
			for most < 25-count && minesPrize(count, most+1).Cmp(rat(bound)) <= 0 {
				most++
			}
			if got := rat(steps.MaxMultiplier()); got.Cmp(minesPrize(count, most)) != 0 {
				t.Errorf("%d mines up to %s: %s, want that of %d tiles", count, bound, got, most)
			}
			if steps == free {
				continue
			}
			again := begin(t, game.Mines(), "mines", count, "maxMultiplier", steps.Config().Get("maxMultiplier"))
			if again.MaxMultiplier() != steps.MaxMultiplier() || !again.Config().Equal(steps.Config()) {
				t.Errorf("%d mines up to %s: %v is %v again", count, bound, steps.Config(), again.Config())
			}
		}
	}
}
