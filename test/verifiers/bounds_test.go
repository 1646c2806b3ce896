package verifiers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	rounds "github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// openedRounds asks a program about stepped rounds with how they were opened: with the bound
// that follows from that, and with others.
func openedRounds(t *testing.T, m maker, ask func(*testing.T, [][]byte) []answer) {
	t.Helper()
	var lines [][]byte
	var right []bool
	for len(lines) < 3_000 {
		g := []game.Game{game.Mines(), game.DragonTower(), game.Hilo(), game.VideoPoker(), game.Blackjack()}[m.IntN(5)]
		asked := m.begun(t, g.(game.Stepped)).Config()
		if m.IntN(2) == 0 {
			asked = withBound(asked, "")
		}
		wager := money.Amount(m.number(1, 1_000_000_000))
		maxPayout := wager * money.Amount(m.number(1, 400)) / money.Amount(m.number(1, 5))
		steps, err := rounds.OpenedSteps(g, asked, wager, maxPayout)
		if err != nil {
			continue // even the first step could pay more
		}
		config := steps.Config()
		bounded := config.Get("maxMultiplier").NumberText()
		for _, bound := range []string{bounded, "", "50", "49.9999", "10", "60.5", "1000"} {
			changed := config
			if bound != bounded {
				changed = withBound(config, bound)
			}
			line, ok := m.openedLine(t, g.(game.Stepped), changed, asked, wager, maxPayout)
			if !ok {
				continue
			}
			took, err := game.Begin(g, changed, wager)
			noError(t, err)
			lines, right = append(lines, line), append(right, took.Config().Equal(config))
		}
	}
	found := map[bool]int{}
	for i, got := range ask(t, lines) {
		if found[right[i]]++; got.Error != "" || slices.Contains(got.Differs, "config") == right[i] || got.Verified != right[i] {
			t.Fatalf("%s\n%+v, its bound is right: %v", lines[i], got, right[i])
		}
	}
	if found[true] < 300 || found[false] < 300 {
		t.Errorf("%v rounds", found)
	}
}

// withBound is a config with another maxMultiplier, empty for none.
func withBound(config game.Value, bound string) game.Value {
	var members []game.Member
	for name, value := range config.Members() {
		if name != "maxMultiplier" {
			members = append(members, game.Member{Name: name, Value: value})
		}
	}
	if number, ok := game.ParseNumber(bound); ok {
		members = append(members, game.Member{Name: "maxMultiplier", Value: number})
	}
	return game.Object(members...)
}

// openedLine is a round that its rules end for a player who doesn't come back, with how it was
// opened; false where the rules refuse the config.
func (m maker) openedLine(t *testing.T, g game.Stepped, config, asked game.Value, wager, maxPayout money.Amount) ([]byte, bool) {
	t.Helper()
	steps, err := game.Begin(g, config, wager)
	if err != nil {
		return nil, false
	}
	r := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: config, Actions: []game.Value{}}
	m.seeds(&r)
	draws := func() game.Draws {
		return fairness.NewStream(fairness.ServerSeedFromText(r.ServerSeed), r.ClientSeed, r.Nonce)
	}
	for {
		states, err := game.Replay(steps, draws, r.Actions)
		noError(t, err)
		if states[len(states)-1].Ended {
			break
		}
		action, err := game.Abandoned(steps, states[len(states)-1])
		noError(t, err)
		r.Actions = append(r.Actions, action)
	}
	result, commitment, err := m.registry.Verify(r)
	noError(t, err)
	made := round{RoundInputs: r, Commitment: commitment, Outcome: result.Outcome, Multiplier: m.decimals(t, result.Multiplier.String()), Wager: wager}
	made.Payout, _ = wager.Times(result.Multiplier)
	text := string(m.json(made))
	if inner, wrapped := strings.CutPrefix(text, `{"round":`); wrapped {
		text = strings.TrimSuffix(inner, "}")
	}
	return fmt.Appendf(nil, `{"round":%s,"opened":{"round":{"asked":%s,"wager":%d,"maxPayout":%d}}}`, text, m.text(asked, false), wager, maxPayout), true
}

// TestBoundsAreThePublishedFunction: what bounds a stepped round follows from what was asked
// for, the wager and maxPayout, and any other bound is named.
func TestBoundsAreThePublishedFunction(t *testing.T) {
	t.Parallel()
	openedRounds(t, newMaker(t, 900, known(t)), answers)
}

func TestTypeScriptBoundsAreThePublishedFunction(t *testing.T) {
	t.Parallel()
	openedRounds(t, newMaker(t, 901, nodeKnows(t)), nodesAnswers)
}
