// Package checkpoint defines signed statements about the ledger, so that anyone can keep
// one and prove the ledger's state later.
//
// The signature is over the statement's text itself: verifying it needs Ed25519 and no
// knowledge of this encoding. The second line of the text is its purpose, so that a
// statement isn't valid for another use.
package checkpoint

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

// Purpose is the use of a statement.
type Purpose string

// The purposes. Public statements are for everyone. An Audit statement is the starting
// point of an audit that doesn't begin with the first block.
const (
	Public Purpose = "public checkpoint"
	Audit  Purpose = "audit"
)

// version is the first line of every text. Another layout gets another one.
const version = "casino statement 1"

// unknown is the text of an unknown slot.
const unknown = "unknown"

// Statement describes a ledger at a moment.
type Statement struct {
	Purpose Purpose
	// Ledger is the ledger's id, Epoch its epoch then, see domain/control.
	Ledger string
	Epoch  int64
	// At is the statement's time in milliseconds.
	At time.Time
	// Slot is the newest finalized slot of the chain known then, nil if unknown: the
	// statement isn't older than that block.
	Slot *uint64
	// Heads are the newest blocks of all lanes, sorted by lane.
	Heads []hashchain.Head
	// Facts are further values of its purpose, in the purpose's order.
	Facts []Fact
}

// Fact is a named value. The name consists of a to z, digits and hyphens and differs
// from the common names; the value is printable ASCII in one line.
type Fact struct{ Name, Value string }

// Fact returns the value of the first fact with a name.
func (s *Statement) Fact(name string) (value string, stated bool) {
	for _, fact := range s.Facts {
		if fact.Name == name {
			return fact.Value, true
		}
	}
	return "", false
}

// Text returns the signed text. Each line is a name, a colon, a space, the value and a
// line feed. No two statements have the same text. An invalid statement is a fault of
// kind Invalid.
func (s *Statement) Text() (string, error) {
	var b strings.Builder
	var broken error
	line := func(name, value string) {
		if !isPrintableASCII(value) {
			broken = fault.Field("statement", "its %s must be printable ASCII in one line", name)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	b.WriteString(version + "\n")
	line("purpose", string(s.Purpose))
	line("ledger", s.Ledger)
	line("epoch", strconv.FormatInt(s.Epoch, 10))
	line("time", strconv.FormatInt(s.At.UnixMilli(), 10))
	if s.Slot == nil {
		line("slot", unknown)
	} else {
		line("slot", strconv.FormatUint(*s.Slot, 10))
	}
	for _, head := range s.Heads {
		line("head", HeadText(head))
	}
	for _, fact := range s.Facts {
		line(fact.Name, fact.Value)
	}
	text := b.String()
	if broken != nil {
		return "", broken
	}
	if _, err := Parse(text); err != nil {
		return "", err
	}
	return text, nil
}

// HeadText formats a head as lane:seq:hash.
func HeadText(h hashchain.Head) string { return fmt.Sprintf("%d:%d:%s", h.Lane, h.Seq, h.Hash) }

// ParseHead parses a head in the exact form of HeadText.
func ParseHead(text string) (hashchain.Head, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return hashchain.Head{}, fault.Field("head", "must be lane:seq:hash")
	}
	lane, laneErr := strconv.Atoi(parts[0])
	seq, seqErr := strconv.ParseInt(parts[1], 10, 64)
	hash, hashErr := hashchain.ParseHash(parts[2])
	head := hashchain.Head{Lane: lane, Seq: seq, Hash: hash}
	if laneErr != nil || seqErr != nil || hashErr != nil || HeadText(head) != text {
		return hashchain.Head{}, fault.Field("head", "must be lane:seq:hash")
	}
	return head, hashchain.CheckKnown([]hashchain.Head{head})
}

// Key is the public half of a signing key.
type Key struct {
	ID     string
	Public ed25519.PublicKey
}

// pkix is the prefix of an Ed25519 SubjectPublicKeyInfo (RFC 8410).
var pkix = []byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}

// PKIX returns the key as a SubjectPublicKeyInfo in DER, which most tools read.
func (k Key) PKIX() []byte { return append(bytes.Clone(pkix), k.Public...) }

// KeyOf parses the form of PKIX.
func KeyOf(id string, der []byte) (Key, error) {
	public, found := bytes.CutPrefix(der, pkix)
	if !found || len(public) != ed25519.PublicKeySize {
		return Key{}, fault.Field("publicKey", "must be an Ed25519 key as SubjectPublicKeyInfo")
	}
	return Key{ID: id, Public: public}, nil
}

