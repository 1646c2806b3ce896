package statistics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/casino-service/casino/cmd/internal/statistics"
)

// TestChosenIsFishersTest holds it against counted chances: of 4 of which 2 succeed 2 are
// chosen in 6 ways.
func TestChosenIsFishersTest(t *testing.T) {
	t.Parallel()
	near(t, "both", statistics.Chosen([]statistics.Stratum{{4, 2, 2, 2}}), 2.0/6)
	near(t, "one", statistics.Chosen([]statistics.Stratum{{4, 2, 2, 1}}), 1)
	near(t, "both, twice", statistics.Chosen([]statistics.Stratum{{4, 2, 2, 2}, {4, 2, 2, 2}}), 2.0/36)
	near(t, "nothing is chosen", statistics.Chosen([]statistics.Stratum{{4, 2, 0, 0}}), 1)
	near(t, "all are chosen", statistics.Chosen([]statistics.Stratum{{4, 2, 4, 2}}), 1)
	near(t, "nothing", statistics.Chosen(nil), 1)
	near(t, "30 wins of 1,000 are the 30 that were refused", statistics.Chosen([]statistics.Stratum{{1000, 30, 30, 30}}), 2*choose(1000, 30))
}

// choose is 1 / (n over k).
func choose(n, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(i+1) / float64(n-i)
	}
	return p
}

func TestTrialsHaveChancesOfTheirOwn(t *testing.T) {
	t.Parallel()
	near(t, "all", statistics.Trials([]float64{0.5, 0.1}, 2), 0.1)
	near(t, "none", statistics.Trials([]float64{0.5, 0.1}, 0), 0.9)
	near(t, "a binomial", statistics.Trials([]float64{0.3, 0.3, 0.3, 0.3}, 3), statistics.Binomial(3, 4, 0.3))
}

// TestWhatIsChosenByChanceIsRefusedAsOftenAsTheLevelSays chooses from many samples, and by
// what they come to.
func TestWhatIsChosenByChanceIsRefusedAsOftenAsTheLevelSays(t *testing.T) {
	t.Parallel()
	const samples, size = 2000, 1000
	r := rand.New(rand.NewPCG(5, 6))
	below := map[string]int{}
	for range samples {
		strata := []statistics.Stratum{{}, {}}
		kinds := []statistics.Contingency{{make([]int, 8), make([]int, 8)}, {make([]int, 8), make([]int, 8)}}
		for i := range size {
			of, value, chosen := i%2, r.IntN(8), r.IntN(10) < 1+2*(i%2)
			won := value < 2+3*of
			strata[of].All++
			if won {
				strata[of].Successes++
			}
			if chosen {
				strata[of].Chosen++
				kinds[of].Chosen[value]++
			} else {
				kinds[of].Others[value]++
			}
			if chosen && won {
				strata[of].ChosenSuccesses++
			}
		}
		if statistics.Chosen(strata) < 0.01 {
			below["chosen"]++
		}
		if p, compared := statistics.SameShares(kinds, 20); !compared || p < 0.01 {
			below["shares"]++
		}
	}
	if n := below["chosen"]; n < 4 || n > 34 { // 20 of 2,000 are below 1 %
		t.Errorf("chosen: %d", n)
	}
	if n := below["shares"]; n > 4 { // with its allowance 0.2 are
		t.Errorf("shares: %d", n)
	}
	spread := statistics.Contingency{[]int{300, 100, 0, 100}, []int{1000, 1000, 10, 1000}}
	if p, compared := statistics.SameShares([]statistics.Contingency{spread}, 20); !compared || p > 1e-20 {
		t.Errorf("what is chosen by its category: %v", p)
	}
	if p, compared := statistics.SameShares([]statistics.Contingency{{[]int{1, 2}, []int{5, 5}}}, 20); compared || p != 1 || math.IsNaN(p) {
		t.Errorf("too little: %v", p)
	}
}
