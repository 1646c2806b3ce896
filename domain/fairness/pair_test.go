package fairness_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

var at = time.Date(2026, 11, 21, 15, 30, 0, 0, time.UTC)

func spare(i int) fairness.Spare {
	return fairness.Spare{ID: fmt.Sprintf("pair-%d", i), Seed: fairness.NewServerSeed(sha256.Sum256([]byte{byte(i), byte(i >> 8)}))}
}

func TestFirstPairIsTheServers(t *testing.T) {
	t.Parallel()
	pair := fairness.NewPair(spare(1), spare(2), "made by the house", at)
	if pair.ClientSource != fairness.FromServer || pair.ClientSource.String() != "server" {
		t.Errorf("source %v: the player could not have chosen", pair.ClientSource)
	}
	if pair.ID != "pair-1" || pair.Nonce != 0 || pair.ClientSeed != "made by the house" || pair.Next.ID != "pair-2" {
		t.Errorf("pair = %v", pair)
	}
	if err := pair.Verify(); err != nil {
		t.Error(err)
	}
}

// For any sequence of rounds and rotations: a pair's server seed was committed to as
// Next before its client seed was known, nonces have no gap, and revealed seeds
// recompute every round.
func TestRotationKeepsItsCommitments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spares := 2
		pair := fairness.NewPair(spare(0), spare(1), "house seed", at)
		var played []uint32
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "step") > 0 {
				if pair.Nonce != int64(len(played)) {
					t.Fatalf("nonce %d after %d rounds", pair.Nonce, len(played))
				}
				played = append(played, pair.Draws().Next())
				pair = pair.Advance()
				continue
			}
			chosen := rapid.SampledFrom([]string{"", "mine", "another"}).Draw(t, "clientSeed")
			revealed, next := pair.Rotate(fairness.Choose(chosen, chosen == pair.ClientSeed, "house's own"), spare(spares), at)
			checkRevealed(t, revealed, pair, played)
			checkRotated(t, next, pair, chosen)
			if next.Next.ID != spare(spares).ID || !next.Next.Seed.Equal(spare(spares).Seed) {
				t.Fatal("the spare is not the seed after the next")
			}
			pair, played = next, nil
			spares++
		}
	})
}

func checkRevealed(t *rapid.T, revealed fairness.Revealed, retired fairness.Pair, played []uint32) {
	if err := revealed.Verify(); err != nil {
		t.Fatal(err)
	}
	if revealed.Rounds != int64(len(played)) || revealed.ID != retired.ID || revealed.Commitment != retired.Commitment {
		t.Fatalf("revealed %+v for %v", revealed, retired)
	}
	for nonce, want := range played {
		if got := reference(revealed.ServerSeed, revealed.ClientSeed, int64(nonce), 1)[0]; got != want {
			t.Fatalf("round %d drew %d, the revealed seed gives %d", nonce, want, got)
		}
	}
}

