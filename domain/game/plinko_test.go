package game_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// tableOf returns the entry of a published table with these members.
func tableOf(t testing.TB, g game.Game, pairs ...any) game.Value {
	t.Helper()
	for row := range g.(game.Tabled).Table().Get("tables").Items() {
		fits := true
		for i := 0; i < len(pairs); i += 2 {
			fits = fits && row.Get(pairs[i].(string)).Equal(value(pairs[i+1]))
		}
		if fits {
			return row.Get("pays")
		}
	}
	t.Fatalf("%s has no table for %v", g.Type(), pairs)
	return game.Value{}
}

func TestPlinkoAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.IntRange(8, 16).Draw(rt, "rows")
		risk := rapid.SampledFrom([]string{"low", "medium", "high", "expert"}).Draw(rt, "risk")
		plan, err := game.Prepare(game.Plinko(), object("rows", rows, "risk", risk), 0)
		if err != nil {
			rt.Fatal(err)
		}
		r := drawRound(rt, plan)
		var path []int
		bucket := 0
		for row := range rows {
			path = append(path, int(math.Floor(float(r.draws[row])*2)))
			bucket += path[row]
		}
		if got, _ := r.result.Outcome.Get("bucket").Int(); int(got) != bucket || !slices.Equal(numbersShown(r.result.Outcome.Get("path")), path) {
			rt.Fatalf("%v, want %v into %d", r.result.Outcome, path, bucket)
		}
		r.pays(rt, numberRat(tableOf(t, game.Plinko(), "risk", risk, "rows", rows).At(bucket)))
	})
}

// plinkoReturns are the published returns of 8 to 16 rows in percent: a table with a
// wrong figure has another return.
var plinkoReturns = map[string]string{
	"low":    "98.9844 98.9844 99.0039 99.0039 98.9795 98.9990 99.0002 99.0009 98.9987",
	"medium": "98.9063 99.1406 98.9063 99.0234 98.9893 98.9941 98.9941 98.9984 98.9883",
	"high":   "99.0625 99.0625 99.0625 99.1602 99.1162 99.0869 98.9783 99.0265 98.9764",
	"expert": "98.9844 99.0625 98.9453 98.9941 99.0430 99.0063 99.0051 99.0088 98.9963",
}

// inPercent formats a return as published.
func inPercent(plan game.Plan) string {
	return new(big.Rat).Mul(plan.Moments().Mean, big.NewRat(100, 1)).FloatString(4)
}

// Every table: chances by Pascal's triangle, and both sides pay the same.
func TestPlinkoReturnOfEveryTable(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	for rows := 8; rows <= 16; rows++ {
		for _, risk := range []string{"low", "medium", "high", "expert"} {
			counted, pays := spread{}, tableOf(t, game.Plinko(), "risk", risk, "rows", rows)
			if pays.Len() != rows+1 {
				t.Fatalf("%s, %d rows: %d buckets", risk, rows, pays.Len())
			}
			for bucket := range rows + 1 {
				counted.add(numberRat(pays.At(bucket)), new(big.Rat).Quo(binomial(rows, bucket), big.NewRat(1<<rows, 1)))
				if !pays.At(bucket).Equal(pays.At(rows - bucket)) {
					t.Errorf("%s, %d rows: bucket %d pays unlike its other side", risk, rows, bucket)
				}
			}
			plan := prepare(t, game.Plinko(), "rows", rows, "risk", risk)
			counted.check(t, plan)
			if want := strings.Fields(plinkoReturns[risk])[rows-8]; inPercent(plan) != want {
				t.Errorf("%s, %d rows return %s %%, want %s", risk, rows, inPercent(plan), want)
			}
			least, greatest = ends(least, greatest, plan)
		}
	}
	checkRange(t, game.Plinko().RTP(), prepare(t, game.Plinko()).Moments().Mean, least, greatest)
	if least.FloatString(5) != "0.98906" || greatest.FloatString(5) != "0.99160" {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// ends extends a range by one more plan.
func ends(least, greatest *big.Rat, plan game.Plan) (newLeast, newGreatest *big.Rat) {
	mean := plan.Moments().Mean
	if mean.Cmp(least) < 0 {
		least = mean
	}
	if mean.Cmp(greatest) > 0 {
		greatest = mean
	}
	return least, greatest
}
