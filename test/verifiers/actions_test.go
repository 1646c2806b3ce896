package verifiers_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// TestActionsThatCantBeTaken checks that each program refuses them as the drawing code does, and
// names the same one.
func TestActionsThatCantBeTaken(t *testing.T) {
	t.Parallel()
	programs := map[string]func(*testing.T, [][]byte) []answer{"verify.py": answers, "@casino-service/verify": nodesAnswers}
	for name, ask := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMaker(t, 78, everything())
			var lines [][]byte
			for _, of := range untakeable {
				for _, actions := range of.actions {
					lines = append(lines, fmt.Appendf(nil, `{"gameType":%q,"rules":"%s/1","config":%s,"serverSeed":%s,"serverSeedHash":%s,"clientSeed":"my seed",`+
						`"nonce":1,"outcome":{},"multiplier":0,"wager":1,"payout":0,"actions":%s}`, of.game, of.game, of.config, seedOfOurs, hashOfOurs, actions))
				}
			}
			m.agrees(t, lines, ask(t, lines))
		})
	}
}

// TestOtherActions replaces actions of rounds by every action that a game knows: each program
// accepts or refuses it, as the drawing code does.
func TestOtherActions(t *testing.T) {
	t.Parallel()
	m := newMaker(t, 79, everything())
	var lines [][]byte
	for _, g := range m.stepped {
		for range 100 {
			r := m.steppedRound(t, g)
			before := r.Actions[:m.IntN(len(r.Actions)+1)]
			if len(before) > 4 && m.IntN(2) == 0 {
				before = before[:m.IntN(4)]
			}
			for kind := range strings.FieldsSeq(vocabulary[g.Type()]) {
				members := []game.Member{with(game.ActionType, game.Text(kind))}
				switch kind {
				case "open", "climb":
					members = append(members, with("tile", game.Int(m.number(0, 4))))
				case "draw":
					members = append(members, with("hold", tiles(0, m.IntN(6))))
				}
				r.Actions = append(slices.Clone(before), game.Object(members...))
				lines = append(lines, m.json(r))
			}
		}
	}
	for name, ask := range map[string]func(*testing.T, [][]byte) []answer{"verify.py": answers, "@casino-service/verify": nodesAnswers} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.agrees(t, lines, ask(t, lines))
		})
	}
}

// vocabulary are the actions that games know, offered or not.
var vocabulary = map[string]string{
	"mines": "open cashOut", "dragontower": "climb cashOut", "hilo": "higher lower skip cashOut", "videopoker": "draw", "blackjack": "hit stand double split",
}

// agrees fails if a program judges a line differently from the drawing code, or names another
// action.
func (m maker) agrees(t *testing.T, lines [][]byte, answers []answer) {
	t.Helper()
	for i, got := range answers {
		differs, err := m.judged(t, lines[i])
		slices.Sort(got.Differs)
		if (got.Error == "") != (err == nil) || !slices.Equal(got.Differs, differs) {
			t.Errorf("%s\n%+v, in fact %v %v", lines[i], got, differs, err)
		} else if err != nil && placeOf(got.Error) != placeOf(err.Error()) {
			t.Errorf("%s\n%q, in fact %q", lines[i], got.Error, err)
		}
	}
}

