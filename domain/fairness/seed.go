package fairness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"unique"
)

// sealed is what a server seed prints as, whatever it is printed with.
const sealed = "[sealed]"

// ServerSeed is a server seed that is not revealed yet. Equal texts make equal
// seeds, so seeds can be compared with ==. Every way of printing or encoding
// one gives "[sealed]"; only Reveal gives the text. The zero ServerSeed is the
// seed of empty text.
//
// The text sits behind a handle because fmt calls no method on unexported
// fields: a plain string would show up when a struct that hides a seed is
// printed with %+v. What shows there is an address.
type ServerSeed struct{ text unique.Handle[string] }

// NewServerSeed makes a seed of 32 random bytes. Its text is their 64 lower-case
// hex characters.
func NewServerSeed(entropy [32]byte) ServerSeed {
	return ServerSeedFromText(hex.EncodeToString(entropy[:]))
}

// ServerSeedFromText makes a seed of a text: one that a store kept or that a
// verifier was given. Any length will do; published rounds of other houses have
// seeds of 32 and of 64 characters.
func ServerSeedFromText(text string) ServerSeed {
	if text == "" {
		return ServerSeed{}
	}
	return ServerSeed{text: unique.Make(text)}
}

// Reveal returns the seed's text. Only a rotation, the draws and the sealing of
// a stored seed call it: a revealed seed must never decide another round.
func (s ServerSeed) Reveal() string {
	if s == (ServerSeed{}) {
		return ""
	}
	return s.text.Value()
}

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
