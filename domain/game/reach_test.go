package game_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// returns collects the exact return of targets: target · wins / (100 · 2^32).
type returns struct{ least, greatest uint64 }

func (r *returns) take(target, wins uint64) {
	product := target * wins
	if r.greatest == 0 || product < r.least {
		r.least = product
	}
	r.greatest = max(r.greatest, product)
}

func (r *returns) rats() (least, greatest *big.Rat) {
	ratOf := func(product uint64) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(product), big.NewInt(100*lattice))
	}
	return ratOf(r.least), ratOf(r.greatest)
}

// Every target of limbo over every draw: the game uses 24 bits of a draw, so there are
// only 2^24 points, each for 256 draws.
func TestLimboReturnOfEveryTarget(t *testing.T) {
	t.Parallel()
	const most = 1_000_000
	reached := make([]uint64, most+2) // by the greatest target that the point reaches
	for n := range uint32(1 << 24) {
		reached[min(game.LimboPoint(n<<8), most)] += 256
	}
	var seen returns
	for target := uint64(most); target >= 101; target-- {
		reached[target] += reached[target+1]
		if got := game.LimboWins(target); got != reached[target] {
			t.Fatalf("%d hundredths: %d draws win, counted %d", target, got, reached[target])
		}
		seen.take(target, reached[target])
	}
	least, greatest := seen.rats()
	t.Logf("return %s … %s", percent(least), percent(greatest))
	checkRange(t, game.Limbo().RTP(), prepare(t, game.Limbo()).Moments().Mean, least, greatest)
	if least.Cmp(big.NewRat(98940, 100000)) < 0 || greatest.Cmp(big.NewRat(99, 100)) > 0 {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// Every target of crash over every draw. The point falls as the draw rises, so the draws
// that reach a target are the first ones, and a binary search counts them exactly. Above
// a split the targets are taken in runs between neighbouring points, within which the
// same draws win.
func TestCrashReturnOfEveryTarget(t *testing.T) {
	t.Parallel()
	const most, split = 100_000_000, 700_000
	var seen returns
	count := func(target, wins uint64) {
		if got := game.CrashWins(target); got != wins {
			t.Fatalf("%d hundredths: %d draws win, counted %d", target, got, wins)
		}
		seen.take(target, wins)
	}
	for target := uint64(101); target <= split; target++ {
		count(target, firstDraw(func(k uint32) bool { return game.CrashPoint(k) < target }))
	}
	targets := uint64(split - 100)
	for k := uint32(0); ; k++ {
		high, low := min(game.CrashPoint(k), most), max(game.CrashPoint(k+1), split)+1
		if high <= split {
			break
		}
		if low <= high {
			// Draws 0 … k win every target of the run: its ends are its extremes.
			count(low, uint64(k)+1)
			count(high, uint64(k)+1)
			targets += high - low + 1
		}
	}
	if targets != most-100 {
		t.Errorf("%d targets counted, want %d", targets, most-100)
	}
	least, greatest := seen.rats()
	t.Logf("return %s … %s", percent(least), percent(greatest))
	checkRange(t, game.Crash().RTP(), prepare(t, game.Crash()).Moments().Mean, least, greatest)
	// 0.98977 … 0.99 in five decimals.
	if least.FloatString(5) != "0.98977" || greatest.Cmp(big.NewRat(99, 100)) != 0 {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// The search for the least return is compared with trying every target, on games of
// other sizes than the two that exist.
func TestReachRangeOfOtherSizes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.UintRange(7, 12).Draw(t, "bits")
		from := rapid.Uint64Range(101, 128).Draw(t, "least")
		to := rapid.Uint64Range(128, 1000).Draw(t, "most")
		var least *big.Rat
		for target := from; target <= to; target++ {
			if m := game.ReachOdds(bits, target).Moments().Mean; least == nil || m.Cmp(least) < 0 {
				least = m
			}
		}
		rtp := game.ReachRTP(bits, from, from, to)
		if rtp.Min.Cmp(least) != 0 || rtp.Max.Cmp(big.NewRat(99, 100)) != 0 {
			t.Fatalf("range %s … %s, least is %s", rtp.Min, rtp.Max, least)
		}
	})
}

// The counts above are of points; here they are of winning rounds, on plans as callers
// get them.
func TestReachPlansPayWhatIsCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		game          game.Game
		field, shown  string
		most          int64
		point         func(uint32) uint64
		winsOf        func(uint64) uint64
		neighbourhood uint64
	}{
		{game.Limbo(), "target", "multiplier", 1_000_000, game.LimboPoint, game.LimboWins, 256},
		{game.Crash(), "cashout", "crash", 100_000_000, game.CrashPoint, game.CrashWins, 1},
	} {
		for target := int64(101); target <= test.most; target += 1 + target/50 {
			plan := prepare(t, test.game, test.field, game.Dec(target, 2))
			wins := firstDraw(func(k uint32) bool { return !won(plan, k) })
			if wins != test.winsOf(uint64(target)) || wins%test.neighbourhood != 0 {
				t.Fatalf("%s %d: %d draws pay, counted %d", test.game.Type(), target, wins, test.winsOf(uint64(target)))
			}
			checkFigures(t, plan, big.NewRat(target, 100), wins)
		}
		plan, before := prepare(t, test.game), uint64(math.MaxUint64)
		for k := uint64(0); k < lattice; k += 999_983 {
			point := test.point(uint32(k))
			if shown, _ := play(plan, uint32(k)).Outcome.Get(test.shown).Units(2); uint64(shown) != point || point > before || point < 100 {
				t.Fatalf("%s at draw %d: shows %d, point %d after %d", test.game.Type(), k, shown, point, before)
			}
			before = point
		}
	}
}

// The published form of limbo is computed in floats. Over all 2^24 values it sometimes
// differs from the exact one, always by a hundredth too little.
func TestLimboAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	differ := 0
	for n := range uint32(1 << 24) {
		published := math.Floor(float64(1<<24)/float64(n+1)*(1-0.01)*100) / 100
		exact := game.LimboPoint(n << 8)
		if published := max(100, uint64(math.Round(published*100))); published != exact {
			differ++
			if exact-published != 1 {
				t.Fatalf("k>>8 = %d: published %d, exact %d", n, published, exact)
			}
		}
	}
	if differ != 44 {
		t.Errorf("%d of 2^24 values differ, want 44", differ)
	}
	const known = 294911
	published := math.Floor(float64(1<<24)/float64(known+1)*(1-0.01)*100) / 100
	if got := fmt.Sprintf("%.2f %d", published, game.LimboPoint(known<<8)); got != "56.31 5632" {
		t.Errorf("at k>>8 = %d: %s, want 56.31 against 56.32", known, got)
	}
}
