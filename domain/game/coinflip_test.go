package game_test

import (
	"math/big"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

func TestCoinflipReturnOfEveryConfig(t *testing.T) {
	t.Parallel()
	// One flip wins with exactly half of the draws, found by binary search.
	tails := prepare(t, game.Coinflip(), "side", "tails")
	if half := firstDraw(func(k uint32) bool { return !won(tails, k) }); half != lattice/2 {
		t.Fatalf("%d draws show tails", half)
	}
	for flips := 1; flips <= 20; flips++ {
		prize := new(big.Rat).Mul(big.NewRat(99, 100), big.NewRat(1<<flips, 1))
		for _, side := range []string{"heads", "tails"} {
			plan := prepare(t, game.Coinflip(), "side", side, "flips", flips)
			checkFigures(t, plan, prize, lattice>>flips)
			if plan.Moments().Mean.Cmp(big.NewRat(99, 100)) != 0 || plan.RTPPartsPerBillion() != 990_000_000 {
				t.Errorf("%d flips of %s return %s", flips, side, plan.Moments().Mean)
			}
		}
	}
	rtp := game.Coinflip().RTP()
	checkRange(t, rtp, big.NewRat(99, 100), big.NewRat(99, 100), big.NewRat(99, 100))
}

// All sequences of up to twelve flips: one of 2^n wins, and the outcome shows
// each flip.
func TestCoinflipPaysOneSequence(t *testing.T) {
	t.Parallel()
	for flips := 1; flips <= 12; flips++ {
		plan := prepare(t, game.Coinflip(), "side", "heads", "flips", flips)
		winners := 0
		for sequence := range 1 << flips {
			draws := make([]uint32, flips)
			for i := range draws {
				draws[i] = uint32(sequence>>i&1) << 31
			}
			result := play(plan, draws...)
			for i := range draws {
				want := map[bool]string{true: "heads", false: "tails"}[draws[i] != 0]
				if got := result.Outcome.Get("flips").At(i).Text(); got != want {
					t.Fatalf("flip %d of %b shows %q", i, sequence, got)
				}
			}
			if result.Multiplier.Num > 0 {
				winners++
				if sequence != 1<<flips-1 || result.Multiplier != plan.MaxMultiplier() {
					t.Fatalf("%b pays %v", sequence, result.Multiplier)
				}
			}
		}
		if winners != 1 {
			t.Errorf("%d of 2^%d sequences win", winners, flips)
		}
	}
}
