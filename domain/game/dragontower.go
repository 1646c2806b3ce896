package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// towerLevels is how many levels the tower has.
const towerLevels = 9

// towers are the difficulties: how many tiles a level has, and behind how many of
// them is an egg. Source of the figures: the published form.
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

// dragonTower is the game of a tower climbed egg by egg.
type dragonTower struct{ fields []Field }

// DragonTower returns dragon tower: a tower of nine levels, each with two to four
// tiles of which some hide an egg. The picks are a tile a level, from the bottom, as
// many levels as are to be climbed, and win when every one of them hides an egg. The
// prize is 0.99 · (tiles/eggs)^levels, exactly. The outcome is {levels}: the tiles
// with eggs of all nine levels in the order drawn, which is without replacement,
// pick(tiles) first.
//
// Source: the published form, which draws the eggs of each level after another.
//
// The return is exact over the 2^32 values of each draw; where a level has three
// tiles or eggs it depends on the tile, in the eighth decimal of a percent.
func DragonTower() Game {
	names := make([]string, len(towers))
	for i := range towers {
		names[i] = towers[i].difficulty
	}
	return dragonTower{fields: []Field{
		{
			Name: "difficulty", Title: "Difficulty", Description: "Tiles and eggs of a level: easy 4 and 3, medium 3 and 2, hard 2 and 1, expert 3 and 1, master 4 and 1.",
			Shape: TextChoice(names...), Default: Text("easy"),
		},
		{
			Name: "picks", Title: "Tiles", Description: "A tile for each level to climb, from the bottom, 0 being the leftmost.",
			Shape:   ListOf{Item: Number{Min: 0, Max: 3}, MinItems: 1, MaxItems: towerLevels},
			Default: List(Int(0)),
		},
	}}
}

func (dragonTower) Type() string      { return "dragontower" }
func (dragonTower) Rules() string     { return "dragontower/1" }
func (dragonTower) Title() string     { return "Dragon tower" }
func (d dragonTower) Fields() []Field { return d.fields }

func (dragonTower) Explanation() string {
	return "Climb the tower by picking a tile on each level, from the bottom. Some tiles of a level hide an egg, how many is up to the difficulty. If all your tiles hide one, you are paid for the levels climbed; a tile without an egg loses the wager."
}

// towerEggs returns, for each difficulty and tile, in how many of the 2^(32·eggs)
// ways to draw a level's eggs the tile hides one.
var towerEggs = func() (ways [len(towers)][4]*big.Int) {
	for i := range towers {
		tiles, eggs := towers[i].tiles, towers[i].eggs
		for tile := range tiles {
			ways[i][tile] = new(big.Int).Sub(latticeOf(eggs), towerMissing(tiles, eggs, tile))
		}
	}
	return ways
}()

// towerMissing counts the ways to draw the eggs that miss a tile with so many others
// before it: each draw misses it by a tile before or by one after.
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

// towerFigures counts a climb.
func towerFigures(tower int, picks []int) *figures {
	pays, unit, ways := uint64(99), uint64(hundredths), big.NewInt(1)
	for _, tile := range picks {
		pays *= uint64(towers[tower].tiles)
		unit *= uint64(towers[tower].eggs)
		ways.Mul(ways, towerEggs[tower][tile])
	}
	return figuresOf([]prize{{pays, ways}}, latticeOf(towers[tower].eggs*len(picks)), unit)
}

// RTP is found among climbs of nine times the same tile: each level multiplies the
// return by the chance of its tile over the even one, so the greatest such factor is
// best taken nine times, and the least too.
func (dragonTower) RTP() RTP {
	var all []*figures
	for tower := range towers {
		for tile := range towers[tower].tiles {
			picks := make([]int, towerLevels)
			for level := range picks {
				picks[level] = tile
			}
			all = append(all, towerFigures(tower, picks))
		}
	}
	return rtpAmong(towerFigures(0, []int{0}), all...)
}

