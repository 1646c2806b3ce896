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
		if !printable(value) {
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
	for _, key := range keys {
		if key.ID != s.Key {
			continue
		}
		if len(key.Public) != ed25519.PublicKeySize || !ed25519.Verify(key.Public, []byte(s.Text), s.Signature) {
			return Statement{}, fault.New(fault.InvalidSignature, "the statement is not as the key %s signed it", s.Key)
		}
		stated, err := Parse(s.Text)
		if err == nil && stated.Purpose != purpose {
			err = fault.New(fault.InvalidSignature, "the statement was made as %q, not as %q", stated.Purpose, purpose)
		}
		return stated, err
	}
	return Statement{}, fault.New(fault.InvalidSignature, "the statement was signed with the key %q, which is not known", s.Key)
}
