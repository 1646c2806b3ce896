package game_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// conforms is a JSON Schema validator for the keywords that schemas here use, as
// the specification words them. It fails the test on any other keyword.
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

// sameJSON is equality of JSON values: 2.5 is 2.50, and members have no order.
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

// anyValue draws values near what fields take: right, almost right and foreign.
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

// exponents reports whether a number inside is written with an exponent, which
// JSON Schema can't see and fields refuse.
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

// The published schema and the validation come from one declaration. They agree
// on every config, but for numbers written in a way a schema can't tell apart.
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

// What Normalize returns, and each default, is valid by the schema.
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
