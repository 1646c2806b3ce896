package game_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

// declared has a field of every shape, including those of mines, wheel and roulette.
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

// A refusal repeats only the beginning of an unknown name, as valid UTF-8.
func TestRefusalsStaySmall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("x", 1<<16), strings.Repeat("é", 1<<10), "\xff\xfe", "target\x00"} {
		_, err := game.Normalize(declared(), object(name, 1))
		if fault.KindOf(err) != fault.Invalid || len(err.Error()) > 200 || strings.ToValidUTF8(err.Error(), "") != err.Error() {
			t.Errorf("%d bytes of refusal: %.80q", len(err.Error()), err)
		}
	}
}

// conforms is a JSON Schema validator for the keywords used here, written from the
// specification. It fails the test on any other keyword.
func conforms(t *rapid.T, schema, v game.Value) bool {
	ok := true
	for keyword, argument := range schema.Members() {
		switch keyword {
		case "$schema", "title", "description", "default", "properties":
		case "type":
			ok = ok && hasType(argument.Text(), v)
		case "enum":
			ok = ok && slices.ContainsFunc(slices.Collect(argument.Items()), func(option game.Value) bool { return sameJSON(option, v) })
		case "minimum", "maximum", "multipleOf":
			ok = ok && numberConforms(keyword, argument, v)
		case "items":
			for item := range v.Items() {
				ok = ok && conforms(t, argument, item)
			}
		case "minItems":
			ok = ok && (v.Kind() != game.ListKind || sizeRat(v).Cmp(numberRat(argument)) >= 0)
		case "maxItems":
			ok = ok && (v.Kind() != game.ListKind || sizeRat(v).Cmp(numberRat(argument)) <= 0)
		case "uniqueItems":
			ok = ok && (v.Kind() != game.ListKind || !repeats(v))
		case "required":
			for name := range argument.Items() {
				ok = ok && (v.Kind() != game.ObjectKind || v.Get(name.Text()).Kind() != game.Absent)
			}
		case "additionalProperties":
			for name, member := range v.Members() {
				property := schema.Get("properties").Get(name)
				ok = ok && property.Kind() == game.ObjectKind && conforms(t, property, member)
			}
		default:
			t.Fatalf("keyword %q", keyword)
		}
	}
	return ok
}

func hasType(name string, v game.Value) bool {
	switch name {
	case "integer":
		return v.Kind() == game.NumberKind && numberRat(v).IsInt()
	case "number":
		return v.Kind() == game.NumberKind
	}
	return name == map[game.Kind]string{
		game.BoolKind: "boolean", game.TextKind: "string", game.ListKind: "array", game.ObjectKind: "object",
	}[v.Kind()]
}

func numberConforms(keyword string, argument, v game.Value) bool {
	if v.Kind() != game.NumberKind {
		return true
	}
	switch keyword {
	case "minimum":
		return numberRat(v).Cmp(numberRat(argument)) >= 0
	case "maximum":
		return numberRat(v).Cmp(numberRat(argument)) <= 0
	}
	return new(big.Rat).Quo(numberRat(v), numberRat(argument)).IsInt()
}

func numberRat(v game.Value) *big.Rat {
	r, _ := new(big.Rat).SetString(v.NumberText())
	return r
}

func sizeRat(v game.Value) *big.Rat { return big.NewRat(int64(v.Len()), 1) }

