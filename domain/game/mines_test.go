package game_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// minesPrize returns 0.99 · C(25,d) / C(25-m,d), cut after four decimals.
func minesPrize(count, picks int) *big.Rat {
	prize := new(big.Rat).Quo(binomial(25, picks), binomial(25-count, picks))
	return floorTo(prize.Mul(prize, big.NewRat(99, 100)), 4)
}

func TestMinesAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 24).Draw(t, "mines")
		picks := setOf(t, "picks", 25, 1, 25-count)
		plan, err := game.Prepare(game.Mines(), object("mines", count, "picks", listOf(picks...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		hidden := popped(r.draws, 25, 24)[:count]
		if got := numbersShown(r.result.Outcome.Get("mines")); !slices.Equal(got, hidden) {
			t.Fatalf("mines %v, want %v", got, hidden)
		}
		prize := minesPrize(count, len(picks))
		for _, tile := range picks {
			if slices.Contains(hidden, tile) {
				prize = new(big.Rat)
			}
		}
		r.pays(t, prize)
	})
}

// missing counts the ways to draw mines that miss the picks, by enumerating the sets of
// mined tiles.
func missing(picks uint32, count int) *big.Int {
	sets := map[uint32]*big.Int{0: big.NewInt(1)}
	for drawn := range count {
		next := map[uint32]*big.Int{}
		for set, sum := range sets {
			place := int64(0)
			for tile := range 25 {
				bit := uint32(1) << tile
				if set&bit != 0 {
					continue
				}
				if picks&bit == 0 {
					if next[set|bit] == nil {
						next[set|bit] = new(big.Int)
					}
					next[set|bit].Add(next[set|bit], new(big.Int).Mul(sum, ways(place, int64(25-drawn))))
				}
				place++
			}
		}
		sets = next
	}
	total := new(big.Int)
	for _, sum := range sets {
		total.Add(total, sum)
	}
	return total
}

// minesConfig returns a config with the picks of a bit set.
func minesConfig(count int, picks uint32) []any {
	var tiles []int
	for tile := range 25 {
		if picks>>tile&1 == 1 {
			tiles = append(tiles, tile)
		}
	}
	return []any{"mines", count, "picks", listOf(tiles...)}
}

// The stated return assumes equally likely sets of mines. Counted over the 2^32 values
// of each draw, for tiles in every part of the board, it differs by at most a
// ten-millionth part.
func TestMinesReturnsByCountingSetsOfMines(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		count int
		picks uint32
	}{
		{3, 1}, {1, 1 << 24}, {1, 1<<24 - 1}, {2, 1 | 1<<12}, {4, 1<<5 | 1<<6 | 1<<20}, {5, 0x1F7F7C}, {3, 0x155555},
		{6, 0x1B6DB6}, {11, 0x1249A49}, {9, 0xFFFF}, {14, 0x1FF0003}, {12, 0x1FFF000},
	} {
		plan := prepare(t, game.Mines(), minesConfig(row.count, row.picks)...)
		counted := new(big.Rat).Mul(minesPrize(row.count, countBits(row.picks)), share(missing(row.picks, row.count), row.count))
		apart := new(big.Rat).Sub(counted, plan.Moments().Mean)
		if bound := new(big.Rat).Mul(counted, big.NewRat(1, 10_000_000)); apart.Abs(apart).Cmp(bound) > 0 {
			t.Errorf("%d mines and tiles %b: counted %s, stated %s", row.count, row.picks, percent(counted), percent(plan.Moments().Mean))
		}
	}
}

// The published range covers all 300 numbers of mines and tiles, each computed from the
// chance that successive mines miss the tiles.
func TestMinesRange(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	configs := 0
	for count := 1; count < 25; count++ {
		chance := big.NewRat(1, 1)
		for d := 1; d <= 25-count; d++ {
			chance.Mul(chance, big.NewRat(int64(25-count-d+1), int64(25-d+1)))
			plan := prepare(t, game.Mines(), "mines", count, "picks", firstNumbers(d))
			prize := minesPrize(count, d)
			counted := spread{}
			counted.add(prize, chance)
			counted.check(t, plan)
			mean := new(big.Rat).Mul(prize, chance)
			if mean.Cmp(least) < 0 {
				least = mean
			}
			if mean.Cmp(greatest) > 0 {
				greatest = mean
			}
			configs++
		}
	}
	if configs != 300 {
		t.Fatalf("%d configs", configs)
	}
	checkRange(t, game.Mines().RTP(), prepare(t, game.Mines()).Moments().Mean, least, greatest)
	if least.FloatString(5) != "0.98992" || greatest.FloatString(7) != "0.9900000" {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

func TestMinesRefusesMoreTilesThanAreSafe(t *testing.T) {
	t.Parallel()
	for _, count := range []int{1, 3, 12, 24} {
		safe := 25 - count
		plan := prepare(t, game.Mines(), "mines", count, "picks", firstNumbers(safe))
		if plan.MaxMultiplier().Num == 0 {
			t.Errorf("%d mines and all safe tiles pay nothing", count)
		}
		if safe < 24 {
			_, err := game.Prepare(game.Mines(), object("mines", count, "picks", firstNumbers(safe+1)), 0)
			requireField(t, err, "config.picks")
		}
	}
	if most := prepare(t, game.Mines(), "mines", 12, "picks", firstNumbers(13)).MaxMultiplier(); most.String() != "5148297" {
		t.Errorf("the most is %s", most)
	}
}

// begin begins a round by steps.
func begin(t fataler, g game.Game, config ...any) game.Steps {
	steps, err := game.Begin(g, object(config...), 0)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return steps
}

type fataler interface{ Fatalf(string, ...any) }

// action returns an action as a player sends it.
func action(name string, members ...any) game.Value {
	return object(append([]any{"type", name}, members...)...)
}

// ended folds a round that must have ended.
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

// TestMinesBySteps: a stepped round equals a round in one call with the same tiles, up
// to the tile with a mine.
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

// TestMinesUpToABound: the round is cashed out at the last tile with a prize within the
// bound.
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
