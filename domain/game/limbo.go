package game

import "github.com/casino-service/casino/domain/money"

// limboReach draws 24 bits. That is why targets end at 10000: further up the
// coarse draw would cost return, down to 0.954 at 1000000.
var limboReach = reach{bits: 24}

const limboMost = 10_000_00

// limbo is the game of a multiplier that reaches a target.
type limbo struct{ fields []Field }

// Limbo returns limbo: a multiplier of max(1.00, ⌊99·2^24 / ((k>>8)+1)⌋ / 100),
// and a prize of the target when the multiplier reaches it.
//
// Source: the published form, floor(2^24/(floor(f·2^24)+1)·0.99·100)/100. That
// form is computed in floats and now and then rounds the wrong way, about 3 times
// in a million: at k>>8 = 294911 it says 56.31 where the exact value is 56.32.
// Ours is the exact one.
func Limbo() Game {
	return limbo{fields: []Field{{
		Name: "target", Title: "Target multiplier", Description: "Paid when the multiplier is this or more.",
		Shape: Number{Min: 101, Max: limboMost, Decimals: 2}, Default: Dec(200, 2),
	}}}
}

func (limbo) Type() string      { return "limbo" }
func (limbo) Rules() string     { return "limbo/1" }
func (limbo) Title() string     { return "Limbo" }
func (l limbo) Fields() []Field { return l.fields }

func (limbo) Explanation() string {
	return "A multiplier of 1.00 or more is drawn; high ones are rare. If it reaches the target you chose you are paid the target, else the wager is lost."
}
func (limbo) RTP() RTP { return limboReach.rtp(200, 101, limboMost) }

func (limbo) Plan(config Value, _ money.Amount) (Plan, error) {
	return planReach(limboReach, config, "target", "multiplier"), nil
}

// reachPlan is one bet that a point reaches a target.
type reachPlan struct {
	Odds
	reach   reach
	config  Value
	target  uint64
	outcome string
}

// planReach plans a bet on the target in the named field; outcome is the name of
// the point in the outcome.
func planReach(r reach, config Value, field, outcome string) Plan {
	target, _ := config.Get(field).Units(2)
	return &reachPlan{
		Odds: r.odds(uint64(target)), reach: r,
		config: config, target: uint64(target), outcome: outcome,
	}
}

func (p *reachPlan) Config() Value { return p.config }

func (p *reachPlan) Play(draws Draws) Result {
	point := p.reach.point(draws.Next())
	return p.result(point >= p.target, Object(Member{p.outcome, Dec(int64(point), 2)}))
}
