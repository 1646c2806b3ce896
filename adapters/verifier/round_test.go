package verifier_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
)

// kept is a round in the format of GET /history/{id}.
const kept = `{"round": {"id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d", "provider": "casino", "gameType": "dice", "rules": "dice/1",
	"token": "So11111111111111111111111111111111111111112", "wager": 10001, "payout": 19801, "multiplier": 1.98,
	"config": {"target": 50.00, "direction": "over"}, "outcome": {"roll": 54.78},
	"serverSeedHash": "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e",
	"serverSeed": "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901",
	"clientSeed": "my seed", "clientSeedSource": "player", "nonce": 3, "createdAt": 1795262400000, "balanceBefore": 1, "balanceAfter": 2}}`

// changed is the round with members replaced.
func changed(t *testing.T, members map[string]any) []byte {
	t.Helper()
	var file map[string]map[string]any
	if err := json.Unmarshal([]byte(kept), &file); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		file["round"][name] = value
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compare(t *testing.T, text []byte) (names []string, err error) {
	t.Helper()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	round, err := verifier.ReadRound(text)
	if err != nil {
		return nil, err
	}
	differences, err := verifier.Compare(games, round)
	for _, d := range differences {
		if d.Said == d.Is || d.Is == "" {
			t.Errorf("%+v", d)
		}
		names = append(names, d.Name)
	}
	return names, err
}

func TestARoundIsComparedWithWhatItsSeedsDecide(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		members map[string]any
		differs []string
	}{
		"as it was":           {nil, nil},
		"a roll":              {map[string]any{"outcome": map[string]any{"roll": 54.79}}, []string{"outcome"}},
		"a multiplier":        {map[string]any{"multiplier": 1.99}, []string{"multiplier"}},
		"a payout":            {map[string]any{"payout": 19802}, []string{"payout"}},
		"a wager":             {map[string]any{"wager": 20002}, []string{"payout"}},
		"a commitment":        {map[string]any{"serverSeedHash": strings.Repeat("0", 64)}, []string{"serverSeedHash"}},
		"a nonce":             {map[string]any{"nonce": 4}, []string{"outcome"}},
		"a client seed":       {map[string]any{"clientSeed": "my seeds"}, []string{"outcome"}},
		"a server seed":       {map[string]any{"serverSeed": strings.Repeat("ab", 32)}, []string{"serverSeedHash", "outcome", "multiplier", "payout"}},
		"a target that loses": {map[string]any{"config": map[string]any{"target": 60, "direction": "over"}}, []string{"multiplier", "payout"}},
		"void":                {map[string]any{"outcome": nil, "multiplier": 1, "payout": 10001}, nil},
		"void and doubled":    {map[string]any{"outcome": nil, "multiplier": 2, "payout": 10001}, []string{"multiplier"}},
		"void and not paid":   {map[string]any{"outcome": nil, "multiplier": 1, "payout": 10000}, []string{"payout"}},
		"void of another":     {map[string]any{"outcome": nil, "multiplier": 1, "payout": 10001, "serverSeed": strings.Repeat("ab", 32)}, []string{"serverSeedHash"}},
	} {
		names, err := compare(t, changed(t, row.members))
		if err != nil || !slices.Equal(names, row.differs) {
			t.Errorf("%s: %q, %v, want %q", name, names, err, row.differs)
		}
	}
	bare, _ := strings.CutPrefix(kept, `{"round": `)
	if names, err := compare(t, []byte(strings.TrimSuffix(bare, "}"))); names != nil || err != nil {
		t.Errorf("the round alone: %q, %v", names, err)
	}
}

// clicked is a round of mines that was played step by step.
func clicked(members map[string]any) map[string]any {
	round := map[string]any{
		"gameType": "mines", "rules": "mines/1", "config": map[string]any{"mines": 5}, "nonce": 1, "wager": 10000,
		"actions": []any{map[string]any{"type": "open", "tile": 3}, map[string]any{"type": "open", "tile": 10}, map[string]any{"type": "cashOut"}},
		"outcome": map[string]any{"opened": []int{3, 10}, "mines": []int{2, 18, 5, 7, 17}}, "multiplier": 1.5631, "payout": 15631,
	}
	for name, value := range members {
		round[name] = value
	}
	return round
}

