package game_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// hiloFits reports whether a guess on a rank of 0 … 12 is right for the next one.
func hiloFits(guess string, rank, next int) bool {
	switch guess {
	case "higher":
		return next > rank || next == rank && rank > 0
	case "lower":
		return next < rank || next == rank && rank < 12
	}
	return true
}

// hiloFactor returns 13 divided by the number of right ranks.
func hiloFactor(guess string, rank int) *big.Rat {
	right := int64(0)
	for next := range 13 {
		if hiloFits(guess, rank, next) {
			right++
		}
	}
	return big.NewRat(13, right)
}

func guessesOf(guesses ...string) game.Value {
	items := make([]game.Value, len(guesses))
	for i, guess := range guesses {
		items[i] = game.Text(guess)
	}
	return game.List(items...)
}

var hiloGuesses = []string{"higher", "lower", "skip"}

func TestHiloAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		guesses := append(rapid.SliceOfN(rapid.SampledFrom(hiloGuesses), 0, 14).Draw(rt, "guesses"), rapid.SampledFrom(hiloGuesses[:2]).Draw(rt, "last"))
		r := drawRound(rt, prepare(t, game.Hilo(), "guesses", guessesOf(guesses...)))
		cards := make([]int, len(guesses)+1)
		for i := range cards {
			cards[i] = int(math.Floor(float(r.draws[i]) * 52))
		}
		if got := cardNumbers(r.result.Outcome.Get("cards")); !slices.Equal(got, cards) {
			rt.Fatalf("cards %v, want %v", got, cards)
		}
		prize, right := big.NewRat(99, 100), 0
		for i, guess := range guesses {
			if right == i && hiloFits(guess, cards[i]/4, cards[i+1]/4) {
				right++
			}
			if guess != "skip" {
				prize.Mul(prize, hiloFactor(guess, cards[i]/4))
			}
		}
		if right < len(guesses) {
			prize = new(big.Rat)
		}
		if got, _ := r.result.Outcome.Get("right").Int(); int(got) != right {
			rt.Fatalf("%v: %d are right", r.result.Outcome, right)
		}
		r.pays(rt, prize)
	})
}

// Lists of up to three guesses: every sequence of ranks, each with its number of draws.
func TestHiloReturnByEnumeration(t *testing.T) {
	t.Parallel()
	var weights [13]*big.Int
	for card := range 52 {
		if card%4 == 0 {
			weights[card/4] = new(big.Int)
		}
		weights[card/4].Add(weights[card/4], ways(int64(card), 52))
	}
	lists := [][]string{{"higher"}, {"lower"}, {"skip", "lower"}, {"higher", "higher"}, {"lower", "higher"}, {"higher", "skip"},
		{"higher", "lower", "higher"}, {"lower", "skip", "lower"}, {"skip", "higher", "skip"}}
	for _, guesses := range lists {
		sums := map[string]*big.Int{}
		var deal func(at, rank int, prize *big.Rat, weight *big.Int)
		deal = func(at, rank int, prize *big.Rat, weight *big.Int) {
			if at == len(guesses) {
				if sums[prize.RatString()] == nil {
					sums[prize.RatString()] = new(big.Int)
				}
				sums[prize.RatString()].Add(sums[prize.RatString()], weight)
				return
			}
			if guesses[at] != "skip" {
				prize = new(big.Rat).Mul(prize, hiloFactor(guesses[at], rank))
			}
			for next := range 13 {
				if hiloFits(guesses[at], rank, next) {
					deal(at+1, next, prize, new(big.Int).Mul(weight, weights[next]))
				}
			}
		}
		for rank := range 13 {
			deal(0, rank, big.NewRat(99, 100), weights[rank])
		}
		counted := spread{}
		for text, weight := range sums {
			prize, _ := new(big.Rat).SetString(text)
			counted.add(prize, share(weight, len(guesses)+1))
		}
		counted.check(t, prepare(t, game.Hilo(), "guesses", guessesOf(guesses...)))
	}
}

