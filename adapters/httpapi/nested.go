package httpapi

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/agent"
)

// list reads a required array of at most so many values. Its syntax was checked
// with the body's.
func (f *fields) list(name string, most int) []jsontext.Value {
	value := f.take(name)
	if value == nil {
		return nil
	}
	if value.Kind() != '[' {
		f.refuse(name, "must be an array")
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if _, err := d.ReadToken(); err != nil {
		f.refuse(name, "must be an array")
	}
	all := []jsontext.Value{}
	for d.PeekKind() != ']' && f.err == nil {
		item, err := d.ReadValue()
		if err != nil || len(all) == most {
			f.refuse(name, "must hold at most %d values", most)
			return nil
		}
		all = append(all, item.Clone())
	}
	return all
}

// nested reads an object inside a body. Its refusals name the outer member, with
// the inner one after a dot.
func (f *fields) nested(name string, value jsontext.Value, names ...string) *fields {
	inner := &fields{err: f.err}
	if value.Kind() != '{' {
		f.refuse(name, "must hold objects")
		inner.err = f.err
		return inner
	}
	read, err := parseObject(value)
	inner.object, inner.prefix = read, name+"."
	if inner.err == nil {
		inner.err = err
	}
	inner.only(names)
	return inner
}

// percent reads an optional percentage from 0 to 100 with at most two decimals,
// written without an exponent.
func (f *fields) percent(name string) *agent.Percent {
	value, given := f.values[name]
	if !given {
		return nil
	}
	whole, decimals, dotted := strings.Cut(string(value), ".")
	hundredths, ok := parseInteger(whole)
	ok = ok && hundredths >= 0 && hundredths <= 100 && (!dotted || len(decimals) > 0 && len(decimals) <= 2 && strings.Trim(decimals, "0123456789") == "")
	if !ok {
		f.refuse(name, "must be a number from 0 to 100 with at most 2 decimals")
		return nil
	}
	percent := agent.Percent(hundredths * 100)
	for i, weight := range []agent.Percent{10, 1} {
		if i < len(decimals) {
			percent += agent.Percent(decimals[i]-'0') * weight
		}
	}
	if percent > agent.PercentMax {
		f.refuse(name, "must be a number from 0 to 100 with at most 2 decimals")
	}
	return &percent
}

// textOrNull reads an optional text; null is the empty one.
func (f *fields) textOrNull(name string) *string {
	if value, given := f.values[name]; given && value.Kind() == 'n' {
		empty := ""
		return &empty
	}
	return f.optionalText(name)
}
