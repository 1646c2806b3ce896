package statistics

import (
	"math"
	"slices"
)

// Stratum is a part of a sample of which all have the same chance of success: of All there
// are Successes, and of the Chosen among them ChosenSuccesses.
type Stratum struct{ All, Successes, Chosen, ChosenSuccesses int }

// Add counts one more.
func (s *Stratum) Add(success, chosen bool) {
	s.All++
	if success {
		s.Successes++
	}
	if chosen {
		s.Chosen++
	}
	if success && chosen {
		s.ChosenSuccesses++
	}
}

// Chosen is exact (Fisher's test over several strata): how likely it is that so many of the
// chosen succeeded, or farther off, where what was chosen doesn't depend on success. Given
// how many succeeded and were chosen in each stratum, the successes among the chosen are
// hypergeometric.
func Chosen(strata []Stratum) float64 {
	sum, seen := []float64{1}, 0
	for _, s := range strata {
		least, most := max(0, s.Chosen+s.Successes-s.All), min(s.Chosen, s.Successes)
		chances := make([]float64, most-least+1)
		for i := range chances {
			k := least + i
			chances[i] = math.Exp(logChoose(s.Successes, k) + logChoose(s.All-s.Successes, s.Chosen-k) - logChoose(s.All, s.Chosen))
		}
		sum, seen = convolve(sum, chances), seen+s.ChosenSuccesses-least
	}
	return tails(sum, seen)
}

// Trials is exact: so many of some trials succeeded, each with a chance of its own.
func Trials(chances []float64, successes int) float64 {
	sum := []float64{1}
	for _, p := range chances {
		sum = convolve(sum, []float64{1 - p, p})
	}
	return tails(sum, successes)
}

// tails returns the chance of a value that is as far off or farther, of those that have
// these chances.
func tails(chances []float64, seen int) float64 {
	if seen < 0 || seen >= len(chances) {
		return 0
	}
	low, high := 0.0, 0.0
	for i, p := range chances {
		if i <= seen {
			low += p
		}
		if i >= seen {
			high += p
		}
	}
	return twoSided(low, high)
}

func convolve(a, b []float64) []float64 {
	sum := make([]float64, len(a)+len(b)-1)
	for i, p := range a {
		for j, q := range b {
			sum[i+j] += p * q
		}
	}
	return sum
}

func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	one, _ := math.Lgamma(float64(k + 1))
	other, _ := math.Lgamma(float64(n - k + 1))
	return all - one - other
}

// Contingency is the counts of two samples of one kind by categories, in an order in which
// neighbours may be put together.
type Contingency struct{ Chosen, Others []int }

// tailAllowance is what the p-value of SameShares is multiplied by: the limit of large
// samples understates far tails. Of a cell of 20 a chance of 1e-9 is one of 1e-7 by Poisson.
const tailAllowance = 100

// SameShares compares how two samples are spread over categories, in each of some kinds, by
// the sum of Pearson's chi-squares: the limit of large samples, with an allowance for its
// tail. Categories are put together until each is expected often enough in both samples; it
// is false where nothing is left to compare.
func SameShares(kinds []Contingency, expectedMin float64) (p float64, compared bool) {
	sum, free := 0.0, 0
	for _, kind := range kinds {
		chosen, others := kind.merged(expectedMin)
		if len(chosen) < 2 {
			continue
		}
		n, m := 0.0, 0.0
		for i := range chosen {
			n, m = n+chosen[i], m+others[i]
		}
		for i := range chosen {
			all := chosen[i] + others[i]
			for _, cell := range [...][2]float64{{chosen[i], all * n / (n + m)}, {others[i], all * m / (n + m)}} {
				sum += (cell[0] - cell[1]) * (cell[0] - cell[1]) / cell[1]
			}
		}
		free += len(chosen) - 1
	}
	if free == 0 {
		return 1, false
	}
	return min(1, tailAllowance*upperGamma(float64(free)/2, sum/2)), true
}

// merged puts neighbouring categories together until each is expected often enough.
func (c Contingency) merged(expectedMin float64) (chosen, others []float64) {
	n, all := 0.0, 0.0
	for i := range c.Chosen {
		n, all = n+float64(c.Chosen[i]), all+float64(c.Chosen[i]+c.Others[i])
	}
	share := min(n, all-n) / max(all, 1) // of the smaller sample
	a, b := 0.0, 0.0
	for i := range c.Chosen {
		a, b = a+float64(c.Chosen[i]), b+float64(c.Others[i])
		if (a+b)*share >= expectedMin && share > 0 {
			chosen, others, a, b = append(chosen, a), append(others, b), 0, 0
		}
	}
	if last := len(chosen) - 1; last >= 0 { // what is left is too little for one of its own
		chosen[last], others[last] = chosen[last]+a, others[last]+b
	}
	return slices.Clip(chosen), slices.Clip(others)
}
