package game

import "github.com/casino-service/casino/domain/money"

// reach is what limbo and crash share: a point drawn from a hyperbola, and a
// prize for a target that the point reaches.
//
// A draw's upper bits are a number 0 … 2^bits-1; one more than it is n, and the
// point, in hundredths, is max(100, ⌊99·2^bits / n⌋). The floor reaches a target
// of t hundredths exactly when n ≤ ⌊99·2^bits / t⌋, so that many of the 2^bits
// values win, and the return to player is t·⌊99·2^bits / t⌋ / (100·2^bits): 0.99,
// less what the floor cuts off. The least point of 100 wins nothing: targets
// start at 101.
type reach struct{ bits uint }

// edge is 99·2^bits, the numerator of the hyperbola.
func (r reach) edge() uint64 { return 99 << r.bits }

// point returns the hundredths that a draw gives.
func (r reach) point(k uint32) uint64 {
	n := uint64(k)>>(32-r.bits) + 1
	return max(hundredths, r.edge()/n)
}

// odds returns the odds of a target in hundredths.
func (r reach) odds(target uint64) Odds {
	return Odds{
		Prize: money.Ratio{Num: target, Den: hundredths},
		Wins:  r.edge() / target << (32 - r.bits),
	}
}

// rtp returns the range over all targets of least … most hundredths, among which
// one divides the edge.
//
// The return falls short of 0.99 by the remainder of edge/t. It reaches 0.99 at a
// target that divides the edge. The greatest remainder is found among the targets
// that are the least for their quotient q, since the remainder edge - q·t falls
// with t. Quotients are tried upwards from that of the most: a remainder is below
// t, and t below edge/q + 1, so once that bound is under the remainder found,
// greater quotients can't beat it.
func (r reach) rtp(standard, least, most uint64) RTP {
	rtp := rtpOf(r.odds(standard))
	for target := least; target <= most; target++ {
		if r.edge()%target == 0 {
			rtp.widen(r.odds(target))
			break
		}
	}
	worst := uint64(0)
	for q := r.edge() / most; q <= r.edge()/least && r.edge()/q >= worst; q++ {
		target := max(least, r.edge()/(q+1)+1)
		if remainder := r.edge() % target; target <= most && remainder > worst {
			worst = remainder
			rtp.widen(r.odds(target))
		}
	}
	return rtp
}
