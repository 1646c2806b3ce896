package checkpoint

import (
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

// textMax bounds a statement: a line for each lane and some facts.
const textMax = 8 << 20

// reader takes the lines of a text one after the other.
type reader struct {
	rest string
	err  error
}

func (r *reader) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = fault.Field("statement", format, args...)
	}
}

// line returns the next one without its line feed.
func (r *reader) line() string {
	line, rest, found := strings.Cut(r.rest, "\n")
	if !found {
		r.refuse("must end with a line feed")
		return ""
	}
	r.rest = rest
	return line
}

// value returns that of the next line, which must have the name.
func (r *reader) value(name string) string {
	value, named := strings.CutPrefix(r.line(), name+": ")
	if !named || !printable(value) {
		r.refuse("must state its %s", name)
	}
	return value
}

// number returns the next line's value, written in one way alone.
func (r *reader) number(name string, least int64) int64 {
	text := r.value(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || strconv.FormatInt(n, 10) != text {
		r.refuse("has no %s", name)
	}
	return n
}

// Parse reads what Text wrote, and nothing else: whoever writes a text anew from what
// was read has the same one. What isn't is a fault of kind Invalid.
func Parse(text string) (Statement, error) {
	r := &reader{rest: text}
	if len(text) > textMax {
		r.refuse("is longer than %d bytes", textMax)
	}
	if r.line() != version {
		r.refuse("must begin with %q", version)
	}
	s := Statement{
		Purpose: Purpose(r.value("purpose")), Ledger: r.value("ledger"),
		Epoch: r.number("epoch", 1), At: time.UnixMilli(r.number("time", 0)).UTC(), Slot: r.slot(),
	}
	if s.Purpose == "" || s.Ledger == "" {
		r.refuse("must state its purpose and its ledger")
	}
	s.Heads = r.heads()
	for r.err == nil && r.rest != "" {
		name, value, found := strings.Cut(r.line(), ": ")
		if !found || !isName(name) || !printable(value) {
			r.refuse("has a line that states nothing")
		}
		s.Facts = append(s.Facts, Fact{name, value})
	}
	if r.err != nil {
		return Statement{}, r.err
	}
	return s, nil
}

func (r *reader) slot() *uint64 {
	text := r.value("slot")
	if text == unknown {
		return nil
	}
	slot, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(slot, 10) != text {
		r.refuse("has no slot")
	}
	return &slot
}

func (r *reader) heads() (heads []hashchain.Head) {
	for r.err == nil && strings.HasPrefix(r.rest, "head: ") {
		head, err := ParseHead(r.value("head"))
		if err != nil || len(heads) > 0 && heads[len(heads)-1].Lane >= head.Lane {
			r.refuse("must have its heads sorted, one a lane, as lane:seq:hash")
		}
		heads = append(heads, head)
	}
	return heads
}

func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func isName(text string) bool {
	switch text {
	case "", "purpose", "ledger", "epoch", "time", "slot", "head":
		return false
	}
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
