package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
)

// EncodeFields returns the fields of an event as a compact JSON object, in their order.
func EncodeFields(fields []event.Field) []byte {
	to := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendText(to, f.Name), ':')
		to = appendText(to, f.Value)
	}
	return append(to, '}')
}

// DecodeFields reads the output of EncodeFields.
func DecodeFields(text []byte) ([]event.Field, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, fault.New(fault.Invalid, "the fields of an event are not a JSON object")
	}
	var fields []event.Field
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, refused(err)
		}
		f := event.Field{Name: name.String()}
		value, err := d.ReadToken()
		if err != nil || value.Kind() != '"' {
			return nil, fault.New(fault.Invalid, "field %q of an event is not a string", f.Name)
		}
		f.Value = value.String()
		fields = append(fields, f)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, refused(err)
	}
	return fields, ended(d)
}
