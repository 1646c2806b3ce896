package statistics

import (
	"math"
	"slices"
)

// ChiSquare compares counts with equal probabilities; it is two-sided, so too even is
// unlikely too. It is the limit for large samples, good if each count is expected at least
// 20 times, which the caller must ensure.
func ChiSquare(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		sum += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	above := upperGamma(float64(len(counts)-1)/2, sum/2)
	return twoSided(1-above, above)
}

// Binomial tests the number of successes in n trials with equal probabilities. It is exact.
func Binomial(successes, n int, chance float64) float64 {
	k, all := float64(successes), float64(n)
	atMost, atLeast := 1.0, 1.0
	if successes < n {
		atMost = incompleteBeta(1-chance, all-k, k+1)
	}
	if successes > 0 {
		atLeast = incompleteBeta(chance, k, all-k+1)
	}
	return twoSided(atMost, atLeast)
}

// Runs tests how often draws change between the lower and the upper half of 2^32, each
// change having probability 1/2 independent of earlier draws. It is exact (Wald and
// Wolfowitz, with a known median).
func Runs(draws []uint32) float64 {
	if len(draws) < 2 {
		return 1
	}
	changes := 0
	for i, k := range draws[1:] {
		if k>>31 != draws[i]>>31 {
			changes++
		}
	}
	return Binomial(changes, len(draws)-1, 0.5)
}

// Serial tests the correlation of successive draws of 2^32. Mean and variance are those of
// uniform draws, so the deviation of a product of two is 1/12. Their sum is normal in the
// limit for large samples, good from some hundred draws.
func Serial(draws []uint32) float64 {
	if len(draws) < 2 {
		return 1
	}
	even := func(k uint32) float64 { return (float64(k)+0.5)/(1<<32) - 0.5 }
	sum := 0.0
	for i, k := range draws[1:] {
		sum += even(k) * even(draws[i])
	}
	return math.Erfc(math.Abs(sum) * 12 / math.Sqrt(float64(len(draws)-1)) / math.Sqrt2)
}

// Mean describes a sum of independent payouts, none of them negative. Sum, Square and
// Variance are the sums of their means, mean squares and variances; Most is the maximum by
// which one can exceed its mean.
type Mean struct{ Sum, Square, Variance, Most float64 }

// Of returns an upper bound of the probability of a sum at least so far from the expected
// one: the best of several bounds that hold for all such payouts, however skewed. Below the
// mean they are Maurer's, exp(-t²/2Σ E X²) (A bound on the deviation probability for sums
// of non-negative random variables, 2003), and Cantelli's; above it Bernstein's and
// Cantelli's. The normal distribution isn't used: it says nothing about payouts of a
// thousandfold.
func (m Mean) Of(sum float64) float64 {
	t := math.Abs(sum - m.Sum)
	if t == 0 || m.Square <= 0 {
		return 1
	}
	tail := m.Variance / (m.Variance + t*t)
	if sum < m.Sum {
		tail = min(tail, math.Exp(-t*t/(2*m.Square)))
	} else {
		tail = min(tail, math.Exp(-t*t/(2*(m.Variance+m.Most*t/3))))
	}
	return min(1, 2*tail)
}

// Holm returns which p-values of a family are refused, so that the probability of refusing
// any true hypothesis is at most the level, however they depend on each other (Holm, A
// simple sequentially rejective multiple test procedure, 1979).
func Holm(p []float64, level float64) (refused []bool) {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	refused = make([]bool, len(p))
	for rank, i := range order {
		if p[i] > level/float64(len(p)-rank) {
			break
		}
		refused[i] = true
	}
	return refused
}
