package crooked_test

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object that keeps the text of its members.
type object map[string]jsontext.Value

func objectOf(text jsontext.Value) object {
	o := object{}
	must(json.Unmarshal(text, &o))
	return o
}

func (o object) set(name string, value any) { o[name] = textOf(value) }

func (o object) number(name string) (n int64) {
	must(json.Unmarshal(o[name], &n))
	return n
}

func (o object) text(name string) (text string) {
	must(json.Unmarshal(o[name], &text))
	return text
}

// within changes a nested object, if there is one.
func (o object) within(name string, change func(object)) {
	if o[name].Kind() == '{' {
		inner := objectOf(o[name])
		change(inner)
		o.set(name, inner)
	}
}

func textOf(value any) jsontext.Value {
	text, err := json.Marshal(value)
	must(err)
	return text
}

// must panics: the harness is broken, or the service answered what it never answers.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// encoding collects the canonical encoding of a leaf, as docs/fairness/receipts.md has it.
type encoding []byte

func (e *encoding) integers(values ...int64) {
	for _, v := range values {
		*e = binary.BigEndian.AppendUint64(*e, uint64(v))
	}
}

func (e *encoding) texts(values ...string) {
	for _, s := range values {
		e.integers(int64(len(s)))
		*e = append(*e, s...)
	}
}

// value adds a JSON value.
func (e *encoding) value(v jsontext.Value) {
	switch v.Kind() {
	case 'f', 't':
		e.integers(1, map[jsontext.Kind]int64{'t': 1}[v.Kind()])
	case '0':
		e.integers(2)
		e.texts(string(v))
	case '"':
		e.integers(3)
		e.texts(object{"": v}.text(""))
	case '[', '{':
		names, items := parts(v)
		e.integers(map[jsontext.Kind]int64{'[': 4, '{': 5}[v.Kind()], int64(len(items)))
		for i, item := range items {
			if v.Kind() == '{' {
				e.texts(names[i])
			}
			e.value(item)
		}
	default:
		e.integers(0)
	}
}

// parts returns the items of a list, or the members of an object in their order.
func parts(v jsontext.Value) (names []string, items []jsontext.Value) {
	from := jsontext.NewDecoder(bytes.NewReader(v))
	_, err := from.ReadToken()
	must(err)
	for from.PeekKind() != ']' && from.PeekKind() != '}' {
		if v.Kind() == '{' {
			name, err := from.ReadToken()
			must(err)
			names = append(names, name.String())
		}
		item, err := from.ReadValue()
		must(err)
		items = append(items, item.Clone())
	}
	return names, items
}

// written returns a value as the fields of events have it.
func written(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(object{"": v}.text("")) + `"`
	case '[', '{':
		names, items := parts(v)
		all := make([]string, len(items))
		for i, item := range items {
			if all[i] = written(item); names != nil {
				all[i] = names[i] + ": " + all[i]
			}
		}
		if v.Kind() == '{' {
			return "{" + strings.Join(all, ", ") + "}"
		}
		return "[" + strings.Join(all, ", ") + "]"
	case 'n', 0:
		return "absent"
	}
	return string(v)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
