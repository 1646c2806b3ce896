package fairness_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

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
