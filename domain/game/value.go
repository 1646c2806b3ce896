package game

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Kind is a kind of Value.
type Kind uint8

// The kinds of Value. There is no null: missing values are absent.
const (
	// Absent is the zero Value, returned by Get and At for missing members.
	Absent Kind = iota
	// BoolKind is true or false.
	BoolKind
	// NumberKind is an exact decimal that keeps its decimals: 2.50 is not 2.5.
	NumberKind
	// TextKind is a text.
	TextKind
	// ListKind is an ordered list.
	ListKind
	// ObjectKind is an object whose members keep their order.
	ObjectKind
)

// String returns the kind's name: "number", "list", ….
func (k Kind) String() string {
	names := [...]string{"nothing", "boolean", "number", "text", "list", "object"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Value is a config, an outcome, or a part of one: an immutable tree of booleans, exact
// decimals, texts, lists and objects. Accessors return the zero value if the Value is of
// another kind.
type Value struct {
	kind   Kind
	scale  uint8
	wide   bool  // a number that is stored only as text
	number int64 // the coefficient of a number, or 1 for true
	text   string
	// members are those of an object, or a list's items without names.
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Bool returns a boolean.
func Bool(b bool) Value {
	v := Value{kind: BoolKind}
	if b {
		v.number = 1
	}
	return v
}

// Int returns a number without decimals.
func Int(n int64) Value { return Value{kind: NumberKind, number: n} }

// Dec returns the number coefficient / 10^scale, written with scale decimals: Dec(250,
// 2) is 2.50. A scale above ScaleMax counts as ScaleMax.
func Dec(coefficient int64, scale uint8) Value {
	return Value{kind: NumberKind, number: coefficient, scale: min(scale, ScaleMax)}
}

// Text returns a text.
func Text(s string) Value { return Value{kind: TextKind, text: s} }

// List returns a list.
func List(items ...Value) Value {
	members := make([]Member, len(items))
	for i, item := range items {
		members[i].Value = item
	}
	return Value{kind: ListKind, members: members}
}

// Object returns an object with the members in this order. It keeps the slice, which
// must not be changed afterwards. Names should be distinct; validation refuses configs
// with repeated names.
func Object(members ...Member) Value { return Value{kind: ObjectKind, members: members} }

// Kind returns the value's kind.
func (v Value) Kind() Kind { return v.kind }

// Bool returns a boolean's value.
func (v Value) Bool() bool { return v.kind == BoolKind && v.number == 1 }

// Text returns a text's value.
func (v Value) Text() string {
	if v.kind != TextKind {
		return ""
	}
	return v.text
}

// Len returns the number of a list's items or an object's members.
func (v Value) Len() int { return len(v.members) }

// At returns the i-th item of a list or value of an object, counted from 0.
func (v Value) At(i int) Value {
	if i < 0 || i >= len(v.members) {
		return Value{}
	}
	return v.members[i].Value
}

// Items iterates over a list's items.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.kind != ListKind {
			return
		}
		for i := range v.members {
			if !yield(v.members[i].Value) {
				return
			}
		}
	}
}

// Members iterates over an object's names and values, in their order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != ObjectKind {
			return
		}
		for i := range v.members {
			if !yield(v.members[i].Name, v.members[i].Value) {
				return
			}
		}
	}
}

// Get returns the first member of an object with the name.
func (v Value) Get(name string) Value {
	if v.kind == ObjectKind {
		for i := range v.members {
			if v.members[i].Name == name {
				return v.members[i].Value
			}
		}
	}
	return Value{}
}

// Equal reports whether both trees are the same, including order and decimals: 2.5 and
// 2.50 are not equal. Validated configs are canonical, so equal meanings are equal
// values.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind || v.scale != w.scale || v.wide != w.wide || v.number != w.number ||
		v.text != w.text || len(v.members) != len(w.members) {
		return false
	}
	for i := range v.members {
		if v.members[i].Name != w.members[i].Name || !v.members[i].Value.Equal(w.members[i].Value) {
			return false
		}
	}
	return true
}

// String returns a compact text for debugging: {target: 50.00, direction: "over"}.
func (v Value) String() string {
	var text strings.Builder
	v.writeText(&text)
	return text.String()
}

func (v Value) writeText(text *strings.Builder) {
	switch v.kind {
	case BoolKind:
		text.WriteString(strconv.FormatBool(v.Bool()))
	case NumberKind:
		text.WriteString(v.NumberText())
	case TextKind:
		text.WriteString(strconv.Quote(v.text))
	case ListKind:
		v.writeMembers(text, "[", "]")
	case ObjectKind:
		v.writeMembers(text, "{", "}")
	default:
		text.WriteString("absent")
	}
}

func (v Value) writeMembers(text *strings.Builder, opening, closing string) {
	text.WriteString(opening)
	for i := range v.members {
		if i > 0 {
			text.WriteString(", ")
		}
		if v.kind == ObjectKind {
			text.WriteString(v.members[i].Name + ": ")
		}
		v.members[i].Value.writeText(text)
	}
	text.WriteString(closing)
}

