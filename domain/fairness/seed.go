package fairness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
)

// sealed is what a server seed prints as, whatever it is printed with.
const sealed = "[sealed]"

// ServerSeed is a server seed that is not revealed yet. Every way of printing or
// encoding one gives "[sealed]"; only Reveal gives the text. The zero ServerSeed
// is the seed of empty text. Seeds compare with Equal (or reflect.DeepEqual).
//
// The text sits behind a pointer because fmt calls no method on unexported
// fields: a plain string would show when a struct that hides a seed is printed
// with %+v, a pointer shows its address. Since == would then compare addresses,
// the compiler is made to refuse it. A unique.Handle would allow == and was
// turned down: interning costs 2 µs for each seed opened, several times a draw.
type ServerSeed struct {
	_    [0]func()
	text *string
}

// NewServerSeed makes a seed of 32 random bytes. Its text is their 64 lower-case
// hex characters.
func NewServerSeed(entropy [32]byte) ServerSeed {
	return ServerSeedFromText(hex.EncodeToString(entropy[:]))
}

// ServerSeedFromText makes a seed of a text: one that a store kept or that a
// verifier was given. Any length will do; published rounds of other houses have
// seeds of 32 and of 64 characters.
func ServerSeedFromText(text string) ServerSeed {
	return ServerSeed{text: &text}
}

// Reveal returns the seed's text. Only a rotation, the draws and the sealing of
// a stored seed call it: a revealed seed must never decide another round.
func (s ServerSeed) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Equal reports whether both seeds have the same text.
func (s ServerSeed) Equal(other ServerSeed) bool { return s.Reveal() == other.Reveal() }

// Commitment returns the lower-case hex SHA-256 of the seed's text, which is
// published before the seed decides anything.
func (s ServerSeed) Commitment() string {
	sum := sha256.Sum256([]byte(s.Reveal()))
	return hex.EncodeToString(sum[:])
}

// String returns "[sealed]".
func (ServerSeed) String() string { return sealed }

// GoString returns "[sealed]".
func (ServerSeed) GoString() string { return sealed }

// Format writes "[sealed]" for every verb, also for those that would show the
// fields of a struct.
func (ServerSeed) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, sealed) }

// LogValue returns "[sealed]".
func (ServerSeed) LogValue() slog.Value { return slog.StringValue(sealed) }

// MarshalJSON returns the JSON string "[sealed]".
func (ServerSeed) MarshalJSON() ([]byte, error) { return []byte(`"` + sealed + `"`), nil }

// MarshalText returns "[sealed]".
func (ServerSeed) MarshalText() ([]byte, error) { return []byte(sealed), nil }
