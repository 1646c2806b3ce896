package game_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// publishedRows is how many rows fairness.json has.
const publishedRows = 642

// publishedForms are rounds of forms that no game of ours has, which are reproduced by our
// draws, and how many there are. Those of no rounds are reproduced in domain/fairness.
var publishedForms = map[string]struct {
	rows      int
	reproduce func(*testing.T, published) any
}{
	"stake.limbo.v1":     {52, reproduceOldLimbo},
	"stake.crash.raw":    {3, func(t *testing.T, row published) any { return reproducePoint(t, row, 99) }},
	"stake.slide.raw":    {3, func(t *testing.T, row published) any { return reproducePoint(t, row, 98) }},
	"stake.slots.scarab": {50, reproduceStops},
	"stake.diamondpoker": {49, reproduceTwoHands},
	"stake.floats":       {7, nil},
	"stake.bytes":        {9, nil},
	"commit.sha256utf8":  {13, nil},
	"chain.sha256hex":    {9, nil},
}

// reproduceOldLimbo computes an earlier form: 0.99 · 2^32 / k, rounded down.
func reproduceOldLimbo(t *testing.T, row published) any {
	t.Helper()
	k := int64(stream(row.ServerSeed, row.ClientSeed, row.Nonce).Next())
	return game.Dec(99<<32/k, 2).NumberText()
}

// reproducePoint computes crash before it is rounded down, and a game of another house with
// another part. The published points are doubles.
func reproducePoint(t *testing.T, row published, hundredths int64) any {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(row.GameHash))
	mac.Write([]byte(row.Salt))
	k := int64(binary.BigEndian.Uint32(mac.Sum(nil)))
	point := big.NewRat(hundredths<<32, 100*(k+1))
	if point.Cmp(big.NewRat(1, 1)) < 0 {
		point.SetInt64(1)
	}
	said, ok := new(big.Rat).SetString(string(row.Expected))
	if !ok {
		t.Fatalf("%s", row.Expected)
	}
	apart := new(big.Rat).Sub(said.Quo(said, point), big.NewRat(1, 1))
	if apart.Abs(apart).Cmp(big.NewRat(1, 1e15)) < 0 {
		return row.Expected
	}
	near, _ := point.Float64()
	return near
}

// reproduceStops gives where five reels of another house's slots stop, in each spin.
func reproduceStops(t *testing.T, row published) any {
	t.Helper()
	var spins [][]uint32
	if err := json.Unmarshal(row.Expected, &spins); err != nil {
		t.Fatal(err)
	}
	draws := stream(row.ServerSeed, row.ClientSeed, row.Nonce)
	for spin := range spins {
		spins[spin] = nil
		for _, length := range []uint32{30, 30, 30, 30, 41} {
			spins[spin] = append(spins[spin], draws.Pick(length))
		}
	}
	return spins
}

// reproduceTwoHands plays diamonds twice by the draws of one round. Its pink is called
// orange there.
func reproduceTwoHands(t *testing.T, row published) any {
	t.Helper()
	plan, draws := prepare(t, game.Diamonds()), stream(row.ServerSeed, row.ClientSeed, row.Nonce)
	orange := func(gem string) string { return strings.ReplaceAll(gem, "pink", "orange") }
	first := texts(plan.Play(draws).Outcome.Get("gems"), orange)
	return append(first, texts(plan.Play(draws).Outcome.Get("gems"), orange)...)
}
