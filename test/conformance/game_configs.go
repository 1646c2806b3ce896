package conformance

import (
	"math"
	"slices"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

const (
	// configsAtRandom is how many configs with all fields random are tried, besides those that
	// change one field.
	configsAtRandom = 24
	// choicesMax is how many options of a choice are tried, numbersAtRandom how many numbers
	// between the limits.
	choicesMax, numbersAtRandom = 16, 4
)

// declaredConfigs returns the empty config and others that the fields allow.
func declaredConfigs(fields []game.Field, rules string) []game.Value {
	draws := fairness.NewStream(fairness.ServerSeedFromText("configs"), rules, 0)
	all := append([]game.Value{game.Object()}, oneFieldEach(fields, nil, draws)...)
	if len(fields) > 0 {
		for range configsAtRandom {
			all = append(all, anyRecord(fields, draws))
		}
	}
	return distinct(all)
}

func distinct(values []game.Value) (kept []game.Value) {
	for _, v := range values {
		if !slices.ContainsFunc(kept, v.Equal) {
			kept = append(kept, v)
		}
	}
	return kept
}

// oneFieldEach returns the base with each field set to each of its values.
func oneFieldEach(fields []game.Field, base []game.Member, draws game.Draws) (all []game.Value) {
	for _, f := range fields {
		for _, v := range fitting(f.Shape, 1, draws) {
			all = append(all, with(base, f.Name, v))
		}
	}
	return all
}

// with returns the object of the members with one of them set.
func with(base []game.Member, name string, v game.Value) game.Value {
	members := slices.DeleteFunc(slices.Clone(base), func(m game.Member) bool { return m.Name == name })
	return game.Object(append(members, game.Member{Name: name, Value: v})...)
}

// anyRecord sets every field to one of its values.
func anyRecord(fields []game.Field, draws game.Draws) game.Value {
	var members []game.Member
	for _, f := range fields {
		if values := fitting(f.Shape, 1, draws); len(values) > 0 {
			members = append(members, game.Member{Name: f.Name, Value: values[draws.Pick(uint32(len(values)))]})
		}
	}
	return game.Object(members...)
}

// fitting returns values of a shape: its limits and some between, at least atLeast if there are
// as many.
func fitting(shape game.Shape, atLeast int, draws game.Draws) []game.Value {
	switch shape := shape.(type) {
	case game.Flag:
		return []game.Value{game.Bool(false), game.Bool(true)}
	case game.Number:
		return fittingNumbers(shape, atLeast, draws)
	case game.Choice:
		options := slices.Clone(shape.Of)
		return options[:min(len(options), max(atLeast, choicesMax))]
	case game.ListOf:
		return fittingLists(shape, draws)
	case game.Record:
		base := requiredMembers(shape.Fields, draws)
		return append([]game.Value{game.Object(base...)}, oneFieldEach(shape.Fields, base, draws)...)
	}
	return nil
}

func fittingNumbers(shape game.Number, atLeast int, draws game.Draws) (all []game.Value) {
	if shape.Min > shape.Max {
		return nil
	}
	span := uint64(shape.Max) - uint64(shape.Min)
	offsets := []uint64{0, span, 1, span - 1, span / 2}
	for range numbersAtRandom {
		offsets = append(offsets, uint64(draws.Next())<<32|uint64(draws.Next()))
	}
	for i := range atLeast {
		offsets = append(offsets, uint64(i))
	}
	for _, offset := range offsets {
		if span < math.MaxUint64 {
			offset %= span + 1
		}
		all = append(all, game.Dec(int64(uint64(shape.Min)+offset), shape.Decimals))
	}
	return distinct(all)
}

// fittingLists returns the shortest and the longest list, in both directions.
func fittingLists(shape game.ListOf, draws game.Draws) (all []game.Value) {
	items := fitting(shape.Item, shape.MaxItems, draws)
	if len(items) == 0 {
		return nil
	}
	for _, length := range []int{shape.MinItems, shape.MaxItems} {
		if shape.Distinct {
			length = min(length, len(items))
		}
		list := make([]game.Value, length)
		for i := range list {
			list[i] = items[i%len(items)]
		}
		all = append(all, game.List(list...))
		slices.Reverse(list)
		all = append(all, game.List(list...))
	}
	return distinct(all)
}

// requiredMembers returns the members that a record must have.
func requiredMembers(fields []game.Field, draws game.Draws) (members []game.Member) {
	for _, f := range fields {
		if values := fitting(f.Shape, 1, draws); f.Default.Kind() == game.Absent && !f.Optional && len(values) > 0 {
			members = append(members, game.Member{Name: f.Name, Value: values[0]})
		}
	}
	return members
}

// strangeConfigs returns configs that the fields don't allow.
func strangeConfigs(fields []game.Field) []game.Value {
	return misfits(game.Record{Fields: fields}, fairness.NewStream(fairness.ServerSeedFromText("configs"), "strange", 0))
}

// misfits returns values that a shape refuses: of other kinds, out of range, with more decimals,
// of other lengths, with unknown members, and so on for nested shapes.
func misfits(shape game.Shape, draws game.Draws) []game.Value {
	var all []game.Value
	for _, v := range []game.Value{game.Bool(true), game.Int(0), game.Text(""), game.List(), game.Object()} {
		if v.Kind() != kindOf(shape) {
			all = append(all, v)
		}
	}
	switch shape := shape.(type) {
	case game.Number:
		all = append(all, strangeNumbers(shape)...)
	case game.Choice:
		unlike := []game.Value{game.Int(math.MinInt64 + 1), game.Text("no such option"), game.Int(math.MaxInt64)}
		all = append(all, slices.DeleteFunc(unlike, func(v game.Value) bool { return slices.ContainsFunc(shape.Of, v.Equal) })...)
	case game.ListOf:
		all = append(all, strangeLists(shape, draws)...)
	case game.Record:
		all = append(all, strangeRecords(shape, draws)...)
	}
	return all
}

// kindOf returns the kind of a shape's values; a choice has its options' kind.
func kindOf(shape game.Shape) game.Kind {
	switch shape := shape.(type) {
	case game.Flag:
		return game.BoolKind
	case game.Number:
		return game.NumberKind
	case game.Choice:
		if len(shape.Of) > 0 {
			return shape.Of[0].Kind()
		}
	case game.ListOf:
		return game.ListKind
	case game.Record:
		return game.ObjectKind
	}
	return game.Absent
}

func strangeNumbers(shape game.Number) (all []game.Value) {
	if shape.Min > math.MinInt64 {
		all = append(all, game.Dec(shape.Min-1, shape.Decimals))
	}
	if shape.Max < math.MaxInt64 {
		all = append(all, game.Dec(shape.Max+1, shape.Decimals))
	}
	if shape.Decimals < game.ScaleMax && shape.Min > math.MinInt64/10 && shape.Min < math.MaxInt64/10 {
		all = append(all, game.Dec(shape.Min*10, shape.Decimals+1))
	}
	for _, literal := range []string{"1e0", "99999999999999999999", "-99999999999999999999", "0.0000000000000000000"} {
		if v, ok := game.ParseNumber(literal); ok {
			all = append(all, v)
		}
	}
	return all
}

func strangeLists(shape game.ListOf, draws game.Draws) (all []game.Value) {
	items := fitting(shape.Item, shape.MaxItems+1, draws)
	if len(items) == 0 {
		return nil
	}
	list := make([]game.Value, shape.MaxItems+1)
	for i := range list {
		list[i] = items[i%len(items)]
	}
	all = append(all, game.List(list...))
	if shape.MinItems > 0 {
		all = append(all, game.List(list[:shape.MinItems-1]...))
	}
	if shape.Distinct && shape.MaxItems > 1 {
		repeated := slices.Clone(list[:max(shape.MinItems, 2)])
		repeated[1] = repeated[0]
		all = append(all, game.List(repeated...))
	}
	for _, item := range misfits(shape.Item, draws) {
		wrong := slices.Clone(list[:max(shape.MinItems, 1)])
		wrong[len(wrong)-1] = item
		all = append(all, game.List(wrong...))
	}
	return all
}

func strangeRecords(shape game.Record, draws game.Draws) (all []game.Value) {
	base := requiredMembers(shape.Fields, draws)
	all = append(all, with(base, "no such field", game.Int(1)), with(base, "", game.Int(1)))
	for _, f := range shape.Fields {
		for _, v := range misfits(f.Shape, draws) {
			all = append(all, with(base, f.Name, v))
		}
		if values := fitting(f.Shape, 1, draws); len(values) > 0 {
			member := game.Member{Name: f.Name, Value: values[0]}
			all = append(all, game.Object(append(slices.Clone(base), member, member)...))
		}
	}
	for i := range base {
		all = append(all, game.Object(slices.Delete(slices.Clone(base), i, i+1)...))
	}
	return all
}
