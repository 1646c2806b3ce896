// Package sealer encrypts secrets at rest: unrevealed server seeds, and the credentials
// that the service sends to others.
//
// Commands import it for wiring; all other code uses ports.Sealer. A sealed box consists
// of, in this order: a format byte, the length of the key's name in one byte and the name,
// a salt of 32 random bytes, then the AES-256-GCM ciphertext with its tag of 16 bytes.
package sealer

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/casino-service/casino/adapters/internal/keys"
	"github.com/casino-service/casino/ports"
)

// Keyring holds the master keys, newest first: the newest seals, all open. It prints as
// "[secret]".
type Keyring = keys.Ring

// ParseKeys reads `kid:secret` entries, newest first; a secret is base64 or
// hexadecimal of at least 32 bytes. Errors name the entry by its place and never
// quote it.
func ParseKeys(entries []string) (Keyring, error) { return keys.Parse(entries) }

const (
	// format is the first byte of a box. It changes with the layout or the cipher.
	format = 1
	// purpose keeps the derived keys separate from other uses of a master key.
	purpose = "casino sealer: AES-256-GCM, format 1"

	saltSize = 32
	keySize  = 32
	tagSize  = 16
)

var _ ports.Sealer = (*Sealer)(nil)

// Sealer seals and opens. It is safe for concurrent use when its reader is.
type Sealer struct {
	keys   Keyring
	random io.Reader
}

// New returns a sealer over master keys and a source of randomness; each box takes 32 bytes
// of it.
func New(ring Keyring, random io.Reader) *Sealer { return &Sealer{keys: ring, random: random} }

// Authenticator returns the authenticator with the same keys; nil if there is no key.
func (s *Sealer) Authenticator() ports.Authenticator {
	if _, ok := s.keys.Newest(); !ok {
		return nil
	}
	return NewAuthenticator(s.keys)
}

// Seal encrypts and authenticates the secret with the newest key, and binds it to the
// facts: their number, order and every byte. Sealing the same secret again gives another
// box. The box is longer than the secret by 50 bytes and the key's name.
func (s *Sealer) Seal(secret []byte, boundTo ...string) ([]byte, error) {
	key, ok := s.keys.Newest()
	if !ok {
		return nil, errors.New("sealer: no key")
	}
	box := make([]byte, 0, 2+len(key.ID())+saltSize+len(secret)+tagSize)
	box = append(box, format, byte(len(key.ID())))
	box = append(box, key.ID()...)
	head := len(box) + saltSize
	box = box[:head]
	if _, err := io.ReadFull(s.random, box[head-saltSize:]); err != nil {
		return nil, fmt.Errorf("sealer: drawing a salt: %w", err)
	}
	aead, err := deriveCipher(key, box[head-saltSize:])
	if err != nil {
		return nil, err
	}
	// #nosec G407 -- each box has its own key, derived from its salt, so the nonce is used once
	return aead.Seal(box, nonce[:], secret, associatedData(box, boundTo)), nil
}

// Open returns the secret, or an error if the box, the key or any of the facts differs.
// Errors contain nothing of the secret.
func (s *Sealer) Open(sealed []byte, boundTo ...string) ([]byte, error) {
	if len(sealed) < 2 || sealed[0] != format {
		return nil, errors.New("sealer: not a sealed box")
	}
	nameEnd := 2 + int(sealed[1])
	head := nameEnd + saltSize
	if len(sealed) < head+tagSize {
		return nil, errors.New("sealer: the box is cut short")
	}
	name := string(sealed[2:nameEnd])
	key, ok := s.keys.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("sealer: the box was sealed with the key %q, which is not in the ring", name)
	}
	aead, err := deriveCipher(key, sealed[nameEnd:head])
	if err != nil {
		return nil, err
	}
	secret, err := aead.Open(nil, nonce[:], sealed[head:], associatedData(sealed[:head], boundTo))
	if err != nil {
		return nil, errors.New("sealer: the box was changed, or belongs to something else")
	}
	return secret, nil
}

// nonce may be the same for every box because no two boxes share a key. With a random nonce
// under one key, AES-GCM would be limited to 2^32 boxes.
var nonce [12]byte

// deriveCipher returns the cipher of one box. Its key is HKDF-SHA256 (RFC 5869) of the
// master key with the box's salt.
func deriveCipher(master keys.Key, salt []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, master.Secret(), salt, purpose, keySize)
	if err != nil {
		return nil, fmt.Errorf("sealer: deriving a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("sealer: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("sealer: %w", err)
	}
	return aead, nil
}

// associatedData encodes what a box is bound to so that no two lists of facts share
// an encoding: each part follows its length, so ("ab", "c") and ("a", "bc")
// differ, and so do ("a") and ("a", "").
func associatedData(head []byte, boundTo []string) []byte {
	size := 8 + len(head)
	for _, fact := range boundTo {
		size += 8 + len(fact)
	}
	encoded := make([]byte, 0, size)
	encoded = binary.BigEndian.AppendUint64(encoded, uint64(len(head)))
	encoded = append(encoded, head...)
	for _, fact := range boundTo {
		encoded = binary.BigEndian.AppendUint64(encoded, uint64(len(fact)))
		encoded = append(encoded, fact...)
	}
	return encoded
}
