package parse

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/agent"
)

// readList reads a required array of at most this many values. The body's syntax has been
// checked already.
func (f *Fields) readList(name string, most int) []jsontext.Value {
	value := f.takeRequired(name)
	if value == nil {
		return nil
	}
	if value.Kind() != '[' {
		f.Refuse(name, "must be an array")
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if _, err := d.ReadToken(); err != nil {
		f.Refuse(name, "must be an array")
	}
	all := []jsontext.Value{}
	for d.PeekKind() != ']' && f.Err == nil {
		item, err := d.ReadValue()
		if err != nil || len(all) == most {
			f.Refuse(name, "must contain at most %d values", most)
			return nil
		}
		all = append(all, item.Clone())
	}
	return all
}

// Each reads a required array of at most this many objects with the members. It calls read
// for each object until an error is set. Errors name the array and, after a dot, the
// member.
func (f *Fields) Each(name string, most int, members []string, read func(*Fields)) {
	for _, value := range f.readList(name, most) {
		inner := f.readObject(name, value, members)
		read(inner)
		if inner.Err != nil {
			f.Fail(inner.Err)
			return
		}
	}
}

// Object reads an optional object with the members.
func (f *Fields) Object(name string, members []string, read func(*Fields)) {
	value, given := f.values[name]
	if !given {
		return
	}
	if value.Kind() != '{' {
		f.Refuse(name, "must be an object")
		return
	}
	inner := f.readObject(name, value, members)
	read(inner)
	if inner.Err != nil {
		f.Fail(inner.Err)
	}
}

// Texts reads an array of at most this many texts. If read rejects a text, the error says
// must.
func (f *Fields) Texts(name string, most int, must string, read func(string) bool) {
	for _, value := range f.readList(name, most) {
		if text, isText := unquoteText(value); !isText || !read(text) {
			f.Refuse(name, "%s", must)
		}
	}
}

// readObject reads an object inside a body.
func (f *Fields) readObject(name string, value jsontext.Value, names []string) *Fields {
	inner := &Fields{asText: f.asText, Err: f.Err}
	if value.Kind() != '{' {
		f.Refuse(name, "must contain only objects")
		inner.Err = f.Err
		return inner
	}
	read, err := parseObject(value)
	inner.object, inner.prefix = read, name+"."
	if inner.Err == nil {
		inner.Err = err
	}
	inner.refuseOthers(names)
	return inner
}

// Percent reads an optional percentage from 0 to 100 with at most two decimals and without
// an exponent.
func (f *Fields) Percent(name string) *agent.Percent {
	value, given := f.values[name]
	if !given {
		return nil
	}
	whole, decimals, dotted := strings.Cut(string(value), ".")
	hundredths, ok := parseInteger(whole)
	ok = ok && hundredths >= 0 && hundredths <= 100 && (!dotted || len(decimals) > 0 && len(decimals) <= 2 && strings.Trim(decimals, "0123456789") == "")
	if !ok {
		f.Refuse(name, "must be a number from 0 to 100 with at most 2 decimals")
		return nil
	}
	percent := agent.Percent(hundredths * 100)
	for i, weight := range []agent.Percent{10, 1} {
		if i < len(decimals) {
			percent += agent.Percent(decimals[i]-'0') * weight
		}
	}
	if percent > agent.PercentMax {
		f.Refuse(name, "must be a number from 0 to 100 with at most 2 decimals")
	}
	return &percent
}

// TextOrNull reads an optional text; null becomes "".
func (f *Fields) TextOrNull(name string) *string {
	if f.Null(name) {
		empty := ""
		return &empty
	}
	return f.OptionalText(name)
}
