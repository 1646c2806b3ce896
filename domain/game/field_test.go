package game_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

// declared has a field of every shape, those of mines, wheel and roulette among
// them.
func declared() []game.Field {
	return []game.Field{
		{Name: "target", Title: "Target", Shape: game.Number{Min: 1, Max: 9999, Decimals: 2}, Default: game.Dec(5000, 2)},
		{Name: "rows", Shape: game.Number{Min: 8, Max: 16}, Default: game.Int(16)},
		{Name: "risk", Shape: game.TextChoice("low", "high"), Default: game.Text("low")},
		{Name: "segments", Shape: game.IntChoice(10, 20), Default: game.Int(10)},
		{Name: "turbo", Shape: game.Flag{}, Default: game.Bool(false)},
		{
			Name:  "picks",
			Shape: game.ListOf{Item: game.Number{Min: 0, Max: 24}, MinItems: 1, MaxItems: 4, Distinct: true}, Default: game.List(game.Int(0)),
		},
		{
			Name: "bets", Optional: true,
			Shape: game.ListOf{MinItems: 1, MaxItems: 3, Item: game.Record{Fields: []game.Field{
				{Name: "type", Shape: game.TextChoice("red", "straight")},
				{Name: "numbers", Shape: game.ListOf{Item: game.Number{Min: 0, Max: 36}, MinItems: 1, MaxItems: 18, Distinct: true}, Optional: true},
				{Name: "amount", Shape: game.Number{Min: 1, Max: 1 << 62}},
			}}},
		},
	}
}

func number(t *testing.T, literal string) game.Value {
	t.Helper()
	v, ok := game.ParseNumber(literal)
	if !ok {
		t.Fatalf("%q is no number", literal)
	}
	return v
}

