// Package checkpoint is what the service states about its ledger under a signature, so
// that anybody can keep it and prove later what it was.
//
// A statement is text, and the text itself is what is signed: whoever verifies it needs
// Ed25519 and no knowledge of this encoding. Its second line is its purpose, so that a
// statement for one use is worth nothing in another.
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

// Purpose is what a statement is for.
type Purpose string

// The purposes. Public is what anybody may ask for; Audit is what an audit begins from
// that doesn't begin with the first block.
const (
	Public Purpose = "public checkpoint"
	Audit  Purpose = "audit"
)

// version begins every text. Another layout gets another one.
const version = "casino statement 1"

// unknown stands for a slot that isn't known.
const unknown = "unknown"

// Statement is what is stated of a ledger at a moment.
type Statement struct {
	Purpose Purpose
	// Ledger is the ledger's id, Epoch the one that it was in, see domain/control.
	Ledger string
	Epoch  int64
	// At is when it was stated, to the millisecond.
	At time.Time
	// Slot is the newest finalized slot of the chain that was known then, nil where none
	// was: the ledger at this moment is not older than that block.
	Slot *uint64
	// Heads are the newest blocks, sorted by lane, one a lane.
	Heads []hashchain.Head
	// Facts are what its purpose needs beside it, in its own order.
	Facts []Fact
}

// Fact is a named value. A name has letters a to z, digits and hyphens, and is none that
// every statement has; a value is printable ASCII in one line.
type Fact struct{ Name, Value string }

// Fact returns the value of the first fact of a name.
func (s *Statement) Fact(name string) (value string, stated bool) {
	for _, fact := range s.Facts {
		if fact.Name == name {
			return fact.Value, true
		}
	}
	return "", false
}

// Text is what is signed: one line each, a name, a colon, a space and the value, every
// line with its line feed. Parse reads it, and no two statements have the same text. A
// statement that can't be written is a fault of kind Invalid.
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

// HeadText writes a head as lane:seq:hash.
func HeadText(h hashchain.Head) string { return fmt.Sprintf("%d:%d:%s", h.Lane, h.Seq, h.Hash) }

// ParseHead reads what HeadText wrote, in that form alone.
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

// Key is the public half of a key that signs statements.
type Key struct {
	ID     string
	Public ed25519.PublicKey
}

// pkix is what a SubjectPublicKeyInfo of Ed25519 begins with (RFC 8410).
var pkix = []byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}

// PKIX is the key as SubjectPublicKeyInfo in DER, as most tools read it.
func (k Key) PKIX() []byte { return append(bytes.Clone(pkix), k.Public...) }

// KeyOf reads what PKIX wrote.
func KeyOf(id string, der []byte) (Key, error) {
	public, found := bytes.CutPrefix(der, pkix)
	if !found || len(public) != ed25519.PublicKeySize {
		return Key{}, fault.Field("publicKey", "must be an Ed25519 key as SubjectPublicKeyInfo")
	}
	return Key{ID: id, Public: public}, nil
}

// Signed is a statement's text with the signature of it by the key of a name.
type Signed struct {
	Text      string
	Key       string
	Signature []byte
}

// Open returns the statement, verified by one of the keys and made for the purpose. A
// statement that isn't is a fault of kind InvalidSignature, and one without the form a
// fault of kind Invalid.
func (s Signed) Open(purpose Purpose, keys ...Key) (Statement, error) {
	if err := s.Verify(keys...); err != nil {
		return Statement{}, err
	}
	stated, err := Parse(s.Text)
	if err == nil && stated.Purpose != purpose {
		err = fault.New(fault.InvalidSignature, "the statement was made as %q, not as %q", stated.Purpose, purpose)
	}
	return stated, err
}

// Verify returns nil where one of the keys, by its name, signed the text, else a fault of
// kind InvalidSignature.
func (s Signed) Verify(keys ...Key) error {
	for _, key := range keys {
		if key.ID != s.Key {
			continue
		}
		if len(key.Public) != ed25519.PublicKeySize || !ed25519.Verify(key.Public, []byte(s.Text), s.Signature) {
			return fault.New(fault.InvalidSignature, "the statement is not as the key %s signed it", s.Key)
		}
		return nil
	}
	return fault.New(fault.InvalidSignature, "the statement was signed with the key %q, which is not known", s.Key)
}

// textMax bounds a statement: a line for each lane and some facts.
const textMax = 8 << 20

// reader takes the lines of a text one after the other.
type reader struct {
	rest string
	err  error
}

func (r *reader) setError(format string, args ...any) {
	if r.err == nil {
		r.err = fault.Field("statement", format, args...)
	}
}

// readLine returns the next one without its line feed.
func (r *reader) readLine() string {
	line, rest, found := strings.Cut(r.rest, "\n")
	if !found {
		r.setError("must end with a line feed")
		return ""
	}
	r.rest = rest
	return line
}

// readValue returns that of the next line, which must have the name.
func (r *reader) readValue(name string) string {
	value, named := strings.CutPrefix(r.readLine(), name+": ")
	if !named || !isPrintableASCII(value) {
		r.setError("must state its %s", name)
	}
	return value
}

// readNumber returns the next line's value, written in one way alone.
func (r *reader) readNumber(name string, least int64) int64 {
	text := r.readValue(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || strconv.FormatInt(n, 10) != text {
		r.setError("has no %s", name)
	}
	return n
}

// Parse reads what Text wrote, and nothing else: whoever writes a text anew from what
// was read has the same one. What isn't is a fault of kind Invalid.
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
			r.setError("has a line that states nothing")
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
		r.setError("has no slot")
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
