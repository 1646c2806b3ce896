package sealer_test

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestStatementSignerConforms(t *testing.T) {
	t.Parallel()
	conformance.ReceiptSigner(t, func(t *testing.T, kids ...string) ports.ReceiptSigner {
		t.Helper()
		signer, err := sealer.NewStatementSigner(ringOf(t, kids...))
		if err != nil {
			t.Fatal(err)
		}
		return signer
	})
}

// TestAKeyOfStatementsIsItsSeed compares the public key with Ed25519 of the secret itself,
// so that any tool can derive the key from the secret.
func TestAKeyOfStatementsIsItsSeed(t *testing.T) {
	t.Parallel()
	signer, err := sealer.NewStatementSigner(ringOf(t, "k1"))
	if err != nil {
		t.Fatal(err)
	}
	if want := ed25519.NewKeyFromSeed(secretOf("k1")).Public(); !signer.PublicKeys()[0].Public.Equal(want) {
		t.Errorf("the key is %x", signer.PublicKeys()[0].Public)
	}
}

func TestSeedsOfStatementsHave32Bytes(t *testing.T) {
	t.Parallel()
	ring, err := sealer.ParseKeys([]string{"k1:" + strings.Repeat("a1b2", 17)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sealer.NewStatementSigner(ring); err == nil || strings.Contains(err.Error(), "a1b2") {
		t.Errorf("34 bytes: %v", err)
	}
	if made, err := (sealer.StatementSigner{}).Sign(checkpoint.Statement{Purpose: checkpoint.Public, Ledger: "l", Epoch: 1}); err == nil {
		t.Errorf("signed as %+v without a key", made)
	}
}
