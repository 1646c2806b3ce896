package crash

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// The bounds of multipliers in hundredths. Cash-outs begin at CashOutMin: a point of 1.00
// pays nobody. A round's cap is from CapMin to CapMax, where the table ends.
const (
	CashOutMin = 101
	CapMin     = 200
	CapMax     = 1_000_000_00
)

// Point returns the point of a round in hundredths: that of game.CrashPoint, whose draw is
// the first four bytes, big-endian, of HMAC-SHA256 with the round's hash as its key and
// the salt as its message.
//
// Source: the published form of shared crash.
func Point(hash fairness.ServerSeed, salt string) uint64 {
	mac := hmac.New(sha256.New, []byte(hash.Reveal()))
	mac.Write([]byte(salt))
	return game.CrashPoint(binary.BigEndian.Uint32(mac.Sum(nil)))
}

// Odds returns the exact odds of an automatic cash-out in a round with a cap, both in
// hundredths. Its mean is the return: c·⌊99·2^32/c⌋ / (100·2^32) for c, the lesser of the
// two. A cash-out by hand at c has the same return.
func Odds(auto, limit uint64) game.Odds { return game.CrashOdds(min(auto, limit)) }

// RTP returns the range of returns over all cash-outs in a round with a cap.
func RTP(limit uint64) game.RTP { return game.CrashRTP(limit) }

// growth is ⌊(e^0.00006 - 1)·2^64⌋: the curve is e^(0.00006·t) after t milliseconds, as in
// the published form.
const growth = 1_106_837_849_225_996

// table has the multiplier of each millisecond in hundredths: ⌊x(t) / 2^64⌋ with
// x(0) = 100·2^64 and x(t+1) = x(t) + ⌊x(t)·growth / 2^64⌋. It is ⌊100·e^(0.00006·t)⌋ at
// every millisecond, as a test shows. Its last value is CapMax instead of a greater one.
var table = func() []uint32 {
	steps := make([]uint32, 0, 230_260)
	for high, low := uint64(100), uint64(0); ; {
		steps = append(steps, uint32(min(high, CapMax)))
		if high >= CapMax {
			return steps
		}
		above, added := bits.Mul64(high, growth)
		fraction, _ := bits.Mul64(low, growth)
		added, carry := bits.Add64(added, fraction, 0)
		above += carry
		low, carry = bits.Add64(low, added, 0)
		high += above + carry
	}
}()

// MultiplierAt returns the curve's height in hundredths at a millisecond since the start:
// 100 before it, CapMax after the table's end.
func MultiplierAt(ms int64) uint64 {
	return uint64(table[max(0, min(ms, int64(len(table)-1)))])
}

// TimeOf returns the first millisecond at which the curve is at or above a multiplier in
// hundredths, at most CapMax.
func TimeOf(multiplier uint64) int64 {
	ms, _ := slices.BinarySearch(table, uint32(min(multiplier, CapMax)))
	return int64(ms)
}

// EndTime returns the millisecond at which a round ends: the first at which the curve is
// above the point, or at the cap if the point isn't below that. From it on no cash-out by
// hand counts.
func EndTime(point, limit uint64) int64 {
	return TimeOf(min(point+1, limit))
}
