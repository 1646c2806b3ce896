package statistics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/casino-service/casino/cmd/internal/statistics"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(want, 1e-3) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// TestBinomialIsExact adds up the terms.
func TestBinomialIsExact(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		n      int
		chance float64
	}{{1, 0.5}, {10, 0.01}, {50, 0.5}, {60, 0.97}} {
		terms := make([]float64, row.n+1)
		for k := range terms {
			ways, _ := math.Lgamma(float64(row.n + 1))
			a, _ := math.Lgamma(float64(k + 1))
			b, _ := math.Lgamma(float64(row.n - k + 1))
			terms[k] = math.Exp(ways - a - b + float64(k)*math.Log(row.chance) + float64(row.n-k)*math.Log1p(-row.chance))
		}
		for k := range terms {
			low, high := 0.0, 0.0
			for i, term := range terms {
				if i <= k {
					low += term
				}
				if i >= k {
					high += term
				}
			}
			near(t, "binomial", statistics.Binomial(k, row.n, row.chance), math.Min(1, 2*math.Min(low, high)))
		}
	}
	near(t, "one in ten million, once in a thousand rounds", statistics.Binomial(1, 1000, 1e-7), 2*-math.Expm1(1000*math.Log1p(-1e-7)))
	near(t, "never", statistics.Binomial(0, 6900, 1e-9), 1)
}

// TestChiSquareIsThatOfTheTables: cells are made to have the sum, and the tables' 0.5 % and
// 99.5 % both result in 1 %, because the test is two-sided.
func TestChiSquareIsThatOfTheTables(t *testing.T) {
	t.Parallel()
	for free, sums := range map[int][2]float64{1: {0.0000393, 7.879}, 4: {0.207, 14.860}, 15: {4.601, 32.801}, 99: {66.510, 138.987}} {
		for _, sum := range sums {
			// One cell more and one less by d, each expected e times: 2d²/e.
			const expected = 100_000_000
			counts := slices.Repeat([]int{expected}, free+1)
			d := int(math.Round(math.Sqrt(sum * expected / 2)))
			counts[0], counts[1] = expected+d, expected-d
			if got := statistics.ChiSquare(counts); math.Abs(got-0.01) > 0.0002 {
				t.Errorf("%d degrees, %.3f: %.5f", free, sum, got)
			}
		}
	}
}

// TestEvenDrawsAreRefusedAsOftenAsTheLevelSays draws many good samples for each test.
func TestEvenDrawsAreRefusedAsOftenAsTheLevelSays(t *testing.T) {
	t.Parallel()
	const samples, size = 4000, 500
	r := rand.New(rand.NewPCG(1, 2))
	below := map[string]int{}
	for range samples {
		draws, counts, wins := make([]uint32, size), make([]int, 16), 0
		sum := 0.0
		for i := range draws {
			draws[i] = r.Uint32()
			counts[draws[i]>>28]++
			if draws[i]>>31 == 0 {
				wins++
			}
			if draws[i] < 1<<32/100 {
				sum += 99
			}
		}
		mean := statistics.Mean{Sum: size * 0.99, Square: size * 98.01, Variance: size * (98.01 - 0.99*0.99), Most: 98.01}
		for name, p := range map[string]float64{
			"chi-square": statistics.ChiSquare(counts), "runs": statistics.Runs(draws), "serial": statistics.Serial(draws),
			"binomial": statistics.Binomial(wins, size, 0.5), "mean": mean.Of(sum),
		} {
			if p < 0.01 {
				below[name]++
			}
			if math.IsNaN(p) || p < 0 || p > 1 {
				t.Fatalf("%s: %v", name, p)
			}
		}
	}
	for name, limits := range map[string][2]int{ // 40 of 4,000 are below 1 %; fewer for discrete and bounded tests
		"chi-square": {20, 65}, "runs": {15, 65}, "serial": {20, 65}, "binomial": {15, 65}, "mean": {0, 40},
	} {
		if n := below[name]; n < limits[0] || n > limits[1] {
			t.Errorf("%s: %d of %d below 1 %%", name, n, samples)
		}
	}
}

func TestWhatIsWrongIsRefused(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	const size = 2000
	rising, sticky := make([]uint32, size), make([]uint32, size)
	for i := range rising {
		rising[i] = uint32(i) << 20
		if sticky[i] = r.Uint32(); i%4 == 0 && i > 0 {
			sticky[i] = sticky[i-1]
		}
	}
	mean := statistics.Mean{Sum: size * 0.99, Square: size * 1.96, Variance: size * 0.98, Most: 1}
	for name, p := range map[string]float64{
		"runs": statistics.Runs(rising), "serial": statistics.Serial(sticky), "too even": statistics.ChiSquare(slices.Repeat([]int{100}, 64)),
		"uneven": statistics.ChiSquare([]int{1100, 900}), "too little": mean.Of(size * 0.75), "too much": mean.Of(size * 1.25),
	} {
		if p > 1e-4 {
			t.Errorf("%s: %v", name, p)
		}
	}
	if mean.Of(size*0.99) != 1 || statistics.Runs(nil) != 1 || statistics.Serial(rising[:1]) != 1 {
		t.Error("nothing is refused for nothing")
	}
}

func TestHolmHoldsTheLevelOfTheFamily(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		p    []float64
		want []bool
	}{
		{nil, []bool{}},
		{[]float64{0.011, 0.02, 0.005}, []bool{true, true, true}},
		{[]float64{0.03, 0.04, 0.005}, []bool{false, false, true}},
		{[]float64{0.03, 0.026, 0.018}, []bool{false, false, false}},
	} {
		if got := statistics.Holm(row.p, 0.05); !slices.Equal(got, row.want) {
			t.Errorf("%v: %v, want %v", row.p, got, row.want)
		}
	}
}