func checkRotated(t *rapid.T, next, retired fairness.Pair, chosen string) {
	want := fairness.Pair{ClientSeed: chosen, ClientSource: fairness.FromPlayer}
	switch chosen {
	case "":
		want = fairness.Pair{ClientSeed: "house's own", ClientSource: fairness.FromServer}
	case retired.ClientSeed:
		want.ClientSource = fairness.FromRepeated
	}
	if next.ClientSeed != want.ClientSeed || next.ClientSource != want.ClientSource {
		t.Fatalf("client seed %q of the %v, want %q of the %v", next.ClientSeed, next.ClientSource, want.ClientSeed, want.ClientSource)
	}
	if next.Commitment != retired.Next.Commitment || next.ID != retired.Next.ID || next.Nonce != 0 || !next.Since.Equal(at) {
		t.Fatal("the next pair is not the one committed to")
	}
	if err := next.Verify(); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyFindsABrokenPair(t *testing.T) {
	t.Parallel()
	whole := fairness.NewPair(spare(1), spare(2), "c", at)
	broken := map[string]struct {
		pair fairness.Pair
		want error
	}{
		"seed":            {func(p fairness.Pair) fairness.Pair { p.Seed = spare(3).Seed; return p }(whole), fairness.ErrCommitment},
		"commitment":      {func(p fairness.Pair) fairness.Pair { p.Commitment = p.Next.Commitment; return p }(whole), fairness.ErrCommitment},
		"next seed":       {func(p fairness.Pair) fairness.Pair { p.Next.Seed = spare(3).Seed; return p }(whole), fairness.ErrCommitment},
		"next commitment": {func(p fairness.Pair) fairness.Pair { p.Next.Commitment = ""; return p }(whole), fairness.ErrCommitment},
		"nonce":           {func(p fairness.Pair) fairness.Pair { p.Nonce = -1; return p }(whole), fairness.ErrNonce},
	}
	for name, test := range broken {
		if err := test.pair.Verify(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	revealed, _ := whole.Rotate(fairness.Choose("", false, "s"), spare(3), at)
	revealed.ServerSeed += "0"
	if err := revealed.Verify(); !errors.Is(err, fairness.ErrCommitment) {
		t.Errorf("a changed revealed seed verifies: %v", err)
	}
}

func TestTheLastNonceIsNotPlayed(t *testing.T) {
	t.Parallel()
	pair := fairness.NewPair(spare(1), spare(2), "c", at)
	pair.Nonce = fairness.RoundsMax - 1
	if pair.Exhausted() {
		t.Error("exhausted with a nonce left")
	}
	pair = pair.Advance()
	if !pair.Exhausted() {
		t.Error("not exhausted after 10,000 rounds")
	}
	defer func() {
		if recover() == nil {
			t.Error("an exhausted pair advanced")
		}
	}()
	pair.Advance()
}

func TestParseClientSeed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", " ", "~", "a:1:2", `"\`, strings.Repeat("x", 64)} {
		if got, err := fairness.ParseClientSeed(text); err != nil || got != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", strings.Repeat("x", 65), "a\n", "\x00", "\x7f", "é", "a\u202eb", "\xff", strings.Repeat("x", 1<<16)} {
		_, err := fairness.ParseClientSeed(text)
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != "clientSeed" {
			t.Errorf("%.80q: %v, want Invalid naming clientSeed", text, err)
		}
	}
}

func TestClientSourceNames(t *testing.T) {
	t.Parallel()
	for _, source := range []fairness.ClientSource{fairness.FromServer, fairness.FromPlayer, fairness.FromRepeated} {
		if got, ok := fairness.ParseClientSource(source.String()); !ok || got != source {
			t.Errorf("%v parses as %v, %v", source, got, ok)
		}
	}
	if _, ok := fairness.ParseClientSource("Player"); ok {
		t.Error("another spelling is accepted")
	}
}

func TestAPairEndsByItsRoundsOrItsAge(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		nonce int64
		age   time.Duration
		want  bool
	}{
		"fresh": {0, 0, false}, "9,999 rounds": {9_999, 0, false}, "10,000 rounds": {10_000, 0, true},
		"just below 30 days": {1, 30*24*time.Hour - 1, false}, "30 days": {1, 30 * 24 * time.Hour, true},
		"before it began, by a clock that is behind": {1, -time.Hour, false},
	} {
		pair := fairness.NewPair(spare(1), spare(2), "c", at)
		pair.Nonce = row.nonce
		if got := pair.Ended(at.Add(row.age)); got != row.want {
			t.Errorf("%s: ended is %v", name, got)
		}
	}
}

func TestAClientSeedThatWasKnownIsRepeated(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ got, want fairness.ClientSeed }{
		"chosen":            {fairness.Choose("mine", false, "s"), fairness.ClientSeed{Text: "mine", Source: fairness.FromPlayer}},
		"chosen again":      {fairness.Choose("mine", true, "s"), fairness.ClientSeed{Text: "mine", Source: fairness.FromRepeated}},
		"left to the house": {fairness.Choose("", true, "s"), fairness.ClientSeed{Text: "s", Source: fairness.FromServer}},
	} {
		if row.got != row.want {
			t.Errorf("%s: %+v", name, row.got)
		}
	}
	pair := fairness.NewPair(spare(1), spare(2), "house's", at)
	for source, want := range map[fairness.ClientSource]fairness.ClientSeed{
		fairness.FromServer:   {Text: "s", Source: fairness.FromServer},
		fairness.FromPlayer:   {Text: "house's", Source: fairness.FromRepeated},
		fairness.FromRepeated: {Text: "house's", Source: fairness.FromRepeated},
	} {
		pair.ClientSource = source
		if got := pair.Kept("s"); got != want {
			t.Errorf("after a pair of the %v: %+v", source, got)
		}
	}
}

func TestPairsAreEqualInEverything(t *testing.T) {
	t.Parallel()
	seed := func(n byte) fairness.ServerSeed { return fairness.NewServerSeed([32]byte{n}) }
	base := fairness.NewPair(fairness.Spare{ID: "a", Seed: seed(1)}, fairness.Spare{ID: "b", Seed: seed(2)}, "client", at)
	if !base.Equal(base) {
		t.Error("a pair isn't equal to itself")
	}
	for name, change := range map[string]func(*fairness.Pair){
		"id":              func(p *fairness.Pair) { p.ID = "x" },
		"seed":            func(p *fairness.Pair) { p.Seed = seed(9) },
		"commitment":      func(p *fairness.Pair) { p.Commitment = "x" },
		"client seed":     func(p *fairness.Pair) { p.ClientSeed = "x" },
		"client source":   func(p *fairness.Pair) { p.ClientSource = fairness.FromPlayer },
		"nonce":           func(p *fairness.Pair) { p.Nonce = 1 },
		"since":           func(p *fairness.Pair) { p.Since = p.Since.Add(1) },
		"next id":         func(p *fairness.Pair) { p.Next.ID = "x" },
		"next seed":       func(p *fairness.Pair) { p.Next.Seed = seed(9) },
		"next commitment": func(p *fairness.Pair) { p.Next.Commitment = "x" },
	} {
		other := base
		change(&other)
		if base.Equal(other) || other.Equal(base) {
			t.Errorf("equal in spite of another %s", name)
		}
	}
}

func TestARevealedPairNamesTheSourceOfItsSeed(t *testing.T) {
	t.Parallel()
	spare := func(n byte) fairness.Spare {
		return fairness.Spare{ID: string(rune('a' + n)), Seed: fairness.NewServerSeed([32]byte{n})}
	}
	first, pair := fairness.NewPair(spare(1), spare(2), "server's", at).Rotate(fairness.Choose("mine", false, "server's"), spare(3), at)
	second, _ := pair.Rotate(fairness.Choose("", false, "server's"), spare(4), at)
	if first.ClientSource != fairness.FromServer || second.ClientSource != fairness.FromPlayer || second.ClientSeed != "mine" {
		t.Errorf("revealed as %+v and %+v", first, second)
	}
	if text, err := pair.Seed.MarshalText(); err != nil || string(text) == pair.Seed.Reveal() {
		t.Errorf("a seed is written as %q, %v", text, err)
	}
	for text, want := range map[string]bool{" ": true, "~": true, "\x1f": false, "\x7f": false} {
		if _, err := fairness.ParseClientSeed(text); (err == nil) != want {
			t.Errorf("client seed %q: %v", text, err)
		}
	}
}
