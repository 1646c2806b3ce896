// Package wire encodes as JSON the values that both the HTTP adapter and the stores write:
// configs and outcomes, multipliers, and the answers stored with unique keys.
//
// Numbers are exact decimals with the digits they were written with, never floats. Only
// adapters may import it.
package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// ValueBytesMax and ValueDepthMax bound what DecodeValue accepts.
const (
	ValueBytesMax = 64 << 10
	ValueDepthMax = 32
)

// EncodeValue returns the value as compact JSON: members in their order,
// numbers with their decimals. An absent value is null.
func EncodeValue(v game.Value) []byte {
	return AppendValue(make([]byte, 0, 64), v) // room for most configs and outcomes
}

// AppendValue appends the output of EncodeValue. Invalid UTF-8 in a text becomes U+FFFD;
// decoded texts never contain any.
func AppendValue(to []byte, v game.Value) []byte {
	switch v.Kind() {
	case game.BoolKind:
		return strconv.AppendBool(to, v.Bool())
	case game.NumberKind:
		return v.AppendNumber(to)
	case game.TextKind:
		return appendText(to, v.Text())
	case game.ListKind:
		to = append(to, '[')
		for i := range v.Len() {
			if i > 0 {
				to = append(to, ',')
			}
			to = AppendValue(to, v.At(i))
		}
		return append(to, ']')
	case game.ObjectKind:
		to = append(to, '{')
		first := true
		for name, member := range v.Members() {
			if !first {
				to = append(to, ',')
			}
			first = false
			to = append(appendText(to, name), ':')
			to = AppendValue(to, member)
		}
		return append(to, '}')
	default:
		return append(to, "null"...)
	}
}

func appendText(to []byte, text string) []byte {
	// The error only reports replaced bytes; the text is written anyway.
	to, _ = jsontext.AppendQuote(to, text)
	return to
}

// DecodeValue reads exactly one JSON value. Duplicate names, invalid UTF-8, null inside
// another value, more than ValueBytesMax bytes and more than ValueDepthMax levels are
// faults of kind Invalid. A number keeps its digits. One with an exponent or too many
// digits is kept as written, so that the config's field can reject it by name. A lone null
// is the absent value.
func DecodeValue(text []byte) (game.Value, error) {
	if len(text) > ValueBytesMax {
		return game.Value{}, fault.New(fault.Invalid, "must have at most %d bytes", ValueBytesMax)
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(text))
	if d.PeekKind() == 'n' {
		if _, err := d.ReadToken(); err != nil {
			return game.Value{}, refused(err)
		}
		return game.Value{}, ended(d)
	}
	v, err := readValue(d)
	if err != nil {
		return game.Value{}, err
	}
	return v, ended(d)
}

// decoders are reused: making a decoder takes as long as reading a small value.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

func ended(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return fault.New(fault.Invalid, "must be one JSON value with nothing after it")
	}
	return nil
}

func refused(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fault.New(fault.Invalid, "must not give a name twice")
	case errors.As(err, &syntax):
		return fault.New(fault.Invalid, "must be JSON in UTF-8: wrong at byte %d", syntax.ByteOffset)
	}
	return fault.New(fault.Invalid, "must be JSON in UTF-8")
}

func readValue(d *jsontext.Decoder) (game.Value, error) {
	token, err := d.ReadToken()
	if err != nil {
		return game.Value{}, refused(err)
	}
	switch kind := token.Kind(); kind {
	case 't', 'f':
		return game.Bool(kind == 't'), nil
	case '"':
		return game.Text(token.String()), nil
	case '0':
		number, ok := game.ParseNumber(token.String())
		if !ok {
			return game.Value{}, fault.New(fault.Invalid, "must be JSON: not a number")
		}
		return number, nil
	case '[', '{':
		if d.StackDepth() > ValueDepthMax {
			return game.Value{}, fault.New(fault.Invalid, "must be nested at most %d deep", ValueDepthMax)
		}
		if kind == '[' {
			return readList(d)
		}
		return readObject(d)
	default:
		return game.Value{}, fault.New(fault.Invalid, "must not hold null")
	}
}

func readList(d *jsontext.Decoder) (game.Value, error) {
	var items []game.Value
	for d.PeekKind() != ']' {
		item, err := readValue(d)
		if err != nil {
			return game.Value{}, err
		}
		items = append(items, item)
	}
	if _, err := d.ReadToken(); err != nil {
		return game.Value{}, refused(err)
	}
	return game.List(items...), nil
}

func readObject(d *jsontext.Decoder) (game.Value, error) {
	var members []game.Member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return game.Value{}, refused(err)
		}
		text := name.String() // the token is valid only until the decoder reads on
		value, err := readValue(d)
		if err != nil {
			return game.Value{}, err
		}
		members = append(members, game.Member{Name: text, Value: value})
	}
	if _, err := d.ReadToken(); err != nil {
		return game.Value{}, refused(err)
	}
	return game.Object(members...), nil
}

// AppendRatio appends a ratio as the JSON number of its NumberText. It is a number even
// when no decimal is exact, because clients read multipliers as numbers.
func AppendRatio(to []byte, r money.Ratio) []byte { return append(to, r.NumberText()...) }
