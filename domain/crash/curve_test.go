package crash_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// tableEnd is the last millisecond of the table.
const tableEnd = 230_259

// expBound returns bounds of 100·e^(6·ms/100000)·2^bits by the exponential series: one
// below it, one above.
func expBound(ms int64, bits uint) (below, above *big.Int) {
	term := new(big.Int).Lsh(big.NewInt(100), bits)
	below = new(big.Int)
	terms := int64(0)
	for term.Sign() > 0 {
		below.Add(below, term)
		terms++
		term.Mul(term, big.NewInt(6*ms))
		term.Quo(term, big.NewInt(100_000*terms))
	}
	// Each term is rounded down by less than 1, which the next terms carry on; what is left
	// out is below 1. e^14 · (terms + 1) is far above their sum.
	return below, new(big.Int).Add(below, big.NewInt((terms+1)*2_000_000))
}

// TestTheTableIsTheExponential computes every 97th millisecond and the neighbourhood of
// both ends by the series, and each from the one before with 512 bits.
func TestTheTableIsTheExponential(t *testing.T) {
	t.Parallel()
	const bits = 512
	growth, _ := expBound(1, bits)
	growth.Quo(growth, big.NewInt(100))
	x, high := new(big.Int).Lsh(big.NewInt(100), bits), new(big.Int)
	for ms := range int64(tableEnd) {
		want := high.Rsh(x, bits).Uint64()
		if got := crash.MultiplierAt(ms); got != want {
			t.Fatalf("%d ms: %d, exactly %d", ms, got, want)
		}
		if ms%97 == 0 || ms < 200 || ms > tableEnd-100 {
			below, above := expBound(ms, 256)
			if below.Rsh(below, 256).Uint64() != want || above.Rsh(above, 256).Uint64() != want {
				t.Fatalf("%d ms: %d, the series gives %s to %s", ms, want, below, above)
			}
		}
		x.Rsh(x.Mul(x, growth), bits)
	}
	if high.Rsh(x, bits).Uint64() < crash.CapMax {
		t.Errorf("the table ends before its cap: %s", high)
	}
}

// The published table: a line for each millisecond, with the hundredths in decimal.
func TestTheTableHasItsPublishedHash(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	for ms := range int64(tableEnd + 1) {
		lines.WriteString(strconv.FormatUint(crash.MultiplierAt(ms), 10) + "\n")
	}
	const want = "a171dd696b3ffefe156abe0b483382c63da34ad18b15e78b73658ea46c8106e6"
	if got := fmt.Sprintf("%x", sha256.Sum256(lines.Bytes())); got != want {
		t.Errorf("the table's hash is %s, want %s", got, want)
	}
	if v := readVectors(t); v.Table != want || v.Milliseconds != tableEnd+1 {
		t.Errorf("Node's table has the hash %s and %d lines", v.Table, v.Milliseconds)
	}
}

func TestTheCurveRisesToTheCapAndStaysThere(t *testing.T) {
	t.Parallel()
	before := uint64(100)
	for ms := range int64(tableEnd + 1) {
		m := crash.MultiplierAt(ms)
		if m < before {
			t.Fatalf("%d ms: %d after %d", ms, m, before)
		}
		// The inverse: the first millisecond of this height, and of each height skipped.
		if m > before || ms == 0 {
			for _, height := range []uint64{before + 1, m} {
				if got := crash.TimeOf(height); ms > 0 && got != ms {
					t.Fatalf("%d hundredths are reached at %d ms, want %d", height, got, ms)
				}
			}
		}
		before = m
	}
	for ms, want := range map[int64]uint64{
		-1 << 62: 100, -1: 100, 0: 100, 165: 100, 166: 101, tableEnd - 1: 99_996_944, tableEnd: crash.CapMax, tableEnd + 1: crash.CapMax, 1 << 62: crash.CapMax,
	} {
		if got := crash.MultiplierAt(ms); got != want {
			t.Errorf("%d ms: %d, want %d", ms, got, want)
		}
	}
	for height, want := range map[uint64]int64{0: 0, 100: 0, 101: 166, crash.CapMax: tableEnd, crash.CapMax + 1: tableEnd, 1 << 40: tableEnd} {
		if got := crash.TimeOf(height); got != want {
			t.Errorf("%d hundredths at %d ms, want %d", height, got, want)
		}
	}
}

