package game

import (
	"math/big"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// towerLevels is the number of levels.
const towerLevels = 9

// towers are the difficulties: the tiles of a level, and how many of them hide an egg.
// Source of the figures: the published form.
var towers = [...]struct {
	difficulty  string
	tiles, eggs int
}{
	{"easy", 4, 3},
	{"medium", 3, 2},
	{"hard", 2, 1},
	{"expert", 3, 1},
	{"master", 4, 1},
}

// dragonTower implements DragonTower.
type dragonTower struct{ houseGame }

// DragonTower returns dragon tower: a tower of nine levels, each with two to four tiles,
// some with an egg. The picks are one tile a level, from the bottom, for the levels to
// climb; they win if each tile hides an egg. The prize is exactly 0.99 ·
// (tiles/eggs)^levels. The outcome is {levels}: the tiles with eggs of all nine levels
// in the order drawn, which is without replacement, pick(tiles) first.
//
// Source: the published form, which draws the eggs of one level after another.
//
// The return is exact over the 2^32 values of each draw. On levels with three tiles or
// eggs it depends on the tile, in the eighth decimal of a percent.
func DragonTower() Game {
	names := make([]string, len(towers))
	for i := range towers {
		names[i] = towers[i].difficulty
	}
	return dragonTower{houseGame{
		gameType: "dragontower", rules: "dragontower/1", title: "Dragon tower",
		explanation: "Climb the tower by picking a tile on each level, from the bottom. Some tiles of a level hide an egg, how many is up to the difficulty. If all your tiles hide one, you are paid for the levels climbed; a tile without an egg loses the wager.",
		fields: []Field{
			{
				Name: "difficulty", Title: "Difficulty", Description: "Tiles and eggs of a level: easy 4 and 3, medium 3 and 2, hard 2 and 1, expert 3 and 1, master 4 and 1.",
				Shape: TextChoice(names...), Default: Text("easy"),
			},
			{
				Name: "picks", Title: "Tiles", Description: "A tile for each level to climb, from the bottom, 0 being the leftmost.",
				Shape:   ListOf{Item: Number{Min: 0, Max: 3}, MinItems: 1, MaxItems: towerLevels},
				Default: List(Int(0)),
			},
		},
	}}
}

// towerEggs counts, for each difficulty and tile, the ways of the 2^(32·eggs) draws of a
// level's eggs in which the tile hides one.
var towerEggs = func() (ways [len(towers)][4]*big.Int) {
	for i := range towers {
		tiles, eggs := towers[i].tiles, towers[i].eggs
		for tile := range tiles {
			ways[i][tile] = new(big.Int).Sub(latticeOf(eggs), towerMissing(tiles, eggs, tile))
		}
	}
	return ways
}()

// towerMissing counts the ways to draw the eggs that miss a tile with this many others
// before it: each draw takes a tile before it or one after it.
func towerMissing(tiles, eggs, before int) *big.Int {
	if eggs == 0 {
		return big.NewInt(1)
	}
	miss := func(draws uint64, left int) *big.Int {
		if draws == 0 {
			return new(big.Int)
		}
		rest := towerMissing(tiles-1, eggs-1, left)
		return rest.Mul(rest, new(big.Int).SetUint64(draws))
	}
	n, at := uint64(tiles), uint64(before)
	sum := miss(drawsBelow(at, n), before-1)
	return sum.Add(sum, miss(lattice-drawsBelow(at+1, n), before))
}

// towerFigures computes the figures of a climb.
func towerFigures(tower int, picks []int) *figures {
	pays, unit, ways := uint64(99), uint64(hundredths), big.NewInt(1)
	for _, tile := range picks {
		pays *= uint64(towers[tower].tiles)
		unit *= uint64(towers[tower].eggs)
		ways.Mul(ways, towerEggs[tower][tile])
	}
	return figuresOf([]prize{{pays, ways}}, latticeOf(towers[tower].eggs*len(picks)), unit)
}

// towerExtremes returns the figures of climbs with the same tile on every level. Each
// level multiplies the return by the tile's chance over the even one, so these include
// the least and the greatest return.
func towerExtremes(tower, levels int) []*figures {
	all := make([]*figures, towers[tower].tiles)
	for tile := range all {
		all[tile] = towerFigures(tower, slices.Repeat([]int{tile}, levels))
	}
	return all
}

func (dragonTower) RTP() RTP {
	var all []*figures
	for tower := range towers {
		all = append(all, towerExtremes(tower, towerLevels)...)
	}
	return rtpAmong(towerFigures(0, []int{0}), all...)
}

func (dragonTower) Plan(config Value, _ money.Amount) (Plan, error) {
	p := &towerPlan{configured: configured{config}, tower: towerOf(config)}
	for item := range config.Get("picks").Items() {
		tile, _ := item.Int()
		if most := towers[p.tower].tiles - 1; int(tile) > most {
			return nil, fault.Field("config.picks", "[%d] must be an integer from 0 to %d, %s has %d tiles a level",
				len(p.picks), most, towers[p.tower].difficulty, most+1)
		}
		p.picks = append(p.picks, int(tile))
	}
	p.figures = towerFigures(p.tower, p.picks)
	return p, nil
}

// towerOf returns the index in towers of a config's difficulty.
func towerOf(config Value) int {
	for i := range towers {
		if towers[i].difficulty == config.Get("difficulty").Text() {
			return i
		}
	}
	return 0
}

// drawTower draws the eggs of all levels: in the form of the outcome, and as a set for
// each level.
func drawTower(draws Draws, tower int) (levels []Value, eggs [towerLevels]uint64) {
	levels = make([]Value, towerLevels)
	for level := range levels {
		hidden := drawWithout(draws, towers[tower].tiles, towers[tower].eggs)
		levels[level], eggs[level] = numbersOf(hidden), setOf(hidden)
	}
	return levels, eggs
}

// towerPlan is one climb.
type towerPlan struct {
	*figures
	configured
	tower int
	picks []int
}

func (p *towerPlan) Play(draws Draws) Result {
	levels, eggs := drawTower(draws, p.tower)
	multiplier := p.most
	for level, tile := range p.picks {
		if eggs[level]>>tile&1 == 0 {
			multiplier = money.Ratio{Den: p.most.Den}
		}
	}
	return Result{Outcome: Object(Member{"levels", List(levels...)}), Multiplier: multiplier}
}

// StepFields declares the difficulty and the bound.
func (d dragonTower) StepFields() []Field { return []Field{d.fields[0], capField()} }

// Begin begins a round climbed level by level. It draws the eggs of all nine levels as a
// round in one call does, independent of the picks. Cashing out after l levels pays the
// same as such a round of l levels, 0.99 before the first.
func (d dragonTower) Begin(config Value, _ money.Amount) (Steps, error) {
	tower := towerOf(config)
	most, err := stepsWithin(config, towerLevels, func(levels int) money.Ratio { return towerPays(tower, levels) })
	if err != nil {
		return nil, err
	}
	return &towerSteps{cappedSteps{configured{config}, d, towerPays(tower, most)}, tower, most}, nil
}

// towerSteps implements the steps of one difficulty. After most levels the round is
// cashed out.
type towerSteps struct {
	cappedSteps
	tower, most int
}

// towerPays returns 0.99 · (tiles/eggs)^levels.
func towerPays(tower, levels int) money.Ratio {
	pays := money.Ratio{Num: 99, Den: hundredths}
	for range levels {
		pays.Num *= uint64(towers[tower].tiles)
		pays.Den *= uint64(towers[tower].eggs)
	}
	return pays.Reduced()
}

// chance returns the chance of a level, with all placements of the eggs equally likely.
func (s *towerSteps) chance() *big.Rat {
	return big.NewRat(int64(towers[s.tower].eggs), int64(towers[s.tower].tiles))
}

// Return returns the range over the tiles of each level and the levels at cash-out.
// Levels are independent, so the extremes are the tile with the chance furthest from
// even, on every level or on none.
func (s *towerSteps) Return() StepReturn { return returnAmong(towerExtremes(s.tower, s.most)...) }

// Theory sums over the climbed levels.
func (s *towerSteps) Theory(_ []Value, shown Value) Theory {
	sum := new(big.Rat)
	for level := range shown.Get("picks").Len() {
		sum.Add(sum, stepVariance(towerPays(s.tower, level), s.chance()))
	}
	return TheoryOf(s.Return().Best, sum, money.Ratio{Num: 1, Den: 1})
}

func (s *towerSteps) At(draws Draws, actions []Value) State {
	levels, eggs := drawTower(draws, s.tower)
	picks, lost, ended := tilesTaken(actions, s.most, func(level int, tile uint8) bool { return eggs[level]>>tile&1 == 1 })
	shown := Member{"picks", numbersOf(picks)}
	if !ended {
		tile := Field{
			Name: "tile", Title: "Tile", Description: "The tile of the next level, 0 being the leftmost.",
			Shape: Number{Min: 0, Max: int64(towers[s.tower].tiles - 1)},
		}
		climbed := len(picks)
		return State{
			Shown:   Object(shown),
			Choices: tileOffers("climb", tile, s.chance(), towerPays(s.tower, climbed+1), towerPays(s.tower, climbed)),
		}
	}
	state := State{Ended: true, Shown: Object(shown, Member{"levels", List(levels...)})}
	if !lost {
		state.Multiplier = towerPays(s.tower, len(picks))
	}
	return state
}
