package solana

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/wallet"
)

// Keypair is a key held in memory. It prints as its address with every verb, and the key
// itself can't be read back.
type Keypair struct {
	address wallet.Address
	// key is a function because fmt calls no method of an unexported field; a struct that
	// contains a Keypair would print the bytes.
	key func() ed25519.PrivateKey
}

var _ Signer = Keypair{}

// NewKeypair returns the keypair of a private key. The caller must not use the key
// afterwards.
func NewKeypair(key ed25519.PrivateKey) (Keypair, error) {
	if len(key) != ed25519.PrivateKeySize {
		return Keypair{}, errors.New("a private key has 64 bytes")
	}
	whole := ed25519.NewKeyFromSeed(key.Seed())
	if !whole.Equal(key) {
		// The second half is the public key. Signing with a wrong one leaks the secret.
		return Keypair{}, errors.New("the key's public half doesn't belong to its secret half")
	}
	public, _ := whole.Public().(ed25519.PublicKey)
	address, err := wallet.FromPublicKey(public)
	if err != nil {
		return Keypair{}, err
	}
	return Keypair{address: address, key: func() ed25519.PrivateKey { return whole }}, nil
}

// keypairFileMax bounds a keypair file in bytes: 64 numbers, with room to spare.
const keypairFileMax = 4096

// ReadKeypair reads a file of the Solana CLI: a JSON array of 64 numbers. Only its owner
// may have access to the file (mode 0600 or stricter). Errors never quote its content.
func ReadKeypair(path string) (Keypair, error) {
	text, err := readPrivate(path)
	if err != nil {
		return Keypair{}, fmt.Errorf("keypair %s: %w", path, err)
	}
	var numbers []uint16 // bytes would be read as base64
	if err := json.Unmarshal(text, &numbers); err != nil || len(numbers) != ed25519.PrivateKeySize {
		return Keypair{}, fmt.Errorf("keypair %s: must be a JSON array of %d numbers", path, ed25519.PrivateKeySize)
	}
	key := make(ed25519.PrivateKey, len(numbers))
	for i, number := range numbers {
		if number > 0xff {
			return Keypair{}, fmt.Errorf("keypair %s: must be a JSON array of bytes", path)
		}
		key[i] = byte(number)
	}
	pair, err := NewKeypair(key)
	if err != nil {
		return Keypair{}, fmt.Errorf("keypair %s: %w", path, err)
	}
	return pair, nil
}

// readPrivate reads a small regular file that only its owner may access.
func readPrivate(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer func() { _ = file.Close() }() // an error of Close doesn't matter after reading
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others may read it (mode %04o): chmod 600", info.Mode().Perm())
	case info.Size() > keypairFileMax:
		return nil, errors.New("is too long for a keypair")
	}
	return io.ReadAll(io.LimitReader(file, keypairFileMax))
}

// withoutPath removes the path from an error; the caller names the file.
func withoutPath(err error) error {
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// Address returns the key's address.
func (k Keypair) Address() wallet.Address { return k.address }

// Sign signs a message. The zero Keypair returns an error.
func (k Keypair) Sign(_ context.Context, message []byte) ([]byte, error) {
	if k.key == nil {
		return nil, errors.New("solana: there is no key to sign with")
	}
	return ed25519.Sign(k.key(), message), nil
}

// String returns the address.
func (k Keypair) String() string { return string(k.address) }

// Format writes the address for every verb.
func (k Keypair) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(k.address)) }

// LogValue returns the address.
func (k Keypair) LogValue() slog.Value { return slog.StringValue(string(k.address)) }

// MarshalText returns the address, for encoders of JSON and the like.
func (k Keypair) MarshalText() ([]byte, error) { return []byte(k.address), nil }