func TestNormalizeFillsInDefaultsInDeclaredOrder(t *testing.T) {
	t.Parallel()
	want := `{target: 50.00, rows: 16, risk: "low", segments: 10, turbo: false, picks: [0]}`
	for _, config := range []game.Value{{}, game.Object()} {
		if got, err := game.Normalize(declared(), config); err != nil || got.String() != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
	bets := game.List(object("amount", 5, "type", "red"))
	got, err := game.Normalize(declared(), object("bets", bets, "turbo", true, "target", number(t, "7.5"), "picks", game.List(game.Int(3), game.Int(1))))
	want = `{target: 7.50, rows: 16, risk: "low", segments: 10, turbo: true, picks: [3, 1], bets: [{type: "red", amount: 5}]}`
	if err != nil || got.String() != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}

func TestNormalizeIsIdempotent(t *testing.T) {
	t.Parallel()
	once, err := game.Normalize(declared(), object("target", 3))
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := game.Normalize(declared(), once); err != nil || !twice.Equal(once) {
		t.Errorf("%v, %v after %v", twice, err, once)
	}
}

func TestNormalizeRefusesAndNamesTheField(t *testing.T) {
	t.Parallel()
	list := func(items ...any) game.Value {
		values := make([]game.Value, len(items))
		for i := range items {
			values[i] = value(items[i])
		}
		return game.List(values...)
	}
	million := make([]game.Value, 1_000_000)
	tests := []struct {
		config game.Value
		field  string
		says   string
	}{
		{game.List(), "config", "must be an object"},
		{game.Text("{}"), "config", "must be an object"},
		{game.Int(0), "config", "must be an object"},
		{object("tarGet", 1), "config.tarGet", "unknown"},
		{object("__proto__", object()), "config.__proto__", "unknown"},
		{object("", 1), "config.", "unknown"},
		{object("target", 1, "constructor", 1), "config.constructor", "unknown"},
		{object("target", 1, "target", 2), "config.target", "more than once"},
		{object("target", number(t, "0")), "config.target", "from 0.01 to 99.99"},
		{object("target", number(t, "100")), "config.target", "from 0.01 to 99.99"},
		{object("target", number(t, "-0.01")), "config.target", "from 0.01"},
		{object("target", number(t, "50.000")), "config.target", "at most 2 decimals"},
		{object("target", number(t, "50.001")), "config.target", "at most 2 decimals"},
		{object("target", number(t, "5e1")), "config.target", "must be a number"},
		{object("target", number(t, "50e-0")), "config.target", "must be a number"},
		{object("target", number(t, strings.Repeat("9", 40))), "config.target", "to 99.99"},
		{object("target", "50.00"), "config.target", "must be a number"},
		{object("target", true), "config.target", "must be a number"},
		{object("target", game.Value{}), "config.target", "must be a number"},
		{object("target", list(50)), "config.target", "must be a number"},
		{object("rows", number(t, "16.0")), "config.rows", "must be an integer from 8 to 16"},
		{object("rows", 7), "config.rows", "from 8 to 16"},
		{object("risk", "medium"), "config.risk", `one of "low", "high"`},
		{object("risk", "Low"), "config.risk", "must be one of"},
		{object("risk", 1), "config.risk", "must be one of"},
		{object("segments", 15), "config.segments", "must be one of 10, 20"},
		{object("segments", "10"), "config.segments", "must be one of"},
		{object("segments", number(t, "10.0")), "config.segments", "must be one of"},
		{object("turbo", 1), "config.turbo", "true or false"},
		{object("turbo", "true"), "config.turbo", "true or false"},
		{object("picks", 3), "config.picks", "must be a list"},
		{object("picks", list()), "config.picks", "1 to 4 items"},
		{object("picks", list(1, 2, 3, 4, 5)), "config.picks", "1 to 4 items"},
		{object("picks", game.List(million...)), "config.picks", "1 to 4 items"},
		{object("picks", list(1, 25)), "config.picks", "[1] must be an integer"},
		{object("picks", list(1, 2, 1)), "config.picks", "[2] must not repeat"},
		{object("bets", list(3)), "config.bets", "[0] must be an object"},
		{object("bets", list(object("type", "red"))), "config.bets", "[0].amount is required"},
		{object("bets", list(object("type", "red", "amount", 0))), "config.bets", "[0].amount must be"},
		{object("bets", list(object("type", "red", "amount", 1), object("type", "red", "amount", 1, "x", 1))), "config.bets", "[1].x is unknown"},
		{object("bets", list(object("type", "straight", "amount", 1, "numbers", list(5, 5)))), "config.bets", "[0].numbers[1] must not repeat"},
	}
	for _, test := range tests {
		_, err := game.Normalize(declared(), test.config)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%.200v: %v, want %q", test.config, err, test.says)
			continue
		}
		requireField(t, err, test.field)
	}
}

func TestNormalizeRequiresWhatHasNoDefault(t *testing.T) {
	t.Parallel()
	fields := []game.Field{{Name: "must", Shape: game.Flag{}}, {Name: "may", Shape: game.Flag{}, Optional: true}}
	_, err := game.Normalize(fields, game.Object())
	requireField(t, err, "config.must")
	if got, err := game.Normalize(fields, object("must", true)); err != nil || got.String() != "{must: true}" {
		t.Errorf("%v, %v", got, err)
	}
}

// A game without fields takes an empty config only.
func TestNoFieldsNoMembers(t *testing.T) {
	t.Parallel()
	if plan, err := game.Prepare(game.Slots(), game.Value{}, 1); err != nil || plan.Config().String() != "{}" {
		t.Errorf("%v, %v", plan, err)
	}
	_, err := game.Prepare(game.Slots(), object("lines", 10), 1)
	requireField(t, err, "config.lines")
}

// A refusal repeats at most a little of an unknown name, as valid UTF-8.
func TestRefusalsStaySmall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("x", 1<<16), strings.Repeat("é", 1<<10), "\xff\xfe", "target\x00"} {
		_, err := game.Normalize(declared(), object(name, 1))
		if fault.KindOf(err) != fault.Invalid || len(err.Error()) > 200 || strings.ToValidUTF8(err.Error(), "") != err.Error() {
			t.Errorf("%d bytes of refusal: %.80q", len(err.Error()), err)
		}
	}
}
