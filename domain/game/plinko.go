package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

const plinkoLeast, plinkoMost = 8, 16

// plinkoTables are the payouts of buckets, in tenths of the wager: for each risk and 8
// to 16 rows the buckets from the edge to the middle; the other side is symmetric.
// Source of the figures: published tables of the game. Changing any of them requires a
// new version of the rules.
var plinkoTables = [...]struct {
	risk string
	rows [plinkoMost - plinkoLeast + 1][]uint64
}{
	{"low", [...][]uint64{
		{56, 21, 11, 10, 5},
		{56, 20, 16, 10, 7},
		{89, 30, 14, 11, 10, 5},
		{84, 30, 19, 13, 10, 7},
		{100, 30, 16, 14, 11, 10, 5},
		{81, 40, 30, 19, 12, 9, 7},
		{71, 40, 19, 14, 13, 11, 10, 5},
		{150, 80, 30, 20, 15, 11, 10, 7},
		{160, 90, 20, 14, 14, 12, 11, 10, 5},
	}},
	{"medium", [...][]uint64{
		{130, 30, 13, 7, 4},
		{180, 40, 17, 9, 5},
		{220, 50, 20, 14, 6, 4},
		{240, 60, 30, 18, 7, 5},
		{330, 110, 40, 20, 11, 6, 3},
		{430, 130, 60, 30, 13, 7, 4},
		{580, 150, 70, 40, 19, 10, 5, 2},
		{880, 180, 110, 50, 30, 13, 5, 3},
		{1100, 410, 100, 50, 30, 15, 10, 5, 3},
	}},
	{"high", [...][]uint64{
		{290, 40, 15, 3, 2},
		{430, 70, 20, 6, 2},
		{760, 100, 30, 9, 3, 2},
		{1200, 140, 52, 14, 4, 2},
		{1700, 240, 81, 20, 7, 2, 2},
		{2600, 370, 110, 40, 10, 2, 2},
		{4200, 560, 180, 50, 19, 3, 2, 2},
		{6200, 830, 270, 80, 30, 5, 2, 2},
		{10000, 1300, 260, 90, 40, 20, 2, 2, 2},
	}},
	{"expert", [...][]uint64{
		{500, 46, 11, 1, 1},
		{1000, 78, 15, 2, 1},
		{2010, 110, 20, 6, 1, 1},
		{3240, 160, 40, 11, 2, 1},
		{6190, 300, 60, 15, 4, 1, 1},
		{10120, 520, 100, 30, 6, 1, 1},
		{23690, 800, 160, 30, 12, 2, 1, 1},
		{50000, 1250, 230, 60, 18, 2, 1, 1},
		{100000, 2160, 260, 70, 25, 11, 1, 1, 1},
	}},
}

// plinko implements Plinko.
type plinko struct{ houseGame }

// Plinko returns plinko: a ball falls through 8 to 16 rows, at each of them pick(2) to
// the right (1) or the left (0). The number of steps to the right is the bucket, and the
// table defines its payout. The outcome is {path, bucket}. The game is Tabled.
//
// The return is exact: pick(2) is a draw's top bit, so bucket b of n rows has C(n,b) of
// 2^n equally likely paths.
func Plinko() Game {
	return plinko{houseGame{
		gameType: "plinko", rules: "plinko/1", title: "Plinko",
		explanation: "A ball falls through rows of pins, at each pin to the left or the right by even chances, and lands in a bucket. Each bucket pays what the table says for your rows and your risk.",
		fields: []Field{
			{
				Name: "rows", Title: "Rows", Description: "How many rows of pins the ball falls through.",
				Shape: Number{Min: plinkoLeast, Max: plinkoMost}, Default: Int(plinkoMost),
			},
			{
				Name: "risk", Title: "Risk", Description: "The higher, the more the outer buckets pay and the less the inner ones.",
				Shape: TextChoice("low", "medium", "high", "expert"), Default: Text("medium"),
			},
		},
	}}
}

// plinkoBoards are the tables of all configs, with an entry for each bucket.
var plinkoBoards = func() (tables payTables) {
	for i := range plinkoTables {
		for rows := plinkoLeast; rows <= plinkoMost; rows++ {
			half := plinkoTables[i].rows[rows-plinkoLeast]
			pays, prizes := make([]uint64, rows+1), make([]prize, rows+1)
			for bucket := range pays {
				pays[bucket] = half[min(bucket, rows-bucket)]
				prizes[bucket] = prize{pays[bucket], new(big.Int).SetUint64(binomial(rows, bucket))}
			}
			tables = append(tables, payTable{figuresOf(prizes, big.NewInt(1<<rows), 10), plinkoTables[i].risk, rows, pays})
		}
	}
	return tables
}()

func (plinko) RTP() RTP { return plinkoBoards.rtp("medium", plinkoMost) }

// Table returns {tables}, a list of {risk, rows, pays} with the wagers that buckets 0 …
// rows pay.
func (plinko) Table() Value {
	return plinkoBoards.table(1, func(t *payTable) []Member {
		return []Member{{"risk", Text(t.risk)}, {"rows", Int(int64(t.size))}}
	})
}

func (plinko) Plan(config Value, _ money.Amount) (Plan, error) {
	rows, _ := config.Get("rows").Int()
	return &plinkoPlan{plinkoBoards.find(config.Get("risk").Text(), int(rows)), configured{config}}, nil
}

// plinkoPlan is one ball.
type plinkoPlan struct {
	*payTable
	configured
}

func (p *plinkoPlan) Play(draws Draws) Result {
	path := make([]uint8, len(p.pays)-1)
	bucket := 0
	for row := range path {
		path[row] = uint8(draws.Pick(2))
		bucket += int(path[row])
	}
	return Result{
		Outcome:    Object(Member{"path", numbersOf(path)}, Member{"bucket", Int(int64(bucket))}),
		Multiplier: money.Ratio{Num: p.pays[bucket], Den: 10},
	}
}
