package game_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

func TestWheelAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		segments := rapid.SampledFrom([]int{10, 20, 30, 40, 50}).Draw(rt, "segments")
		risk := rapid.SampledFrom([]string{"low", "medium", "high"}).Draw(rt, "risk")
		plan, err := game.Prepare(game.Wheel(), object("segments", segments, "risk", risk), 0)
		if err != nil {
			rt.Fatal(err)
		}
		r := drawRound(rt, plan)
		index := int(math.Floor(float(r.draws[0]) * float64(segments)))
		if got, _ := r.result.Outcome.Get("index").Int(); int(got) != index {
			rt.Fatalf("%v, want %d", r.result.Outcome, index)
		}
		r.pays(rt, numberRat(tableOf(t, game.Wheel(), "segments", segments, "risk", risk).At(index)))
	})
}

// Every wheel returns 0.99 with even segments, and its stated return over the 2^32
// draws.
func TestWheelReturnOfEveryTable(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	for _, segments := range []int{10, 20, 30, 40, 50} {
		for _, risk := range []string{"low", "medium", "high"} {
			counted, even, pays := spread{}, new(big.Rat), tableOf(t, game.Wheel(), "segments", segments, "risk", risk)
			if pays.Len() != segments {
				t.Fatalf("%s: %d of %d segments", risk, pays.Len(), segments)
			}
			for index := range segments {
				counted.add(numberRat(pays.At(index)), share(ways(int64(index), int64(segments)), 1))
				even.Add(even, numberRat(pays.At(index)))
			}
			if even.Cmp(big.NewRat(int64(segments*99), 100)) != 0 {
				t.Errorf("%s, %d segments pay %s together", risk, segments, even)
			}
			plan := prepare(t, game.Wheel(), "segments", segments, "risk", risk)
			counted.check(t, plan)
			least, greatest = ends(least, greatest, plan)
		}
	}
	checkRange(t, game.Wheel().RTP(), prepare(t, game.Wheel()).Moments().Mean, least, greatest)
	if least.FloatString(7) != "0.9900000" || greatest.FloatString(7) != "0.9900000" {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}
