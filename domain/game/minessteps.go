package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// StepFields declares a round that is played tile by tile: the mines, and what to cash
// out at.
func (m mines) StepFields() []Field { return []Field{m.fields[0], capField()} }

// Begin begins a round that is played tile by tile: of the 25 tiles the first mines drawn
// without replacement hide one, whatever is opened. Cashing out after d tiles pays what
// a round in one call pays that picks these; before the first it pays 0.99.
func (mines) Begin(config Value, _ money.Amount) (Steps, error) {
	mines, _ := config.Get("mines").Int()
	s := &minesSteps{config: config, count: int(mines), most: minesTiles - int(mines)}
	if bound, ok := capOf(config); ok {
		for s.most > 0 && minesPays(s.count, s.most).Cmp(bound) > 0 {
			s.most--
		}
	}
	if s.most == 0 {
		return nil, errCap(minesPays(s.count, 1))
	}
	return s, nil
}

// minesSteps are the steps of one number of mines.
type minesSteps struct {
	config Value
	count  int
	// most is how many tiles may be opened: the round is cashed out then.
	most int
}

// minesPays is what a round pays that is cashed out after so many tiles.
func minesPays(count, opened int) money.Ratio {
	if opened == 0 {
		return money.Ratio{Num: 9900, Den: tenThousandths}
	}
	return minesFigures[count][opened].most
}

// minesChance is that of the next tile after so many, all ways to place the mines being
// equally likely.
func minesChance(count, opened int) *big.Rat {
	return big.NewRat(int64(minesTiles-count-opened), int64(minesTiles-opened))
}

// minesTheory is that of so many tiles, each given those before it.
var minesTheory = func() (all [minesTiles][minesTiles + 1]Theory) {
	for count := 1; count < minesTiles; count++ {
		sum, best := new(big.Rat), (&minesSteps{count: count, most: minesTiles - count}).Return().Best
		all[count][0] = TheoryOf(best, sum, money.Ratio{Num: 1, Den: 1})
		for opened := range minesTiles - count {
			sum.Add(sum, stepVariance(minesPays(count, opened), minesChance(count, opened)))
			all[count][opened+1] = TheoryOf(best, sum, money.Ratio{Num: 1, Den: 1})
		}
	}
	return all
}()

// stepVariance is that of a step from one worth to that worth divided by the chance, or
// to nothing: worth² · (1/chance - 1).
func stepVariance(worth money.Ratio, chance *big.Rat) *big.Rat {
	variance := new(big.Rat).Inv(chance)
	variance.Sub(variance, big.NewRat(1, 1))
	square := rational(worth)
	return variance.Mul(variance, square.Mul(square, square))
}

func (s *minesSteps) Config() Value              { return s.config }
func (s *minesSteps) MaxStake() money.Ratio      { return money.Ratio{Num: 1, Den: 1} }
func (s *minesSteps) MaxMultiplier() money.Ratio { return minesPays(s.count, s.most) }
func (s *minesSteps) Abandon(State) Value        { return cashOut }
func (s *minesSteps) Theory(_ []Value, shown Value) Theory {
	return minesTheory[s.count][shown.Get("opened").Len()]
}

// Return is the range over the tiles after which a round is cashed out: which they are
// doesn't matter, and nothing else is known when it is decided.
func (s *minesSteps) Return() StepReturn {
	best, least := big.NewRat(99, 100), big.NewRat(99, 100)
	for opened := 1; opened <= s.most; opened++ {
		mean := minesFigures[s.count][opened].moments.Mean
		if mean.Cmp(best) > 0 {
			best.Set(mean)
		}
		if mean.Cmp(least) < 0 {
			least.Set(mean)
		}
	}
	return StepReturn{Best: best, Least: least}
}

func (s *minesSteps) UpTo(most money.Ratio) (Steps, bool) {
	config, ok := cappedConfig(s.config, most)
	if !ok {
		return nil, false
	}
	steps, err := mines{}.Begin(config, 0)
	return steps, err == nil
}

func (s *minesSteps) At(draws Draws, actions []Value) State {
	hidden := drawWithout(draws, minesTiles, s.count)
	mined := uint64(0)
	for _, tile := range hidden {
		mined |= 1 << tile
	}
	var opened []uint8
	isOpen, lost, ended := uint64(0), false, false
	for _, action := range actions {
		tile, opens := action.Get("tile").Int()
		if !opens {
			ended = true // cashed out
			break
		}
		opened = append(opened, uint8(tile))
		isOpen |= 1 << tile
		lost = mined>>tile&1 == 1
		ended = lost || len(opened) == s.most
	}
	state := State{Ended: ended}
	shown := Member{"opened", numbersOf(opened)}
	switch {
	case !ended:
		state.Shown = Object(shown)
		state.Choices = s.choices(isOpen, len(opened))
		return state
	case !lost:
		state.Multiplier = minesPays(s.count, len(opened))
	}
	state.Shown = Object(shown, Member{"mines", numbersOf(hidden)})
	return state
}

// choices are to open one of the other tiles, and to cash out.
func (s *minesSteps) choices(isOpen uint64, opened int) []Offer {
	tiles := make([]Value, 0, minesTiles-opened)
	for tile := range minesTiles {
		if isOpen>>tile&1 == 0 {
			tiles = append(tiles, Int(int64(tile)))
		}
	}
	return []Offer{
		{
			Action: ActionOf("open"), Chance: minesChance(s.count, opened), Prize: rational(minesPays(s.count, opened+1)),
			Fields: []Field{{Name: "tile", Title: "Tile", Description: "The tile to open, 0 to 24, row by row.", Shape: Choice{Of: tiles}}},
		},
		{Action: cashOut, Chance: big.NewRat(1, 1), Prize: rational(minesPays(s.count, opened))},
	}
}
