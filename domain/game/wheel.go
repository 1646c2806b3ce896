package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// wheelLow is the payout of ten segments of a low-risk wheel, in tenths of the wager,
// repeated. Source of the figures of all wheels: published tables of the game. Changing
// any of them requires a new version of the rules.
var wheelLow = []uint64{15, 12, 12, 12, 0, 12, 12, 12, 12, 0}

// wheelMedium is the payout of the segments of medium-risk wheels, in tenths.
var wheelMedium = map[int][]uint64{
	10: {0, 19, 0, 15, 0, 20, 0, 15, 0, 30},
	20: {15, 0, 20, 0, 20, 0, 20, 0, 15, 0, 30, 0, 18, 0, 20, 0, 20, 0, 20, 0},
	30: {15, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 17, 0, 40, 0, 15, 0, 20, 0},
	40: {20, 0, 30, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 16, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0},
	50: {20, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0, 15, 0, 50, 0, 15, 0, 20, 0, 15, 0},
}

// wheelSizes are the possible numbers of segments.
var wheelSizes = []int64{10, 20, 30, 40, 50}

// wheelRisks are the risks, lowest first.
var wheelRisks = []string{"low", "medium", "high"}

// wheel implements Wheel.
type wheel struct{ houseGame }

// Wheel returns wheel: it stops at segment pick(segments), and the table defines the
// payout. With high risk only the last segment pays, 0.99 · segments. The outcome is
// {index}. The game is Tabled.
//
// The return is exact over the 2^32 values of a draw.
func Wheel() Game {
	return wheel{houseGame{
		gameType: "wheel", rules: "wheel/1", title: "Wheel",
		explanation: "The wheel stops at one of its segments, and the table says what that segment pays for your number of segments and your risk. With high risk one segment pays and all others lose.",
		fields: []Field{
			{
				Name: "segments", Title: "Segments", Description: "How many segments the wheel has.",
				Shape: IntChoice(wheelSizes...), Default: Int(10),
			},
			{
				Name: "risk", Title: "Risk", Description: "The higher, the fewer segments pay, and the more.",
				Shape: TextChoice(wheelRisks...), Default: Text("low"),
			},
		},
	}}
}

// wheelPays returns the payout of each segment, in tenths.
func wheelPays(risk string, segments int) []uint64 {
	if risk == "medium" {
		return wheelMedium[segments]
	}
	pays := make([]uint64, segments)
	if risk == "high" {
		pays[segments-1] = 99 * uint64(segments) / 10
		return pays
	}
	for i := range pays {
		pays[i] = wheelLow[i%len(wheelLow)]
	}
	return pays
}

// wheelTables are the tables of all configs, by segments and risk.
var wheelTables = func() (tables payTables) {
	for _, segments := range wheelSizes {
		for _, risk := range wheelRisks {
			pays := wheelPays(risk, int(segments))
			prizes := make([]prize, len(pays))
			for i := range pays {
				prizes[i] = prize{pays[i], new(big.Int).SetUint64(drawsOf(uint64(i), uint64(segments)))}
			}
			tables = append(tables, payTable{figuresOf(prizes, latticeOf(1), 10), risk, int(segments), pays})
		}
	}
	return tables
}()

func (wheel) RTP() RTP { return wheelTables.rtp("low", 10) }

// Table returns {tables}, a list of {segments, risk, pays} with the payouts of the
// segments from 0, in wagers.
func (wheel) Table() Value {
	return wheelTables.table(1, func(t *payTable) []Member {
		return []Member{{"segments", Int(int64(t.size))}, {"risk", Text(t.risk)}}
	})
}

func (wheel) Plan(config Value, _ money.Amount) (Plan, error) {
	segments, _ := config.Get("segments").Int()
	return &wheelPlan{wheelTables.find(config.Get("risk").Text(), int(segments)), configured{config}}, nil
}

// wheelPlan is one turn.
type wheelPlan struct {
	*payTable
	configured
}

func (p *wheelPlan) Play(draws Draws) Result {
	index := draws.Pick(uint32(len(p.pays)))
	return Result{
		Outcome:    Object(Member{"index", Int(int64(index))}),
		Multiplier: money.Ratio{Num: p.pays[index], Den: 10},
	}
}
