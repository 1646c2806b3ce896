package parse

import (
	"encoding/base64"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Fields reads the members of a body. The first error stays in Err, so the order of reading
// is the order of checks; values read after an error are meaningless.
type Fields struct {
	object
	// prefix is put before the names of members in errors.
	prefix string
	// asText is set if amounts may be decimal strings.
	asText bool
	Err    error
}

// Body reads the request's body, a JSON object, and rejects members other than names. With
// mayBeEmpty a missing body counts as an empty object.
func Body(w http.ResponseWriter, r *http.Request, mayBeEmpty bool, names []string) *Fields {
	read, err := readObject(w, r, mayBeEmpty)
	f := &Fields{object: read, asText: AmountsAsText(r.Header), Err: err}
	f.refuseOthers(names)
	return f
}

// Empty reports whether all members are missing or null.
func (f *Fields) Empty() bool { return len(f.values) == 0 }

// Has reports whether the member is present and not null.
func (f *Fields) Has(name string) bool {
	_, given := f.values[name]
	return given
}

// Null reports whether the member is present as null, which other methods treat as missing.
func (f *Fields) Null(name string) bool { return !f.Has(name) && slices.Contains(f.names, name) }

// refuseOthers rejects members other than names.
func (f *Fields) refuseOthers(names []string) {
	for _, name := range f.names {
		if !slices.Contains(names, name) {
			f.Refuse(shortenName(name), "is not a known field")
		}
	}
}

// Refuse sets an error about the member, unless there is one already.
func (f *Fields) Refuse(name, format string, args ...any) {
	f.Fail(fault.Field(f.prefix+name, format, args...))
}

// Fail sets the error, unless there is one already.
func (f *Fields) Fail(err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// Need sets an error if the member is missing. Methods that read a required member do this
// themselves.
func (f *Fields) Need(name string) { f.takeRequired(name) }

// takeRequired returns a required member; the zero Value if it is missing.
func (f *Fields) takeRequired(name string) jsontext.Value {
	value, given := f.values[name]
	if !given {
		f.Refuse(name, "is required")
	}
	return value
}

// Text reads a required, non-empty text.
func (f *Fields) Text(name string) string {
	value := f.takeRequired(name)
	text, ok := unquoteText(value)
	switch {
	case value == nil:
	case !ok:
		f.Refuse(name, "must be a string")
	case text == "":
		f.Refuse(name, "must not be empty")
	}
	return f.checkReadable(name, text)
}

// checkReadable rejects a text with characters that change the direction of the text after
// them, because they would mislead a reader.
func (f *Fields) checkReadable(name, text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Bidi_Control, c) }) {
		f.Refuse(name, "must not contain bidirectional control characters such as U+202E")
	}
	return text
}

// OptionalText reads an optional text.
func (f *Fields) OptionalText(name string) *string {
	value, given := f.values[name]
	if !given {
		return nil
	}
	text, ok := unquoteText(value)
	if !ok {
		f.Refuse(name, "must be a string")
	}
	text = f.checkReadable(name, text)
	return &text
}

// Limited reads an optional text of 1 to most characters; "" if missing.
func (f *Fields) Limited(name string, most int) string {
	text := f.OptionalText(name)
	if text == nil {
		return ""
	}
	if n := utf8.RuneCountInString(*text); n < 1 || n > most {
		f.Refuse(name, "must have 1 to %d characters", most)
	}
	return *text
}

// reasonMax is the maximum length of a reason or a note, in characters.
const reasonMax = 500

// Reason reads the required "reason" of an admin.
func (f *Fields) Reason() string {
	f.takeRequired("reason")
	return f.Limited("reason", reasonMax)
}

// Note reads the optional "note" of an admin, which may be empty.
func (f *Fields) Note() string {
	text := f.OptionalText("note")
	if text == nil || *text == "" {
		return ""
	}
	return f.Limited("note", reasonMax)
}

func unquoteText(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}

