package statistics

import "math"

// stakes are the parts of itself that a Purse stakes.
var stakes = [...]float64{0.9, 1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256, 1. / 512}

// Purse stakes a part of itself on one bet after another, each chosen before its outcome
// could be known. Where no bet returns more than its stake in the mean, the expected value of
// the purse never rises, however the bets are chosen by what happened before. So the
// probability that it ever has N times what it began with is at most 1/N (Ville, Étude
// critique de la notion de collectif, 1939). It is the mean of two purses for each of the
// stakes, which is a purse too: one stakes as much on each bet, one less where the return
// varies more, so that bets with rare prizes don't hide the others. The zero Purse has made no
// bet.
type Purse struct{ logs [2 * len(stakes)]float64 }

// Add makes a bet that returned so many times its stake, of a return with this variance.
func (p *Purse) Add(returned, variance float64) {
	for i, stake := range stakes {
		p.logs[i] += math.Log1p(stake * (returned - 1))
		p.logs[i+len(stakes)] += math.Log1p(stake / max(1, variance) * (returned - 1))
	}
}

// Chance returns an upper bound of the probability that a purse ever has so much.
func (p *Purse) Chance() float64 {
	most, sum := p.logs[0], 0.0
	for _, log := range p.logs {
		most = max(most, log)
	}
	for _, log := range p.logs {
		sum += math.Exp(log - most)
	}
	return min(1, math.Exp(-most)*float64(len(p.logs))/sum)
}

// cells is how many cells of equal probability draws are counted in, by their upper bits.
const (
	cells     = 16
	cellShift = 28
)

// Cells bets on where one draw after another falls, by where those before it fell: a half
// more than each cell's count (Krichevsky and Trofimov, The performance of universal
// encoding, 1981). Where draws are uniform it is a purse. The zero Cells has no draw.
type Cells struct {
	counts [cells]float64
	n, log float64
}

// Add adds a draw of 2^32.
func (c *Cells) Add(draw uint32) {
	at := draw >> cellShift
	c.log += math.Log(cells * (c.counts[at] + 0.5) / (c.n + cells/2))
	c.counts[at]++
	c.n++
}

// Chance is that of a Purse.
func (c *Cells) Chance() float64 { return min(1, math.Exp(-c.log)) }