// A round ends at the first millisecond at which the curve is above its point, so that a
// cash-out before it isn't above the point and one at it is; or at the cap.
func TestARoundEndsBetweenTwoMilliseconds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Uint64Range(crash.CapMin, crash.CapMax).Draw(t, "cap")
		point := rapid.OneOf(rapid.Uint64Range(100, 2*limit), rapid.Uint64Range(100, 1000), rapid.Uint64Range(limit-2, limit+2)).Draw(t, "point")
		end := crash.EndTime(point, limit)
		if before := crash.MultiplierAt(end - 1); before > point || before >= limit {
			t.Fatalf("1 ms before its end the curve is at %d", before)
		}
		if at := crash.MultiplierAt(end); at <= point && at < limit {
			t.Fatalf("at its end the curve is at %d", at)
		}
	})
}

func TestThePointIsThePublishedFormExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.StringN(1, 100, 200).Draw(t, "hash")
		salt := rapid.StringN(0, 100, 200).Draw(t, "salt")
		mac := hmac.New(sha256.New, []byte(hash))
		mac.Write([]byte(salt))
		k := new(big.Int).SetBytes(mac.Sum(nil)[:4])
		want := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(99), 32), k.Add(k, big.NewInt(1)))
		floor := new(big.Int).Quo(want.Num(), want.Denom())
		if floor.Cmp(big.NewInt(100)) < 0 {
			floor.SetInt64(100)
		}
		if got := crash.Point(fairness.ServerSeedFromText(hash), salt); !floor.IsUint64() || got != floor.Uint64() {
			t.Fatalf("point %d, exactly %s", got, floor)
		}
	})
}

// The return of a cash-out: the draws that reach it are the first ones, because the point
// falls as the draw rises. A binary search counts them.
func TestReturnsCountEveryDraw(t *testing.T) {
	t.Parallel()
	firstBelow := func(target uint64) uint64 {
		low, high := uint64(0), uint64(1)<<32
		for low < high {
			if middle := (low + high) / 2; game.CrashPoint(uint32(middle)) >= target {
				low = middle + 1
			} else {
				high = middle
			}
		}
		return low
	}
	for _, limit := range []uint64{crash.CapMin, 10_000, crash.CapMax} {
		rtp := crash.RTP(limit)
		for auto := uint64(crash.CashOutMin); auto <= min(2*limit, crash.CapMax); auto += 1 + auto/37 {
			paid := min(auto, limit)
			want := new(big.Rat).SetFrac(new(big.Int).SetUint64(paid*firstBelow(paid)), new(big.Int).Lsh(big.NewInt(100), 32))
			mean := crash.Odds(auto, limit).Moments().Mean
			if mean.Cmp(want) != 0 || mean.Cmp(rtp.Min) < 0 || mean.Cmp(rtp.Max) > 0 {
				t.Fatalf("cash-out %d, cap %d: return %s, counted %s, range %s to %s", auto, limit, mean.FloatString(12), want.FloatString(12), rtp.Min, rtp.Max)
			}
		}
	}
	for limit, want := range map[uint64]string{crash.CapMin: "0.99000 0.99000 0.99000", crash.CapMax: "0.99000 0.98977 0.99000"} {
		rtp := crash.RTP(limit)
		if got := rtp.Default.FloatString(5) + " " + rtp.Min.FloatString(5) + " " + rtp.Max.FloatString(5); got != want {
			t.Errorf("cap %d: returns %s, want %s", limit, got, want)
		}
	}
}
