package game_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

func claim() game.RoundInputs {
	return game.RoundInputs{GameType: "dice", Rules: "dice/1", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "mine", Nonce: 4}
}

// What a pair decides while it is active is what anyone recomputes after it was
// revealed, for every game.
func TestVerifyRecomputesWhatThePairDecided(t *testing.T) {
	t.Parallel()
	registry := standard(t)
	pair := fairness.NewPair(
		fairness.Spare{ID: "1", Seed: fairness.NewServerSeed([32]byte{1})},
		fairness.Spare{ID: "2", Seed: fairness.NewServerSeed([32]byte{2})}, "client")
	type played struct {
		claim  game.RoundInputs
		result game.Result
	}
	var rounds []played
	for _, g := range registry.Games() {
		for range 20 {
			plan := prepare(t, g)
			claim := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: plan.Config(), ClientSeed: pair.ClientSeed, Nonce: pair.Nonce}
			rounds = append(rounds, played{claim, plan.Play(pair.Draws())})
			pair = pair.Advance()
		}
	}
	revealed, _ := pair.Rotate("", "next", fairness.Spare{ID: "3", Seed: fairness.NewServerSeed([32]byte{3})})
	for _, round := range rounds {
		round.claim.ServerSeed = revealed.ServerSeed
		result, commitment, err := registry.Verify(round.claim)
		if err != nil || commitment != revealed.Commitment {
			t.Fatalf("%+v: %s, %v", round.claim, commitment, err)
		}
		if !result.Outcome.Equal(round.result.Outcome) || result.Multiplier != round.result.Multiplier {
			t.Errorf("nonce %d of %s: %v, decided %v", round.claim.Nonce, round.claim.GameType, result, round.result)
		}
	}
}

func TestVerifyTakesSeedsOfAnyHouse(t *testing.T) {
	t.Parallel()
	for _, seed := range []string{"x", strings.Repeat("a", 32), strings.Repeat("é", 64)} {
		c := claim()
		c.ServerSeed = seed
		if _, _, err := standard(t).Verify(c); err != nil {
			t.Errorf("%q: %v", seed, err)
		}
	}
}

func TestVerifyNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*game.RoundInputs){
		"rules":         func(c *game.RoundInputs) { c.Rules = "dice/9" },
		"config.target": func(c *game.RoundInputs) { c.Config = object("target", 0) },
		"serverSeed":    func(c *game.RoundInputs) { c.ServerSeed = strings.Repeat("a", 129) },
		"clientSeed":    func(c *game.RoundInputs) { c.ClientSeed = "" },
		"nonce":         func(c *game.RoundInputs) { c.Nonce = -1 },
	} {
		c := claim()
		change(&c)
		_, _, err := standard(t).Verify(c)
		requireField(t, err, field)
	}
	c := claim()
	c.ServerSeed = ""
	_, _, err := standard(t).Verify(c)
	requireField(t, err, "serverSeed")
	c.GameType = "craps"
	if _, _, err := standard(t).Verify(c); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("unknown game: %v", err)
	}
}
