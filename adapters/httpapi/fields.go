package httpapi

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// fields reads the members of a body in the order they are asked for, which is
// the order of the interface. The first refusal stays in err; what is read after
// it is worthless.
type fields struct {
	object
	// prefix stands before the names of members that are refused.
	prefix string
	err    error
}

// body reads the request's body and refuses members other than those named.
func (r *request) body(names ...string) *fields { return r.fields(false, names) }

// optionalBody is body for requests that may come without one.
func (r *request) optionalBody(names ...string) *fields { return r.fields(true, names) }

func (r *request) fields(mayBeEmpty bool, names []string) *fields {
	read, err := r.readObject(mayBeEmpty)
	f := &fields{object: read, err: err}
	f.only(names)
	return f
}

// only refuses members other than those named.
func (f *fields) only(names []string) {
	for _, name := range f.names {
		if !slices.Contains(names, name) {
			f.refuse(shorten(name), "is unknown")
		}
	}
}

func (f *fields) refuse(name, format string, args ...any) {
	f.fail(fault.Field(f.prefix+name, format, args...))
}

func (f *fields) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// take returns a required member; the zero Value when it is missing.
func (f *fields) take(name string) jsontext.Value {
	value, given := f.values[name]
	if !given {
		f.refuse(name, "is required")
	}
	return value
}

// text reads a required text that is not empty.
func (f *fields) text(name string) string {
	value := f.take(name)
	text, ok := unquote(value)
	switch {
	case value == nil:
	case !ok:
		f.refuse(name, "must be a text")
	case text == "":
		f.refuse(name, "must not be empty")
	}
	return text
}

// optionalText reads a text that may be left out but not be null.
func (f *fields) optionalText(name string) *string {
	value, given := f.values[name]
	if !given {
		return nil
	}
	text, ok := unquote(value)
	if !ok {
		f.refuse(name, "must be a text")
	}
	return &text
}

// limited reads an optional text of 1 to most characters; empty when left out.
func (f *fields) limited(name string, most int) string {
	text := f.optionalText(name)
	if text == nil {
		return ""
	}
	if n := utf8.RuneCountInString(*text); n < 1 || n > most {
		f.refuse(name, "must have 1 to %d characters", most)
	}
	return *text
}

func unquote(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}

// boolean reads a required true or false.
func (f *fields) boolean(name string) bool {
	value := f.take(name)
	if kind := value.Kind(); value != nil && kind != 't' && kind != 'f' {
		f.refuse(name, "must be true or false")
	}
	return value.Kind() == 't'
}

// integer reads a required integer from least to most. It must be written as
// one: a fraction, an exponent, -0, a text and null are refused.
func (f *fields) integer(name string, least, most int64) int64 {
	value := f.take(name)
	if value == nil {
		return 0
	}
	number, ok := parseInteger(string(value))
	if !ok || number < least || number > most {
		f.refuse(name, "must be an integer from %d to %d, without fraction or exponent", least, most)
	}
	return number
}

// parseInteger reads plain decimal digits with an optional minus, as JSON
// writes them: no leading zeros, no +, no -0. It never goes through a float.
func parseInteger(text string) (int64, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' || text == "-0" {
		return 0, false
	}
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil
}

// amount reads a required amount of money in base units.
func (f *fields) amount(name string) int64 { return f.integer(name, 1, math.MaxInt64) }

// token reads the required mint "token".
func (f *fields) token() string {
	text := f.text("token")
	if _, err := money.ParseToken(text); f.err == nil && err != nil {
		f.fail(err)
	}
	return text
}

// wallet reads the required address "wallet".
func (f *fields) wallet() string {
	text := f.text("wallet")
	if _, err := wallet.Parse(text); f.err == nil && err != nil {
		f.fail(err)
	}
	return text
}

// signature reads the standard padded base64 of the 64 bytes of a signature.
func (f *fields) signature() []byte {
	const rawBytes = 64
	text := f.text("signature")
	// Go's decoder skips line ends even when strict; the length leaves no room for one.
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if f.err == nil && (err != nil || len(raw) != rawBytes || len(text) != base64.StdEncoding.EncodedLen(rawBytes)) {
		f.refuse("signature", "must be the standard padded base64 of %d bytes", rawBytes)
	}
	return raw
}

// clientSeed reads the optional client seed; with required it must be there.
func (f *fields) clientSeed(required bool) *string {
	if required {
		f.take("clientSeed")
	}
	text := f.optionalText("clientSeed")
	if text == nil {
		return nil
	}
	if _, err := fairness.ParseClientSeed(*text); f.err == nil && err != nil {
		f.fail(err)
	}
	return text
}

// config reads the optional game config, an object; absent when left out.
func (f *fields) config() game.Value {
	text, given := f.values["config"]
	if !given {
		return game.Value{}
	}
	value, err := wire.DecodeValue(text)
	switch {
	case text.Kind() != '{':
		f.refuse("config", "must be an object")
	case err != nil:
		f.refuse("config", "%s", faultOf(err).Message)
	}
	return value
}
