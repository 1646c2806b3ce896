package httpapi

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// parseQuery reads a query that may hold the named parameters, each once.
func parseQuery(raw string, names []string) (map[string]string, error) {
	found := map[string]string{}
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		switch {
		case nameErr != nil || !slices.Contains(names, name):
			return nil, fault.Field(shorten(name), "is no parameter of this path")
		case valueErr != nil || !utf8.ValidString(value) || strings.Contains(value, "\x00"):
			return nil, fault.Field(name, "must be UTF-8 without NUL, percent-encoded")
		case value == "":
			return nil, fault.Field(name, "must not be empty")
		}
		if _, twice := found[name]; twice {
			return nil, fault.Field(name, "is given more than once")
		}
		found[name] = value
	}
	return found, nil
}

// timeMax is the last moment that stores and clients can both hold, in Unix
// milliseconds: the end of JavaScript's dates.
const timeMax = 8_640_000_000_000_000

// idBytesMax is the longest id that is looked for.
const idBytesMax = 128

// filters reads query parameters in the order they are asked for; the first
// refusal stays in err.
type filters struct {
	query map[string]string
	err   error
}

func (r *request) filters() *filters { return &filters{query: r.query} }

func (f *filters) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *filters) integer(name string, orElse, most int64) int64 {
	text, given := f.query[name]
	if !given {
		return orElse
	}
	number, ok := parseInteger(text)
	if !ok || number < 1 || number > most {
		f.fail(fault.Field(name, "must be an integer from 1 to %d", most))
	}
	return number
}

// pageWanted is a page as the client named it. Its number is told back as it
// was given, and goes no further than where lists are empty, or refuse it, for certain.
type pageWanted struct {
	ports.Page
	number int64 // 0 for a page by cursor
}

func (f *filters) page() pageWanted {
	number := f.integer("page", 1, math.MaxInt64)
	wanted := pageWanted{number: number, Page: ports.Page{
		Number: int(min(number, ports.TotalMax+1)),
		Limit:  int(f.integer("limit", ports.PageDefault, ports.PageMax)),
	}}
	cursor, given := f.query["cursor"]
	if !given {
		return wanted
	}
	if _, both := f.query["page"]; both {
		f.fail(fault.Field("cursor", "goes without page"))
	}
	if len(cursor) > idBytesMax || strings.Trim(cursor, segmentAlphabet) != "" {
		f.fail(fault.Field("cursor", "must be a nextCursor"))
	}
	wanted.number, wanted.After = 0, cursor
	return wanted
}

// text reads a name of 1 to 64 printable ASCII characters without blanks, empty
// when left out.
func (f *filters) text(name string) string {
	text := f.query[name]
	if len(text) > nameBytesMax || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' }) {
		f.fail(fault.Field(name, "must be 1 to %d printable ASCII characters without blanks", nameBytesMax))
	}
	return text
}

// choice reads one of a few words, empty when left out.
func (f *filters) choice(name string, of ...string) string {
	text, given := f.query[name]
	if given && !slices.Contains(of, text) {
		f.fail(fault.Field(name, "must be one of %s", strings.Join(of, ", ")))
	}
	return text
}

func (f *filters) token() money.Token {
	text, given := f.query["token"]
	if _, err := money.ParseToken(text); given && err != nil {
		f.fail(err)
	}
	return money.Token(text)
}

func (f *filters) wallet() wallet.Address {
	text, given := f.query["wallet"]
	if _, err := wallet.Parse(text); given && err != nil {
		f.fail(err)
	}
	return wallet.Address(text)
}

// time reads Unix milliseconds, the zero time when left out.
func (f *filters) time(name string) time.Time {
	text, given := f.query[name]
	if !given {
		return time.Time{}
	}
	millis, ok := parseInteger(text)
	if !ok || millis < 0 || millis > timeMax {
		f.fail(fault.Field(name, "must be Unix milliseconds from 0 to %d", int64(timeMax)))
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}
