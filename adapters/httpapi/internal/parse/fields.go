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

// Fields reads the members of a body in the order they are asked for, which is the
// order in which they are refused. The first refusal stays in Err; values read
// after it are meaningless.
type Fields struct {
	object
	// prefix stands before the names of members that are refused.
	prefix string
	// asText says that amounts may be decimal strings.
	asText bool
	Err    error
}

// Body reads the request's body, a JSON object, and refuses members other than those
// named. With mayBeEmpty a request without a body is an empty object.
func Body(w http.ResponseWriter, r *http.Request, mayBeEmpty bool, names []string) *Fields {
	read, err := readObject(w, r, mayBeEmpty)
	f := &Fields{object: read, asText: AmountsAsText(r.Header), Err: err}
	f.refuseOthers(names)
	return f
}

// Empty reports whether the body has no member that isn't null.
func (f *Fields) Empty() bool { return len(f.values) == 0 }

// Has reports whether the member is there.
func (f *Fields) Has(name string) bool {
	_, given := f.values[name]
	return given
}

// Null reports whether the member is there as null, which is absent but to those who ask.
func (f *Fields) Null(name string) bool { return !f.Has(name) && slices.Contains(f.names, name) }

// refuseOthers refuses members other than those named.
func (f *Fields) refuseOthers(names []string) {
	for _, name := range f.names {
		if !slices.Contains(names, name) {
			f.Refuse(shortenName(name), "is not a known field")
		}
	}
}

// Refuse refuses the member, unless something was refused before.
func (f *Fields) Refuse(name, format string, args ...any) {
	f.Fail(fault.Field(f.prefix+name, format, args...))
}

// Fail refuses the body with an error, unless something was refused before.
func (f *Fields) Fail(err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// Need refuses the body when the member is missing. The methods that read a required
// member do so themselves.
func (f *Fields) Need(name string) { f.takeRequired(name) }

// takeRequired returns a required member; the zero Value when it is missing.
func (f *Fields) takeRequired(name string) jsontext.Value {
	value, given := f.values[name]
	if !given {
		f.Refuse(name, "is required")
	}
	return value
}

// Text reads a required text that is not empty.
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

// checkReadable refuses a text with characters that change the direction of what is shown
// after them, and so what a person reads.
func (f *Fields) checkReadable(name, text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Bidi_Control, c) }) {
		f.Refuse(name, "must not contain bidirectional control characters such as U+202E")
	}
	return text
}

// OptionalText reads a text that may be left out.
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

// Limited reads an optional text of 1 to most characters; empty when left out.
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

// reasonMax is how long a reason or a note may be, in characters.
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

// Integer reads a required integer from least to most. It must be written as
// one: a fraction, an exponent, -0, a text is refused.
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

// Amount reads a required amount of money in base units.
func (f *Fields) Amount(name string) int64 { return f.AmountFrom(name, 1) }

// AmountFrom is Amount from another least. A client that asked for amounts as strings may
// send a string, which counts as the same request as the integer.
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
	// Go's decoder skips line ends even when strict; the length leaves no room for one.
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if f.Err == nil && (err != nil || len(raw) != rawBytes || len(text) != base64.StdEncoding.EncodedLen(rawBytes)) {
		f.Refuse("signature", "must be the standard padded base64 of %d bytes", rawBytes)
	}
	return raw
}

// Base64 reads required bytes, at least one and no more than most, in standard padded
// base64.
func (f *Fields) Base64(name string, most int) []byte {
	text := f.Text(name)
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if f.Err == nil && (err != nil || len(raw) == 0 || len(raw) > most || len(text) != base64.StdEncoding.EncodedLen(len(raw))) {
		f.Refuse(name, "must be the standard padded base64 of 1 to %d bytes", most)
	}
	return raw
}

// ClientSeed reads the client seed "clientSeed", nil when left out; with required it
// must be there.
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

// Config reads the optional game config "config", an object; absent when left out.
func (f *Fields) Config() game.Value {
	if text, given := f.values["config"]; given && text.Kind() != '{' {
		f.Refuse("config", "must be an object")
		return game.Value{}
	}
	return f.Value("config")
}

// Value reads an optional JSON value of a game's; absent when left out.
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
