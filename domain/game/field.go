package game

import (
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/fault"
)

// Field declares one field of a config.
type Field struct {
	// Name is the member's name in the config.
	Name string
	// Title and Description are for readers of the published schema.
	Title, Description string
	// Shape is the set of the field's values.
	Shape Shape
	// Default is used if the field is left out. Without one the field is required, unless
	// it is Optional.
	Default Value
	// Optional allows the field to be absent; the game then decides.
	Optional bool
}

// Shape is a set of values: one of Flag, Number, Choice, ListOf and Record. The
// set is closed, and shapes nest.
type Shape interface {
	// normalize returns the value in canonical form, or its error.
	normalize(v Value) (Value, *misfit)
	// schema returns the shape's JSON Schema keywords.
	schema() []Member
}

// misfit describes an invalid value and its place within the field: "[2].amount".
type misfit struct{ where, what string }

func newMisfit(what string) *misfit { return &misfit{what: what} }

func (m *misfit) withinField(where string) *misfit {
	return &misfit{where: where + m.where, what: m.what}
}

// Flag is a boolean.
type Flag struct{}

func (Flag) normalize(v Value) (Value, *misfit) {
	if v.kind != BoolKind {
		return Value{}, newMisfit("must be true or false")
	}
	return v, nil
}

// Number is an exact decimal with at most Decimals decimals between Min and Max, both
// inclusive and in units of the last decimal: with two decimals, 1 … 9999 is 0.01 …
// 99.99. With Decimals 0 it is an integer.
type Number struct {
	Min, Max int64
	Decimals uint8
}

func (n Number) normalize(v Value) (Value, *misfit) {
	// Units refuses anything but numbers, and numbers with more decimals.
	units, ok := v.Units(n.Decimals)
	if !ok || units < n.Min || units > n.Max {
		return Value{}, newMisfit(n.describe())
	}
	return Dec(units, n.Decimals), nil
}

func (n Number) describe() string {
	what := "must be a number"
	if n.Decimals == 0 {
		what = "must be an integer"
	}
	what += " from " + Dec(n.Min, n.Decimals).NumberText() + " to " + Dec(n.Max, n.Decimals).NumberText()
	if n.Decimals > 0 {
		what += " with at most " + strconv.Itoa(int(n.Decimals)) + " decimals"
	}
	return what
}

// Choice is one of a few values, all texts or all integers.
type Choice struct{ Of []Value }

// TextChoice returns a choice of texts.
func TextChoice(texts ...string) Choice {
	choice := Choice{Of: make([]Value, len(texts))}
	for i, text := range texts {
		choice.Of[i] = Text(text)
	}
	return choice
}

// IntChoice returns a choice of integers.
func IntChoice(numbers ...int64) Choice {
	choice := Choice{Of: make([]Value, len(numbers))}
	for i, number := range numbers {
		choice.Of[i] = Int(number)
	}
	return choice
}

func (c Choice) normalize(v Value) (Value, *misfit) {
	for _, option := range c.Of {
		if v.Equal(option) {
			return option, nil
		}
	}
	options := make([]string, len(c.Of))
	for i, option := range c.Of {
		options[i] = option.String()
	}
	return Value{}, newMisfit("must be one of " + strings.Join(options, ", "))
}

// ListOf is a list of MinItems … MaxItems values of one shape in any order, without
// repeats if Distinct.
type ListOf struct {
	Item               Shape
	MinItems, MaxItems int
	Distinct           bool
}

func (l ListOf) normalize(v Value) (Value, *misfit) {
	if v.kind != ListKind {
		return Value{}, newMisfit("must be a list")
	}
	// The length is checked first, so that a list of a million items costs nothing.
	if v.Len() < l.MinItems || v.Len() > l.MaxItems {
		return Value{}, newMisfit("must have " + strconv.Itoa(l.MinItems) + " to " + strconv.Itoa(l.MaxItems) + " items")
	}
	items := make([]Value, v.Len())
	for i := range items {
		item, problem := l.Item.normalize(v.At(i))
		if problem != nil {
			return Value{}, problem.withinField("[" + strconv.Itoa(i) + "]")
		}
		for j := range i {
			if l.Distinct && items[j].Equal(item) {
				return Value{}, newMisfit("must not repeat").withinField("[" + strconv.Itoa(i) + "]")
			}
		}
		items[i] = item
	}
	return List(items...), nil
}

// Record is an object with declared fields.
type Record struct{ Fields []Field }

