package capture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/test/fakes"
)

// bias is a house that chooses its server seeds with knowledge of the client seeds: every
// round verifies, so only statistics can find it.
type bias struct {
	gameType string
	tries    int
	bad      func(fairness.ServerSeed, string) float64
	// found are tests, one of which finds it in a capture of the given number of rounds.
	found  []string
	rounds int
}

// firsts returns the first draws of a pair's rounds.
func firsts(seed fairness.ServerSeed, clientSeed string) (draws [pairRounds]uint32) {
	for nonce := range draws {
		draws[nonce] = fairness.NewStream(seed, clientSeed, int64(nonce)).Next()
	}
	return draws
}

const pairRounds = 5

var biases = map[string]bias{
	"low draws": {
		gameType: "dice", tries: 8, rounds: 100, found: []string{"chi-square", "return"},
		bad: func(seed fairness.ServerSeed, clientSeed string) (bad float64) {
			for _, k := range firsts(seed, clientSeed) {
				bad -= float64(k)
			}
			return bad
		},
	},
	"players who win": {
		gameType: "dice", tries: 8, rounds: 100, found: []string{"chi-square", "return", "greatest multiplier"},
		bad: func(seed fairness.ServerSeed, clientSeed string) (good float64) {
			for _, k := range firsts(seed, clientSeed) {
				good += float64(k)
			}
			return good
		},
	},
	"streaks": {
		gameType: "coinflip", tries: 8, rounds: 100, found: []string{"runs", "serial correlation"},
		bad: func(seed fairness.ServerSeed, clientSeed string) (same float64) {
			draws := firsts(seed, clientSeed)
			for i := range draws[1:] {
				if draws[i]>>31 == draws[i+1]>>31 {
					same++
				}
			}
			return same
		},
	},
	"draws that are too even": {
		gameType: "roulette", tries: 32, rounds: 800, found: []string{"runs", "serial correlation"},
		bad: func(seed fairness.ServerSeed, clientSeed string) (apart float64) {
			draws := firsts(seed, clientSeed)
			slices.Sort(draws[:])
			for i, k := range draws {
				off := float64(k)/(1<<32) - (float64(i)+0.5)/pairRounds
				apart -= off * off
			}
			return apart
		},
	},
}

// TestBiasesAreFoundByStatistics: all these rounds verify.
func TestBiasesAreFoundByStatistics(t *testing.T) {
	t.Parallel()
	for name, b := range biases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGrinding(fakes.NewEntropy(7), b.tries, b.bad)
			file, _ := house{entropy: g, between: g.rotating}.taken(t, 1, func(p *capture.Plan) {
				p.Games, p.Rounds, p.PairRounds = []string{b.gameType}, b.rounds, pairRounds
			})
			report := checked(t, file)
			if slices.ContainsFunc(report.Findings, func(f capture.Finding) bool { return f.By != capture.ByStatistics }) {
				t.Fatalf("the rounds don't verify: %+v", report.Findings)
			}
			at := slices.IndexFunc(report.Findings, func(f capture.Finding) bool {
				return slices.ContainsFunc(b.found, func(test string) bool { return strings.Contains(f.Text, test) })
			})
			if at < 0 {
				t.Fatalf("not found in %d rounds: %+v", b.rounds, report.Findings)
			}
			t.Logf("%s", report.Findings[at].Text)
		})
	}
}
