package game

import "github.com/casino-service/casino/domain/money"

// reach is the common part of limbo and crash: a point drawn from a hyperbola, and a
// prize for a target that the point reaches.
//
// A draw's upper bits are a number 0 … 2^bits-1, and n is one more. The point, in
// hundredths, is max(100, ⌊99·2^bits / n⌋). It reaches a target of t hundredths exactly
// if n ≤ ⌊99·2^bits / t⌋, so that many of the 2^bits values win. The return to player is
// t·⌊99·2^bits / t⌋ / (100·2^bits): 0.99 less the part that the floor cuts off. The
// least point of 100 wins nothing: targets start at 101.
type reach struct{ bits uint }

// edgeNumerator is 99·2^bits, the numerator of the hyperbola.
func (r reach) edgeNumerator() uint64 { return 99 << r.bits }

// pointOf returns the point of a draw in hundredths.
func (r reach) pointOf(k uint32) uint64 {
	n := uint64(k)>>(32-r.bits) + 1
	return max(hundredths, r.edgeNumerator()/n)
}

// oddsOf returns the odds of a target in hundredths.
func (r reach) oddsOf(target uint64) Odds {
	return Odds{
		Prize: money.Ratio{Num: target, Den: hundredths},
		Wins:  r.edgeNumerator() / target << (32 - r.bits),
	}
}

// rtpRange returns the range over all targets of least … most hundredths, which must
// include a divisor of the edge.
//
// The return is 0.99 less the remainder of edge/t; it is exactly 0.99 for a target that
// divides the edge. The remainder edge - q·t falls with t, so the greatest remainder is
// at a target that is the least for its quotient q. Quotients are tried upwards from
// that of most. A remainder is below t, and t below edge/q + 1; once that bound is below
// the remainder found, greater quotients can't exceed it. If there are fewer targets than
// quotients, all targets are tried.
func (r reach) rtpRange(standard, least, most uint64) RTP {
	all := []Odds{}
	for target := least; target <= most; target++ {
		if r.edgeNumerator()%target == 0 {
			all = append(all, r.oddsOf(target))
			break
		}
	}
	worst := uint64(0)
	try := func(target uint64) {
		if remainder := r.edgeNumerator() % target; target <= most && remainder > worst {
			worst = remainder
			all = append(all, r.oddsOf(target))
		}
	}
	if most < r.edgeNumerator()/most {
		for target := least; target <= most; target++ {
			try(target)
		}
		return rtpAmong(r.oddsOf(standard), all...)
	}
	for q := r.edgeNumerator() / most; q <= r.edgeNumerator()/least && r.edgeNumerator()/q >= worst; q++ {
		try(max(least, r.edgeNumerator()/(q+1)+1))
	}
	return rtpAmong(r.oddsOf(standard), all...)
}

// limboReach draws 24 bits. Therefore targets end at 10000: for greater ones the coarse
// draw would lower the return, to 0.954 at 1000000.
var limboReach = reach{bits: 24}

const limboMost = 10_000_00

// limbo implements Limbo.
type limbo struct{ houseGame }

// Limbo returns limbo: a multiplier of max(1.00, ⌊99·2^24 / ((k>>8)+1)⌋ / 100), and a
// prize of the target if the multiplier reaches it.
//
// Source: the published form, floor(2^24/(floor(f·2^24)+1)·0.99·100)/100. It is computed
// in floats and rounds wrongly about 3 times in a million: at k>>8 = 294911 it gives
// 56.31 instead of the exact value 56.32. Ours is exact.
func Limbo() Game {
	return limbo{houseGame{
		gameType: "limbo", rules: "limbo/1", title: "Limbo",
		explanation: "A multiplier of 1.00 or more is drawn; high ones are rare. If it reaches the target you chose you are paid the target, else the wager is lost.",
		fields: []Field{{
			Name: "target", Title: "Target multiplier", Description: "Paid when the multiplier is this or more.",
			Shape: Number{Min: 101, Max: limboMost, Decimals: 2}, Default: Dec(200, 2),
		}},
	}}
}

func (limbo) RTP() RTP { return limboReach.rtpRange(200, 101, limboMost) }

func (limbo) Plan(config Value, _ money.Amount) (Plan, error) {
	return planReach(limboReach, config, "target", "multiplier"), nil
}

// reachPlan is one bet that a point reaches a target.
type reachPlan struct {
	Odds
	configured
	reach   reach
	target  uint64
	outcome string
}

// planReach plans a bet on the target in the named field; outcome is the name of the
// point in the outcome.
func planReach(r reach, config Value, field, outcome string) Plan {
	target, _ := config.Get(field).Units(2)
	return &reachPlan{r.oddsOf(uint64(target)), configured{config}, r, uint64(target), outcome}
}

func (p *reachPlan) Play(draws Draws) Result {
	point := p.reach.pointOf(draws.Next())
	return p.resultOf(point >= p.target, Object(Member{p.outcome, Dec(int64(point), 2)}))
}

// crashReach draws all 32 bits.
var crashReach = reach{bits: 32}

const crashMost = 1_000_000_00

// CrashPoint returns the point of a draw in hundredths: max(100, ⌊99·2^32 / (k+1)⌋). The
// solo and the shared crash use it.
func CrashPoint(k uint32) uint64 { return crashReach.pointOf(k) }

// CrashOdds returns the odds of a cash-out in hundredths, which is at least 101.
func CrashOdds(cashout uint64) Odds { return crashReach.oddsOf(cashout) }

// CrashRTP returns the range over all cash-outs from 1.01 to most hundredths, which is at
// least 200, the default.
func CrashRTP(most uint64) RTP { return crashReach.rtpRange(200, 101, most) }

// crash implements Crash.
type crash struct{ houseGame }

// Crash returns crash: the curve crashes at max(1.00, ⌊99·2^32 / (k+1)⌋ / 100), and a
// cash-out chosen in advance is paid if the crash is not below it.
//
// Source: the published form, floor(max(1, 2^32/(k+1)·0.99)·100)/100.
func Crash() Game {
	return crash{houseGame{
		gameType: "crash", rules: "crash/1", title: "Crash",
		explanation: "A curve rises from 1.00 until it crashes. You choose beforehand where to cash out: if the curve gets there you are paid that many times your wager, else it is lost.",
		fields: []Field{{
			Name: "cashout", Title: "Auto cash-out", Description: "Paid when the crash point is this or more.",
			Shape: Number{Min: 101, Max: crashMost, Decimals: 2}, Default: Dec(200, 2),
		}},
	}}
}

func (crash) RTP() RTP { return CrashRTP(crashMost) }

func (crash) Plan(config Value, _ money.Amount) (Plan, error) {
	return planReach(crashReach, config, "cashout", "crash"), nil
}