// untakeable are actions just inside and outside the limits of what can be taken.
var untakeable = []struct {
	game, config string
	actions      []string
}{
	{"mines", `{"mines":5}`, []string{
		`null`, `[]`, `{}`, `1`, `"cashOut"`, `false`, `["cashOut"]`, `[[]]`, `[1]`, `[{}]`, `[{"type":1}]`, `[{"type":[]}]`, `[{"type":"CashOut"}]`, `[{"type":"toString"}]`, `[{"tile":1}]`,
		`[{"type":"cashOut"}]`, `[{"type":"cashOut","tile":1}]`, `[{"type":"cashOut"},{"type":"cashOut"}]`, `[{"type":"open"}]`, `[{"type":"open","tile":3}]`,
		`[{"type":"open","tile":3},{"type":"cashOut"}]`, `[{"type":"open","tile":3,"more":1},{"type":"cashOut"}]`, `[{"type":"open","tile":3},{"type":"open","tile":3}]`,
		`[{"type":"open","tile":"3"}]`, `[{"type":"open","tile":3.0}]`, `[{"type":"open","tile":true}]`, `[{"type":"open","tile":[3]}]`, `[{"type":"open","tile":-1}]`, `[{"type":"open","tile":25}]`,
		`[{"type":"open","tile":0},{"type":"open","tile":24},{"type":"cashOut"}]`, `[{"type":"open","tile":2},{"type":"cashOut"}]`, `[{"type":"open","tile":2}]`, `[{"type":"climb","tile":2}]`,
	}},
	{"mines", `{"mines":24}`, []string{`[{"type":"open","tile":0}]`, `[{"type":"open","tile":1}]`, `[{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"picks":[1]}`, []string{`null`, `[{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"maxMultiplier":1.1249}`, []string{`[{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"maxMultiplier":1.125}`, []string{`null`, `[{"type":"cashOut"}]`, `[{"type":"open","tile":0}]`, `[{"type":"open","tile":0},{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"maxMultiplier":1.12500}`, []string{`[{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"maxMultiplier":100000000000}`, []string{`[{"type":"cashOut"}]`}},
	{"mines", `{"mines":3,"maxMultiplier":100000000000.0001}`, []string{`[{"type":"cashOut"}]`}},
	{"mines", `{"mines":0}`, []string{`[{"type":"cashOut"}]`}},
	{"dragontower", `{}`, []string{
		`[]`, `[{"type":"cashOut"}]`, `[{"type":"climb","tile":4}]`, `[{"type":"climb","tile":3},{"type":"cashOut"}]`, `[{"type":"climb","tile":0},{"type":"cashOut"}]`,
		`[{"type":"climb"}]`, `[{"type":"climb","tile":-1}]`, `[{"type":"open","tile":1}]`,
	}},
	{"dragontower", `{"difficulty":"hard","picks":[0]}`, []string{`[{"type":"cashOut"}]`}},
	{"dragontower", `{"difficulty":"hard","maxMultiplier":1.9799}`, []string{`[{"type":"cashOut"}]`}},
	{"dragontower", `{"difficulty":"hard","maxMultiplier":1.98}`, []string{`[{"type":"cashOut"}]`, `[{"type":"climb","tile":0}]`, `[{"type":"climb","tile":1}]`, `[{"type":"climb","tile":2}]`}},
	{"hilo", `{}`, []string{
		`[]`, `[{"type":"skip"}]`, `[{"type":"cashOut"}]`, `[{"type":"skip"},{"type":"cashOut"}]`, `[{"type":"skip","tile":1}]`, `[{"type":"same"}]`, `["skip"]`,
		`[{"type":"higher"},{"type":"cashOut"}]`, `[{"type":"lower"},{"type":"cashOut"}]`, `[{"type":"higher"}]`, `[{"type":"lower"}]`,
	}},
	{"hilo", `{"guesses":["higher"]}`, []string{`null`, `[{"type":"cashOut"}]`}},
	{"hilo", `{"maxMultiplier":1.0724}`, []string{`[{"type":"cashOut"}]`}},
	{"hilo", `{"maxMultiplier":1.0725}`, []string{`[{"type":"cashOut"}]`, `[{"type":"higher"},{"type":"cashOut"}]`, `[{"type":"lower"},{"type":"cashOut"}]`}},
	{"videopoker", `{}`, []string{
		`null`, `[]`, `{}`, `[{"type":"draw"}]`, `[{"type":"draw","hold":[]}]`, `[{"type":"draw","hold":[0,1,2,3,4]}]`, `[{"type":"draw","hold":[4,1]}]`, `[{"type":"draw","hold":[1,4]}]`,
		`[{"type":"draw","hold":[1,1]}]`, `[{"type":"draw","hold":[5]}]`, `[{"type":"draw","hold":[-1]}]`, `[{"type":"draw","hold":[1.0]}]`, `[{"type":"draw","hold":["1"]}]`, `[{"type":"draw","hold":1}]`,
		`[{"type":"draw","hold":{}}]`, `[{"type":"draw","hold":[0,1,2,3,4,0]}]`, `[{"type":"draw","hold":[true]}]`, `[{"type":"hold","hold":[]}]`, `[{"type":"draw","hold":[]},{"type":"draw","hold":[]}]`,
		`[{"type":"cashOut"}]`, `[{"type":"draw","hold":[],"more":1}]`,
	}},
	{"videopoker", `{"hold":[]}`, []string{`[{"type":"draw","hold":[]}]`}},
	{"videopoker", `{"maxMultiplier":2}`, []string{`[{"type":"draw","hold":[]}]`}},
	{"blackjack", `{}`, []string{
		`null`, `[]`, `[{"type":"stand"}]`, `[{"type":"hit"}]`, `[{"type":"hit"},{"type":"stand"}]`, `[{"type":"hit"},{"type":"double"}]`, `[{"type":"double"}]`, `[{"type":"double"},{"type":"stand"}]`,
		`[{"type":"split"}]`, `[{"type":"stand"},{"type":"stand"}]`, `[{"type":"stand","hand":0}]`, `[{"type":"insurance"}]`, `[{"type":"hit"},{"type":"hit"},{"type":"hit"},{"type":"hit"},{"type":"hit"}]`,
	}},
	{"dice", `{}`, []string{`null`, `[]`, `[{"type":"cashOut"}]`, `{}`}},
}

var place = regexp.MustCompile(`^actions(\[\d+\])?`)

// placeOf returns the action that a reason begins with, or all of them; "" if there is none.
func placeOf(reason string) string { return place.FindString(reason) }
