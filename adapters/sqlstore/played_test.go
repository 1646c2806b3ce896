package sqlstore

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// TestPlayedCountsEachGame compares with a map, names that begin alike included.
func TestPlayedCountsEachGame(t *testing.T) {
	t.Parallel()
	names := []string{"dice", "dice-2", "d", "ice", "limbo", "21"}
	rapid.Check(t, func(t *rapid.T) {
		var p played
		want := map[string]int64{}
		for _, game := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 60).Draw(t, "games") {
			p = p.with(game)
			want[game]++
			if p.of(game) != want[game] {
				t.Fatalf("%q tells %d of %s, want %d", p, p.of(game), game, want[game])
			}
		}
		if got := p.games(); !maps.Equal(got, want) {
			t.Fatalf("%q tells %v, want %v", p, got, want)
		}
		if len(want) < len(names) && p.of("di") != 0 {
			t.Fatalf("%q tells %d of a game that nobody played", p, p.of("di"))
		}
	})
}

var kept played = "dice=120 mines=3 limbo=99 plinko=41 keno=1"

func BenchmarkPlayed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		kept.with("plinko")
	}
}
