package game

import (
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// minesTiles is the number of tiles.
const minesTiles = 25

// mines implements Mines.
type mines struct{ houseGame }

// Mines returns mines: some of 25 tiles hide a mine, and a round wins if none of the
// tiles picked does. With d picks and m mines the prize is 0.99 · C(25,d) / C(25-m,d)
// wagers, rounded down to four decimals. Mines are drawn without replacement: the first
// is pick(25), the next pick(24) among the remaining tiles in order. The outcome is
// {mines}, in the order drawn.
//
// Source: the published form, which draws 24 tiles; the first m are mines.
//
// The return assumes equally likely placements of the mines. 25 … 2 don't all divide
// 2^32, so the chance of a tile differs from even by at most 2^-32 a draw, and a return
// by at most a ten-millionth part. An exact count for the tiles picked takes
// milliseconds for each bet, forty times as long as the bet.
func Mines() Game {
	return mines{houseGame{
		gameType: "mines", rules: "mines/1", title: "Mines",
		explanation: "25 tiles hide the number of mines you choose. Pick the tiles to open: if none of them hides a mine you win, and the more tiles and mines there are, the more it pays. One mine among your tiles loses the wager.",
		fields: []Field{
			{
				Name: "mines", Title: "Mines", Description: "How many of the 25 tiles hide a mine.",
				Shape: Number{Min: 1, Max: minesTiles - 1}, Default: Int(3),
			},
			{
				Name: "picks", Title: "Tiles", Description: "The tiles to open, 0 to 24, row by row. No more than there are tiles without a mine.",
				Shape:   ListOf{Item: Number{Min: 0, Max: minesTiles - 1}, MinItems: 1, MaxItems: minesTiles - 1, Distinct: true},
				Default: List(Int(0)),
			},
		},
	}}
}

func (mines) RTP() RTP {
	var all []*figures
	for count := 1; count < minesTiles; count++ {
		all = append(all, minesFigures[count][1:minesTiles-count+1]...)
	}
	return rtpAmong(minesFigures[3][1], all...)
}

func (mines) Plan(config Value, _ money.Amount) (Plan, error) {
	count, _ := config.Get("mines").Int()
	picks := maskOf(config.Get("picks"))
	if most := minesTiles - int(count); bits.OnesCount64(picks) > most {
		return nil, fault.Field("config.picks", "must have at most %d items with %d mines", most, count)
	}
	return &minesPlan{minesFigures[count][bits.OnesCount64(picks)], configured{config}, picks, int(count)}, nil
}

// minesFigures are the figures of every config, by mines and picks; nil if there are too
// few tiles without a mine.
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
	configured
	picks uint64
	count int
}

func (*minesPlan) Within() *big.Rat { return evenWithin() }

func (p *minesPlan) Play(draws Draws) Result {
	hidden := drawWithout(draws, minesTiles, p.count)
	multiplier := p.most
	if setOf(hidden)&p.picks != 0 {
		multiplier = money.Ratio{Den: tenThousandths}
	}
	return Result{Outcome: Object(Member{"mines", numbersOf(hidden)}), Multiplier: multiplier}
}

// StepFields declares the number of mines and the bound.
func (m mines) StepFields() []Field { return []Field{m.fields[0], capField()} }

// Begin begins a round played tile by tile. The mines are the first tiles drawn without
// replacement, independent of the tiles opened. Cashing out after d tiles pays the same
// as a round in one call with these picks, 0.99 before the first.
func (m mines) Begin(config Value, _ money.Amount) (Steps, error) {
	count, _ := config.Get("mines").Int()
	pays := func(opened int) money.Ratio { return minesPays(int(count), opened) }
	most, err := stepsWithin(config, minesTiles-int(count), pays)
	if err != nil {
		return nil, err
	}
	return &minesSteps{cappedSteps{configured{config}, m, pays(most)}, int(count), most}, nil
}

// minesSteps implements the steps of one number of mines. After most tiles the round is
// cashed out.
type minesSteps struct {
	cappedSteps
	count, most int
}

// minesPays returns the payout of cashing out after this many tiles.
func minesPays(count, opened int) money.Ratio {
	if opened == 0 {
		return money.Ratio{Num: 9900, Den: tenThousandths}
	}
	return minesFigures[count][opened].most
}

// minesChance returns the chance of the next tile after this many, with all placements
// of the mines equally likely.
func minesChance(count, opened int) *big.Rat {
	return big.NewRat(int64(minesTiles-count-opened), int64(minesTiles-opened))
}

// minesTheory is the theory by number of tiles, each given those before it.
var minesTheory = func() (all [minesTiles][minesTiles + 1]Theory) {
	for count := 1; count < minesTiles; count++ {
		sum, best := new(big.Rat), returnAmong(minesFigures[count][1:minesTiles-count+1]...).Best
		all[count][0] = TheoryOf(best, sum, money.Ratio{Num: 1, Den: 1})
		for opened := range minesTiles - count {
			sum.Add(sum, stepVariance(minesPays(count, opened), minesChance(count, opened)))
			all[count][opened+1] = TheoryOf(best, sum, money.Ratio{Num: 1, Den: 1})
		}
	}
	return all
}()

func (s *minesSteps) Theory(_ []Value, shown Value) Theory {
	return minesTheory[s.count][shown.Get("opened").Len()]
}

// Return returns the range over the number of tiles at cash-out. The choice of tiles
// doesn't matter, and nothing else is known when choosing.
func (s *minesSteps) Return() StepReturn { return returnAmong(minesFigures[s.count][1 : s.most+1]...) }

func (s *minesSteps) At(draws Draws, actions []Value) State {
	hidden := drawWithout(draws, minesTiles, s.count)
	mined := setOf(hidden)
	opened, lost, ended := tilesTaken(actions, s.most, func(_ int, tile uint8) bool { return mined>>tile&1 == 0 })
	shown := Member{"opened", numbersOf(opened)}
	if !ended {
		return State{Shown: Object(shown), Choices: s.choices(setOf(opened), len(opened))}
	}
	state := State{Ended: true, Shown: Object(shown, Member{"mines", numbersOf(hidden)})}
	if !lost {
		state.Multiplier = minesPays(s.count, len(opened))
	}
	return state
}

// choices returns the offers: to open one of the other tiles, and to cash out.
func (s *minesSteps) choices(isOpen uint64, opened int) []Offer {
	tiles := make([]Value, 0, minesTiles-opened)
	for tile := range minesTiles {
		if isOpen>>tile&1 == 0 {
			tiles = append(tiles, Int(int64(tile)))
		}
	}
	tile := Field{Name: "tile", Title: "Tile", Description: "The tile to open, 0 to 24, row by row.", Shape: Choice{Of: tiles}}
	return tileOffers("open", tile, minesChance(s.count, opened), minesPays(s.count, opened+1), minesPays(s.count, opened))
}
