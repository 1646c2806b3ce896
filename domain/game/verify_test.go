package game_test

import (
	"strings"
	"testing"
	"time"

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
	registry, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	pair := fairness.NewPair(
		fairness.Spare{ID: "1", Seed: fairness.NewServerSeed([32]byte{1})},
		fairness.Spare{ID: "2", Seed: fairness.NewServerSeed([32]byte{2})}, "client", time.Unix(0, 0))
	type played struct {
		claim  game.RoundInputs
		result game.Result
	}
	var rounds []played
	for _, g := range registry.Games() {
		for range 20 {
			if stepped, ok := g.(game.Stepped); ok {
				draws := func() game.Draws { return pair.Draws() }
				claim := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), ClientSeed: pair.ClientSeed, Nonce: pair.Nonce}
				end := playSteps(t, begin(t, stepped), draws, stream("choices", g.Type(), pair.Nonce), &claim.Actions)
				rounds = append(rounds, played{claim, game.Settle(end)})
				pair = pair.Advance()
			}
			if !game.AtOnce(g) {
				continue
			}
			plan := prepare(t, g)
			claim := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: plan.Config(), ClientSeed: pair.ClientSeed, Nonce: pair.Nonce}
			rounds = append(rounds, played{claim, plan.Play(pair.Draws())})
			pair = pair.Advance()
		}
	}
	revealed, _ := pair.Rotate(pair.Kept("next"), fairness.Spare{ID: "3", Seed: fairness.NewServerSeed([32]byte{3})}, time.Unix(0, 0))
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

// playSteps plays a round to its end by choices at random.
func playSteps(t fataler, steps game.Steps, draws func() game.Draws, random game.Draws, taken *[]game.Value) game.State {
	states, err := game.Replay(steps, draws, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	state := states[0]
	*taken = []game.Value{}
	for !state.Ended {
		choice := &state.Choices[random.Pick(uint32(len(state.Choices)))]
		action, _, after, err := game.Advance(steps, draws, *taken, choice.Pick(random))
		if err != nil {
			t.Fatalf("%v: %v", *taken, err)
		}
		*taken, state = append(*taken, action), after
	}
	return state
}

// TestVerifyRefusesActionsThatArent those of an ended round.
func TestVerifyRefusesActionsThatArent(t *testing.T) {
	t.Parallel()
	mines := func(actions ...game.Value) game.RoundInputs {
		c := claim()
		c.GameType, c.Rules, c.Actions = "mines", "mines/1", append([]game.Value{}, actions...)
		return c
	}
	c := mines(action("cashOut"))
	if result, _, err := standard(t).Verify(c); err != nil || result.Multiplier.String() != "0.99" {
		t.Fatalf("%v, %v", result, err)
	}
	picked, dice, late := mines(action("cashOut")), claim(), mines(action("cashOut"), action("cashOut"))
	picked.Config = object("picks", listOf(1))
	dice.Actions = []game.Value{}
	for field, c := range map[string]game.RoundInputs{
		"actions": mines(), "actions[0].tile": mines(action("open", "tile", 25)), "gameType": dice, "config.picks": picked,
	} {
		_, _, err := standard(t).Verify(c)
		requireField(t, err, field)
	}
	_, _, err := standard(t).Verify(late)
	requireField(t, err, "actions")
}
