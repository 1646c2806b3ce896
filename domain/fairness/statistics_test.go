package fairness_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

// The seven tests that regulators require of a draw, after Knuth, The Art of Computer
// Programming, volume 2, 3.3.2: frequency, serial, gap, poker, coupon collector,
// permutation and runs. Each compares counts with their expectation by chi-square and
// accepts a draw within the middle 99 %: a result that is too even is as suspicious as
// one that is too uneven.

// picks draws numbers below n.
type picks func(n uint32) uint32

// cells are observed counts and their probabilities.
type cells struct {
	observed []int
	chance   []float64
}

// chiSquare returns the sum of squared differences over expectations, and the degrees of
// freedom. Each expectation must be at least 5, or the bounds don't apply.
func (c cells) chiSquare(t *testing.T) (sum float64, free int) {
	t.Helper()
	total, all := 0, 0.0
	for i, n := range c.observed {
		total, all = total+n, all+c.chance[i]
	}
	if math.Abs(all-1) > 1e-9 {
		t.Fatalf("the chances add up to %v", all)
	}
	for i, n := range c.observed {
		expected := c.chance[i] * float64(total)
		if expected < 5 {
			t.Fatalf("cell %d is expected %v times", i, expected)
		}
		sum += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return sum, len(c.observed) - 1
}

// bound returns the chi-square of a probability, by Wilson and Hilferty (1931): within 1
// % from 4 degrees of freedom on. z is the normal deviate of the probability.
func bound(free int, z float64) float64 {
	f := 2.0 / (9 * float64(free))
	return float64(free) * math.Pow(1-f+z*math.Sqrt(f), 3)
}

// deviate is the normal deviate of 99.5 %, which leaves half a percent on each side.
const deviate = 2.5758293035489004

// even returns cells of equal probability.
func even(observed []int) cells {
	c := cells{observed, make([]float64, len(observed))}
	for i := range c.chance {
		c.chance[i] = 1 / float64(len(observed))
	}
	return c
}

// draws is the least number of numbers that each test draws.
const draws = 60_000

// frequency counts each number.
func frequency(pick picks) cells {
	observed := make([]int, 37)
	for range draws {
		observed[pick(37)]++
	}
	return even(observed)
}

// serial counts adjacent pairs without overlap.
func serial(pick picks) cells {
	const n = 10
	observed := make([]int, n*n)
	for range draws {
		first := pick(n)
		observed[first*n+pick(n)]++
	}
	return even(observed)
}

// gap counts the numbers between two of the lowest fifth.
func gap(pick picks) cells {
	const longest = 20
	c := cells{make([]int, longest+1), make([]float64, longest+1)}
	left := 1.0
	for i := range longest {
		c.chance[i] = left * 0.2
		left *= 0.8
	}
	c.chance[longest] = left
	for range draws / 5 {
		length := 0
		for pick(10) >= 2 {
			length++
		}
		c.observed[min(length, longest)]++
	}
	return c
}

// poker counts the distinct numbers among five numbers below ten.
func poker(pick picks) cells {
	c := cells{make([]int, 5), make([]float64, 5)}
	// Ways to partition five into r groups (Stirling numbers), each group with another
	// number.
	for r, stirling := range []float64{1, 15, 25, 10, 1} {
		ways := stirling
		for i := range r + 1 {
			ways *= float64(10 - i)
		}
		c.chance[r] = ways / 100_000
	}
	for range draws {
		seen := map[uint32]bool{}
		for range 5 {
			seen[pick(10)] = true
		}
		c.observed[len(seen)-1]++
	}
	return c
}

// coupon counts how many numbers below five are drawn until all five have appeared.
func coupon(pick picks) cells {
	const n, longest = 5, 25
	c := cells{make([]int, longest-n+1), make([]float64, longest-n+1)}
	missing := [n + 1]float64{n: 1} // the chance that this many are missing
	rest := 1.0
	for length := 1; length < longest; length++ {
		var next [n + 1]float64
		for m, chance := range missing {
			next[m] += chance * float64(n-m) / n
			if m > 0 {
				next[m-1] += chance * float64(m) / n
			}
		}
		if length >= n {
			c.chance[length-n] = next[0]
			rest -= next[0]
		}
		missing = next
		missing[0] = 0
	}
	c.chance[longest-n] = rest
	for range draws / 10 {
		seen, length := map[uint32]bool{}, 0
		for len(seen) < n {
			seen[pick(n)] = true
			length++
		}
		c.observed[min(length, longest)-n]++
	}
	return c
}

// permutation counts the orders of four numbers from a range in which repeats are rare;
// among equal numbers the earlier one counts as the smaller.
func permutation(pick picks) cells {
	observed := make([]int, 24)
	for range draws {
		var four [4]uint32
		for i := range four {
			four[i] = pick(1 << 31)
		}
		order := 0
		for i := range four {
			rank := 0
			for _, other := range four[i+1:] {
				if other < four[i] {
					rank++
				}
			}
			order = order*(len(four)-i) + rank
		}
		observed[order]++
	}
	return even(observed)
}

// runs counts the lengths of rising sequences. The number after the end of a run is left
// out, so that runs are independent: the chance of length r is 1/r! - 1/(r+1)!.
func runs(pick picks) cells {
	const longest = 6
	c := cells{make([]int, longest), make([]float64, longest)}
	factorial, rest := 1.0, 1.0
	for r := 1; r < longest; r++ {
		factorial *= float64(r)
		c.chance[r-1] = 1/factorial - 1/(factorial*float64(r+1))
		rest -= c.chance[r-1]
	}
	c.chance[longest-1] = rest
	for range draws / 2 {
		length, last := 1, pick(1<<31)
		for {
			next := pick(1 << 31)
			if next < last {
				break
			}
			length, last = length+1, next
		}
		c.observed[min(length, longest)-1]++
	}
	return c
}

var statistics = map[string]func(picks) cells{
	"frequency": frequency, "serial": serial, "gap": gap, "poker": poker, "coupon collector": coupon, "permutation": permutation, "runs": runs,
}

// stream draws rounds as a player plays them: some draws of each nonce in turn.
func stream(name string) picks {
	sum := sha256.Sum256([]byte(name))
	seed := fairness.NewServerSeed(sum)
	nonce, left := int64(-1), 0
	var s *fairness.Stream
	return func(n uint32) uint32 {
		if left == 0 {
			nonce, left = nonce+1, 20
			s = fairness.NewStream(seed, "statistics", nonce)
		}
		left--
		return s.Pick(n)
	}
}

// verdict returns "" for a draw within 99 %.
func verdict(t *testing.T, c cells) string {
	t.Helper()
	sum, free := c.chiSquare(t)
	if low, high := bound(free, -deviate), bound(free, deviate); sum < low || sum > high {
		return fmt.Sprintf("chi-square %.2f with %d degrees of freedom is outside of %.2f to %.2f", sum, free, low, high)
	}
	return ""
}

// TestTheDrawPassesTheSevenTests applies each test to five streams of its own. One good
// stream in a hundred lies outside of 99 %: one of the five may, and two do with a
// chance of one in a thousand. The streams are fixed, so the result never changes.
func TestTheDrawPassesTheSevenTests(t *testing.T) {
	t.Parallel()
	for name, count := range statistics {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for i := range 5 {
				if outside := verdict(t, count(stream(fmt.Sprintf("the seven tests: %s %d", name, i)))); outside != "" {
					found = append(found, outside)
				}
			}
			if len(found) > 1 {
				t.Errorf("%d of 5 streams: %s", len(found), found)
			}
		})
	}
}