func (r Record) normalize(v Value) (Value, *misfit) {
	if v.kind != ObjectKind {
		return Value{}, newMisfit("must be an object")
	}
	for i := range v.members {
		if !declaresField(r.Fields, v.members[i].Name) {
			return Value{}, newMisfit("is unknown").withinField("." + shortenName(v.members[i].Name))
		}
	}
	members := make([]Member, 0, len(r.Fields))
	for i := range r.Fields {
		field := &r.Fields[i]
		value, times := countMembers(v, field.Name)
		switch {
		case times > 1:
			return Value{}, newMisfit("is given more than once").withinField("." + field.Name)
		case times == 1:
			normal, problem := field.Shape.normalize(value)
			if problem != nil {
				return Value{}, problem.withinField("." + field.Name)
			}
			members = append(members, Member{field.Name, normal})
		case field.Default.kind != Absent:
			members = append(members, Member{field.Name, field.Default})
		case !field.Optional:
			return Value{}, newMisfit("is required").withinField("." + field.Name)
		}
	}
	return Object(members...), nil
}

func declaresField(fields []Field, name string) bool {
	for i := range fields {
		if fields[i].Name == name {
			return true
		}
	}
	return false
}

// countMembers returns the last member with the name, and their number.
func countMembers(v Value, name string) (last Value, times int) {
	for i := range v.members {
		if v.members[i].Name == name {
			last = v.members[i].Value
			times++
		}
	}
	return last, times
}

// nameMax is how many bytes of an unknown field's name a refusal shows.
const nameMax = 64

func shortenName(name string) string {
	if len(name) > nameMax {
		name = name[:nameMax] + "…"
	}
	return strings.ToValidUTF8(name, "�")
}

// Normalize validates a config against the declared fields and returns it in canonical
// form: every field in declared order, defaults filled in, numbers with all their
// decimals. An absent config counts as an empty one.
//
// A refusal is a fault of kind Invalid. Details["field"] is "config.<field>" for the
// outermost invalid field, or "config" if it isn't an object; the message names the
// place inside. Unknown fields are checked first, then the fields in declared order.
func Normalize(fields []Field, config Value) (Value, error) {
	if config.kind == Absent {
		config = Object()
	}
	normal, problem := Record{Fields: fields}.normalize(config)
	if problem == nil {
		return normal, nil
	}
	field, inside := "config", ""
	if name, isField := strings.CutPrefix(problem.where, "."); isField {
		if end := strings.IndexAny(name, ".["); end >= 0 && declaresField(fields, name[:end]) {
			name, inside = name[:end], name[end:]+" "
		}
		field += "." + name
	}
	return Value{}, fault.Field(field, "%s%s", inside, problem.what)
}

// schemaDialect is the JSON Schema dialect of published schemas.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the JSON Schema (draft 2020-12) of a config with these fields, as a
// tree that adapters encode. It expresses all checks of Normalize except two that a
// schema can't: too many decimals (2.500 where 2.50 is valid), and the refusals of a
// game's own Plan.
func Schema(fields []Field) Value {
	members := []Member{{"$schema", Text(schemaDialect)}}
	return Object(append(members, Record{Fields: fields}.schema()...)...)
}

func (Flag) schema() []Member { return []Member{{"type", Text("boolean")}} }

func (n Number) schema() []Member {
	kind := "number"
	if n.Decimals == 0 {
		kind = "integer"
	}
	return []Member{
		{"type", Text(kind)},
		{"minimum", Dec(n.Min, n.Decimals)},
		{"maximum", Dec(n.Max, n.Decimals)},
		{"multipleOf", Dec(1, n.Decimals)},
	}
}

func (c Choice) schema() []Member {
	kind := "string"
	if len(c.Of) > 0 && c.Of[0].kind == NumberKind {
		kind = "integer"
	}
	return []Member{{"type", Text(kind)}, {"enum", List(c.Of...)}}
}

func (l ListOf) schema() []Member {
	members := []Member{
		{"type", Text("array")},
		{"items", Object(l.Item.schema()...)},
		{"minItems", Int(int64(l.MinItems))},
		{"maxItems", Int(int64(l.MaxItems))},
	}
	if l.Distinct {
		members = append(members, Member{"uniqueItems", Bool(true)})
	}
	return members
}

func (r Record) schema() []Member {
	properties := make([]Member, len(r.Fields))
	var required []Value
	for i := range r.Fields {
		field := &r.Fields[i]
		properties[i] = Member{field.Name, field.schema()}
		if field.Default.kind == Absent && !field.Optional {
			required = append(required, Text(field.Name))
		}
	}
	members := []Member{{"type", Text("object")}, {"properties", Object(properties...)}}
	if len(required) > 0 {
		members = append(members, Member{"required", List(required...)})
	}
	return append(members, Member{"additionalProperties", Bool(false)})
}

func (f *Field) schema() Value {
	var members []Member
	if f.Title != "" {
		members = append(members, Member{"title", Text(f.Title)})
	}
	if f.Description != "" {
		members = append(members, Member{"description", Text(f.Description)})
	}
	members = append(members, f.Shape.schema()...)
	if f.Default.kind != Absent {
		members = append(members, Member{"default", f.Default})
	}
	return Object(members...)
}