// Signed is a statement's text with its signature and the name of the key.
type Signed struct {
	Text      string
	Key       string
	Signature []byte
}

// Open returns the statement if one of the keys signed it and it has the purpose, else a
// fault of kind InvalidSignature. A malformed one is a fault of kind Invalid.
func (s Signed) Open(purpose Purpose, keys ...Key) (Statement, error) {
	if err := s.Verify(keys...); err != nil {
		return Statement{}, err
	}
	stated, err := Parse(s.Text)
	if err == nil && stated.Purpose != purpose {
		err = fault.New(fault.InvalidSignature, "the purpose of the statement is %q, not %q", stated.Purpose, purpose)
	}
	return stated, err
}

// Verify returns nil if the key of that name is among the keys and signed the text, else a
// fault of kind InvalidSignature.
func (s Signed) Verify(keys ...Key) error {
	for _, key := range keys {
		if key.ID != s.Key {
			continue
		}
		if len(key.Public) != ed25519.PublicKeySize || !ed25519.Verify(key.Public, []byte(s.Text), s.Signature) {
			return fault.New(fault.InvalidSignature, "the text does not match its signature by the key %s", s.Key)
		}
		return nil
	}
	return fault.New(fault.InvalidSignature, "the text was signed with the unknown key %q", s.Key)
}

// textMax limits a statement, which has a line for each lane and some facts.
const textMax = 8 << 20

// reader reads the lines of a text in sequence.
type reader struct {
	rest string
	err  error
}

func (r *reader) setError(format string, args ...any) {
	if r.err == nil {
		r.err = fault.Field("statement", format, args...)
	}
}

// readLine returns the next line without its line feed.
func (r *reader) readLine() string {
	line, rest, found := strings.Cut(r.rest, "\n")
	if !found {
		r.setError("must end with a line feed")
		return ""
	}
	r.rest = rest
	return line
}

// readValue returns the next line's value; the line must have the name.
func (r *reader) readValue(name string) string {
	value, named := strings.CutPrefix(r.readLine(), name+": ")
	if !named || !isPrintableASCII(value) {
		r.setError("must state its %s", name)
	}
	return value
}

// readNumber returns the next line's value as a number in its only valid spelling.
func (r *reader) readNumber(name string, least int64) int64 {
	text := r.readValue(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || strconv.FormatInt(n, 10) != text {
		r.setError("has an invalid %s", name)
	}
	return n
}

// Parse parses a text in the exact form of Text: encoding the result gives the same
// text. Any other text is a fault of kind Invalid.
func Parse(text string) (Statement, error) {
	r := &reader{rest: text}
	if len(text) > textMax {
		r.setError("is longer than %d bytes", textMax)
	}
	if r.readLine() != version {
		r.setError("must begin with %q", version)
	}
	s := Statement{
		Purpose: Purpose(r.readValue("purpose")), Ledger: r.readValue("ledger"),
		Epoch: r.readNumber("epoch", 1), At: time.UnixMilli(r.readNumber("time", 0)).UTC(), Slot: r.readSlot(),
	}
	if s.Purpose == "" || s.Ledger == "" {
		r.setError("must state its purpose and its ledger")
	}
	s.Heads = r.readHeads()
	for r.err == nil && r.rest != "" {
		name, value, found := strings.Cut(r.readLine(), ": ")
		if !found || !isName(name) || !isPrintableASCII(value) {
			r.setError("has a line that is not a name and a value")
		}
		s.Facts = append(s.Facts, Fact{name, value})
	}
	if r.err != nil {
		return Statement{}, r.err
	}
	return s, nil
}

func (r *reader) readSlot() *uint64 {
	text := r.readValue("slot")
	if text == unknown {
		return nil
	}
	slot, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(slot, 10) != text {
		r.setError("has an invalid slot")
	}
	return &slot
}

func (r *reader) readHeads() (heads []hashchain.Head) {
	for r.err == nil && strings.HasPrefix(r.rest, "head: ") {
		head, err := ParseHead(r.readValue("head"))
		if err != nil || len(heads) > 0 && heads[len(heads)-1].Lane >= head.Lane {
			r.setError("must have its heads sorted, one a lane, as lane:seq:hash")
		}
		heads = append(heads, head)
	}
	return heads
}

func isPrintableASCII(text string) bool {
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
