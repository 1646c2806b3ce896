package conformance

import (
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// StatementSigner is the suite of ports.StatementSigner. A key's name is all that it is
// made of; the first name is the newest.
func StatementSigner(t *testing.T, open func(t *testing.T, names ...string) ports.StatementSigner) {
	slot := uint64(7)
	stated := checkpoint.Statement{
		Purpose: checkpoint.Public, Ledger: "ledger", Epoch: 1, At: time.UnixMilli(1_795_262_400_123).UTC(), Slot: &slot,
		Heads: []hashchain.Head{{Lane: 1, Seq: 2, Hash: hashchain.Hash{3}}}, Facts: []checkpoint.Fact{{Name: "a", Value: "b"}},
	}
	sign := func(t *testing.T, s ports.StatementSigner) checkpoint.Signed {
		t.Helper()
		made, err := s.Sign(stated)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	sub(t, "a signed statement opens with the public halves for its purpose", func(t *testing.T) {
		made := sign(t, open(t, "k1"))
		got, err := made.Open(checkpoint.Public, open(t, "k1").PublicKeys()...)
		if err != nil || !reflect.DeepEqual(got, stated) {
			t.Errorf("%v: opened as %+v", err, got)
		}
		if _, err := made.Open(checkpoint.Audit, open(t, "k1").PublicKeys()...); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("for another purpose: %v", err)
		}
		if _, err := made.Open(checkpoint.Public, open(t, "k2").PublicKeys()...); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("with another key: %v", err)
		}
	})
	sub(t, "the same statement is signed the same", func(t *testing.T) {
		if one, two := sign(t, open(t, "k1")), sign(t, open(t, "k1")); !reflect.DeepEqual(one, two) {
			t.Errorf("%+v and %+v", one, two)
		}
	})
	sub(t, "a statement without a text is refused as its Text is", func(t *testing.T) {
		broken := stated
		broken.Ledger = "two\nlines"
		if made, err := open(t, "k1").Sign(broken); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v: signed as %+v", err, made)
		}
	})
	sub(t, "the newest key signs and what an older one signed opens", func(t *testing.T) {
		both := open(t, "k2", "k1")
		if made := sign(t, both); made.Key != "k2" {
			t.Errorf("signed by %s", made.Key)
		}
		if _, err := sign(t, open(t, "k1")).Open(checkpoint.Public, both.PublicKeys()...); err != nil {
			t.Errorf("what the older key signed: %v", err)
		}
		keys := both.PublicKeys()
		if len(keys) != 2 || keys[0].ID != "k2" || keys[1].ID != "k1" {
			t.Errorf("the keys are %+v", keys)
		}
	})
}
