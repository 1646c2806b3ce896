package agent

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
)

// Secret is a secret text: it prints as "[sealed]" whatever prints it, and only
// Reveal returns it.
type Secret struct{ text string }

// SecretFrom keeps a text as a secret.
func SecretFrom(text string) Secret { return Secret{text} }

// Reveal returns the text, for storing or sending it.
func (s Secret) Reveal() string { return s.text }

const sealed = "[sealed]"

// String returns "[sealed]".
func (Secret) String() string { return sealed }

// GoString returns "[sealed]".
func (Secret) GoString() string { return sealed }

// Format writes "[sealed]" under every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, sealed) }

// LogValue returns "[sealed]".
func (Secret) LogValue() slog.Value { return slog.StringValue(sealed) }

// MarshalText returns "[sealed]".
func (Secret) MarshalText() ([]byte, error) { return []byte(sealed), nil }

// Credentials are an agent's token, which identifies the agent here, and its secret, by
// which its site knows us. They are shown once, when they are made: stores keep the
// hash of the token, and the secret sealed, because it has to be sent.
type Credentials struct {
	Token  Secret
	Secret Secret
}

// NewCredentials makes them of two draws of randomness.
func NewCredentials(token, secret [32]byte) Credentials {
	return Credentials{
		Token:  Secret{"agt_" + hex.EncodeToString(token[:])},
		Secret: Secret{"ags_" + hex.EncodeToString(secret[:])},
	}
}

// TokenHash returns what is stored of a token: the SHA-256 in hexadecimal digits. A
// token has 256 random bits, so that no slow hash is needed.
func TokenHash(token Secret) string {
	sum := sha256.Sum256([]byte(token.text))
	return hex.EncodeToString(sum[:])
}

// SameToken reports in constant time whether a token has the stored hash.
func SameToken(token Secret, hash string) bool {
	return subtle.ConstantTimeCompare([]byte(TokenHash(token)), []byte(hash)) == 1
}
