package game_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// diamondsPays returns the payout of a hand, by the counts of its colours in descending
// order.
func diamondsPays(gems []int) *big.Rat {
	counts := make([]int, 7)
	for _, gem := range gems {
		counts[gem]++
	}
	slices.Sort(counts)
	slices.Reverse(counts)
	switch {
	case counts[0] == 5:
		return big.NewRat(50, 1)
	case counts[0] == 4:
		return big.NewRat(5, 1)
	case counts[0] == 3 && counts[1] == 2:
		return big.NewRat(4, 1)
	case counts[0] == 3:
		return big.NewRat(3, 1)
	case counts[0] == 2 && counts[1] == 2:
		return big.NewRat(2, 1)
	case counts[0] == 2:
		return big.NewRat(1, 10)
	}
	return new(big.Rat)
}

func TestDiamondsAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	colours := []string{"green", "purple", "yellow", "red", "cyan", "pink", "blue"}
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRound(rt, prepare(t, game.Diamonds()))
		gems := make([]int, 5)
		for i := range gems {
			gems[i] = int(math.Floor(float(r.draws[i]) * 7))
			if got := r.result.Outcome.Get("gems").At(i).Text(); got != colours[gems[i]] {
				rt.Fatalf("gem %d is %s, want %s", i, got, colours[gems[i]])
			}
		}
		r.pays(rt, diamondsPays(gems))
	})
}

// All 7^5 hands, each with its number of draws.
func TestDiamondsReturnByEnumeration(t *testing.T) {
	t.Parallel()
	var weights [7]*big.Int
	for gem := range weights {
		weights[gem] = ways(int64(gem), 7)
	}
	sums := map[string]*big.Int{}
	even := new(big.Rat)
	for hand := range 7 * 7 * 7 * 7 * 7 {
		gems, weight := make([]int, 5), big.NewInt(1)
		for i, rest := 0, hand; i < 5; i, rest = i+1, rest/7 {
			gems[i] = rest % 7
			weight.Mul(weight, weights[gems[i]])
		}
		pays := diamondsPays(gems)
		even.Add(even, pays)
		if sums[pays.RatString()] == nil {
			sums[pays.RatString()] = new(big.Int)
		}
		sums[pays.RatString()].Add(sums[pays.RatString()], weight)
	}
	counted := spread{}
	for text, weight := range sums {
		pays, _ := new(big.Rat).SetString(text)
		counted.add(pays, share(weight, 5))
	}
	plan := prepare(t, game.Diamonds())
	counted.check(t, plan)
	mean := plan.Moments().Mean
	checkRange(t, game.Diamonds().RTP(), mean, mean, mean)
	// 16520 wagers over the 16807 hands, if they were equally likely.
	if even.Cmp(big.NewRat(16520, 1)) != 0 || mean.FloatString(5) != "0.98292" {
		t.Errorf("hands pay %s together, the return is %s", even, percent(mean))
	}
}
