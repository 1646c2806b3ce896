package checkpoint_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

func hashOf(text string) hashchain.Hash { return sha256.Sum256([]byte(text)) }

func sample() checkpoint.Statement {
	slot := uint64(312_345_678)
	return checkpoint.Statement{
		Purpose: checkpoint.Public, Ledger: "019a9f3e", Epoch: 2, At: time.UnixMilli(1_795_262_400_000).UTC(), Slot: &slot,
		Heads: []hashchain.Head{{Lane: 0, Seq: 12, Hash: hashOf("a")}, {Lane: 3, Seq: 1, Hash: hashOf("b")}},
		Facts: []checkpoint.Fact{{Name: "state", Value: "x: y"}},
	}
}

const sampleText = `casino statement 1
purpose: public checkpoint
ledger: 019a9f3e
epoch: 2
time: 1795262400000
slot: 312345678
head: 0:12:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb
head: 3:1:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d
state: x: y
`

// TestTheTextIsAsDocumented checks the text of stored signatures.
func TestTheTextIsAsDocumented(t *testing.T) {
	t.Parallel()
	s := sample()
	text, err := s.Text()
	if err != nil || text != sampleText {
		t.Fatalf("%v, written as\n%s", err, text)
	}
	read, err := checkpoint.Parse(text)
	if err != nil || !reflect.DeepEqual(read, s) {
		t.Errorf("%v, read as %+v", err, read)
	}
	s.Slot, s.Heads, s.Facts = nil, nil, nil
	if text, err = s.Text(); err != nil || !strings.HasSuffix(text, "\nslot: unknown\n") {
		t.Errorf("%v, written as\n%s", err, text)
	}
	if value, stated := s.Fact("state"); stated {
		t.Errorf("stated %q", value)
	}
}

func TestOnlyWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another version":    {"statement 1", "statement 2"},
		"no purpose":         {"purpose: public checkpoint\n", "purpose: \n"},
		"no ledger":          {"ledger: 019a9f3e\n", ""},
		"a sign":             {"epoch: 2", "epoch: +2"},
		"no epoch":           {"epoch: 2", "epoch: 0"},
		"a zero before":      {"slot: 3", "slot: 03"},
		"a negative slot":    {"slot: 3", "slot: -3"},
		"a slot without end": {"slot: 312345678", "slot: 99999999999999999999"},
		"a time of text":     {"time: 1", "time: x"},
		"heads out of order": {"head: 3:", "head: 0:"},
		"a hash in capitals": {":ca97", ":CA97"},
		"a lane with a zero": {"head: 0:12", "head: 00:12"},
		"block zero":         {"head: 0:12", "head: 0:0"},
		"a head with more":   {"48bb\n", "48bb:1\n"},
		"a late head":        {"state: x: y\n", "state: x: y\nhead: 4:1:" + hashOf("c").String() + "\n"},
		"a line of no fact":  {"state: x: y", "state"},
		"a name in capitals": {"state: x: y", "State: x"},
		"a value of bytes":   {"state: x: y", "state: \x01"},
		"no line feed":       {"x: y\n", "x: y"},
		"a carriage return":  {"epoch: 2\n", "epoch: 2\r\n"},
		"an empty line":      {"x: y\n", "x: y\n\n"},
	} {
		text := strings.Replace(sampleText, change[0], change[1], 1)
		if read, err := checkpoint.Parse(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v, read as %+v", name, err, read)
		}
	}
	for name, broken := range map[string]func(*checkpoint.Statement){
		"a line feed in the ledger": func(s *checkpoint.Statement) { s.Ledger = "a\nepoch: 3" },
		"a fact of the service's":   func(s *checkpoint.Statement) { s.Facts[0].Name = "head" },
		"a fact in two lines":       func(s *checkpoint.Statement) { s.Facts[0].Value = "a\nb: c" },
		"heads out of order":        func(s *checkpoint.Statement) { s.Heads[1].Lane = 0 },
		"no purpose":                func(s *checkpoint.Statement) { s.Purpose = "" },
	} {
		s := sample()
		broken(&s)
		if text, err := s.Text(); err == nil {
			t.Errorf("%s: written as\n%s", name, text)
		}
	}
}

// TestATextIsReadInOneWay changes bytes of a text: if the result still parses, encoding
// it gives the same text.
func TestATextIsReadInOneWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(sampleText)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("0129af:-+ \nx")).Draw(t, "byte")
		}
		read, err := checkpoint.Parse(string(raw))
		if err != nil {
			return
		}
		if again, err := read.Text(); err != nil || again != string(raw) {
			t.Fatalf("%v: %q was read as that of\n%s", err, raw, again)
		}
	})
}

func signed(t *testing.T, s checkpoint.Statement, kid string) (checkpoint.Signed, checkpoint.Key) {
	t.Helper()
	seed := sha256.Sum256([]byte(kid))
	key := ed25519.NewKeyFromSeed(seed[:])
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	public, _ := key.Public().(ed25519.PublicKey)
	return checkpoint.Signed{Text: text, Key: kid, Signature: ed25519.Sign(key, []byte(text))}, checkpoint.Key{ID: kid, Public: public}
}

func TestAKeyIsWrittenAsOtherToolsReadIt(t *testing.T) {
	t.Parallel()
	_, key := signed(t, sample(), "k1")
	want, err := x509.MarshalPKIXPublicKey(key.Public)
	if err != nil || !bytes.Equal(key.PKIX(), want) {
		t.Errorf("written as %x, want %x: %v", key.PKIX(), want, err)
	}
	if read, err := checkpoint.KeyOf("k1", want); err != nil || !reflect.DeepEqual(read, key) {
		t.Errorf("%v: read as %+v", err, read)
	}
	for _, wrong := range [][]byte{nil, want[:43], append(bytes.Clone(want), 0), key.Public} {
		if read, err := checkpoint.KeyOf("k1", wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v: %x was read as %+v", err, wrong, read)
		}
	}
}

func TestAStatementOpensWithItsKeyForItsPurpose(t *testing.T) {
	t.Parallel()
	made, key := signed(t, sample(), "k1")
	other, otherKey := signed(t, sample(), "k2")
	if got, err := made.Open(checkpoint.Public, otherKey, key); err != nil || !reflect.DeepEqual(got, sample()) {
		t.Fatalf("%v: %+v", err, got)
	}
	refused := func(what string, s checkpoint.Signed, purpose checkpoint.Purpose, keys ...checkpoint.Key) {
		t.Helper()
		if got, err := s.Open(purpose, keys...); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("%s: %v, %+v", what, err, got)
		}
	}
	refused("another purpose", made, checkpoint.Audit, key)
	refused("no key", made, checkpoint.Public)
	refused("another key", made, checkpoint.Public, otherKey)
	refused("another key of the same name", made, checkpoint.Public, checkpoint.Key{ID: "k1", Public: otherKey.Public})
	refused("half a key", made, checkpoint.Public, checkpoint.Key{ID: "k1", Public: key.Public[:31]})
	refused("another signature", checkpoint.Signed{Text: made.Text, Key: "k1", Signature: other.Signature}, checkpoint.Public, key)
	refused("a cut signature", checkpoint.Signed{Text: made.Text, Key: "k1", Signature: made.Signature[:63]}, checkpoint.Public, key)
	for i := range made.Text {
		changed := []byte(made.Text)
		changed[i] ^= 1
		refused(fmt.Sprintf("byte %d changed", i), checkpoint.Signed{Text: string(changed), Key: "k1", Signature: made.Signature}, checkpoint.Public, key)
	}
}
