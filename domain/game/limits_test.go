package game_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Figures for which the fast computation in 64 bits rounds, carries and overflows.
func TestFiguresWhereTheirWordsCarry(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		prize      money.Ratio
		wins, want uint64
	}{
		"half a part":         {money.Ratio{Num: 1, Den: 1_000_000_000}, lattice / 2, 1},
		"just below half":     {money.Ratio{Num: 1, Den: 1_000_000_000}, lattice/2 - 1, 0},
		"a carry by the half": {money.Ratio{Num: lattice/2 + 1, Den: 500_000_000}, lattice - 2, lattice},
		"a prize near 2^32":   {money.Ratio{Num: lattice - 1, Den: 1_000_000_000}, lattice, lattice - 1},
		"a prize of 2^32":     {money.Ratio{Num: lattice, Den: 1_000_000_000}, lattice, lattice},
		"always paid back":    {money.Ratio{Num: 1, Den: 1}, lattice, 1_000_000_000},
	} {
		odds := game.Odds{Prize: row.prize, Wins: row.wins}
		if got, exact := odds.RTPPartsPerBillion(), rounded(odds.Moments().Mean); got != row.want || got != exact {
			t.Errorf("%s: a mean of %d, want %d, exact %d", name, got, row.want, exact)
		}
	}
	for name, row := range map[string]struct {
		prize      money.Ratio
		wins, want uint64
	}{
		"a square that leaves a rest":     {money.Ratio{Num: 100, Den: 3}, lattice / 2, 277_777_777_778},
		"overflow of the product and sum": {money.Ratio{Num: 384_200, Den: 1}, 2_114_092_603, math.MaxUint64},
	} {
		odds := game.Odds{Prize: row.prize, Wins: row.wins}
		if got := odds.VariancePartsPerBillion(); got != row.want {
			t.Errorf("%s: a variance of %d, want %d", name, got, row.want)
		}
	}
}

// The least return is at the least target, which the search tries last.
func TestReachRangeOfTwoTargets(t *testing.T) {
	t.Parallel()
	want := game.ReachOdds(7, 127).Moments().Mean
	if rtp := game.ReachRTP(7, 128, 127, 128); rtp.Min.Cmp(want) != 0 || rtp.Max.Cmp(big.NewRat(99, 100)) != 0 {
		t.Errorf("range %s … %s, least is %s", rtp.Min, rtp.Max, want)
	}
}

// A loss is 0/1, for the first losing draw of each game.
func TestLossesAreNothingOfOne(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Dice(), game.Limbo(), game.Crash(), game.Coinflip()} {
		plan, lost := prepare(t, g), 0
		for _, k := range []uint32{0, lattice - 1} {
			if multiplier := play(plan, k).Multiplier; multiplier.Num == 0 {
				lost++
				if multiplier.Den != 1 {
					t.Errorf("%s: a loss is %d/%d", g.Type(), multiplier.Num, multiplier.Den)
				}
			}
		}
		if lost != 1 {
			t.Errorf("%s: %d of two ends lose", g.Type(), lost)
		}
	}
}

func TestSlotsTableIsWhole(t *testing.T) {
	t.Parallel()
	table := game.Slots().(game.Tabled).Table()
	for i, line := range []string{
		"[1, 1, 1, 1, 1]", "[0, 0, 0, 0, 0]", "[2, 2, 2, 2, 2]", "[0, 1, 2, 1, 0]", "[2, 1, 0, 1, 2]",
		"[0, 0, 1, 2, 2]", "[2, 2, 1, 0, 0]", "[1, 0, 0, 0, 1]", "[1, 2, 2, 2, 1]", "[0, 1, 1, 1, 0]",
	} {
		if got := table.Get("lines").At(i).String(); got != line {
			t.Errorf("line %d is %s, want %s", i+1, got, line)
		}
	}
	// Seven symbols of lines, the wild and the scatter.
	if got := table.Get("pays").Len(); got != 9 {
		t.Errorf("pays of %d symbols", got)
	}
}

// A list has no members and an object no items, even if not empty.
func TestValueKindsKeepApart(t *testing.T) {
	t.Parallel()
	for range object("a", 1).Items() {
		t.Error("an object has items")
	}
	for range game.List(game.Int(1)).Members() {
		t.Error("a list has members")
	}
	if got := game.List(game.Int(1)).Get(""); got.Kind() != game.Absent {
		t.Errorf("a list has a member %v", got)
	}
	if game.Int(10).Equal(game.Dec(10, 1)) {
		t.Error("10 equals 1.0")
	}
	if got := (game.ObjectKind + 1).String(); got != "unknown" {
		t.Errorf("the kind after the last is %q", got)
	}
}

