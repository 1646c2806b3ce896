package fairness_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fairness"
)

// reference computes draws with crypto/hmac, as the scheme is documented.
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
		// 90 draws need a cursor of two digits.
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

// An implementation in another language made testdata/vectors.json.
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

// No two rounds and cursors share a message, for any client seeds: "a:5" with nonce 0 is
// not "a" with nonce 5.
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

// BenchmarkStandardHMAC computes the same with crypto/hmac, for comparison.
func BenchmarkStandardHMAC(b *testing.B) {
	key := []byte(secret)
	b.ReportAllocs()
	for b.Loop() {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("bb62964774:1:0"))
		mac.Sum(nil)
	}
}

// published is one row of other houses' published rounds.
type published struct {
	Scheme, ServerSeed, ServerSeedHash, ClientSeed, Hash string
	Nonce                                                int64
	Offset                                               int
	Expected                                             json.RawMessage
}

// Published rounds are reproduced if the environment names their folder. The rows are
// counted, so that none is skipped silently.
func TestPublishedVectors(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json, published rounds of other houses") // allowed: the published rounds are not part of the repository
	}
	raw, err := os.ReadFile(filepath.Join(folder, "fairness.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []published }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, row := range file.Vectors {
		if row.ServerSeedHash != "" {
			seen["serverSeedHash of any round"]++
			if got := fairness.ServerSeedFromText(row.ServerSeed).Commitment(); got != row.ServerSeedHash {
				t.Errorf("row %d: commitment %s, want %s", i, got, row.ServerSeedHash)
			}
		}
		if reproduce, ours := schemes[row.Scheme]; ours {
			seen[row.Scheme]++
			reproduce(t, i, row)
		}
	}
	for scheme, want := range map[string]int{
		"stake.floats": 7, "stake.bytes": 9, "commit.sha256utf8": 13, "chain.sha256hex": 9,
		"serverSeedHash of any round": 484,
	} {
		if seen[scheme] != want {
			t.Errorf("%d rows of %s, want %d", seen[scheme], scheme, want)
		}
	}
	t.Logf("reproduced: %v", seen)
}

var schemes = map[string]func(*testing.T, int, published){
	"stake.floats":      reproduceFloats,
	"stake.bytes":       reproduceBytes,
	"commit.sha256utf8": reproduceCommitment,
	"chain.sha256hex":   reproduceCommitment,
}

func reproduceFloats(t *testing.T, i int, row published) {
	t.Helper()
	var want []float64
	if err := json.Unmarshal(row.Expected, &want); err != nil || len(want) == 0 {
		t.Fatalf("row %d: %s", i, row.Expected)
	}
	stream := fairness.NewStream(fairness.ServerSeedFromText(row.ServerSeed), row.ClientSeed, row.Nonce)
	for range row.Offset {
		stream.Next()
	}
	for j := range want {
		// A float is k/2^32, published with twelve decimals.
		if got := float64(stream.Next()) / (1 << 32); math.Abs(got-want[j]) > 0.6e-12 {
			t.Errorf("row %d: float %d is %.12f, want %.12f", i, j, got, want[j])
		}
	}
}

func reproduceBytes(t *testing.T, i int, row published) {
	t.Helper()
	var want []int
	if err := json.Unmarshal(row.Expected, &want); err != nil || len(want) == 0 {
		t.Fatalf("row %d: %s", i, row.Expected)
	}
	stream := fairness.NewStream(fairness.ServerSeedFromText(row.ServerSeed), row.ClientSeed, row.Nonce)
	var got []byte
	for len(got) < row.Offset+len(want) {
		got = binary.BigEndian.AppendUint32(got, stream.Next())
	}
	for j := range want {
		if int(got[row.Offset+j]) != want[j] {
			t.Errorf("row %d: byte %d is %d, want %d", i, j, got[row.Offset+j], want[j])
		}
	}
}

func reproduceCommitment(t *testing.T, i int, row published) {
	t.Helper()
	var want string
	if err := json.Unmarshal(row.Expected, &want); err != nil {
		t.Fatalf("row %d: %s", i, row.Expected)
	}
	// A chain's row gives the hash that the next one commits to.
	if got := fairness.ServerSeedFromText(row.ServerSeed + row.Hash).Commitment(); got != want {
		t.Errorf("row %d: commitment %s, want %s", i, got, want)
	}
}
