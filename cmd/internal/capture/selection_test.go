package capture

import (
	"math/rand/v2"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// asked returns the outcomes of so many bets of each game, each at a nonce of its own.
func asked(t *testing.T, c *checker, rounds int) []outcome {
	t.Helper()
	p := &pair{clientSeed: "the player's", reveal: api.RevealedSeed{ServerSeed: fairness.ServerSeedFromText("the house's").Reveal()}}
	for _, g := range c.games.Games() {
		if !game.AtOnce(g) {
			continue
		}
		c.report.Header.Games = append(c.report.Header.Games, g.Type())
		own, first := configs[g.Type()], len(c.configs)+1
		for i, chosen := range own {
			c.configs[first+i] = &played{gameType: g.Type(), text: chosen.text, rules: g.Rules()}
		}
		for i := range rounds {
			p.addAsk(first+i%len(own), Asked{GameType: g.Type(), Config: own[i%len(own)].configFor(10_000), Wager: 10_000}, i, false)
			p.rounds = append(p.rounds, nil)
		}
	}
	c.addOutcomes(p)
	return c.outcomes
}

// TestSelectionsAreFoundAndHonestHousesAreNot plays 10,000 rounds a game at honest houses,
// which refuse by chance, by config, or in bursts, and fewer at crooked ones. A refused bet
// is asked once more at times.
func TestSelectionsAreFoundAndHonestHousesAreNot(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 10_000
	report := Report{Checks: map[string]int{}}
	c := &checker{games: games, report: &report, configs: map[int]*played{}, odds: map[string]*odds{}}
	all := asked(t, c, rounds)
	if len(all) != rounds*len(report.Header.Games) {
		t.Fatalf("%d outcomes of %d games", len(all), len(report.Header.Games))
	}
	burst := 0
	for name, row := range map[string]struct {
		rounds  int // of each game
		crooked bool
		refuses func(r *rand.Rand, config int, multiplier float64) bool
	}{
		"nothing is refused":                 {rounds, false, func(*rand.Rand, int, float64) bool { return false }},
		"a tenth is refused":                 {rounds, false, func(r *rand.Rand, _ int, _ float64) bool { return r.IntN(10) == 0 }},
		"few are refused":                    {rounds, false, func(r *rand.Rand, _ int, _ float64) bool { return r.IntN(300) == 0 }},
		"some configs are refused mostly":    {rounds, false, func(r *rand.Rand, config int, _ float64) bool { return r.IntN(10) < config%3*4 }},
		"play is paused at times":            {rounds, false, func(*rand.Rand, int, float64) bool { burst = (burst + 1) % 700; return burst < 90 }},
		"what pays more than threefold":      {150, true, func(_ *rand.Rand, _ int, m float64) bool { return m > 3 }},
		"winners are refused 20 points more": {600, true, func(r *rand.Rand, _ int, m float64) bool { return r.IntN(10) == 0 || m > 1 && r.IntN(9) < 2 }},
		"losers are refused":                 {600, true, func(r *rand.Rand, _ int, m float64) bool { return m < 1 && r.IntN(5) == 0 }},
	} {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 1))
			report.Found, report.Findings, c.outcomes = 0, nil, nil
			for i, o := range all {
				if i%rounds >= row.rounds {
					continue
				}
				o.declined = row.refuses(r, o.config, o.multiplier)
				c.outcomes = append(c.outcomes, o)
				if o.declined && r.IntN(2) == 0 {
					o.again, o.declined = 1, r.IntN(4) == 0
					c.outcomes = append(c.outcomes, o)
				}
			}
			c.testSelection()
			least := 1.0
			for _, test := range report.Selection {
				least = min(least, test.P)
			}
			t.Logf("%s: %d tests, the least chance is %.2g, %d findings", name, len(report.Selection), least, report.Found)
			if row.crooked != (report.Found > 0) {
				t.Errorf("%s, seed %d: %d findings", name, seed, report.Found)
			}
		}
	}
}
