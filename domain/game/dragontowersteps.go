package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// StepFields declares a round that is climbed level by level: the difficulty, and what to
// cash out at.
func (d dragonTower) StepFields() []Field { return []Field{d.fields[0], capField()} }

// Begin begins a round that is climbed level by level: the eggs of all nine levels are
// what a round in one call draws, whatever is picked, and cashing out after l levels pays
// what such a round pays that climbs so many; before the first it pays 0.99.
func (dragonTower) Begin(config Value, _ money.Amount) (Steps, error) {
	s := &towerSteps{config: config, tower: towerOf(config), most: towerLevels}
	if bound, ok := capOf(config); ok {
		for s.most > 0 && s.pays(s.most).Cmp(bound) > 0 {
			s.most--
		}
	}
	if s.most == 0 {
		return nil, errCap(s.pays(1))
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

// pays is 0.99 · (tiles/eggs)^levels.
func (s *towerSteps) pays(levels int) money.Ratio {
	pays := money.Ratio{Num: 99, Den: hundredths}
	for range levels {
		pays.Num *= uint64(towers[s.tower].tiles)
		pays.Den *= uint64(towers[s.tower].eggs)
	}
	return pays.Reduced()
}

// chance is that of a level, all ways to hide the eggs being equally likely.
func (s *towerSteps) chance() *big.Rat {
	return big.NewRat(int64(towers[s.tower].eggs), int64(towers[s.tower].tiles))
}

func (s *towerSteps) Config() Value              { return s.config }
func (s *towerSteps) MaxStake() money.Ratio      { return money.Ratio{Num: 1, Den: 1} }
func (s *towerSteps) MaxMultiplier() money.Ratio { return s.pays(s.most) }
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
		sum.Add(sum, stepVariance(s.pays(level), s.chance()))
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
		state.Multiplier = s.pays(len(picks))
	}
	return state
}

// choices are to climb by one of the next level's tiles, and to cash out.
func (s *towerSteps) choices(climbed int) []Offer {
	return []Offer{
		{
			Action: ActionOf("climb"), Chance: s.chance(), Prize: rational(s.pays(climbed + 1)),
			Fields: []Field{{
				Name: "tile", Title: "Tile", Description: "The tile of the next level, 0 being the leftmost.",
				Shape: Number{Min: 0, Max: int64(towers[s.tower].tiles - 1)},
			}},
		},
		{Action: cashOut, Chance: big.NewRat(1, 1), Prize: rational(s.pays(climbed))},
	}
}
