package game_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// kenoReturns are the published returns of one to ten numbers in percent.
var kenoReturns = map[string]string{
	"classic": "99.0000 99.0385 99.0182 98.9605 98.9858 98.9665 98.9815 99.0228 98.9753 99.0374",
	"low":     "98.7500 98.8462 98.8664 98.9222 98.9031 99.0084 98.9388 99.0042 99.0689 98.7597",
	"medium":  "98.7500 98.6538 98.9879 98.7827 98.9441 98.8347 98.9618 98.9236 98.9420 98.9743",
	"high":    "99.0000 98.6538 98.9879 98.9058 98.8894 98.9988 98.9618 98.9571 98.9645 99.0083",
}

var kenoRisks = []string{"classic", "low", "medium", "high"}

func TestKenoAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		picks := setOf(rt, "picks", 40, 1, 10)
		risk := rapid.SampledFrom(kenoRisks).Draw(rt, "risk")
		plan, err := game.Prepare(game.Keno(), object("picks", listOf(picks...), "risk", risk), 0)
		if err != nil {
			rt.Fatal(err)
		}
		r := drawRound(rt, plan)
		drawn, hits := popped(r.draws, 40, 10), 0
		for _, n := range picks {
			if slices.Contains(drawn, n) {
				hits++
			}
		}
		if got, _ := r.result.Outcome.Get("hits").Int(); int(got) != hits || !slices.Equal(numbersShown(r.result.Outcome.Get("draws")), drawn) {
			rt.Fatalf("%v, want %v, %d hits", r.result.Outcome, drawn, hits)
		}
		r.pays(rt, numberRat(tableOf(t, game.Keno(), "risk", risk, "picks", len(picks)).At(hits)))
	})
}

// Every table, with the chances of hits built up draw by draw: with h hits after n draws
// the next one is a hit with a chance of (d-h)/(40-n).
func TestKenoReturnOfEveryTable(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	for d := 1; d <= 10; d++ {
		chances := []*big.Rat{big.NewRat(1, 1)}
		for n := range int64(10) {
			next := make([]*big.Rat, len(chances)+1)
			for h := range next {
				next[h] = new(big.Rat)
			}
			for h, chance := range chances {
				hit := big.NewRat(int64(d-h), 40-n)
				part := new(big.Rat).Mul(chance, hit)
				next[h+1].Add(next[h+1], part)
				next[h].Add(next[h], new(big.Rat).Sub(chance, part))
			}
			chances = next
		}
		for _, risk := range kenoRisks {
			counted, pays := spread{}, tableOf(t, game.Keno(), "risk", risk, "picks", d)
			if pays.Len() != d+1 {
				t.Fatalf("%s, %d numbers: %d prizes", risk, d, pays.Len())
			}
			for hits := range d + 1 {
				counted.add(numberRat(pays.At(hits)), chances[hits])
			}
			plan := prepare(t, game.Keno(), "picks", firstNumbers(d), "risk", risk)
			counted.check(t, plan)
			if want := strings.Fields(kenoReturns[risk])[d-1]; inPercent(plan) != want {
				t.Errorf("%s, %d numbers return %s %%, want %s", risk, d, inPercent(plan), want)
			}
			least, greatest = ends(least, greatest, plan)
		}
	}
	checkRange(t, game.Keno().RTP(), prepare(t, game.Keno()).Moments().Mean, least, greatest)
	if least.FloatString(5) != "0.98654" || greatest.FloatString(5) != "0.99069" {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// The stated unevenness: the chance that a number is drawn, counted over the 2^32 values
// of each draw, is within a ten-millionth part of a quarter for all numbers, and so is
// that of every way to draw ten numbers.
func TestKenoChancesAreEvenToATenMillionthPart(t *testing.T) {
	t.Parallel()
	part := big.NewRat(1, 10_000_000)
	uneven := func(chance, even *big.Rat) bool {
		apart := new(big.Rat).Sub(new(big.Rat).Quo(chance, even), big.NewRat(1, 1))
		return apart.Abs(apart).Cmp(part) > 0
	}
	for number := range 40 {
		// The key is the number of remaining numbers before it.
		left := map[int]*big.Rat{number: big.NewRat(1, 1)}
		for drawn := range int64(10) {
			next := map[int]*big.Rat{}
			for before, chance := range left {
				size := 40 - drawn
				add := func(to int, ways *big.Int) {
					if next[to] == nil {
						next[to] = new(big.Rat)
					}
					next[to].Add(next[to], new(big.Rat).Mul(chance, share(ways, 1)))
				}
				for place := range size {
					if int(place) < before {
						add(before-1, ways(place, size))
					} else if int(place) > before {
						add(before, ways(place, size))
					}
				}
			}
			left = next
		}
		missed := new(big.Rat)
		for _, chance := range left {
			missed.Add(missed, chance)
		}
		if uneven(missed.Sub(big.NewRat(1, 1), missed), big.NewRat(1, 4)) {
			t.Errorf("%d is drawn with a chance of %s", number, percent(missed))
		}
	}
	few, many, even := big.NewRat(1, 1), big.NewRat(1, 1), big.NewRat(1, 1)
	for size := int64(40); size > 30; size-- {
		least, most := ways(0, size), ways(0, size)
		for place := range size {
			if w := ways(place, size); w.Cmp(least) < 0 {
				least = w
			} else if w.Cmp(most) > 0 {
				most = w
			}
		}
		few.Mul(few, share(least, 1))
		many.Mul(many, share(most, 1))
		even.Mul(even, big.NewRat(1, size))
	}
	if uneven(few, even) || uneven(many, even) {
		t.Errorf("some way to draw ten numbers has a chance of %s to %s, even is %s", few, many, even)
	}
}