// TestARoundOfStepsIsComparedWithWhatItsActionsDecide: differences are named, and
// impossible actions are rejected.
func TestARoundOfStepsIsComparedWithWhatItsActionsDecide(t *testing.T) {
	t.Parallel()
	open := func(tiles ...any) (actions []any) {
		for _, tile := range tiles {
			actions = append(actions, map[string]any{"type": "open", "tile": tile})
		}
		return actions
	}
	out := map[string]any{"type": "cashOut"}
	for name, row := range map[string]struct {
		members map[string]any
		differs []string
	}{
		"as it was":     {nil, nil},
		"another tile":  {map[string]any{"actions": append(open(3, 11), out)}, []string{"outcome"}},
		"one tile less": {map[string]any{"actions": append(open(3), out)}, []string{"outcome", "multiplier", "payout"}},
		"a mine":        {map[string]any{"actions": open(3, 5)}, []string{"outcome", "multiplier", "payout"}},
		"more mines":    {map[string]any{"config": map[string]any{"mines": 6}}, []string{"outcome", "multiplier", "payout"}},
		"a nonce":       {map[string]any{"nonce": 2}, []string{"outcome"}},
	} {
		names, err := compare(t, changed(t, clicked(row.members)))
		if err != nil || !slices.Equal(names, row.differs) {
			t.Errorf("%s: %q, %v, want %q", name, names, err, row.differs)
		}
	}
	for name, members := range map[string]map[string]any{
		"goes on":              {"actions": open(3, 10)},
		"nothing done":         {"actions": []any{}},
		"after the end":        {"actions": append(open(3, 10), out, out)},
		"a tile twice":         {"actions": append(open(3, 3), out)},
		"no tile":              {"actions": append(open(25), out)},
		"no action":            {"actions": []any{"cashOut"}},
		"no list":              {"actions": "cashOut"},
		"in one call":          {"actions": nil},
		"a game without steps": {"gameType": "dice", "rules": "dice/1", "config": map[string]any{}},
	} {
		if name == "in one call" {
			// Without actions it is a round in one call, which has other config and outcome.
			if names, err := compare(t, changed(t, clicked(members))); err != nil || len(names) == 0 {
				t.Errorf("%s: %q, %v", name, names, err)
			}
			continue
		}
		if names, err := compare(t, changed(t, clicked(members))); err == nil {
			t.Errorf("%s: %q", name, names)
		}
	}
}

// TestABoundIsComparedWithHowTheRoundWasOpened gives the answer of POST /rounds beside a round.
func TestABoundIsComparedWithHowTheRoundWasOpened(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		config, asked    map[string]any
		wager, maxPayout int
		differs          []string
	}{
		"as asked":                {map[string]any{"mines": 5}, map[string]any{"mines": 5}, 10_000, 1 << 40, []string{"config"}},
		"by the usual multiple":   {map[string]any{"mines": 5, "maxMultiplier": 50}, map[string]any{"mines": 5}, 10_000, 1 << 40, nil},
		"lower by the house":      {map[string]any{"mines": 5, "maxMultiplier": 2}, map[string]any{"mines": 5}, 10_000, 1 << 40, []string{"config"}},
		"by maxPayout":            {map[string]any{"mines": 5, "maxMultiplier": 2}, map[string]any{"mines": 5}, 10_000, 20_000, nil},
		"lower by the player":     {map[string]any{"mines": 5, "maxMultiplier": 2}, map[string]any{"mines": 5, "maxMultiplier": 2}, 10_000, 1 << 40, nil},
		"above what was asked":    {map[string]any{"mines": 5, "maxMultiplier": 2.5}, map[string]any{"mines": 5, "maxMultiplier": 2}, 10_000, 1 << 40, []string{"config"}},
		"more, asked for":         {map[string]any{"mines": 5, "maxMultiplier": 80}, map[string]any{"mines": 5, "maxMultiplier": 80}, 10_000, 1 << 40, nil},
		"of a game that has less": {map[string]any{"mines": 5}, map[string]any{"mines": 5}, 1, 1 << 40, []string{"config"}},
	} {
		var file map[string]any
		if err := json.Unmarshal(changed(t, clicked(map[string]any{"config": row.config})), &file); err != nil {
			t.Fatal(err)
		}
		opened := map[string]any{"id": file["round"].(map[string]any)["id"], "asked": row.asked, "wager": row.wager, "maxPayout": row.maxPayout}
		for _, file["opened"] = range []any{opened, map[string]any{"round": opened}} {
			text, _ := json.Marshal(file)
			if names, err := compare(t, text); err != nil || !slices.Equal(names, row.differs) && !slices.Contains(names, "payout") {
				t.Errorf("%s: %q, %v, want %q", name, names, err, row.differs)
			}
		}
		opened["id"] = "another"
		text, _ := json.Marshal(file)
		if _, err := compare(t, text); err == nil {
			t.Errorf("%s: the opening of another round is taken", name)
		}
	}
}