// Bool reads a required true or false.
func (f *Fields) Bool(name string) bool {
	value := f.takeRequired(name)
	if kind := value.Kind(); value != nil && kind != 't' && kind != 'f' {
		f.Refuse(name, "must be true or false")
	}
	return value.Kind() == 't'
}

// Integer reads a required integer from least to most. It rejects fractions, exponents, -0
// and texts.
func (f *Fields) Integer(name string, least, most int64) int64 {
	value := f.takeRequired(name)
	if value == nil {
		return 0
	}
	number, ok := parseInteger(string(value))
	if !ok || number < least || number > most {
		f.Refuse(name, "must be an integer from %d to %d, without fraction or exponent", least, most)
	}
	return number
}

// parseInteger reads decimal digits with an optional minus, in JSON's form: no leading
// zeros, no +, no -0. It never uses a float.
func parseInteger(text string) (int64, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' || text == "-0" {
		return 0, false
	}
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil
}

// Amount reads a required amount of money in base units.
func (f *Fields) Amount(name string) int64 { return f.AmountFrom(name, 1) }

// AmountFrom is Amount with another minimum. A client that requested amounts as strings may
// send a string; it counts as the same request as the integer.
func (f *Fields) AmountFrom(name string, least int64) int64 {
	if text, ok := unquoteText(f.values[name]); ok && f.asText {
		if _, ok := parseInteger(text); ok {
			f.values[name] = jsontext.Value(text)
		}
	}
	return f.Integer(name, least, math.MaxInt64)
}

// Token reads the required mint "token".
func (f *Fields) Token() string {
	text := f.Text("token")
	if _, err := money.ParseToken(text); f.Err == nil && err != nil {
		f.Fail(err)
	}
	return text
}

// Wallet reads the required address "wallet".
func (f *Fields) Wallet() string {
	text := f.Text("wallet")
	if _, err := wallet.Parse(text); f.Err == nil && err != nil {
		f.Fail(err)
	}
	return text
}

// Signature reads the required "signature": the standard padded base64 of 64 bytes.
func (f *Fields) Signature() []byte {
	const rawBytes = 64
	text := f.Text("signature")
	// Go's decoder skips line ends even when strict, but the length leaves no room for one.
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if f.Err == nil && (err != nil || len(raw) != rawBytes || len(text) != base64.StdEncoding.EncodedLen(rawBytes)) {
		f.Refuse("signature", "must be the standard padded base64 of %d bytes", rawBytes)
	}
	return raw
}

// Base64 reads required bytes, from one to most, in standard padded base64.
func (f *Fields) Base64(name string, most int) []byte {
	text := f.Text(name)
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if f.Err == nil && (err != nil || len(raw) == 0 || len(raw) > most || len(text) != base64.StdEncoding.EncodedLen(len(raw))) {
		f.Refuse(name, "must be the standard padded base64 of 1 to %d bytes", most)
	}
	return raw
}

// ClientSeed reads the client seed "clientSeed"; nil if missing, which is an error if
// required.
func (f *Fields) ClientSeed(required bool) *string {
	if required {
		f.Need("clientSeed")
	}
	text := f.OptionalText("clientSeed")
	if text == nil {
		return nil
	}
	if _, err := fairness.ParseClientSeed(*text); f.Err == nil && err != nil {
		f.Fail(err)
	}
	return text
}

// Config reads the optional game config "config", an object; the absent value if missing.
func (f *Fields) Config() game.Value {
	if text, given := f.values["config"]; given && text.Kind() != '{' {
		f.Refuse("config", "must be an object")
		return game.Value{}
	}
	return f.Value("config")
}

// Value reads an optional JSON value of a game; the absent value if missing.
func (f *Fields) Value(name string) game.Value {
	text, given := f.values[name]
	if !given {
		return game.Value{}
	}
	value, err := wire.DecodeValue(text)
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		f.Refuse(name, "%s", known.Message)
	case err != nil:
		f.Fail(err)
	}
	return value
}
