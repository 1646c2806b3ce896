package game

import (
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// minesTiles is how many tiles the board has.
const minesTiles = 25

// mines is the game of tiles without a mine.
type mines struct{ fields []Field }

// Mines returns mines: of 25 tiles some hide a mine, and a round wins when none of
// the tiles picked does. With d picks and m mines the prize is
// 0.99 · C(25,d) / C(25-m,d) wagers, rounded down to four decimals. Mines are
// drawn without replacement: the first is pick(25), the next pick(24) among the
// tiles left, in their order. The outcome is {mines}, in the order drawn.
//
// Source: the published form, which draws 24 tiles of which the first m are mines.
//
// The return counts all ways to place the mines as equally likely. 25 … 2 don't all
// divide 2^32, so a tile hides one with a chance that differs from even by at most
// 2^-32 a draw, and no return is further than a ten-millionth part from the one stated.
// Counting that for the tiles picked took milliseconds for each bet, forty times what
// the bet itself takes.
func Mines() Game {
	return mines{fields: []Field{
		{
			Name: "mines", Title: "Mines", Description: "How many of the 25 tiles hide a mine.",
			Shape: Number{Min: 1, Max: minesTiles - 1}, Default: Int(3),
		},
		{
			Name: "picks", Title: "Tiles", Description: "The tiles to open, 0 to 24, row by row. No more than there are tiles without a mine.",
			Shape:   ListOf{Item: Number{Min: 0, Max: minesTiles - 1}, MinItems: 1, MaxItems: minesTiles - 1, Distinct: true},
			Default: List(Int(0)),
		},
	}}
}

func (mines) Type() string      { return "mines" }
func (mines) Rules() string     { return "mines/1" }
func (mines) Title() string     { return "Mines" }
func (m mines) Fields() []Field { return m.fields }

func (mines) Explanation() string {
	return "25 tiles hide the number of mines you choose. Pick the tiles to open: if none of them hides a mine you win, and the more tiles and mines there are, the more it pays. One mine among your tiles loses the wager."
}

func (mines) RTP() RTP {
	var all []*figures
	for count := range minesFigures {
		for _, f := range minesFigures[count] {
			if f != nil {
				all = append(all, f)
			}
		}
	}
	return rtpAmong(minesFigures[3][1], all...)
}

func (mines) Plan(config Value, _ money.Amount) (Plan, error) {
	count, _ := config.Get("mines").Int()
	picks := maskOf(config.Get("picks"))
	if most := minesTiles - int(count); bits.OnesCount64(picks) > most {
		return nil, fault.Field("config.picks", "must have at most %d items with %d mines", most, count)
	}
	return &minesPlan{figures: minesFigures[count][bits.OnesCount64(picks)], config: config, picks: picks, count: int(count)}, nil
}

// minesFigures are those of every config, by mines and picks; nil where there are not so
// many tiles without a mine.
var minesFigures = func() (all [minesTiles][minesTiles]*figures) {
	for count := 1; count < minesTiles; count++ {
		for picks := 1; picks <= minesTiles-count; picks++ {
			boards, safe := binomial(minesTiles, picks), binomial(minesTiles-count, picks)
			pays := 99 * (tenThousandths / hundredths) * boards / safe
			all[count][picks] = figuresOf([]prize{{pays, new(big.Int).SetUint64(safe)}}, new(big.Int).SetUint64(boards), tenThousandths)
		}
	}
	return all
}()

// minesPlan is one bet on tiles without a mine.
type minesPlan struct {
	*figures
	config Value
	picks  uint64
	count  int
}

func (p *minesPlan) Config() Value  { return p.config }
func (*minesPlan) Within() *big.Rat { return evenWithin() }

func (p *minesPlan) Play(draws Draws) Result {
	hidden := drawWithout(draws, minesTiles, p.count)
	multiplier := p.most
	for _, tile := range hidden {
		if p.picks>>tile&1 == 1 {
			multiplier = money.Ratio{Den: tenThousandths}
		}
	}
	return Result{Outcome: Object(Member{"mines", numbersOf(hidden)}), Multiplier: multiplier}
}

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
	square := ratioToRat(worth)
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
			Action: ActionOf("open"), Chance: minesChance(s.count, opened), Prize: ratioToRat(minesPays(s.count, opened+1)),
			Fields: []Field{{Name: "tile", Title: "Tile", Description: "The tile to open, 0 to 24, row by row.", Shape: Choice{Of: tiles}}},
		},
		{Action: cashOut, Chance: big.NewRat(1, 1), Prize: ratioToRat(minesPays(s.count, opened))},
	}
}
