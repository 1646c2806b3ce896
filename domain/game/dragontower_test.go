package game_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// climbs are the difficulties: tiles and eggs of a level.
var climbs = []struct {
	name        string
	tiles, eggs int
}{{"easy", 4, 3}, {"medium", 3, 2}, {"hard", 2, 1}, {"expert", 3, 1}, {"master", 4, 1}}

// climbPrize returns 0.99 · (tiles/eggs)^levels.
func climbPrize(tiles, eggs, levels int) *big.Rat {
	prize := big.NewRat(99, 100)
	for range levels {
		prize.Mul(prize, big.NewRat(int64(tiles), int64(eggs)))
	}
	return prize
}

func TestDragonTowerAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		climb := rapid.SampledFrom(climbs).Draw(rt, "difficulty")
		picks := rapid.SliceOfN(rapid.IntRange(0, climb.tiles-1), 1, 9).Draw(rt, "picks")
		r := drawRound(rt, prepare(t, game.DragonTower(), "difficulty", climb.name, "picks", listOf(picks...)))
		prize := climbPrize(climb.tiles, climb.eggs, len(picks))
		for level := range 9 {
			eggs := popped(r.draws[level*climb.eggs:], climb.tiles, climb.eggs)
			if got := numbersShown(r.result.Outcome.Get("levels").At(level)); !slices.Equal(got, eggs) {
				rt.Fatalf("level %d has %v, want %v", level, got, eggs)
			}
			if level < len(picks) && !slices.Contains(eggs, picks[level]) {
				prize = new(big.Rat)
			}
		}
		if r.result.Outcome.Get("levels").Len() != 9 {
			rt.Fatalf("%d levels", r.result.Outcome.Get("levels").Len())
		}
		r.pays(rt, prize)
	})
}

// eggChance enumerates all orders in which a level's eggs can be drawn.
func eggChance(tiles, eggs, tile int) *big.Rat {
	var among func(left []int, drawn int) *big.Rat
	among = func(left []int, drawn int) *big.Rat {
		sum := new(big.Rat)
		if drawn == eggs {
			return sum
		}
		for i, one := range left {
			chance := share(ways(int64(i), int64(len(left))), 1)
			if one != tile {
				chance.Mul(chance, among(slices.Delete(slices.Clone(left), i, i+1), drawn+1))
			}
			sum.Add(sum, chance)
		}
		return sum
	}
	all := make([]int, tiles)
	for i := range all {
		all[i] = i
	}
	return among(all, 0)
}

func TestDragonTowerReturns(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	draws := stream("tower", "picks", 0)
	for _, climb := range climbs {
		chances := make([]*big.Rat, climb.tiles)
		for tile := range chances {
			chances[tile] = eggChance(climb.tiles, climb.eggs, tile)
		}
		check := func(picks []int) {
			chance := big.NewRat(1, 1)
			for _, tile := range picks {
				chance.Mul(chance, chances[tile])
			}
			counted := spread{}
			counted.add(climbPrize(climb.tiles, climb.eggs, len(picks)), chance)
			plan := prepare(t, game.DragonTower(), "difficulty", climb.name, "picks", listOf(picks...))
			counted.check(t, plan)
			least, greatest = ends(least, greatest, plan)
		}
		for levels := 1; levels <= 9; levels++ {
			for tile := range climb.tiles {
				check(slices.Repeat([]int{tile}, levels))
			}
			for range 10 {
				picks := make([]int, levels)
				for i := range picks {
					picks[i] = int(draws.Pick(uint32(climb.tiles)))
				}
				check(picks)
			}
		}
	}
	checkRange(t, game.DragonTower().RTP(), prepare(t, game.DragonTower()).Moments().Mean, least, greatest)
	if least.FloatString(7) != "0.9900000" || greatest.FloatString(7) != "0.9900000" || least.Cmp(greatest) == 0 {
		t.Errorf("return %s … %s", least.FloatString(12), greatest.FloatString(12))
	}
	most := prepare(t, game.DragonTower(), "difficulty", "master", "picks", listOf(3, 3, 3, 3, 3, 3, 3, 3, 3)).MaxMultiplier()
	if most.String() != "259522.56" {
		t.Errorf("the most is %s", most)
	}
}

func TestDragonTowerRefusesTilesThatALevelLacks(t *testing.T) {
	t.Parallel()
	for _, climb := range climbs {
		prepare(t, game.DragonTower(), "difficulty", climb.name, "picks", listOf(climb.tiles-1))
		if climb.tiles < 4 {
			_, err := game.Prepare(game.DragonTower(), object("difficulty", climb.name, "picks", listOf(0, climb.tiles)), 0)
			requireField(t, err, "config.picks")
		}
	}
}