// TestTheSevenTestsSeeABias checks that each test rejects its own kind of biased draw,
// made from the same streams.
func TestTheSevenTestsSeeABias(t *testing.T) {
	t.Parallel()
	loaded := func(pick picks) picks { // every 16th number is in the lower half
		turn := 0
		return func(n uint32) uint32 {
			if turn++; turn%16 == 0 {
				return pick(n / 2)
			}
			return pick(n)
		}
	}
	sticky := func(pick picks) picks { // every 16th number repeats the one before
		turn, last := 0, map[uint32]uint32{}
		return func(n uint32) uint32 {
			if turn++; turn%16 != 0 {
				last[n] = pick(n)
			}
			return last[n]
		}
	}
	rising := func(pick picks) picks { // every 16th number is slightly above the one before
		turn, last := 0, uint32(0)
		return func(n uint32) uint32 {
			if turn++; turn%16 == 0 {
				last = min(last+1, n-1)
			} else {
				last = pick(n)
			}
			return last
		}
	}
	modulo := func(pick picks) picks { // a byte modulo n instead of the whole draw
		return func(n uint32) uint32 { return pick(256) % n }
	}
	for name, biased := range map[string]func(picks) picks{
		"frequency": modulo, "serial": sticky, "gap": loaded, "poker": sticky, "coupon collector": sticky, "permutation": rising, "runs": rising,
	} {
		if found := verdict(t, statistics[name](biased(stream("the seven tests: "+name)))); found == "" {
			t.Errorf("%s: the bias isn't seen", name)
		}
	}
	even := func(n uint32) func(uint32) uint32 { // ascending numbers: too even to be random
		next := uint32(0)
		return func(uint32) uint32 { next = (next + 1) % n; return next }
	}
	if found := verdict(t, frequency(even(37))); found == "" {
		t.Error("numbers in turn pass")
	}
}

// TestBoundsAreThoseOfTheTables compares with printed tables of chi-square.
func TestBoundsAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	for free, want := range map[int][2]float64{4: {0.207, 14.860}, 5: {0.412, 16.750}, 20: {7.434, 39.997}, 36: {17.887, 61.581}, 99: {66.510, 138.987}} {
		for i, z := range []float64{-deviate, deviate} {
			if got := bound(free, z); math.Abs(got-want[i]) > 0.1 {
				t.Errorf("%d degrees of freedom: %.3f, want %.3f", free, got, want[i])
			}
		}
	}
}
