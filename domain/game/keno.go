package game

import (
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/money"
)

// kenoNumbers counts the numbers, kenoDrawn those drawn, and kenoMost those that may be
// picked.
const kenoNumbers, kenoDrawn, kenoMost = 40, 10, 10

// kenoTables are the payouts of hits, in hundredths of the wager: for each risk and one
// to ten numbers picked, from no hit to all. Source of the figures: published tables of
// the game. Changing any of them requires a new version of the rules.
var kenoTables = [...]struct {
	risk  string
	picks [kenoMost][]uint64
}{
	{"classic", [...][]uint64{
		{0, 396},
		{0, 190, 450},
		{0, 100, 310, 1040},
		{0, 80, 180, 500, 2250},
		{0, 25, 140, 410, 1650, 3600},
		{0, 0, 100, 368, 700, 1650, 4000},
		{0, 0, 47, 300, 450, 1400, 3100, 6000},
		{0, 0, 0, 220, 400, 1300, 2200, 5500, 7000},
		{0, 0, 0, 155, 300, 800, 1500, 4400, 6000, 8500},
		{0, 0, 0, 140, 225, 450, 800, 1700, 5000, 8000, 10000},
	}},
	{"low", [...][]uint64{
		{70, 185},
		{0, 200, 380},
		{0, 110, 138, 2600},
		{0, 0, 220, 790, 9000},
		{0, 0, 150, 420, 1300, 30000},
		{0, 0, 110, 200, 620, 10000, 70000},
		{0, 0, 110, 160, 350, 1500, 22500, 70000},
		{0, 0, 110, 150, 200, 550, 3900, 10000, 80000},
		{0, 0, 110, 130, 170, 250, 750, 5000, 25000, 100000},
		{0, 0, 110, 120, 130, 180, 350, 1300, 5000, 25000, 100000},
	}},
	{"medium", [...][]uint64{
		{40, 275},
		{0, 180, 510},
		{0, 0, 280, 5000},
		{0, 0, 170, 1000, 10000},
		{0, 0, 140, 400, 1400, 39000},
		{0, 0, 0, 300, 900, 18000, 71000},
		{0, 0, 0, 200, 700, 3000, 40000, 80000},
		{0, 0, 0, 200, 400, 1100, 6700, 40000, 90000},
		{0, 0, 0, 200, 250, 500, 1500, 10000, 50000, 100000},
		{0, 0, 0, 160, 200, 400, 700, 2600, 10000, 50000, 100000},
	}},
	{"high", [...][]uint64{
		{0, 396},
		{0, 0, 1710},
		{0, 0, 0, 8150},
		{0, 0, 0, 1000, 25900},
		{0, 0, 0, 450, 4800, 45000},
		{0, 0, 0, 0, 1100, 35000, 71000},
		{0, 0, 0, 0, 700, 9000, 40000, 80000},
		{0, 0, 0, 0, 500, 2000, 27000, 60000, 90000},
		{0, 0, 0, 0, 400, 1100, 5600, 50000, 80000, 100000},
		{0, 0, 0, 0, 350, 800, 1300, 6300, 50000, 80000, 100000},
	}},
}

// keno implements Keno.
type keno struct{ houseGame }

// Keno returns keno: ten of the numbers 0 … 39 are drawn without replacement, the first
// by pick(40), the next by pick(39) among the remaining ones in ascending order. The
// table defines the payout of the hits among the numbers picked. The outcome is {draws,
// hits}. The game is Tabled.
//
// The return assumes ten numbers drawn with even chances: h hits of d picks in C(d,h) ·
// C(40-d,10-h) of the C(40,10) draws. 40 … 31 don't all divide 2^32, so a number's
// chance differs from even by at most 2^-32 a draw; over ten draws returns and chances
// deviate by at most a ten-millionth part. An exact count for the numbers picked would
// take seconds for each set of them.
func Keno() Game {
	var first []Value
	for n := range kenoMost {
		first = append(first, Int(int64(n)))
	}
	return keno{houseGame{
		gameType: "keno", rules: "keno/1", title: "Keno",
		explanation: "Pick one to ten of 40 numbers. Ten numbers are drawn, and the table says what your hits pay for so many picks and your risk. The return counts all ways to draw ten numbers as equally likely, which they are to within a ten-millionth part.",
		fields: []Field{
			{
				Name: "picks", Title: "Numbers", Description: "One to ten of the numbers 0 to 39.",
				Shape:   ListOf{Item: Number{Min: 0, Max: kenoNumbers - 1}, MinItems: 1, MaxItems: kenoMost, Distinct: true},
				Default: List(first...),
			},
			{
				Name: "risk", Title: "Risk", Description: "Which table pays: the higher, the more for many hits and the less for few.",
				Shape: TextChoice("classic", "low", "medium", "high"), Default: Text("classic"),
			},
		},
	}}
}

// kenoCards are the tables of all configs, by risk and number of picks.
var kenoCards = func() (tables payTables) {
	all := new(big.Int).SetUint64(binomial(kenoNumbers, kenoDrawn))
	for i := range kenoTables {
		for d, pays := range kenoTables[i].picks {
			d++
			prizes := make([]prize, len(pays))
			for hits := range pays {
				ways := binomial(d, hits) * binomial(kenoNumbers-d, kenoDrawn-hits)
				prizes[hits] = prize{pays[hits], new(big.Int).SetUint64(ways)}
			}
			tables = append(tables, payTable{figuresOf(prizes, all, hundredths), kenoTables[i].risk, d, pays})
		}
	}
	return tables
}()

func (keno) RTP() RTP { return kenoCards.rtp("classic", kenoMost) }

// Table returns {tables}, a list of {risk, picks, pays} with the wagers paid for 0 …
// picks hits.
func (keno) Table() Value {
	return kenoCards.table(2, func(t *payTable) []Member {
		return []Member{{"risk", Text(t.risk)}, {"picks", Int(int64(t.size))}}
	})
}

func (keno) Plan(config Value, _ money.Amount) (Plan, error) {
	picks := config.Get("picks")
	return &kenoPlan{kenoCards.find(config.Get("risk").Text(), picks.Len()), configured{config}, maskOf(picks)}, nil
}

// kenoPlan is one ticket.
type kenoPlan struct {
	*payTable
	configured
	picks uint64
}

func (*kenoPlan) Within() *big.Rat { return evenWithin() }

func (p *kenoPlan) Play(draws Draws) Result {
	drawn := drawWithout(draws, kenoNumbers, kenoDrawn)
	hits := bits.OnesCount64(setOf(drawn) & p.picks)
	return Result{
		Outcome:    Object(Member{"draws", numbersOf(drawn)}, Member{"hits", Int(int64(hits))}),
		Multiplier: money.Ratio{Num: p.pays[hits], Den: hundredths},
	}
}
