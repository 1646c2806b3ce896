package crash_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

// hashBefore is the step of a chain as it is documented.
func hashBefore(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func seedOf(text string) fairness.ServerSeed { return fairness.ServerSeedFromText(hashBefore(text)) }

// must returns a value that can't be refused.
func must[T any](t testing.TB, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestEveryHashOfAChainIsReachedFromItsWayPoint(t *testing.T) {
	t.Parallel()
	const length = 100
	want := []string{seedOf("chain").Reveal()}
	for range length {
		want = append([]string{hashBefore(want[0])}, want...)
	}
	for _, every := range []int64{1, 2, 7, 10, 99, 100, 101, 1 << 40} {
		chain, err := crash.NewChain(seedOf("chain"), length, every)
		must(t, chain, err)
		if n := int64(len(chain.WayPoints)); chain.Terminal != want[0] || n != (length+every-1)/every {
			t.Fatalf("every %d: %d way points, terminal %s", every, n, chain.Terminal)
		}
		for round := int64(1); round <= length; round++ {
			hash, err := chain.Hash(round)
			if must(t, hash, err).Reveal() != want[round] {
				t.Fatalf("every %d: the hash of round %d is wrong", every, round)
			}
		}
		for _, outside := range []int64{-1, 0, length + 1} {
			if _, err := chain.Hash(outside); !fault.Is(err, fault.Invalid) {
				t.Errorf("round %d has a hash: %v", outside, err)
			}
		}
	}
}

func TestAChainIsSealedAndBounded(t *testing.T) {
	t.Parallel()
	chain, err := crash.NewChain(seedOf("sealed"), 20, 5)
	printed := fmt.Sprintf("%v %+v %#v", must(t, chain, err), chain, chain)
	for _, secret := range chain.WayPoints {
		if strings.Contains(printed, secret.Reveal()) {
			t.Errorf("a way point is printed: %s", printed)
		}
	}
	for name, row := range map[string]struct {
		seed          string
		length, every int64
	}{
		"no round": {hashBefore("x"), 0, 1}, "too long": {hashBefore("x"), crash.LengthMax + 1, 1}, "no way points": {hashBefore("x"), 5, 0},
		"a short seed": {hashBefore("x")[1:], 5, 1}, "upper case": {strings.ToUpper(hashBefore("x")), 5, 1},
	} {
		if _, err := crash.NewChain(fairness.ServerSeedFromText(row.seed), row.length, row.every); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAHashLeadsToTheKnownOnes(t *testing.T) {
	t.Parallel()
	chain, err := crash.NewChain(seedOf("known"), 50, 8)
	must(t, chain, err)
	hash := func(round int64) string {
		if round == 0 {
			return chain.Terminal
		}
		h, err := chain.Hash(round)
		return must(t, h, err).Reveal()
	}
	for name, row := range map[string]struct {
		hash       string
		round      int64
		known      string
		knownRound int64
		holds      bool
	}{
		"the one before":     {hash(9), 9, hash(8), 8, true},
		"an earlier one":     {hash(50), 50, hash(3), 3, true},
		"the terminal hash":  {hash(7), 7, hash(0), 0, true},
		"another number":     {hash(7), 8, hash(0), 0, false},
		"itself":             {hash(7), 7, hash(7), 7, false},
		"a later one":        {hash(7), 7, hash(9), 9, false},
		"a forged one":       {hashBefore("forged"), 7, hash(0), 0, false},
		"below the terminal": {hash(7), 7, hashBefore(hash(0)), -1, false},
		"in upper case":      {strings.ToUpper(hash(7)), 7, hash(6), 6, false},
		"too far":            {hash(7), crash.LengthMax + 1, hash(0), 0, false},
	} {
		if err := crash.CheckHash(row.hash, row.round, row.known, row.knownRound); (err == nil) != row.holds {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// published is one row of the file of published rounds.
type published struct {
	Scheme, GameHash, Salt, Hash string
	Expected                     json.RawMessage
}

// The 22 published rows of shared crash are reproduced if the environment names their
// folder: 10 points, 3 before rounding, 9 steps of the chain.
func TestPublishedRows(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json, published rounds of other houses") // allowed: the published rounds are not part of the repository
	}
	raw, err := os.ReadFile(filepath.Join(folder, "fairness.json"))
	must(t, raw, err)
	var file struct{ Vectors []published }
	must(t, 0, json.Unmarshal(raw, &file))
	seen := map[string]int{}
	for i, row := range file.Vectors {
		point := crash.Point(fairness.ServerSeedFromText(row.GameHash), row.Salt)
		text := strings.Trim(string(row.Expected), `"`)
		switch row.Scheme {
		case "chain.sha256hex":
			if err := crash.CheckHash(row.Hash, 2, text, 1); err != nil {
				t.Errorf("row %d: %v", i, err)
			}
		case "stake.crash", "stake.crash.raw":
			want, err := strconv.ParseFloat(text, 64) // 2.568… is rounded down, as the points are
			if must(t, want, err); uint64(want*100+1e-6) != point {
				t.Errorf("row %d: %d, published %s", i, point, text)
			}
		default:
			continue
		}
		seen[row.Scheme]++
	}
	for scheme, want := range map[string]int{"chain.sha256hex": 9, "stake.crash": 10, "stake.crash.raw": 3} {
		if seen[scheme] != want {
			t.Errorf("%d rows of %s, want %d", seen[scheme], scheme, want)
		}
	}
}

// vectors are the content of testdata/vectors.json, which an implementation in another
// language made.
type vectors struct {
	Seed, Terminal, Table string
	Length, Milliseconds  int64
	Cap                   uint64
	Rounds                []struct {
		Round, End int64
		Hash, Salt string
		Point      uint64
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	must(t, raw, err)
	must(t, 0, json.Unmarshal(raw, &v))
	return v
}

func TestChainPointAndEndAgreeWithNode(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	chain, err := crash.NewChain(fairness.ServerSeedFromText(v.Seed), v.Length, 64)
	if must(t, chain, err).Terminal != v.Terminal || len(v.Rounds) != 40 {
		t.Fatalf("terminal %s, want %s; %d rounds", chain.Terminal, v.Terminal, len(v.Rounds))
	}
	for _, r := range v.Rounds {
		hash, err := chain.Hash(r.Round)
		if point := crash.Point(must(t, hash, err), r.Salt); hash.Reveal() != r.Hash || point != r.Point || crash.EndTime(point, v.Cap) != r.End {
			t.Errorf("round %d: hash %s, point %d, ends at %d; want %+v", r.Round, hash.Reveal(), point, crash.EndTime(point, v.Cap), r)
		}
	}
}

// blockhash is a value that Solana's rule takes.
const blockhash = "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"

func solanaRule() crash.Rule {
	return crash.Rule{Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 32, Window: 150}
}

func drandRule() crash.Rule {
	return crash.Rule{Source: crash.Drand, Network: hashBefore("drand"), Delay: 2}
}

func commitmentOf(chain crash.Chain) crash.Commitment {
	return crash.Commitment{Chain: "chain-1", Epoch: 1, Terminal: chain.Terminal, Length: chain.Length, Beacon: solanaRule()}
}

func TestACommitmentHasOneText(t *testing.T) {
	t.Parallel()
	c := crash.Commitment{Chain: "2026-a", Epoch: 3, Terminal: hashBefore("terminal"), Length: 10_000_000, Beacon: solanaRule()}
	text, err := c.Text()
	want := "casino crash chain 1\nchain: 2026-a\nepoch: 3\nrules: crash/2\nterminal: " + hashBefore("terminal") +
		"\nlength: 10000000\nbeacon: solana\nnetwork: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d\ndelay: 32\nwindow: 150\n"
	if must(t, text, err) != want {
		t.Fatalf("%s\nwant\n%s", text, want)
	}
	if back, err := crash.ParseCommitment(text); must(t, back, err) != c {
		t.Errorf("read back as %+v", back)
	}
	for _, wrong := range []string{
		"", text[1:], text + "\n", strings.TrimSuffix(text, "\n"), strings.Replace(text, "epoch: 3", "epoch: 03", 1), strings.Replace(text, "chain 1", "chain 2", 1),
		strings.Replace(text, "150", "0150", 1), strings.Replace(text, "150", "150\nwindow: 150", 1), strings.Replace(text, "delay: 32", "delay: -32", 1),
		strings.Replace(text, "rules: crash/2", "rules: crash/1", 1), strings.Replace(text, "length: 10000000", "length: 10000001", 1),
	} {
		if _, err := crash.ParseCommitment(wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("read: %q", wrong)
		}
	}
}

func TestImpossibleCommitmentsAreRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*crash.Commitment){
		"no id":                func(c *crash.Commitment) { c.Chain = "" },
		"a line in the id":     func(c *crash.Commitment) { c.Chain = "a\nepoch: 2" },
		"a long id":            func(c *crash.Commitment) { c.Chain = strings.Repeat("a", 65) },
		"no epoch":             func(c *crash.Commitment) { c.Epoch = 0 },
		"no round":             func(c *crash.Commitment) { c.Length = 0 },
		"too many rounds":      func(c *crash.Commitment) { c.Length = crash.LengthMax + 1 },
		"no terminal hash":     func(c *crash.Commitment) { c.Terminal = "" },
		"no delay":             func(c *crash.Commitment) { c.Beacon.Delay = 0 },
		"an endless delay":     func(c *crash.Commitment) { c.Beacon.Delay = crash.HeightMax + 1 },
		"no source":            func(c *crash.Commitment) { c.Beacon.Source = "" },
		"a house's own source": func(c *crash.Commitment) { c.Beacon.Source = "house" },
		"slots without window": func(c *crash.Commitment) { c.Beacon.Window = 0 },
		"an endless window":    func(c *crash.Commitment) { c.Beacon.Window = crash.HeightMax + 1 },
		"no network":           func(c *crash.Commitment) { c.Beacon.Network = "" },
		"drand with a window":  func(c *crash.Commitment) { c.Beacon = drandRule(); c.Beacon.Window = 1 },
		"drand of a cluster":   func(c *crash.Commitment) { c.Beacon = drandRule(); c.Beacon.Network = solanaRule().Network },
	} {
		c := crash.Commitment{Chain: "c", Epoch: 1, Terminal: hashBefore("t"), Length: 5, Beacon: solanaRule()}
		if _, err := c.Text(); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if _, err := c.Text(); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := crash.Commitment{Chain: "c", Epoch: 1, Terminal: hashBefore("t"), Length: 5, Beacon: drandRule()}
	text, err := c.Text()
	if back, err := crash.ParseCommitment(must(t, text, err)); err != nil || back != c {
		t.Errorf("drand: %+v, %v", back, err)
	}
}

func TestWhatParsesIsTheTextOfACommitment(t *testing.T) {
	t.Parallel()
	c := crash.Commitment{Chain: "c", Epoch: 1, Terminal: hashBefore("t"), Length: 5, Beacon: solanaRule()}
	text, err := c.Text()
	must(t, text, err)
	rapid.Check(t, func(t *rapid.T) {
		changed := []byte(text)
		at := rapid.IntRange(0, len(changed)-1).Draw(t, "at")
		changed[at] = rapid.Byte().Draw(t, "byte")
		if read, err := crash.ParseCommitment(string(changed)); err == nil {
			if again, err := read.Text(); err != nil || again != string(changed) {
				t.Fatalf("%q is read, but is no canonical text: %v", changed, err)
			}
		}
	})
}
