package game_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// round is one round in both implementations: the game's result, and the draws for the
// published form.
type round struct {
	result game.Result
	draws  []uint32
}

func drawRound(t *rapid.T, plan game.Plan) round {
	serverSeed := rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, "serverSeed")
	clientSeed := rapid.StringMatching(`[ -~]{1,64}`).Draw(t, "clientSeed")
	nonce := rapid.Int64Range(0, math.MaxInt64).Draw(t, "nonce")
	again := stream(serverSeed, clientSeed, nonce)
	draws := make([]uint32, 65)
	for i := range draws {
		draws[i] = again.Next()
	}
	return round{plan.Play(stream(serverSeed, clientSeed, nonce)), draws}
}

// float converts a draw to the published form: four bytes as base-256 digits after the
// point.
func float(k uint32) float64 {
	return float64(k>>24)/256 + float64(k>>16&255)/(256*256) + float64(k>>8&255)/(256*256*256) + float64(k&255)/(256*256*256*256)
}

// floorTo cuts a non-negative number after this many decimals.
func floorTo(r *big.Rat, decimals int64) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(scale))
	return new(big.Rat).SetFrac(new(big.Int).Quo(scaled.Num(), scaled.Denom()), scale)
}

// expect compares a result with that of the second implementation.
func expect(t *rapid.T, r round, shown game.Value, wantShown *big.Rat, win bool, prize *big.Rat) {
	if got := numberRat(shown); got.Cmp(wantShown) != 0 {
		t.Fatalf("draw %d shows %s, want %s", r.draws[0], got.FloatString(2), wantShown.FloatString(2))
	}
	if !win {
		prize = new(big.Rat)
	}
	if got := rat(r.result.Multiplier); got.Cmp(prize) != 0 {
		t.Fatalf("draw %d pays %s, want %s", r.draws[0], got, prize)
	}
}

func TestDiceAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		chance := rapid.Int64Range(1, 9801).Draw(t, "chance")
		direction := rapid.SampledFrom([]string{"over", "under"}).Draw(t, "direction")
		target := chance
		if direction == "over" {
			target = 10000 - chance
		}
		plan, err := game.Prepare(game.Dice(), object("target", game.Dec(target, 2), "direction", direction), 0)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		roll := big.NewRat(int64(math.Floor(float(r.draws[0])*10001)), 100)
		order := roll.Cmp(big.NewRat(target, 100))
		win := direction == "over" && order > 0 || direction == "under" && order < 0
		// 0.99 divided by the chance as a fraction of one.
		prize := floorTo(new(big.Rat).Quo(big.NewRat(99, 100), big.NewRat(chance, 10000)), 4)
		expect(t, r, r.result.Outcome.Get("roll"), roll, win, prize)
	})
}

// reachExact returns max(1, floor(edge / n)) with two decimals, in rationals.
func reachExact(bits, n int64) *big.Rat {
	point := floorTo(new(big.Rat).Mul(big.NewRat(99, 100), big.NewRat(1<<bits, n)), 2)
	if one := big.NewRat(1, 1); point.Cmp(one) < 0 {
		return one
	}
	return point
}

func TestLimboAndCrashAgainstRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.Int64Range(101, 1_000_000).Draw(t, "target")
		plan, err := game.Prepare(game.Limbo(), object("target", game.Dec(target, 2)), 0)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		prize := big.NewRat(target, 100)
		point := reachExact(24, int64(math.Floor(float(r.draws[0])*(1<<24)))+1)
		expect(t, r, r.result.Outcome.Get("multiplier"), point, point.Cmp(prize) >= 0, prize)

		plan, err = game.Prepare(game.Crash(), object("cashout", game.Dec(target, 2)), 0)
		if err != nil {
			t.Fatal(err)
		}
		r = drawRound(t, plan)
		point = reachExact(32, int64(r.draws[0])+1)
		expect(t, r, r.result.Outcome.Get("crash"), point, point.Cmp(prize) >= 0, prize)
		published := math.Floor(math.Max(1, float64(1<<32)/(float64(r.draws[0])+1)*0.99)*100) / 100
		if exact, _ := point.Float64(); math.Abs(published-exact) > 0.0101 {
			t.Fatalf("crash at draw %d: %s, published %.2f", r.draws[0], point.FloatString(2), published)
		}
	})
}

func TestCoinflipAgainstThePublishedForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		flips := rapid.IntRange(1, 20).Draw(t, "flips")
		side := rapid.SampledFrom([]string{"heads", "tails"}).Draw(t, "side")
		plan, err := game.Prepare(game.Coinflip(), object("side", side, "flips", flips), 0)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		var want, all strings.Builder
		for i := range flips {
			// The published form counts the float 0.5 as tails; ours as heads.
			if float(r.draws[i]) >= 0.5 {
				want.WriteString("heads ")
			} else {
				want.WriteString("tails ")
			}
			all.WriteString(side + " ")
		}
		var got strings.Builder
		for flip := range r.result.Outcome.Get("flips").Items() {
			got.WriteString(flip.Text() + " ")
		}
		if got.String() != want.String() {
			t.Fatalf("%s, want %s", got.String(), want.String())
		}
		prize := new(big.Rat)
		if want.String() == all.String() {
			prize.SetFloat64(math.Pow(2, float64(flips)))
			prize.Mul(prize, big.NewRat(99, 100))
		}
		if rat(r.result.Multiplier).Cmp(prize) != 0 {
			t.Fatalf("%s pays %s, want %s", got.String(), r.result.Multiplier, prize)
		}
	})
}

func TestSlotsRoundsAgainstSecondImplementation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan, err := game.Prepare(game.Slots(), game.Object(), 0)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		spin := func(i int) (tenths uint64, free int) {
			var stops [5]uint8
			for reel := range stops {
				stops[reel] = uint8(math.Floor(float(r.draws[5*i+reel]) * 32))
			}
			return slotSpin(stops)
		}
		tenths, free := spin(0)
		for i := range free {
			bonus, _ := spin(i + 1)
			tenths += 2 * bonus
		}
		if rat(r.result.Multiplier).Cmp(big.NewRat(int64(tenths), 10)) != 0 {
			t.Fatalf("pays %s, want %d tenths", r.result.Multiplier, tenths)
		}
	})
}
