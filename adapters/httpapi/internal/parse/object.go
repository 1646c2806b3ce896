package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/fault"
)

// Limits of a request body.
const (
	bodyBytesMax = 64 << 10
	bodyDepthMax = 32
)

// object is a JSON object with checked syntax: UTF-8, no duplicate names at any level, no
// NUL, bounded depth, nothing after it. A member that is null has a name and no value.
type object struct {
	names  []string
	values map[string]jsontext.Value
}

// readObject reads the request's body. It checks in the contract's order: media type, size,
// syntax. With mayBeEmpty a missing body or null counts as an empty object.
func readObject(w http.ResponseWriter, r *http.Request, mayBeEmpty bool) (object, error) {
	if mayBeEmpty && r.ContentLength == 0 {
		return parseObject([]byte("{}"))
	}
	if err := checkMediaType(r.Header); err != nil {
		return object{}, err
	}
	if r.ContentLength > bodyBytesMax {
		return object{}, TooLarge{}
	}
	var read bytes.Buffer
	read.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := read.ReadFrom(http.MaxBytesReader(w, r.Body, bodyBytesMax))
	text := read.Bytes()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return object{}, TooLarge{}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return object{}, TooSlow{}
	case err != nil:
		return object{}, badBody("could not be read completely")
	case mayBeEmpty && (len(text) == 0 || string(bytes.TrimSpace(text)) == "null"):
		return parseObject([]byte("{}"))
	}
	return parseObject(text)
}

// aheadBytesMax is how much of a body is read ahead: of a caller who may be anyone, and who
// hasn't passed a limit yet.
const aheadBytesMax = 1 << 10

// Ahead reads the request's body, for a reader to come, and reports whether it was read to its
// end. One that is long or fails is left to that reader.
func Ahead(r *http.Request) (whole bool) {
	var read bytes.Buffer
	_, err := read.ReadFrom(io.LimitReader(r.Body, aheadBytesMax+1))
	whole = err == nil && read.Len() <= aheadBytesMax
	rest := io.Reader(r.Body)
	if err != nil {
		rest = failing{err}
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&read, rest), r.Body}
	return whole
}

// failing fails with the same error always.
type failing struct{ error }

// Read returns the error.
func (f failing) Read([]byte) (int, error) { return 0, f.error }

// TooLarge reports a body that is too large. There is no kind of fault for it.
type TooLarge struct{}

// Error returns the message for the caller.
func (TooLarge) Error() string {
	return fmt.Sprintf("the request body must not be larger than %d bytes", bodyBytesMax)
}

// TooSlow reports a body that arrives too slowly. There is no kind of fault for it.
type TooSlow struct{}

// Error returns the message for the caller.
func (TooSlow) Error() string { return "the request body was sent too slowly: send it again at once" }

// Unsupported reports an unsupported media type or encoding. Its text is the message for
// the caller.
type Unsupported string

// Error returns the message for the caller.
func (u Unsupported) Error() string { return string(u) }

func badBody(what string) error { return fault.Field("body", "%s", what) }

// checkMediaType accepts application/json without encoding, optionally with charset=utf-8.
func checkMediaType(header http.Header) error {
	types := header.Values("Content-Type")
	if len(types) != 1 {
		return Unsupported("the request body needs one Content-Type header: application/json")
	}
	if types[0] != "application/json" {
		name, parameters, err := mime.ParseMediaType(types[0])
		if err != nil || name != "application/json" {
			return Unsupported("the request body must be application/json")
		}
		for parameter, value := range parameters {
			if parameter != "charset" || !strings.EqualFold(value, "utf-8") {
				return Unsupported("the request body must be application/json in UTF-8")
			}
		}
	}
	for _, encoding := range header.Values("Content-Encoding") {
		if !strings.EqualFold(encoding, "identity") {
			return Unsupported("the request body must not be compressed")
		}
	}
	return nil
}

// decoders are reused. A decoder refers to its last body, which stays unchanged, until
// Reset.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// parseObject checks the syntax of a body in one pass and records the members of the
// outermost object. encoding/json is not used, because it accepts duplicate names and names
// in another case.
func parseObject(text []byte) (object, error) {
	found := object{values: map[string]jsontext.Value{}}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(text))
	start, escapedNUL := int64(0), bytes.Contains(text, []byte(`\u0000`))
	for first := true; ; first = false {
		token, err := d.ReadToken()
		switch {
		case first && errors.Is(err, io.EOF):
			return object{}, badBody("must not be empty")
		case err != nil:
			return object{}, syntaxFault(err)
		case first && token.Kind() != '{':
			return object{}, badBody("must be a JSON object")
		case d.StackDepth() > bodyDepthMax:
			return object{}, badBody("is nested too deeply")
		case escapedNUL && token.Kind() == '"' && strings.Contains(token.String(), "\x00"):
			return object{}, badBody("must not contain NUL characters")
		case d.StackDepth() == 0:
			return found, refuseTrailing(d)
		case d.StackDepth() > 1:
			continue
		}
		switch _, tokens := d.StackIndex(1); {
		case tokens == 0: // the opening brace
		case tokens%2 == 1:
			found.names = append(found.names, token.String())
			start = d.InputOffset()
		default:
			value := jsontext.Value(bytes.TrimLeft(text[start:d.InputOffset()], ": \t\r\n"))
			if value.Kind() != 'n' {
				found.values[found.names[len(found.names)-1]] = value
			}
		}
	}
}

func refuseTrailing(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return badBody("must be one JSON object with nothing after it")
	}
	return nil
}

func syntaxFault(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case !errors.As(err, &syntax):
		return badBody("must be a complete JSON object")
	case errors.Is(err, jsontext.ErrDuplicateName):
		path := strings.ReplaceAll(strings.TrimPrefix(string(syntax.JSONPointer), "/"), "/", ".")
		return fault.Field(shortenName(path), "is given more than once")
	}
	return fault.Field("body", "must be valid JSON in UTF-8; the error is at byte %d", syntax.ByteOffset)
}

// Canonical returns the object with names sorted at every level, without blanks, its own
// nulls and the given names, and with numbers unchanged. Two requests with the same canonical
// form are the same request. RFC 8785 is not used because it converts integers to floats.
func (o object) Canonical(without ...string) ([]byte, error) {
	text := []byte{'{'}
	for name, value := range o.values {
		if slices.Contains(without, name) {
			continue
		}
		quoted, err := jsontext.AppendQuote(nil, name)
		if err != nil {
			return nil, err
		}
		text = slices.Concat(text, quoted, []byte{':'}, value, []byte{','})
	}
	text = append(bytes.TrimSuffix(text, []byte{','}), '}')
	return jsontext.AppendFormat(nil, text, jsontext.ReorderRawObjects(true),
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
}

// nameBytesMax bounds how much of an unknown name a response repeats.
const nameBytesMax = 64

func shortenName(name string) string {
	if len(name) > nameBytesMax {
		name = name[:nameBytesMax] + "…"
	}
	return strings.ToValidUTF8(name, "�")
}
