package game

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

const (
	// diceRolls is the number of rolls: 0.00 … 100.00.
	diceRolls = 10001
	// diceEdge is 0.99 · 10000 · 10^4: the prize in ten-thousandths for a single winning
	// hundredth.
	diceEdge = 99_000_000
	// diceLeast is the least prize offered, 1.01 in ten-thousandths.
	diceLeast = 10_100

	hundredths, tenThousandths = 100, 10_000
)

// dice implements Dice.
type dice struct{ houseGame }

// Dice returns dice: a roll of 0.00 … 100.00 = pick(10001)/100, and a bet that it is
// over, or under, a target. With w hundredths on the winning side the prize is 0.99 ·
// 10000 / w wagers, rounded down to four decimals. A target with a prize below 1.01 is
// refused.
//
// Source: the published form, with rolls of floor(f·10001).
func Dice() Game {
	return dice{houseGame{
		gameType: "dice", rules: "dice/1", title: "Dice",
		explanation: "A roll of 0.00 to 100.00 is drawn. Bet that it is over your target or under it: the fewer rolls win, the more it pays, 0.99 divided by the chance among 10,000 hundredths.",
		fields: []Field{
			{
				Name: "target", Title: "Target", Description: "The roll is compared with it. A target that pays less than 1.01 is refused.",
				Shape: Number{Min: 1, Max: 9999, Decimals: 2}, Default: Dec(5000, 2),
			},
			{
				Name: "direction", Title: "Direction", Description: "over wins when the roll is above the target, under when it is below.",
				Shape: TextChoice("over", "under"), Default: Text("over"),
			},
		},
	}}
}

func (dice) Plan(config Value, _ money.Amount) (Plan, error) {
	target, _ := config.Get("target").Units(2)
	over := config.Get("direction").Text() == "over"
	odds, ok := diceOdds(target, over)
	if !ok {
		return nil, fault.Field("config.target", "%s %s pays less than 1.01",
			config.Get("direction").Text(), config.Get("target").NumberText())
	}
	return &dicePlan{odds, configured{config}, uint32(target), over}, nil
}

// diceOdds returns the odds of a bet; false if its prize is too low to be offered.
func diceOdds(target int64, over bool) (Odds, bool) {
	winning := uint64(target)
	if over {
		winning = hundredths*100 - winning
	}
	if winning == 0 || winning > hundredths*100 || diceEdge/winning < diceLeast {
		return Odds{}, false
	}
	wins := drawsBelow(uint64(target), diceRolls)
	if over {
		wins = lattice - drawsBelow(uint64(target)+1, diceRolls)
	}
	return Odds{Prize: money.Ratio{Num: diceEdge / winning, Den: tenThousandths}, Wins: wins}, true
}

// drawsBelow returns how many of the 2^32 draws have pick(n) < i: the k with
// k·n < i·2^32.
func drawsBelow(i, n uint64) uint64 { return (i<<32 + n - 1) / n }

// RTP checks every target and direction. All prizes are in ten-thousandths, so prize ·
// wins compares returns.
func (dice) RTP() RTP {
	standard, _ := diceOdds(5000, true)
	least, greatest := standard, standard
	for target := int64(1); target <= 9999; target++ {
		for _, over := range [...]bool{true, false} {
			odds, ok := diceOdds(target, over)
			if ok && odds.Prize.Num*odds.Wins < least.Prize.Num*least.Wins {
				least = odds
			}
			if ok && odds.Prize.Num*odds.Wins > greatest.Prize.Num*greatest.Wins {
				greatest = odds
			}
		}
	}
	return rtpAmong(standard, least, greatest)
}

// dicePlan is one dice bet.
type dicePlan struct {
	Odds
	configured
	target uint32
	over   bool
}

func (p *dicePlan) Play(draws Draws) Result {
	roll := draws.Pick(diceRolls)
	won := roll < p.target
	if p.over {
		won = roll > p.target
	}
	return p.resultOf(won, Object(Member{"roll", Dec(int64(roll), 2)}))
}