// ScaleMax is the most decimals of a computable number.
const ScaleMax = 18

// ParseNumber returns the number of a JSON number literal, with its decimals, and false
// for any other text. A literal with an exponent, with more than ScaleMax decimals or of
// more than 64 bits is only stored as text: every field refuses it under the field's
// name.
func ParseNumber(literal string) (Value, bool) {
	digits := strings.TrimPrefix(literal, "-")
	mantissa, exponent, hasExponent := cutAny(digits, "eE")
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	switch {
	case !allDigits(whole), len(whole) > 1 && whole[0] == '0':
		return Value{}, false
	case hasPoint && !allDigits(fraction):
		return Value{}, false
	case hasExponent && !allDigits(trimSign(exponent)):
		return Value{}, false
	}
	asWritten := Value{kind: NumberKind, wide: true, text: literal}
	if hasExponent || len(fraction) > ScaleMax {
		return asWritten, true
	}
	coefficient, err := strconv.ParseInt(literal[:len(literal)-len(digits)]+whole+fraction, 10, 64)
	if err != nil {
		return asWritten, true
	}
	return Dec(coefficient, uint8(len(fraction))), true
}

func cutAny(text, separators string) (before, after string, found bool) {
	if i := strings.IndexAny(text, separators); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

func trimSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// Decimal returns a number as coefficient / 10^scale, and false for other kinds and
// numbers stored only as text.
func (v Value) Decimal() (coefficient int64, scale uint8, ok bool) {
	if v.kind != NumberKind || v.wide {
		return 0, 0, false
	}
	return v.number, v.scale, true
}

// Int returns a number without decimals, and false for everything else.
func (v Value) Int() (int64, bool) {
	coefficient, scale, ok := v.Decimal()
	return coefficient, ok && scale == 0
}

// Units returns a number in units of 10^-decimals: 2.5 in 2 decimals is 250. It is false
// for other kinds, for more decimals (even zeros), and out of range.
func (v Value) Units(decimals uint8) (int64, bool) {
	coefficient, scale, ok := v.Decimal()
	if !ok || scale > decimals {
		return 0, false
	}
	for range decimals - scale {
		next := coefficient * 10
		if next/10 != coefficient {
			return 0, false
		}
		coefficient = next
	}
	return coefficient, true
}

// NumberText returns a number as a JSON number literal with its decimals ("2.50"), and
// "" for other kinds.
func (v Value) NumberText() string { return string(v.AppendNumber(nil)) }

// AppendNumber appends the output of NumberText.
func (v Value) AppendNumber(to []byte) []byte {
	switch {
	case v.kind != NumberKind:
		return to
	case v.wide:
		return append(to, v.text...)
	case v.scale == 0:
		return strconv.AppendInt(to, v.number, 10)
	}
	begin := len(to)
	to = strconv.AppendInt(to, v.number, 10)
	if v.number < 0 {
		begin++
	}
	for len(to)-begin <= int(v.scale) {
		to = slices.Insert(to, begin, '0')
	}
	return slices.Insert(to, len(to)-int(v.scale), '.')
}

// nestedMax is the greatest depth of a parsed value.
const nestedMax = 64

// ParseValue parses the form of String, if no member's name contains a colon or a
// bracket, as in all games; false for any other text.
func ParseValue(text string) (Value, bool) {
	v, rest, ok := parseValue(text, nestedMax)
	return v, ok && rest == ""
}

func parseValue(text string, depth int) (v Value, rest string, ok bool) {
	switch {
	case text == "" || depth == 0:
		return Value{}, text, false
	case text[0] == '[':
		members, rest, ok := parseMembers(text[1:], ']', depth)
		return Value{kind: ListKind, members: members}, rest, ok
	case text[0] == '{':
		members, rest, ok := parseMembers(text[1:], '}', depth)
		return Value{kind: ObjectKind, members: members}, rest, ok
	case text[0] == '"':
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return Value{}, text, false
		}
		content, err := strconv.Unquote(quoted)
		return Text(content), text[len(quoted):], err == nil
	}
	end := strings.IndexAny(text, ",]}")
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	switch word {
	case "true", "false":
		return Bool(word == "true"), rest, true
	case "absent":
		return Value{}, rest, true
	}
	v, ok = ParseNumber(word)
	return v, rest, ok
}

// parseMembers parses the text between brackets.
func parseMembers(text string, closing byte, depth int) (members []Member, rest string, ok bool) {
	members = []Member{}
	if text != "" && text[0] == closing {
		return members, text[1:], true
	}
	for {
		var m Member
		if closing == '}' {
			if m.Name, text, ok = strings.Cut(text, ": "); !ok || strings.ContainsAny(m.Name, "[]{}\",:") {
				return nil, text, false
			}
		}
		if m.Value, text, ok = parseValue(text, depth-1); !ok || text == "" {
			return nil, text, false
		}
		members = append(members, m)
		if text[0] == closing {
			return members, text[1:], true
		}
		if text, ok = strings.CutPrefix(text, ", "); !ok {
			return nil, text, false
		}
	}
}
