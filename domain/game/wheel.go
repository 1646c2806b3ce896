package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// wheelLow is what ten segments of a wheel of low risk pay, in tenths of the wager,
// over and over. Source of the figures of all wheels: the tables that the field
// publishes. A change of any of them is a new version of the rules.
var wheelLow = []uint64{15, 12, 12, 12, 0, 12, 12, 12, 12, 0}

// wheelMedium is what the segments of wheels of medium risk pay, in tenths.
var wheelMedium = map[int][]uint64{
	10: {0, 19, 0, 15, 0, 20, 0, 15, 0, 30},
	20: {15, 0, 20, 0, 20, 0, 20, 0, 15, 0, 30, 0, 18, 0, 20, 0, 20, 0, 20, 0},
	30: {15, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 17, 0, 40, 0, 15, 0, 20, 0},
	40: {20, 0, 30, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 16, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0},
	50: {20, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0, 15, 0, 50, 0, 15, 0, 20, 0, 15, 0},
}

// wheelSizes are how many segments a wheel may have.
var wheelSizes = []int64{10, 20, 30, 40, 50}

// wheelRisks are the risks, from the least.
var wheelRisks = []string{"low", "medium", "high"}

// wheel is the game of a wheel of segments.
type wheel struct{ fields []Field }

// Wheel returns wheel: it stops at segment pick(segments), and pays what the table
// says of it. With high risk only the last segment pays, 0.99 · segments. The
// outcome is {index}. The game is Tabled.
//
// The return is exact over the 2^32 values of a draw.
func Wheel() Game {
	return wheel{fields: []Field{
		{
			Name: "segments", Title: "Segments", Description: "How many segments the wheel has.",
			Shape: IntChoice(wheelSizes...), Default: Int(10),
		},
		{
			Name: "risk", Title: "Risk", Description: "The higher, the fewer segments pay, and the more.",
			Shape: TextChoice(wheelRisks...), Default: Text("low"),
		},
	}}
}

func (wheel) Type() string      { return "wheel" }
func (wheel) Rules() string     { return "wheel/1" }
func (wheel) Title() string     { return "Wheel" }
func (w wheel) Fields() []Field { return w.fields }

func (wheel) Explanation() string {
	return "The wheel stops at one of its segments, and the table says what that segment pays for your number of segments and your risk. With high risk one segment pays and all others lose."
}

// wheelPays returns what each segment pays, in tenths.
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

// wheelKey names a config.
type wheelKey struct {
	risk     string
	segments int
}

// wheelPlans are the plans of all configs, without their config.
var wheelPlans = func() map[wheelKey]wheelPlan {
	plans := map[wheelKey]wheelPlan{}
	for _, risk := range wheelRisks {
		for _, segments := range wheelSizes {
			pays := wheelPays(risk, int(segments))
			prizes := make([]prize, len(pays))
			for i := range pays {
				prizes[i] = prize{pays[i], new(big.Int).SetUint64(drawsOf(uint64(i), uint64(segments)))}
			}
			plans[wheelKey{risk, int(segments)}] = wheelPlan{figures: figuresOf(prizes, latticeOf(1), 10), pays: pays}
		}
	}
	return plans
}()

func (wheel) RTP() RTP {
	var all []*figures
	for _, plan := range wheelPlans {
		all = append(all, plan.figures)
	}
	return rtpAmong(wheelPlans[wheelKey{"low", 10}].figures, all...)
}

// Table returns {tables}, a list of {segments, risk, pays} with the wagers that
// segments from 0 pay.
func (wheel) Table() Value {
	var tables []Value
	for _, segments := range wheelSizes {
		for _, risk := range wheelRisks {
			tables = append(tables, Object(Member{"segments", Int(segments)}, Member{"risk", Text(risk)},
				Member{"pays", decimalsOf(wheelPays(risk, int(segments)), 1)}))
		}
	}
	return Object(Member{"tables", List(tables...)})
}

func (wheel) Plan(config Value, _ money.Amount) (Plan, error) {
	segments, _ := config.Get("segments").Int()
	plan := wheelPlans[wheelKey{config.Get("risk").Text(), int(segments)}]
	plan.config = config
	return &plan, nil
}

// wheelPlan is one turn.
type wheelPlan struct {
	*figures
	config Value
	pays   []uint64
}

func (p *wheelPlan) Config() Value { return p.config }

func (p *wheelPlan) Play(draws Draws) Result {
	index := draws.Pick(uint32(len(p.pays)))
	return Result{
		Outcome:    Object(Member{"index", Int(int64(index))}),
		Multiplier: money.Ratio{Num: p.pays[index], Den: 10},
	}
}
