package parse

import (
	"crypto/sha256"
	"encoding/hex"
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

// parseQuery reads a query with the named parameters, each at most once.
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
			return nil, fault.Field(shortenName(name), "is not a parameter of this endpoint")
		case valueErr != nil || !utf8.ValidString(value) || strings.Contains(value, "\x00"):
			return nil, fault.Field(name, "must be percent-encoded UTF-8 text without NUL characters")
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

// TimeMax is the last time that both stores and clients support, in Unix milliseconds: the
// end of JavaScript's dates.
const TimeMax = 8_640_000_000_000_000

// segmentAlphabet is the alphabet of path variables, ids and cursors.
const segmentAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// SegmentPattern is a regular expression for a path segment.
const SegmentPattern = "[" + segmentAlphabet + "]+"

// Segment reports whether all characters of a text need no escape in a path.
func Segment(text string) bool { return strings.Trim(text, segmentAlphabet) == "" }

// Query reads query parameters. The first error stays in Err, so the order of reading is
// the order of checks.
type Query struct {
	values map[string]string
	Err    error
}

// ReadQuery reads a query with the named parameters, each at most once.
func ReadQuery(raw string, names []string) (*Query, error) {
	values, err := parseQuery(raw, names)
	return &Query{values: values}, err
}

// Fail sets the error, unless there is one already.
func (q *Query) Fail(err error) {
	if q.Err == nil {
		q.Err = err
	}
}

// Integer reads an integer from 1 to most.
func (q *Query) Integer(name string, orElse, most int64) int64 {
	text, given := q.values[name]
	if !given {
		return orElse
	}
	number, ok := parseInteger(text)
	if !ok || number < 1 || number > most {
		q.Fail(fault.Field(name, "must be an integer from 1 to %d", most))
	}
	return number
}

// Page is a requested page. Asked is the requested number, 0 for a page by cursor; Number
// is the same, bounded to a number at which every list is empty or rejects the page.
type Page struct {
	ports.Page
	Asked int64
}

// Cursor returns the cursor of an id in a list: the id and a checksum that depends on the
// list, so that other texts are recognized as invalid.
func Cursor(list, id string) string {
	const sumBytes = 4
	sum := sha256.Sum256([]byte(list + "\n" + id))
	return id + "." + hex.EncodeToString(sum[:sumBytes])
}

// Page reads page, limit and cursor of a list.
func (q *Query) Page(list string) Page {
	number := q.Integer("page", 1, math.MaxInt64)
	wanted := Page{Asked: number, Page: ports.Page{
		Number: int(min(number, ports.TotalMax+1)),
		Limit:  int(q.Integer("limit", ports.PageDefault, ports.PageMax)),
	}}
	cursor, given := q.values["cursor"]
	if !given {
		return wanted
	}
	if _, both := q.values["page"]; both {
		q.Fail(fault.Field("cursor", "can't be used together with page"))
	}
	id := cursor[:max(0, strings.LastIndexByte(cursor, '.'))]
	if id == "" || cursor != Cursor(list, id) {
		q.Fail(fault.Field("cursor", "must be the nextCursor of an earlier page of this list"))
	}
	wanted.Asked, wanted.After = 0, id
	return wanted
}

// WholeList rejects paging parameters, for a response with the whole list.
func (q *Query) WholeList() {
	for _, name := range []string{"page", "limit", "cursor"} {
		if _, given := q.values[name]; given {
			q.Fail(fault.Field(name, "can't be used with text/csv, which always contains the whole list"))
		}
	}
}

// Text reads 1 to 64 printable ASCII characters without blanks; "" if missing.
func (q *Query) Text(name string) string { return q.Limited(name, nameBytesMax) }

// Limited is Text with another maximum length.
func (q *Query) Limited(name string, most int) string {
	text := q.values[name]
	if len(text) > most || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' }) {
		q.Fail(fault.Field(name, "must be 1 to %d printable ASCII characters without spaces", most))
	}
	return text
}

// Choice reads one of the given values; "" if missing.
func (q *Query) Choice(name string, of ...string) string {
	text, given := q.values[name]
	if given && !slices.Contains(of, text) {
		q.Fail(fault.Field(name, "must be one of %s", strings.Join(of, ", ")))
	}
	return text
}

// Token reads the mint "token"; "" if missing.
func (q *Query) Token() money.Token {
	text, given := q.values["token"]
	if _, err := money.ParseToken(text); given && err != nil {
		q.Fail(err)
	}
	return money.Token(text)
}

// Wallet reads the address "wallet"; "" if missing.
func (q *Query) Wallet() wallet.Address {
	text, given := q.values["wallet"]
	if _, err := wallet.Parse(text); given && err != nil {
		q.Fail(err)
	}
	return wallet.Address(text)
}

// Address reads a wallet's address under another name; "" if missing.
func (q *Query) Address(name string) wallet.Address {
	text, given := q.values[name]
	if _, err := wallet.Parse(text); given && err != nil {
		q.Fail(fault.Field(name, "must be a wallet address: the base58 of an Ed25519 public key"))
	}
	return wallet.Address(text)
}

// Time reads Unix milliseconds; the zero time if missing.
func (q *Query) Time(name string) time.Time {
	text, given := q.values[name]
	if !given {
		return time.Time{}
	}
	millis, ok := parseInteger(text)
	if !ok || millis < 0 || millis > TimeMax {
		q.Fail(fault.Field(name, "must be a time in Unix milliseconds, from 0 to %d", int64(TimeMax)))
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}
