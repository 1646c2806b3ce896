package game_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

func TestNumbersAsText(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]game.Value{
		"-1.50": game.Dec(-150, 2), "-0.05": game.Dec(-5, 2), "0.05": game.Dec(5, 2), "-7": game.Int(-7), "12.3": game.Dec(123, 1), "0.0": game.Dec(0, 1),
		"1.00": game.Dec(100, 2), "0.100": game.Dec(100, 3),
	} {
		if got := v.NumberText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if back, ok := game.ParseNumber(want); !ok || !back.Equal(v) {
			t.Errorf("%q is read as %v", want, back)
		}
	}
	for _, text := range []string{"1e", "1e+", "1ex", "1e1x", "1/", "1:", "/", ":", "1./", "1.:", "e5", "-", "--1", "01"} {
		if got, ok := game.ParseNumber(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	for name, v := range map[string]game.Value{"a text": game.Text("5"), "more decimals": game.Dec(5, 3), "too large": game.Int(1 << 62)} {
		if n, ok := v.Units(2); n != 0 || ok {
			t.Errorf("%s: %d, %v", name, n, ok)
		}
	}
	wide, _ := game.ParseNumber("1e5")
	for name, v := range map[string]game.Value{"a text": game.Text("5"), "one that is kept as written": wide} {
		if n, scale, ok := v.Decimal(); n != 0 || scale != 0 || ok {
			t.Errorf("%s: %d, %d, %v", name, n, scale, ok)
		}
	}
}

func TestNamesOfGames(t *testing.T) {
	t.Parallel()
	standard := standard(t)
	for name, want := range map[string]bool{
		"a": true, "z": true, "0": true, "9": true, "-": true, "a-z0-9": true, "": false, "`": false, "{": false, "/": false, ":": false, ",": false,
		".": false, "A": false, "Z": false, "é": false, "a b": false,
	} {
		wider, err := standard.Retire(odd{name: name, rules: name + "/1"})
		if (err == nil) != want {
			t.Errorf("a game named %q: %v", name, err)
		}
		if err == nil && len(wider.Games()) != len(standard.Games()) {
			t.Errorf("with a retired game %d are offered, not %d", len(wider.Games()), len(standard.Games()))
		}
	}
	needs := odd{name: "needs", rules: "needs/1", fields: []game.Field{{Name: "must", Shape: game.Flag{}}}}
	if _, err := standard.Retire(needs); err == nil || !strings.Contains(err.Error(), "empty config") {
		t.Errorf("a game that can't be played with its defaults: %v", err)
	}
	if _, err := game.NewRegistry(game.Dice(), game.Dice()); err == nil || strings.Count(err.Error(), "registered twice") != 1 {
		t.Errorf("a game twice: %v", err)
	}
}

func TestRefusalsOfConfigsAtTheirEdges(t *testing.T) {
	t.Parallel()
	fields := []game.Field{
		{Name: "list", Shape: game.ListOf{Item: game.Number{Min: 1, Max: 5}, MinItems: 1, MaxItems: 3}, Optional: true},
		{Name: "tenths", Shape: game.Number{Min: 1, Max: 5, Decimals: 1}, Optional: true},
	}
	list := func(n int) game.Value {
		items := make([]game.Value, n)
		for i := range items {
			items[i] = game.Int(1)
		}
		return object("list", game.List(items...))
	}
	for name, row := range map[string]struct {
		config      game.Value
		field, what string
	}{
		"three items":           {list(3), "", ""},
		"one item":              {list(1), "", ""},
		"four items":            {list(4), "config.list", "must have 1 to 3 items"},
		"no item":               {list(0), "config.list", "must have 1 to 3 items"},
		"tenths":                {object("tenths", game.Int(9)), "config.tenths", "must be a number from 0.1 to 0.5 with at most 1 decimals"},
		"a name of 64":          {object(strings.Repeat("x", 64), game.Int(1)), "config." + strings.Repeat("x", 64), "is unknown"},
		"a name of 65":          {object(strings.Repeat("x", 65), game.Int(1)), "config." + strings.Repeat("x", 64) + "…", "is unknown"},
		"a name that is a path": {object(".x", game.Int(1)), "config..x", "is unknown"},
	} {
		_, err := game.Normalize(fields, row.config)
		if row.field == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Details["field"] != row.field || !strings.Contains(err.Error(), row.what) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemasOfChoices(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		shape game.Shape
		want  string
	}{
		"texts": {game.TextChoice("a"), "string"}, "numbers": {game.IntChoice(1), "integer"}, "none": {game.Choice{}, "string"},
		"mixed": {game.Choice{Of: []game.Value{game.Int(1), game.Text("a")}}, "integer"},
	} {
		schema := game.Schema([]game.Field{{Name: "f", Description: "what it is", Shape: row.shape}})
		field := schema.Get("properties").Get("f")
		if field.Get("type").Text() != row.want || field.Get("description").Text() != "what it is" {
			t.Errorf("%s: %v", name, field)
		}
		if required := schema.Get("required"); required.Len() != 1 || required.At(0).Text() != "f" {
			t.Errorf("%s: required %v", name, required)
		}
	}
}