// The registry's trial plays every order of six ends, over and over, and lets a
// round ask for exactly DrawsMax draws.
func TestTrialPlaysEveryOrderOfTheEnds(t *testing.T) {
	t.Parallel()
	// onZeros takes this many draws in the round with six zeros first.
	onZeros := func(count int) func(game.Draws) game.Result {
		return func(d game.Draws) game.Result {
			for asked := range count {
				if k := d.Next(); k != 0 && asked < 6 {
					break
				}
			}
			return paying(0, 1)
		}
	}
	// refusing panics if the first draws are these extremes, 1 for the upper one.
	refusing := func(ends ...uint32) func(game.Draws) game.Result {
		return func(d game.Draws) game.Result {
			for _, end := range ends {
				if d.Next() != -end {
					return paying(0, 1)
				}
			}
			panic("these ends")
		}
	}
	for name, row := range map[string]struct {
		play func(game.Draws) game.Result
		says string
	}{
		"as many draws as allowed":  {onZeros(game.DrawsMax), ""},
		"one draw more":             {onZeros(game.DrawsMax + 1), "in the order 000000: panicked: a round asks for more than 65536 draws"},
		"the second end is upper":   {refusing(0, 1), "in the order 000010: panicked: these ends"},
		"the sixth end is upper":    {refusing(0, 0, 0, 0, 0, 1), "in the order 100000: panicked: these ends"},
		"every end is upper":        {refusing(1, 1, 1, 1, 1, 1), "in the order 111111: panicked: these ends"},
		"the seventh repeats first": {refusing(1, 0, 0, 0, 0, 0, 1), "in the order 000001: panicked: these ends"},
	} {
		_, err := game.NewRegistry(shady{odd: odd{name: "odd", rules: "odd/1"}, play: row.play})
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

// Every missing figure is named, and a game without variance is accepted.
func TestTrialOfFiguresAtTheirEdges(t *testing.T) {
	t.Parallel()
	share, square := big.NewRat(99, 100), big.NewRat(9801, 10000)
	for name, row := range map[string]struct {
		game shady
		says string
	}{
		"no default return": {shady{rtp: &game.RTP{Min: share, Max: share}}, "RTP is missing"},
		"no least return":   {shady{rtp: &game.RTP{Default: share, Max: share}}, "RTP is missing"},
		"no greatest":       {shady{rtp: &game.RTP{Default: share, Min: share}}, "RTP is missing"},
		"no mean":           {shady{moments: &game.Moments{MeanSquare: square}}, "moments are missing"},
		"no mean square":    {shady{moments: &game.Moments{Mean: share}}, "moments are missing"},
		"no variance": {shady{
			moments: &game.Moments{Mean: share, MeanSquare: square},
			play:    func(game.Draws) game.Result { return paying(99, 100) },
		}, ""},
	} {
		row.game.odd = odd{name: "odd", rules: "odd/1"}
		_, err := game.NewRegistry(row.game)
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

// A game that always returns the wager but states less, without variance: with a
// greatest multiplier of 1, n rounds may exceed their mean by 2·28/3 wagers.
func TestTrialRefusesJustAboveItsBound(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		mean *big.Rat
		says string
	}{
		"exactly at the bound": {big.NewRat(41, 48), ""},
		"above by a 300th": {
			big.NewRat(10933, 12800),
			"pays 128.00 wagers in 128 rounds, which is nearly impossible with its stated RTP of 0.8541 and variance of 0.0000",
		},
	} {
		_, err := game.NewRegistry(shady{
			odd:     odd{name: "odd", rules: "odd/1"},
			rtp:     &game.RTP{Default: row.mean, Min: new(big.Rat), Max: big.NewRat(1, 1)},
			most:    &money.Ratio{Num: 1, Den: 1},
			moments: &game.Moments{Mean: row.mean, MeanSquare: new(big.Rat).Mul(row.mean, row.mean)},
			play:    func(game.Draws) game.Result { return paying(1, 1) },
		})
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

func TestTrialLetsStreamsDrawAsOften(t *testing.T) {
	t.Parallel()
	for count, says := range map[int]string{
		game.DrawsMax:     "",
		game.DrawsMax + 1: "of the trial: panicked: a round asks for more than 65536 draws",
	} {
		_, err := game.NewRegistry(shady{odd: odd{name: "odd", rules: "odd/1"}, play: func(d game.Draws) game.Result {
			if k := d.Next(); k != 0 && k < lattice/64 { // about two rounds of 128, and never in the rounds of the ends
				for range count - 1 {
					d.Next()
				}
			}
			return paying(0, 1)
		}})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%d draws: %v, want %q", count, err, says)
		}
	}
}

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