func (dragonTower) Plan(config Value, _ money.Amount) (Plan, error) {
	p := &towerPlan{config: config, tower: towerOf(config)}
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

// towerOf returns the place of a config's difficulty among the towers.
func towerOf(config Value) int {
	for i := range towers {
		if towers[i].difficulty == config.Get("difficulty").Text() {
			return i
		}
	}
	return 0
}

// towerPlan is one climb.
type towerPlan struct {
	*figures
	config Value
	tower  int
	picks  []int
}

func (p *towerPlan) Config() Value { return p.config }

func (p *towerPlan) Play(draws Draws) Result {
	levels := make([]Value, towerLevels)
	multiplier := p.most
	for level := range levels {
		eggs := drawWithout(draws, towers[p.tower].tiles, towers[p.tower].eggs)
		levels[level] = numbersOf(eggs)
		if level >= len(p.picks) {
			continue
		}
		found := false
		for _, tile := range eggs {
			found = found || int(tile) == p.picks[level]
		}
		if !found {
			multiplier = money.Ratio{Den: p.most.Den}
		}
	}
	return Result{Outcome: Object(Member{"levels", List(levels...)}), Multiplier: multiplier}
}

// StepFields declares a round that is climbed level by level: the difficulty, and what to
// cash out at.
func (d dragonTower) StepFields() []Field { return []Field{d.fields[0], capField()} }

// Begin begins a round that is climbed level by level: the eggs of all nine levels are
// what a round in one call draws, whatever is picked, and cashing out after l levels pays
// what such a round pays that climbs so many; before the first it pays 0.99.
func (dragonTower) Begin(config Value, _ money.Amount) (Steps, error) {
	s := &towerSteps{config: config, tower: towerOf(config), most: towerLevels}
	if bound, ok := capOf(config); ok {
		for s.most > 0 && s.multiplierOf(s.most).Cmp(bound) > 0 {
			s.most--
		}
	}
	if s.most == 0 {
		return nil, errCap(s.multiplierOf(1))
	}
	return s, nil
}

// towerSteps are the steps of one difficulty.
type towerSteps struct {
	config Value
	tower  int
	// most is how many levels may be climbed: the round is cashed out then.
	most int
}

// multiplierOf is 0.99 · (tiles/eggs)^levels.
func (s *towerSteps) multiplierOf(levels int) money.Ratio {
	pays := money.Ratio{Num: 99, Den: hundredths}
	for range levels {
		pays.Num *= uint64(towers[s.tower].tiles)
		pays.Den *= uint64(towers[s.tower].eggs)
	}
	return pays.Reduced()
}

// levelChance is that of a level, all ways to hide the eggs being equally likely.
func (s *towerSteps) levelChance() *big.Rat {
	return big.NewRat(int64(towers[s.tower].eggs), int64(towers[s.tower].tiles))
}

func (s *towerSteps) Config() Value              { return s.config }
func (s *towerSteps) MaxStake() money.Ratio      { return money.Ratio{Num: 1, Den: 1} }
func (s *towerSteps) MaxMultiplier() money.Ratio { return s.multiplierOf(s.most) }
func (s *towerSteps) Abandon(State) Value        { return cashOut }

// Return is the range over the tiles of each level and the levels after which a round is
// cashed out. Levels are drawn apart, so that nothing is better or worse than the tile
// whose chance is furthest from even, on every level or on none.
func (s *towerSteps) Return() StepReturn {
	even := big.NewRat(99, 100)
	of := StepReturn{Best: new(big.Rat).Set(even), Least: new(big.Rat).Set(even)}
	for tile := range towers[s.tower].tiles {
		picks := make([]int, s.most)
		for level := range picks {
			picks[level] = tile
		}
		mean := towerFigures(s.tower, picks).moments.Mean
		if mean.Cmp(of.Best) > 0 {
			of.Best = mean
		}
		if mean.Cmp(of.Least) < 0 {
			of.Least = mean
		}
	}
	return StepReturn{Best: new(big.Rat).Set(of.Best), Least: new(big.Rat).Set(of.Least)}
}

// Theory adds up the levels that were climbed.
func (s *towerSteps) Theory(_ []Value, shown Value) Theory {
	sum := new(big.Rat)
	for level := range shown.Get("picks").Len() {
		sum.Add(sum, stepVariance(s.multiplierOf(level), s.levelChance()))
	}
	return TheoryOf(s.Return().Best, sum, money.Ratio{Num: 1, Den: 1})
}

func (s *towerSteps) UpTo(most money.Ratio) (Steps, bool) {
	config, ok := cappedConfig(s.config, most)
	if !ok {
		return nil, false
	}
	steps, err := dragonTower{}.Begin(config, 0)
	return steps, err == nil
}

func (s *towerSteps) At(draws Draws, actions []Value) State {
	tower := &towers[s.tower]
	levels := make([]Value, towerLevels)
	var eggs [towerLevels]uint64
	for level := range levels {
		hidden := drawWithout(draws, tower.tiles, tower.eggs)
		levels[level] = numbersOf(hidden)
		for _, tile := range hidden {
			eggs[level] |= 1 << tile
		}
	}
	var picks []uint8
	lost, ended := false, false
	for _, action := range actions {
		tile, climbs := action.Get("tile").Int()
		if !climbs {
			ended = true // cashed out
			break
		}
		lost = eggs[len(picks)]>>tile&1 == 0
		picks = append(picks, uint8(tile))
		ended = lost || len(picks) == s.most
	}
	shown := Member{"picks", numbersOf(picks)}
	if !ended {
		return State{Shown: Object(shown), Choices: s.choices(len(picks))}
	}
	state := State{Ended: true, Shown: Object(shown, Member{"levels", List(levels...)})}
	if !lost {
		state.Multiplier = s.multiplierOf(len(picks))
	}
	return state
}

// choices are to climb by one of the next level's tiles, and to cash out.
func (s *towerSteps) choices(climbed int) []Offer {
	return []Offer{
		{
			Action: ActionOf("climb"), Chance: s.levelChance(), Prize: ratioToRat(s.multiplierOf(climbed + 1)),
			Fields: []Field{{
				Name: "tile", Title: "Tile", Description: "The tile of the next level, 0 being the leftmost.",
				Shape: Number{Min: 0, Max: int64(towers[s.tower].tiles - 1)},
			}},
		},
		{Action: cashOut, Chance: big.NewRat(1, 1), Prize: ratioToRat(s.multiplierOf(climbed))},
	}
}
