package game

import (
	"encoding/binary"
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
// The return is exact over the 2^32 values of each draw. It depends on which tiles
// are picked, in the eighth decimal of a percent: pick(25) can't be equally likely
// for all tiles, because 25 doesn't divide 2^32.
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

// RTP is that of three configs. A test counts those of the least: two mines and a
// tile, one mine and two tiles, and of the greatest: all 53130 ways to pick twenty
// tiles with five mines. The prizes' rounding decides between the others, and where
// it costs nothing the unevenness of draws, which a search over all sets found to
// be largest here.
func (mines) RTP() RTP {
	const best = 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12 |
		1<<14 | 1<<15 | 1<<16 | 1<<17 | 1<<18 | 1<<20 | 1<<21 | 1<<22 | 1<<23 | 1<<24
	return rtpAmong(minesFigures(3, 1), minesFigures(2, 1), minesFigures(5, best))
}

func (mines) Plan(config Value, _ money.Amount) (Plan, error) {
	count, _ := config.Get("mines").Int()
	picks := maskOf(config.Get("picks"))
	if most := minesTiles - int(count); bits.OnesCount64(picks) > most {
		return nil, fault.Field("config.picks", "must have at most %d items with %d mines", most, count)
	}
	return &minesPlan{figures: minesFigures(int(count), picks), config: config, picks: picks, count: int(count)}, nil
}

// minesFigures counts a bet on these tiles.
func minesFigures(count int, picks uint64) *figures {
	d := bits.OnesCount64(picks)
	pays := 99 * (tenThousandths / hundredths) * choose(minesTiles, d) / choose(minesTiles-count, d)
	return figuresOf([]prize{{pays, minesMissing(count, picks)}}, latticeOf(count), tenThousandths)
}

// minesPlan is one bet on tiles without a mine.
type minesPlan struct {
	*figures
	config Value
	picks  uint64
	count  int
}

func (p *minesPlan) Config() Value { return p.config }

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

// minesBelow is drawsBelow(i, n) for the boards there are.
var minesBelow = func() (below [minesTiles + 1][minesTiles + 1]uint64) {
	for n := 1; n <= minesTiles; n++ {
		for i := range n + 1 {
			below[n][i] = drawsBelow(uint64(i), uint64(n))
		}
	}
	return below
}()

// minesMissing returns how many of the 2^(32·count) ways to draw the mines miss
// every tile picked.
//
// A mine's place counts the tiles left before it. So what matters of the mines
// drawn is how many lie in each gap between picked tiles. Gaps that add up to g
// have at most 3^8·2 = 13122 such counts, since the gaps with one more each add up
// to 26; going through them takes a millisecond at most.
func minesMissing(count int, picks uint64) *big.Int {
	var gaps, place []int // and the value of each gap's digit in a code of the counts
	codes, gap := 1, 0
	for tile := range minesTiles + 1 {
		if tile < minesTiles && picks>>tile&1 == 0 {
			gap++
			continue
		}
		gaps, place = append(gaps, gap), append(place, codes)
		codes, gap = codes*(gap+1), 0
	}
	words := count/2 + 1 // of 64 bits
	slot := make([]int, codes)
	layer, ways := []int{0}, append([]uint64{1}, make([]uint64, words-1)...)
	for drawn := range count {
		var next []int
		var nextWays []uint64
		below := &minesBelow[minesTiles-drawn]
		for i, code := range layer {
			start := 0
			for z, gap := range gaps {
				here := gap - code/place[z]%(gap+1)
				if here > 0 {
					to := code + place[z]
					if slot[to] == 0 {
						next, nextWays = append(next, to), append(nextWays, make([]uint64, words)...)
						slot[to] = len(next)
					}
					at := (slot[to] - 1) * words
					addTimes(nextWays[at:at+words], ways[i*words:(i+1)*words], below[start+here]-below[start])
				}
				start += here + 1
			}
		}
		layer, ways = next, nextWays
	}
	sum := new(big.Int)
	for i := range layer {
		sum.Add(sum, bigOf(ways[i*words:(i+1)*words]))
	}
	return sum
}

// addTimes adds a number times a factor; words are least first, and sums fit.
func addTimes(to, number []uint64, factor uint64) {
	var carry uint64
	for i, word := range number {
		hi, lo := bits.Mul64(word, factor)
		lo, over := bits.Add64(lo, carry, 0)
		hi += over
		to[i], over = bits.Add64(to[i], lo, 0)
		carry = hi + over
	}
}

func bigOf(words []uint64) *big.Int {
	text := make([]byte, 8*len(words))
	for i, word := range words {
		binary.BigEndian.PutUint64(text[len(text)-8*(i+1):], word)
	}
	return new(big.Int).SetBytes(text)
}
