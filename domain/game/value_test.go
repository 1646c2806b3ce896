package game_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

func TestValueReadsBackWhatWasBuilt(t *testing.T) {
	t.Parallel()
	tree := object("on", true, "roll", game.Dec(-250, 2), "side", "heads", "path", game.List(game.Int(1), game.Int(0)))
	if got, want := tree.String(), `{on: true, roll: -2.50, side: "heads", path: [1, 0]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !tree.Get("on").Bool() || tree.Get("side").Text() != "heads" || tree.Get("path").Len() != 2 {
		t.Error("members don't read back")
	}
	if coefficient, scale, ok := tree.Get("roll").Decimal(); coefficient != -250 || scale != 2 || !ok {
		t.Errorf("roll is %d, %d, %v", coefficient, scale, ok)
	}
	if n, ok := tree.Get("path").At(0).Int(); n != 1 || !ok {
		t.Errorf("path starts with %d, %v", n, ok)
	}
	names := slices.Collect(maps.Keys(maps.Collect(tree.Members())))
	slices.Sort(names)
	if !slices.Equal(names, []string{"on", "path", "roll", "side"}) {
		t.Errorf("members %v", names)
	}
	if items := slices.Collect(tree.Get("path").Items()); len(items) != 2 || !items[1].Equal(game.Int(0)) {
		t.Errorf("items %v", items)
	}
	for range tree.Members() {
		break
	}
	for range tree.Get("path").Items() {
		break
	}
}

// Every accessor returns the zero value for every other kind.
func TestValueAccessorsAreTotal(t *testing.T) {
	t.Parallel()
	wide, _ := game.ParseNumber("1e400")
	for _, v := range []game.Value{{}, game.Bool(true), game.Int(1), wide, game.Text("x"), game.List(), game.Object()} {
		kind := v.Kind()
		if v.Bool() != (kind == game.BoolKind) || (v.Text() != "") != (kind == game.TextKind) || v.Len() != 0 {
			t.Errorf("%s answers as another kind", kind)
		}
		if _, ok := v.Int(); ok != (v.NumberText() == "1") {
			t.Errorf("%s is an integer: %v", kind, ok)
		}
		if v.At(0).Kind() != game.Absent || v.At(-1).Kind() != game.Absent || v.Get("a").Kind() != game.Absent {
			t.Errorf("%s has something inside", kind)
		}
		for range v.Items() {
			t.Errorf("%s has items", kind)
		}
		for range v.Members() {
			t.Errorf("%s has members", kind)
		}
		if v.String() == "" || kind.String() == "unknown" {
			t.Errorf("%s prints as %q", kind, v.String())
		}
	}
	if game.Kind(99).String() != "unknown" {
		t.Error("a kind that isn't one has a name")
	}
}

func TestValueEqual(t *testing.T) {
	t.Parallel()
	wide, _ := game.ParseNumber("1e1")
	different := []game.Value{
		{}, game.Bool(false), game.Bool(true), game.Int(0), game.Int(10), game.Dec(100, 1), game.Dec(1000, 2), wide,
		game.Text(""), game.Text("10"), game.List(), game.List(game.Int(1)), game.List(game.Int(1), game.Int(2)),
		game.List(game.Int(2), game.Int(1)), game.Object(), object("a", 1), object("b", 1), object("a", 2),
		object("a", 1, "b", 2), object("b", 2, "a", 1),
	}
	for i, a := range different {
		for j, b := range different {
			if a.Equal(b) != (i == j) {
				t.Errorf("%v equals %v: %v", a, b, a.Equal(b))
			}
		}
	}
}

// ParseNumber accepts JSON's number literals, keeps them exactly, and formats them
// unchanged.
func TestParseNumberIsExactJSON(t *testing.T) {
	t.Parallel()
	literals := rapid.OneOf(
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?`),
		rapid.StringMatching(`[-+0-9.eE]{0,8}`),
	)
	rapid.Check(t, func(t *rapid.T) {
		literal := literals.Draw(t, "literal")
		number, ok := game.ParseNumber(literal)
		if isJSON := json.Valid([]byte(literal)); ok != isJSON {
			t.Fatalf("%q: accepted %v, JSON %v", literal, ok, isJSON)
		}
		if !ok {
			return
		}
		want, _ := new(big.Rat).SetString(literal)
		if got, _ := new(big.Rat).SetString(number.NumberText()); got.Cmp(want) != 0 {
			t.Fatalf("%q reads as %s", literal, number.NumberText())
		}
		coefficient, scale, plain := number.Decimal()
		if !plain {
			return
		}
		if _, fraction, _ := strings.Cut(literal, "."); len(fraction) != int(scale) {
			t.Fatalf("%q has scale %d", literal, scale)
		}
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
		if got := new(big.Rat).SetFrac(big.NewInt(coefficient), power); got.Cmp(want) != 0 {
			t.Fatalf("%q is %s", literal, got)
		}
	})
}

