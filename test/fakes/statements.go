package fakes

import (
	"crypto/ed25519"

	"github.com/casino-service/casino/domain/checkpoint"
)

// StatementSigner signs statements with keys made of names, newest first. Without a name
// it has the key "fake".
type StatementSigner struct{ Names []string }

func (s StatementSigner) names() []string {
	if len(s.Names) == 0 {
		return []string{"fake"}
	}
	return s.Names
}

// Sign serves ports.StatementSigner.
func (s StatementSigner) Sign(made checkpoint.Statement) (checkpoint.Signed, error) {
	text, err := made.Text()
	if err != nil {
		return checkpoint.Signed{}, err
	}
	name := s.names()[0]
	return checkpoint.Signed{Text: text, Key: name, Signature: ed25519.Sign(Key("statements "+name), []byte(text))}, nil
}

// PublicKeys serves ports.StatementSigner.
func (s StatementSigner) PublicKeys() (keys []checkpoint.Key) {
	for _, name := range s.names() {
		public, _ := Key("statements " + name).Public().(ed25519.PublicKey)
		keys = append(keys, checkpoint.Key{ID: name, Public: public})
	}
	return keys
}
