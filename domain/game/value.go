package game

import (
	"iter"
	"strconv"
	"strings"
)

// Kind is a kind of Value.
type Kind uint8

// The kinds of Value. There is no null: what isn't there is absent.
const (
	// Absent is the zero Value: what Get and At return for what isn't there.
	Absent Kind = iota
	// BoolKind is true or false.
	BoolKind
	// NumberKind is an exact decimal that remembers its decimals: 2.50 is not 2.5.
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

// Value is a config, an outcome, or a part of one: an immutable tree of
// booleans, exact decimals, texts, lists and objects. Accessors are total: they
// return the zero of what was asked for when the value is of another kind.
type Value struct {
	kind   Kind
	scale  uint8
	wide   bool  // a number that is kept as written only
	number int64 // the coefficient of a number, or 1 for true
	text   string
	// members are those of an object, or of a list, whose members have no name.
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

// Dec returns the number coefficient / 10^scale, written with scale decimals:
// Dec(250, 2) is 2.50. A scale above ScaleMax is taken as ScaleMax.
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

// Object returns an object with the members in this order. It keeps the slice,
// which must not be changed afterwards. Names should be distinct; validation
// refuses a config where they are not.
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

// Len returns how many items a list, or members an object, has.
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

// Equal reports whether both trees are the same, order and decimals included:
// 2.5 and 2.50 are not equal. Validated configs are canonical, so equal ones
// mean the same.
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

// String returns a compact text for people who debug: {target: 50.00,
// direction: "over"}. It is not an encoding.
func (v Value) String() string {
	var text strings.Builder
	v.write(&text)
	return text.String()
}

func (v Value) write(text *strings.Builder) {
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
		v.members[i].Value.write(text)
	}
	text.WriteString(closing)
}
