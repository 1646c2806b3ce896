package fairness_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fairness"
)

// reference computes draws with crypto/hmac, as the scheme is written down.
func reference(serverSeed, clientSeed string, nonce int64, count int) []uint32 {
	var draws []uint32
	for cursor := 0; len(draws) < count; cursor++ {
		mac := hmac.New(sha256.New, []byte(serverSeed))
		fmt.Fprintf(mac, "%s:%d:%d", clientSeed, nonce, cursor)
		for block := mac.Sum(nil); len(block) > 0; block = block[4:] {
			draws = append(draws, binary.BigEndian.Uint32(block))
		}
	}
	return draws[:count]
}

func TestStreamIsHMAC(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		serverSeed := rapid.StringN(0, 200, 400).Draw(t, "serverSeed")
		clientSeed := rapid.StringN(0, 100, 400).Draw(t, "clientSeed")
		nonce := rapid.Int64().Draw(t, "nonce")
		stream := fairness.NewStream(fairness.ServerSeedFromText(serverSeed), clientSeed, nonce)
		// 90 draws take the cursor past one digit.
		for i, want := range reference(serverSeed, clientSeed, nonce, 90) {
			if got := stream.Next(); got != want {
				t.Fatalf("draw %d is %d, want %d", i, got, want)
			}
		}
	})
}

func TestPickIsTheHighWordOfTheProduct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := fairness.ServerSeedFromText(rapid.StringN(1, 64, 64).Draw(t, "seed"))
		n := rapid.Uint32().Draw(t, "n")
		k := fairness.NewStream(seed, "c", 1).Next()
		want := new(big.Int).Mul(big.NewInt(int64(k)), big.NewInt(int64(n)))
		if got := fairness.NewStream(seed, "c", 1).Pick(n); want.Rsh(want, 32).Uint64() != uint64(got) || got >= max(n, 1) {
			t.Fatalf("pick(%d) of draw %d is %d, want %s", n, k, got, want)
		}
	})
}

// Another implementation, in another language, made testdata/vectors.json.
func TestStreamAgreesWithNode(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var rounds []struct {
		ServerSeed, Commitment, ClientSeed string
		Nonce                              int64 `json:",string"`
		Draws                              []uint32
	}
	if err := json.Unmarshal(raw, &rounds); err != nil {
		t.Fatal(err)
	}
	if len(rounds) != 100 {
		t.Errorf("%d rounds, want 100", len(rounds))
	}
	for _, round := range rounds {
		seed := fairness.ServerSeedFromText(round.ServerSeed)
		if seed.Commitment() != round.Commitment {
			t.Errorf("commitment of %q is %s, want %s", round.ServerSeed, seed.Commitment(), round.Commitment)
		}
		stream := fairness.NewStream(seed, round.ClientSeed, round.Nonce)
		for i, want := range round.Draws {
			if got := stream.Next(); got != want {
				t.Fatalf("draw %d of %+v is %d", i, round, got)
			}
		}
	}
}

// No two rounds and cursors share a message, whatever the client seeds hold:
// "a:5" with nonce 0 is not "a" with nonce 5.
func TestColonsInClientSeedsAreHarmless(t *testing.T) {
	t.Parallel()
	seed := fairness.ServerSeedFromText(secret)
	seen := map[uint32]string{}
	for _, clientSeed := range []string{"a", "a:0", "a:1", "a:0:0", "a:1:0", ":", "::"} {
		for nonce := range int64(3) {
			stream := fairness.NewStream(seed, clientSeed, nonce)
			for cursor := range 3 {
				k := stream.Next()
				for range 7 {
					stream.Next()
				}
				name := strings.Join([]string{clientSeed, fmt.Sprint(nonce), fmt.Sprint(cursor)}, " | ")
				if other, taken := seen[k]; taken {
					t.Errorf("%s draws the same as %s", name, other)
				}
				seen[k] = name
			}
		}
	}
}

func BenchmarkHMAC(b *testing.B) {
	seed := fairness.ServerSeedFromText(secret)
	b.ReportAllocs()
	for nonce := int64(0); b.Loop(); nonce++ {
		fairness.NewStream(seed, "bb62964774", nonce).Next()
	}
}

// BenchmarkStandardHMAC is the same by crypto/hmac, for comparison.
func BenchmarkStandardHMAC(b *testing.B) {
	key := []byte(secret)
	b.ReportAllocs()
	for b.Loop() {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("bb62964774:1:0"))
		mac.Sum(nil)
	}
}
