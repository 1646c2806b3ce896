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
			boards, safe := choose(minesTiles, picks), choose(minesTiles-count, picks)
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
