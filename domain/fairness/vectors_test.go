package fairness_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

// published is one row of the field's published rounds.
type published struct {
	Scheme, ServerSeed, ServerSeedHash, ClientSeed, Hash string
	Nonce                                                int64
	Offset                                               int
	Expected                                             json.RawMessage
}

// Published rounds are reproduced when the environment says where they are. The
// rows are counted, so that none is passed over in silence.
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