// TestNotesSayWhatARoundDoesNotProve: seeds of the house, void rounds, an unknown opening.
func TestNotesSayWhatARoundDoesNotProve(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		members map[string]any
		notes   []string
	}{
		"the player's":      {nil, nil},
		"the server's":      {map[string]any{"clientSeedSource": "server"}, []string{"The house chose both seeds"}},
		"repeated":          {map[string]any{"clientSeedSource": "repeated"}, []string{"The house knew the client seed"}},
		"void":              {map[string]any{"outcome": nil, "multiplier": 1, "payout": 10001}, []string{"a multiplier of 1.98, which would have paid 19801"}},
		"void and repeated": {map[string]any{"outcome": nil, "clientSeedSource": "repeated"}, []string{"a multiplier of 1.98", "The house knew"}},
		"void, unknown":     {map[string]any{"outcome": nil, "rules": "dice/9"}, []string{"can't be told"}},
		"opened unknown":    {clicked(nil), []string{"was not checked"}},
		"no bound":          {clicked(map[string]any{"gameType": "blackjack", "rules": "blackjack/1", "config": map[string]any{}}), nil},
	} {
		round, err := verifier.ReadRound(changed(t, row.members))
		if err != nil {
			t.Fatal(err)
		}
		notes := round.Notes(games)
		if len(notes) != len(row.notes) {
			t.Errorf("%s: %q", name, notes)
			continue
		}
		for i, note := range notes {
			if !strings.Contains(note, row.notes[i]) {
				t.Errorf("%s: %q, want %q", name, note, row.notes[i])
			}
		}
	}
}

func TestWhatCantBeComparedIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string][]byte{
		"no JSON":      []byte("round"),
		"another JSON": []byte(`{"gameType": "dice"}`),
		"too long":     []byte(strings.Repeat(" ", verifier.RoundBytesMax+1)),
		"another game": changed(t, map[string]any{"gameType": "chess"}),
		"other rules":  changed(t, map[string]any{"rules": "dice/0"}),
		"no nonce":     changed(t, map[string]any{"nonce": nil}),
	} {
		if names, err := compare(t, text); err == nil {
			t.Errorf("%s: %q", name, names)
		}
	}
	if _, err := compare(t, changed(t, map[string]any{"serverSeed": nil})); !errors.Is(err, verifier.ErrNotRevealed) {
		t.Error(err)
	}
	if _, err := compare(t, changed(t, map[string]any{"serverSeed": nil, "serverSeedHash": nil})); !errors.Is(err, verifier.ErrNotOurs) {
		t.Error(err)
	}
	for _, text := range []string{`{}`, `{"error": "Not found", "code": "NOT_FOUND"}`, `{"round": ` + kept + `}`} {
		if _, err := compare(t, []byte(text)); err == nil || err.Error() != "no round: it has no gameType" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
