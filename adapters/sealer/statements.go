package sealer

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.StatementSigner = StatementSigner{}
	_ ports.ReceiptSigner   = StatementSigner{}
)

// StatementSigner signs statements with Ed25519 (RFC 8032). It has its own ring of keys;
// each secret is a seed. It is safe for concurrent use.
type StatementSigner struct {
	keys   Keyring
	public []checkpoint.Key
}

// NewStatementSigner returns a signer over a ring of seeds of exactly 32 bytes, newest
// first.
func NewStatementSigner(ring Keyring) (StatementSigner, error) {
	s := StatementSigner{keys: ring}
	for i, id := range ring.IDs() {
		key, _ := ring.Lookup(id)
		if len(key.Secret()) != ed25519.SeedSize {
			return StatementSigner{}, fmt.Errorf("key %d: its secret must have exactly %d bytes", i+1, ed25519.SeedSize)
		}
		public, _ := ed25519.NewKeyFromSeed(key.Secret()).Public().(ed25519.PublicKey)
		s.public = append(s.public, checkpoint.Key{ID: id, Public: public})
	}
	return s, nil
}

// Sign signs with the newest key.
func (s StatementSigner) Sign(made checkpoint.Statement) (checkpoint.Signed, error) {
	text, err := made.Text()
	if err != nil {
		return checkpoint.Signed{}, err
	}
	return s.SignText(text)
}

// SignText signs a text with the newest key.
func (s StatementSigner) SignText(text string) (checkpoint.Signed, error) {
	key, ok := s.keys.Newest()
	if !ok {
		return checkpoint.Signed{}, errors.New("sealer: no key to sign statements with")
	}
	private := ed25519.NewKeyFromSeed(key.Secret())
	return checkpoint.Signed{Text: text, Key: key.ID(), Signature: ed25519.Sign(private, []byte(text))}, nil
}

// PublicKeys returns the keys' public halves, newest first.
func (s StatementSigner) PublicKeys() []checkpoint.Key { return s.public }