func TestParseNumberKeepsWhatItCannotCompute(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		literal string
		plain   bool
	}{
		{"9223372036854775807", true}, {"-9223372036854775808", true}, {"9223372036854775808", false},
		{"0.000000000000000001", true}, {"0.0000000000000000001", false},
		{"1e0", false}, {"1E3", false}, {"1.5e-1", false}, {strings.Repeat("9", 1<<16), false},
		{"-0", true}, {"0.00", true},
	} {
		number, ok := game.ParseNumber(test.literal)
		_, _, plain := number.Decimal()
		if !ok || plain != test.plain {
			t.Errorf("%.40s: %v, plain %v, want %v", test.literal, ok, plain, test.plain)
		}
		if !plain && number.NumberText() != test.literal {
			t.Errorf("%.40s is kept as %.40s", test.literal, number.NumberText())
		}
		if _, ok := number.Units(2); ok && !plain {
			t.Errorf("%.40s has units", test.literal)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number   game.Value
		decimals uint8
		units    int64
		ok       bool
	}{
		{game.Int(5), 2, 500, true}, {game.Dec(25, 1), 2, 250, true}, {game.Dec(250, 2), 2, 250, true},
		{game.Dec(2500, 3), 2, 0, false}, {game.Int(math.MaxInt64), 0, math.MaxInt64, true},
		{game.Int(math.MaxInt64/10 + 1), 1, 0, false}, {game.Int(math.MinInt64), 1, 0, false},
		{game.Dec(-5, 1), 3, -500, true}, {game.Text("5"), 2, 0, false}, {game.Dec(1, 200), 18, 1, true},
	} {
		if units, ok := test.number.Units(test.decimals); units != test.units && ok || ok != test.ok {
			t.Errorf("%v in %d decimals: %d, %v", test.number, test.decimals, units, ok)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"0", "-1.50", "1e3", "01", "1.", ".5", "+1", "9223372036854775808"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		number, ok := game.ParseNumber(literal)
		// json.Valid also accepts other values, and surrounding blanks.
		isNumber := json.Valid([]byte(literal)) && literal != "" && strings.ContainsRune("-0123456789", rune(literal[0])) &&
			strings.TrimSpace(literal) == literal
		if ok != isNumber {
			t.Fatalf("%q: accepted %v", literal, ok)
		}
		if again, _ := game.ParseNumber(number.NumberText()); ok && !again.Equal(number) {
			t.Fatalf("%q does not read back: %v, %v", literal, number, again)
		}
	})
}

// printableValue draws values of the kinds that games make.
func printableValue(depth int) *rapid.Generator[game.Value] {
	return rapid.Custom(func(t *rapid.T) game.Value {
		most := 4
		if depth == 0 {
			most = 3
		}
		switch rapid.IntRange(0, most+1).Draw(t, "kind") {
		case 0:
			return game.Bool(rapid.Bool().Draw(t, "bool"))
		case 1:
			return game.Dec(rapid.Int64().Draw(t, "coefficient"), uint8(rapid.IntRange(0, game.ScaleMax).Draw(t, "scale")))
		case 2:
			return game.Text(rapid.String().Draw(t, "text"))
		case 3:
			return game.Value{}
		case 4:
			return game.List(rapid.SliceOfN(printableValue(max(0, depth-1)), 0, min(depth, 1)*3).Draw(t, "items")...)
		}
		var members []game.Member
		for range rapid.IntRange(0, min(depth, 1)*3).Draw(t, "members") {
			members = append(members, game.Member{Name: rapid.StringMatching(`[a-zA-Z$_][a-zA-Z0-9_ -]{0,8}`).Draw(t, "name"), Value: printableValue(max(0, depth-1)).Draw(t, "value")})
		}
		return game.Object(members...)
	})
}

func TestValuesAreReadBackFromTheirText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := printableValue(3).Draw(t, "value")
		got, ok := game.ParseValue(v.String())
		if !ok || !got.Equal(v) && got.String() != v.String() {
			t.Fatalf("%s is read back as %s, %v", v, got, ok)
		}
	})
	for _, text := range []string{
		"", "[", "]", "{", "{a}", "{a: }", "{a: 1", "[1 2]", "[1, ]", "[1,2]", "\"", `"\x"`, "nul", "1 ", "[1]]", "{a: 1}}", "01", "{[a: 1}", "[, ]",
		strings.Repeat("[", 10_000),
	} {
		if v, ok := game.ParseValue(text); ok {
			t.Errorf("%.20q is read as %s", text, v)
		}
	}
}
