package game

import "github.com/casino-service/casino/domain/money"

// coinflipMost is the longest streak.
const coinflipMost = 20

// coinSides are the names of pick(2).
var coinSides = [2]Value{Text("tails"), Text("heads")}

// coinflip implements Coinflip.
type coinflip struct{ houseGame }

// Coinflip returns coinflip: each flip is pick(2), 1 for heads, and a streak of flips
// that all show the chosen side pays 0.99 · 2^flips. The return to player is exactly
// 0.99 for every config: pick(2) is the draw's top bit.
//
// All flips are drawn even after the streak breaks, so the outcome always has the same
// length. The published form calls k = 2^31 tails, ours heads: one draw in 2^32.
func Coinflip() Game {
	return coinflip{houseGame{
		gameType: "coinflip", rules: "coinflip/1", title: "Coin flip",
		explanation: "Choose a side and how many flips in a row must show it. Each flip is even, and each one more doubles the prize: 1.98 for one, 3.96 for two.",
		fields: []Field{
			{
				Name: "side", Title: "Side", Description: "The side that every flip must show.",
				Shape: TextChoice("heads", "tails"), Default: Text("heads"),
			},
			{
				Name: "flips", Title: "Flips", Description: "The length of the streak. Each flip doubles the prize.",
				Shape: Number{Min: 1, Max: coinflipMost}, Default: Int(1),
			},
		},
	}}
}

func (coinflip) RTP() RTP { return rtpAmong(coinOdds(1)) }

// coinOdds returns the odds of a streak.
func coinOdds(flips int64) Odds {
	return Odds{Prize: money.Ratio{Num: 99 << flips, Den: hundredths}, Wins: lattice >> flips}
}

func (coinflip) Plan(config Value, _ money.Amount) (Plan, error) {
	flips, _ := config.Get("flips").Int()
	side := uint32(0)
	if config.Get("side").Text() == "heads" {
		side = 1
	}
	return &coinPlan{coinOdds(flips), configured{config}, int(flips), side}, nil
}

// coinPlan is one bet on a streak.
type coinPlan struct {
	Odds
	configured
	flips int
	side  uint32
}

func (p *coinPlan) Play(draws Draws) Result {
	shown := make([]Member, p.flips)
	won := true
	for i := range shown {
		side := draws.Pick(2)
		shown[i].Value = coinSides[side]
		won = won && side == p.side
	}
	return p.resultOf(won, Object(Member{"flips", Value{kind: ListKind, members: shown}}))
}
