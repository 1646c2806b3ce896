package shape

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode writes a value as JSON. With asText, members tagged `units:"base"` (amounts and
// their sums) become decimal strings.
func Encode(to io.Writer, of any, asText bool) error {
	if !asText {
		return json.MarshalWrite(to, of, json.Deterministic(true))
	}
	text, err := json.Marshal(of, json.Deterministic(true))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	c := quoter{jsontext.NewDecoder(bytes.NewReader(text)), jsontext.NewEncoder(&out)}
	if err := c.copy(reflect.ValueOf(of), false); err != nil {
		return err
	}
	_, err = to.Write(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
	return err
}

// quoter copies JSON and quotes its amounts, which it recognizes by the encoded Go value.
type quoter struct {
	from *jsontext.Decoder
	to   *jsontext.Encoder
}

func (c quoter) copy(of reflect.Value, amount bool) error {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Interface {
		of = of.Elem()
	}
	if of.IsValid() && of.CanInterface() {
		if other, ok := of.Interface().(interface{ Shape() any }); ok {
			of = reflect.ValueOf(other.Shape())
		}
	}
	kind := c.from.PeekKind()
	if kind == '{' && of.Kind() == reflect.Struct || kind == '[' && of.Kind() == reflect.Slice && of.Type().Elem().Kind() != reflect.Uint8 {
		return c.members(of)
	}
	value, err := c.from.ReadValue()
	if err != nil {
		return err
	}
	if amount && kind == '0' {
		return c.to.WriteToken(jsontext.String(string(value)))
	}
	return c.to.WriteValue(value)
}

// members copies an object or an array.
func (c quoter) members(of reflect.Value) error {
	values, amounts := map[string]reflect.Value{}, map[string]bool{}
	if of.Kind() == reflect.Struct {
		walkFields(of, "json", func(name string, field reflect.StructField, value reflect.Value) {
			values[name], amounts[name] = value, field.Tag.Get("units") == "base"
		})
	}
	err := c.token()
	for at := 0; err == nil && c.from.PeekKind() != '}' && c.from.PeekKind() != ']'; at++ {
		if of.Kind() == reflect.Slice {
			err = c.copy(of.Index(at), false)
			continue
		}
		var name jsontext.Value
		if name, err = c.from.ReadValue(); err == nil {
			known := bytes.Trim(name, `"`)
			err = errors.Join(c.to.WriteValue(name), c.copy(values[string(known)], amounts[string(known)]))
		}
	}
	if err != nil {
		return err
	}
	return c.token()
}

func (c quoter) token() error {
	token, err := c.from.ReadToken()
	if err != nil {
		return err
	}
	return c.to.WriteToken(token)
}
