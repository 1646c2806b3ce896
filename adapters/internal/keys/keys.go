// Package keys reads rings of secret keys from configuration: `kid:secret`, newest first.
//
// Only the token and sealing adapters import it, and export it under their own names. A key
// never prints its secret.
package keys

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// SecretMin is the least length of a secret in bytes: the output of SHA-256, and
// the length of a key for AES-256.
const SecretMin = 32

// secretMax bounds a secret in bytes; a longer one is probably a file pasted by mistake.
const secretMax = 1024

// kidMax is the longest name of a key in characters.
const kidMax = 64

// redacted is printed in place of a key.
const redacted = "[secret]"

// Key is a named secret. It prints as "[secret]" with every verb of fmt.
type Key struct {
	id string
	// secret is a function because fmt calls no method of an unexported field:
	// printing a struct that holds a key shows an address at most. (A pointer is
	// followed by %s.)
	secret func() []byte
}

// ID returns the key's name, which is not secret.
func (k Key) ID() string { return k.id }

// Secret returns the key's bytes, at least SecretMin of them, and nil of the
// zero Key. Treat as read-only.
func (k Key) Secret() []byte {
	if k.secret == nil {
		return nil
	}
	return k.secret()
}

// String returns "[secret]".
func (k Key) String() string { return redacted }

// Format writes "[secret]" for every verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue returns "[secret]".
func (k Key) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns "[secret]", for encoders of JSON and the like.
func (k Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Ring is a list of keys with distinct names, newest first. The newest signs or seals,
// all of them verify or open. A ring from Parse has at least one key; the zero Ring has
// none.
type Ring struct{ keys []Key }

// Parse reads `kid:secret` entries, newest first. A kid is 1 to 64 characters of
// A-Z a-z 0-9 . _ -; a secret is hexadecimal or base64 (standard or URL
// alphabet, padded or not) of 32 to 1024 bytes. Text of hexadecimal digits alone
// is hexadecimal. Errors name the entry by its place and never quote it.
func Parse(entries []string) (Ring, error) {
	if len(entries) == 0 {
		return Ring{}, errors.New("at least one key is needed")
	}
	var ring Ring
	for i, entry := range entries {
		key, err := parseEntry(entry)
		if err != nil {
			return Ring{}, fmt.Errorf("key %d: %w", i+1, err)
		}
		if _, taken := ring.Lookup(key.id); taken {
			return Ring{}, fmt.Errorf("key %d: its kid is used twice", i+1)
		}
		ring.keys = append(ring.keys, key)
	}
	return ring, nil
}

func parseEntry(entry string) (Key, error) {
	id, text, found := strings.Cut(entry, ":")
	if !found {
		return Key{}, errors.New("must be of the form kid:secret")
	}
	if !isID(id) {
		return Key{}, fmt.Errorf("its kid must have 1 to %d characters of A-Z a-z 0-9 . _ -", kidMax)
	}
	secret, ok := decodeKey(text)
	if !ok {
		return Key{}, errors.New("its secret must be hexadecimal or base64")
	}
	if len(secret) < SecretMin || len(secret) > secretMax {
		return Key{}, fmt.Errorf("its secret must have %d to %d bytes, not %d", SecretMin, secretMax, len(secret))
	}
	if isConstant(secret) {
		return Key{}, errors.New("its secret is one byte repeated")
	}
	return Key{id: id, secret: func() []byte { return secret }}, nil
}

func isID(text string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	return text != "" && len(text) <= kidMax && strings.Trim(text, allowed) == ""
}

func decodeKey(text string) ([]byte, bool) {
	if strings.ContainsAny(text, "\r\n") { // Go's base64 would skip them
		return nil, false
	}
	if secret, err := hex.DecodeString(text); err == nil {
		return secret, true
	}
	text = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(text), "=")
	secret, err := base64.RawStdEncoding.DecodeString(text)
	return secret, err == nil
}

// isConstant reports a placeholder such as 64 zeros.
func isConstant(secret []byte) bool {
	for _, b := range secret {
		if b != secret[0] {
			return false
		}
	}
	return true
}

// Newest returns the key to sign or seal with; false in the zero Ring.
func (r Ring) Newest() (Key, bool) {
	if len(r.keys) == 0 {
		return Key{}, false
	}
	return r.keys[0], true
}

// Lookup returns the key with a name. Names are compared as a whole and looked up only
// in the ring.
func (r Ring) Lookup(id string) (Key, bool) {
	for _, key := range r.keys {
		if key.id == id {
			return key, true
		}
	}
	return Key{}, false
}

// IDs returns the keys' names, newest first.
func (r Ring) IDs() []string {
	ids := make([]string, len(r.keys))
	for i, key := range r.keys {
		ids[i] = key.id
	}
	return ids
}

// String returns "[secret]".
func (r Ring) String() string { return redacted }

// Format writes "[secret]" for every verb.
func (r Ring) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue returns "[secret]".
func (r Ring) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns "[secret]", for encoders of JSON and the like.
func (r Ring) MarshalText() ([]byte, error) { return []byte(redacted), nil }