// Every list of guesses returns 0.99 to seven decimals, and within the published range:
// all lists of up to five guesses, and random longer ones.
func TestHiloRange(t *testing.T) {
	t.Parallel()
	rtp := game.Hilo().RTP()
	check := func(guesses []string) {
		mean := prepare(t, game.Hilo(), "guesses", guessesOf(guesses...)).Moments().Mean
		if mean.Cmp(rtp.Min) < 0 || mean.Cmp(rtp.Max) > 0 || mean.FloatString(7) != "0.9900000" {
			t.Errorf("%v returns %s", guesses, mean.FloatString(12))
		}
	}
	for length := 1; length <= 5; length++ {
		for list := range int(math.Pow(3, float64(length))) {
			guesses := make([]string, length)
			for i, rest := 0, list; i < length; i, rest = i+1, rest/3 {
				guesses[i] = hiloGuesses[rest%3]
			}
			if !slices.Equal(guesses, slices.Repeat([]string{"skip"}, length)) {
				check(guesses)
			}
		}
	}
	draws := stream("hilo", "guesses", 0)
	for range 300 {
		guesses := []string{hiloGuesses[draws.Pick(2)]}
		for range draws.Pick(15) {
			guesses = append(guesses, hiloGuesses[draws.Pick(3)])
		}
		check(guesses)
	}
	if rtp.Min.Cmp(rtp.Max) >= 0 {
		t.Errorf("return %s … %s", rtp.Min.FloatString(12), rtp.Max.FloatString(12))
	}
}

// TestHiloBestAndWorst computes the best and the worst strategy backwards from the last
// card, in floating point: 52 cards with at most fifteen guesses.
func TestHiloBestAndWorst(t *testing.T) {
	t.Parallel()
	var chance [13]float64
	for card := range 52 {
		n, _ := new(big.Float).SetInt(ways(int64(card), 52)).Float64()
		chance[card/4] += n / (1 << 32)
	}
	play := func(better func(...float64) float64) float64 {
		var ahead [16][13]float64
		for g := range ahead {
			for rank := range ahead[g] {
				ahead[g][rank] = 1
			}
		}
		next := func(g int, fits func(int) bool) (sum float64) {
			for rank := range 13 {
				if fits(rank) {
					sum += chance[rank] * ahead[g][rank]
				}
			}
			return sum
		}
		anyRank := func(int) bool { return true }
		for range 51 {
			now := ahead
			for g := 1; g <= 15; g++ {
				for rank := range 13 {
					best := better(1, next(g, anyRank))
					for _, guess := range hiloGuesses[:2] {
						factor, _ := hiloFactor(guess, rank).Float64()
						best = better(best, factor*next(g-1, func(to int) bool { return hiloFits(guess, rank, to) }))
					}
					now[g][rank] = best
				}
			}
			ahead = now
		}
		return 0.99 * next(15, anyRank)
	}
	rtp, of := game.Hilo().RTP(), begin(t, game.Hilo()).Return()
	for name, row := range map[string]struct {
		stated, counted *big.Rat
		want            float64
	}{
		"best":  {rtp.Max, of.Best, play(func(a ...float64) float64 { return slices.Max(a) })},
		"worst": {rtp.Min, of.Least, play(func(a ...float64) float64 { return slices.Min(a) })},
	} {
		if got, _ := row.counted.Float64(); row.stated.Cmp(row.counted) != 0 || math.Abs(got-row.want) > 1e-13 {
			t.Errorf("%s: %.15f, published %s, want %.15f", name, got, row.stated.FloatString(15), row.want)
		}
	}
}

// A round with only skips is refused.
func TestHiloNeedsAGuess(t *testing.T) {
	t.Parallel()
	_, err := game.Prepare(game.Hilo(), object("guesses", guessesOf("skip", "skip")), 0)
	requireField(t, err, "config.guesses")
	// Fifteen guesses with one right rank of thirteen each give the greatest prize.
	most := prepare(t, game.Hilo(), "guesses", guessesOf(slices.Repeat([]string{"higher"}, 15)...)).MaxMultiplier()
	want := big.NewRat(99, 100)
	for range 15 {
		want.Mul(want, big.NewRat(13, 1))
	}
	if rat(most).Cmp(want) != 0 {
		t.Errorf("the most is %s, want %s", most, want.FloatString(2))
	}
}
