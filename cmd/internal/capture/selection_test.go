package capture

import (
	"math/rand/v2"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// recomputed is a bet that a house may decline, with what it would have paid.
type recomputed struct {
	ask
	paid float64
}

// askedFor returns so many bets of each game, each at a nonce of its own of one pair.
func askedFor(t *testing.T, c *checker, p *pair, rounds int) (all []recomputed) {
	t.Helper()
	for _, g := range c.games.Games() {
		c.report.Header.Games = append(c.report.Header.Games, g.Type())
		offered, of := configs[g.Type()], played{gameType: g.Type(), rules: g.Rules()}
		if !game.AtOnce(g) {
			of.name = stepped
			for _, text := range inSteps[g.Type()] {
				offered = append(offered, chosen{stepped, text, true})
			}
		}
		first := len(c.configs) + 1
		for i, chosen := range offered {
			one := of
			one.text = chosen.text
			c.configs[first+i] = &one
		}
		for i := range rounds {
			at := i % len(offered)
			a := ask{config: first + at, asked: Asked{GameType: g.Type(), Config: offered[at].configFor(10_000), Wager: 10_000}, nonce: int64(len(all))}
			paid, _, err := c.wouldPay(p, a)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, recomputed{a, paid})
		}
	}
	return all
}

// TestSelectionsAreFoundAndHonestHousesAreNot plays 10,000 rounds a game at honest houses,
// which refuse by chance, by config, in bursts, or by what they won and lost, and fewer at
// crooked ones. A refused bet is asked once more at times.
func TestSelectionsAreFoundAndHonestHousesAreNot(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 10_000
	whole := &checker{games: games, report: &Report{}, configs: map[int]*played{}, odds: map[string]*odds{}}
	p := &pair{clientSeed: "the player's", reveal: api.RevealedSeed{ServerSeed: fairness.ServerSeedFromText("the house's").Reveal()}}
	all := askedFor(t, whole, p, rounds)
	if want := rounds * len(games.Games()); len(all) != want || want < 150_000 {
		t.Fatalf("%d bets", len(all))
	}
	type house func(r *rand.Rand, b recomputed) bool
	for name, row := range map[string]struct {
		rounds  int // of each game, or of only one
		only    string
		crooked bool
		opens   func() house
	}{
		"a tenth is refused": {rounds, "", false, func() house { return func(r *rand.Rand, _ recomputed) bool { return r.IntN(10) == 0 } }},
		"some configs are refused mostly": {rounds, "", false, func() house {
			return func(r *rand.Rand, b recomputed) bool { return r.IntN(10) < b.config%3*4 }
		}},
		"play is paused at times": {rounds, "", false, func() house {
			n := 0
			return func(*rand.Rand, recomputed) bool { n++; return n%700 < 90 }
		}},
		"after a win there is less room": {rounds, "", false, func() house {
			room := 0.0
			return func(_ *rand.Rand, b recomputed) bool {
				room = min(3, room+0.05)
				refused := room < 1
				if !refused {
					room -= b.paid - 1
				}
				return refused
			}
		}},
		"winners of a coin flip are refused 20 points more": {2_000, "coinflip", true, func() house {
			return func(r *rand.Rand, b recomputed) bool { return r.IntN(10) == 0 || b.paid > 1 && r.IntN(9) < 2 }
		}},
		"what pays more than threefold": {150, "", true, func() house { return func(_ *rand.Rand, b recomputed) bool { return b.paid > 3 } }},
		"winners are refused 20 points more": {600, "", true, func() house {
			return func(r *rand.Rand, b recomputed) bool { return r.IntN(10) == 0 || b.paid > 1 && r.IntN(9) < 2 }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seeds := uint64(1)
			if row.crooked {
				seeds = 3
			}
			for seed := range seeds {
				r, refuses := rand.New(rand.NewPCG(seed, 1)), row.opens()
				report := Report{Checks: map[string]int{}, Header: whole.report.Header}
				c := &checker{games: games, report: &report, configs: whole.configs, odds: map[string]*odds{}, selections: map[string]*selection{}}
				of := pair{clientSeed: p.clientSeed, reveal: p.reveal}
				for i, b := range all {
					if i%rounds >= row.rounds || row.only != "" && whole.configs[b.config].gameType != row.only {
						continue
					}
					b.declined = refuses(r, b)
					of.asks = append(of.asks, b.ask)
					if b.declined && r.IntN(2) == 0 {
						b.declined = r.IntN(4) == 0
						of.asks = append(of.asks, b.ask)
					}
				}
				c.addDeclined(&of)
				c.testSelection()
				least := 1.0
				for _, test := range report.Selection {
					least = min(least, test.P)
				}
				t.Logf("%d tests, the least probability is %.2g, %d findings", len(report.Selection), least, report.Found)
				if row.crooked != (report.Found > 0) {
					t.Errorf("seed %d: %d findings", seed, report.Found)
				}
			}
		})
	}
}

// TestFurtherBetsAtANonceCountOnce: a house that refuses each bet at first, and winners again,
// is found by the further ones.
func TestFurtherBetsAtANonceCountOnce(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, crooked := range []bool{false, true} {
		report := Report{Checks: map[string]int{}}
		c := &checker{games: games, report: &report, configs: map[int]*played{}, odds: map[string]*odds{}, selections: map[string]*selection{}}
		p := &pair{clientSeed: "the player's", reveal: api.RevealedSeed{ServerSeed: fairness.ServerSeedFromText("the house's").Reveal()}}
		for _, b := range askedFor(t, c, p, 300) {
			b.declined = true
			p.asks = append(p.asks, b.ask)
			b.declined = b.nonce%2 == 0
			if crooked {
				b.declined = b.paid > 1
			}
			p.asks = append(p.asks, b.ask, b.ask, b.ask)
		}
		c.addDeclined(p)
		c.testSelection()
		if crooked != (report.Found > 0) {
			t.Errorf("crooked %v: %+v", crooked, report.Selection)
		}
	}
}
