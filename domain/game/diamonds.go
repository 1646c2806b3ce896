package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// diamondsGems are the colours of pick(7).
var diamondsGems = [...]Value{Text("green"), Text("purple"), Text("yellow"), Text("red"), Text("cyan"), Text("pink"), Text("blue")}

// diamondsDrawn is the number of gems drawn.
const diamondsDrawn = 5

// diamondsTable is the payout of each hand in tenths of the wager, by the counts of its
// most frequent colour and the next one. The last entry is all other hands. Changing it
// requires a new version of the rules.
var diamondsTable = [...]struct {
	name         string
	first, other uint8
	pays         uint64
}{
	{"five of a kind", 5, 0, 500},
	{"four of a kind", 4, 1, 50},
	{"full house", 3, 2, 40},
	{"three of a kind", 3, 1, 30},
	{"two pairs", 2, 2, 20},
	{"pair", 2, 1, 1},
	{"none", 1, 1, 0},
}

// diamonds implements Diamonds.
type diamonds struct{ houseGame }

// Diamonds returns diamonds: five gems, each pick(7) of green, purple, yellow, red,
// cyan, pink and blue, and a prize for equal ones. The outcome is {gems, hand}. The game
// is Tabled.
//
// The return is exact over the 2^32 values of each draw.
func Diamonds() Game {
	return diamonds{houseGame{
		gameType: "diamonds", rules: "diamonds/1", title: "Diamonds",
		explanation: "Five gems are drawn, each of one of seven colours by even chances. The more of them are alike, the more they pay: the table lists every hand from five of a kind to a pair.",
	}}
}

func (diamonds) RTP() RTP { return rtpAmong(diamondsFigures) }

// Table returns {gems, hands}: the colours of pick(7) from 0, and each hand as
// {name, pays} with the wagers it pays.
func (diamonds) Table() Value {
	var hands []Value
	for i := range diamondsTable {
		hands = append(hands, Object(Member{"name", Text(diamondsTable[i].name)}, Member{"pays", Dec(int64(diamondsTable[i].pays), 1)}))
	}
	return Object(Member{"gems", List(diamondsGems[:]...)}, Member{"hands", List(hands...)})
}

func (diamonds) Plan(config Value, _ money.Amount) (Plan, error) {
	return &diamondsPlan{diamondsFigures, configured{config}}, nil
}

// diamondsHand returns the index in the table of a hand with these counts of colours.
func diamondsHand(counts *[len(diamondsGems)]uint8) int {
	var first, other uint8
	for _, count := range counts {
		switch {
		case count > first:
			first, other = count, first
		case count > other:
			other = count
		}
	}
	last := len(diamondsTable) - 1
	for i := range last {
		if diamondsTable[i].first == first && diamondsTable[i].other == other {
			return i
		}
	}
	return last
}

// diamondsFigures counts the hands by their counts of each colour.
var diamondsFigures = func() *figures {
	prizes := make([]prize, len(diamondsTable))
	for i := range prizes {
		prizes[i] = prize{diamondsTable[i].pays, new(big.Int)}
	}
	var counts [len(diamondsGems)]uint8
	var fill func(colour, left int, ways *big.Int)
	fill = func(colour, left int, ways *big.Int) {
		if colour == len(counts) {
			if left == 0 {
				hand := prizes[diamondsHand(&counts)].ways
				hand.Add(hand, ways)
			}
			return
		}
		draws := new(big.Int).SetUint64(drawsOf(uint64(colour), uint64(len(counts))))
		for count := range left + 1 {
			counts[colour] = uint8(count)
			here := new(big.Int).SetUint64(binomial(left, count))
			here.Mul(here, new(big.Int).Exp(draws, big.NewInt(int64(count)), nil))
			fill(colour+1, left-count, here.Mul(here, ways))
		}
	}
	fill(0, diamondsDrawn, big.NewInt(1))
	return figuresOf(prizes, latticeOf(diamondsDrawn), 10)
}()

// diamondsPlan is one hand.
type diamondsPlan struct {
	*figures
	configured
}

func (p *diamondsPlan) Play(draws Draws) Result {
	var counts [len(diamondsGems)]uint8
	gems := make([]Value, diamondsDrawn)
	for i := range gems {
		gem := draws.Pick(uint32(len(diamondsGems)))
		gems[i] = diamondsGems[gem]
		counts[gem]++
	}
	hand := &diamondsTable[diamondsHand(&counts)]
	return Result{
		Outcome:    Object(Member{"gems", List(gems...)}, Member{"hand", Text(hand.name)}),
		Multiplier: money.Ratio{Num: hand.pays, Den: 10},
	}
}