// sameJSON compares JSON values: 2.5 equals 2.50, and members have no order.
func sameJSON(a, b game.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case game.NumberKind:
		return numberRat(a).Cmp(numberRat(b)) == 0
	case game.ListKind:
		for i := range a.Len() {
			if !sameJSON(a.At(i), b.At(i)) {
				return false
			}
		}
		return true
	case game.ObjectKind:
		for name, member := range a.Members() {
			if !sameJSON(member, b.Get(name)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

func repeats(v game.Value) bool {
	for i := range v.Len() {
		for j := range i {
			if sameJSON(v.At(i), v.At(j)) {
				return true
			}
		}
	}
	return false
}

// anyValue draws values near those that fields accept: valid, almost valid and
// unrelated.
func anyValue(t *rapid.T, depth int) game.Value {
	kinds := []string{"number", "number", "text", "bool"}
	if depth > 0 {
		kinds = append(kinds, "list", "list", "object")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "number":
		v, _ := game.ParseNumber(rapid.SampledFrom([]string{
			"0", "1", "10", "16", "20", "24", "25", "0.01", "99.99", "100", "50.5", "50.55", "-1", "36", "1e1", "99999999999999999999",
		}).Draw(t, "number"))
		return v
	case "text":
		return game.Text(rapid.SampledFrom([]string{"low", "high", "red", "straight", "", "over"}).Draw(t, "text"))
	case "bool":
		return game.Bool(rapid.Bool().Draw(t, "bool"))
	case "list":
		return game.List(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) game.Value { return anyValue(t, depth-1) }), 0, 5).Draw(t, "list")...)
	}
	return anyObject(t, depth, "type", "numbers", "amount", "extra")
}

func anyObject(t *rapid.T, depth int, names ...string) game.Value {
	var members []game.Member
	for _, name := range names {
		if rapid.Bool().Draw(t, "has "+name) {
			members = append(members, game.Member{Name: name, Value: anyValue(t, depth-1)})
		}
	}
	return game.Object(members...)
}

// exponents reports whether the value contains a number with an exponent, which JSON
// Schema can't distinguish and fields refuse.
func exponents(v game.Value) bool {
	if _, _, plain := v.Decimal(); v.Kind() == game.NumberKind && !plain {
		return true
	}
	for i := range v.Len() {
		if exponents(v.At(i)) {
			return true
		}
	}
	return false
}

// The published schema and the validation come from one declaration. They agree on every
// config, except for spellings of numbers that a schema can't distinguish.
func TestSchemaSaysWhatNormalizeDoes(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		for _, field := range declared() {
			fields := []game.Field{field}
			config := anyObject(t, 4, field.Name)
			_, err := game.Normalize(fields, config)
			if err == nil {
				accepted++
			}
			if valid := conforms(t, game.Schema(fields), config); valid != (err == nil) && !exponents(config) {
				t.Fatalf("%v: schema accepts %v, Normalize says %v", config, valid, err)
			}
		}
	})
	if accepted == 0 {
		t.Error("no config was accepted")
	}
}

// Results of Normalize and all defaults are valid by the schema.
func TestSchemaAcceptsNormalConfigs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, g := range game.Standard() {
			normal, err := game.Normalize(g.Fields(), game.Object())
			if err != nil || !conforms(t, game.Schema(g.Fields()), normal) {
				t.Fatalf("%s: %v, %v", g.Type(), normal, err)
			}
		}
	})
}

func TestSchemaOfEveryShape(t *testing.T) {
	t.Parallel()
	const want = `{$schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: {` +
		`target: {title: "Target", type: "number", minimum: 0.01, maximum: 99.99, multipleOf: 0.01, default: 50.00}, ` +
		`rows: {type: "integer", minimum: 8, maximum: 16, multipleOf: 1, default: 16}, ` +
		`risk: {type: "string", enum: ["low", "high"], default: "low"}, ` +
		`segments: {type: "integer", enum: [10, 20], default: 10}, ` +
		`turbo: {type: "boolean", default: false}, ` +
		`picks: {type: "array", items: {type: "integer", minimum: 0, maximum: 24, multipleOf: 1}, minItems: 1, maxItems: 4, uniqueItems: true, default: [0]}, ` +
		`bets: {type: "array", items: {type: "object", properties: {type: {type: "string", enum: ["red", "straight"]}, ` +
		`numbers: {type: "array", items: {type: "integer", minimum: 0, maximum: 36, multipleOf: 1}, minItems: 1, maxItems: 18, uniqueItems: true}, ` +
		`amount: {type: "integer", minimum: 1, maximum: 4611686018427387904, multipleOf: 1}}, required: ["type", "amount"], additionalProperties: false}, ` +
		`minItems: 1, maxItems: 3}}, additionalProperties: false}`
	if got := game.Schema(declared()).String(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
