package statistics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/casino-service/casino/cmd/internal/statistics"
)

// TestAPurseIsTheMeanOfItsStakes holds it against purses of one stake each.
func TestAPurseIsTheMeanOfItsStakes(t *testing.T) {
	t.Parallel()
	var p statistics.Purse
	near(t, "before the first bet", p.Chance(), 1)
	stakes := []float64{0.9, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.001953125}
	mean := 0.0
	for _, stake := range stakes {
		mean += (1 + stake*2) * (1 - stake) * (1 + stake*34) / float64(2*len(stakes))
		mean += (1 + stake*2/4) * (1 - stake/4) * (1 + stake*34/40) / float64(2*len(stakes))
	}
	p.Add(3, 4)
	p.Add(0, 4)
	p.Add(35, 40)
	near(t, "three bets", p.Chance(), 1/mean)
	for range 100_000 { // it neither overflows nor ends
		p.Add(36, 1)
	}
	if got := p.Chance(); got != 0 {
		t.Errorf("100,000 wins of 36: %v", got)
	}
	p = statistics.Purse{}
	for range 100_000 {
		p.Add(0, 1)
	}
	near(t, "100,000 losses", p.Chance(), 1)
}

// TestCellsBetOnWhatWasSeen holds it against the probabilities of two draws.
func TestCellsBetOnWhatWasSeen(t *testing.T) {
	t.Parallel()
	var c statistics.Cells
	c.Add(0)
	near(t, "one draw", c.Chance(), 1)
	c.Add(1<<28 - 1)
	near(t, "twice in a cell", c.Chance(), 1/(16*1.5/9))
	c.Add(math.MaxUint32)
	near(t, "and once in the last", c.Chance(), 1/(16*1.5/9*16*0.5/10))
}

// TestNoPurseGrowsWhereNothingIsKnown bets by what it lost and won before, and stops when it
// has won: of 5,000 purses at most a twentieth ever has twenty times what it began with.
func TestNoPurseGrowsWhereNothingIsKnown(t *testing.T) {
	t.Parallel()
	const purses, bets = 5_000, 300
	for name, multiplier := range map[string]float64{"even": 2, "tenfold": 10, "hundredfold": 100} {
		r := rand.New(rand.NewPCG(5, uint64(multiplier)))
		ever, draws := 0, 0
		for range purses {
			var p statistics.Purse
			var c statistics.Cells
			least, cells, lost := 1.0, 1.0, false
			for range bets {
				draw := r.Uint32()
				returned := 0.0
				if float64(draw) < (1<<32)/multiplier {
					returned = multiplier
				}
				if chosen := lost || r.IntN(4) == 0; chosen { // a house refuses after a loss, or by chance
					p.Add(returned, multiplier-1)
					c.Add(draw)
					least, cells = min(least, p.Chance()), min(cells, c.Chance())
				}
				lost = returned == 0
			}
			if least <= 0.05 {
				ever++
			}
			if cells <= 0.05 {
				draws++
			}
		}
		t.Logf("%s: %d and %d of %d", name, ever, draws, purses)
		if ever > purses/20 || draws > purses/20 {
			t.Errorf("%s: %d purses and %d of draws ever had twenty times what they began with", name, ever, draws)
		}
	}
}
