// Package wallet parses wallet addresses, and makes and verifies the message that a
// player signs to sign in.
//
// An Address that came out of Parse is a key whose signatures can be trusted:
// canonical base58, 32 bytes, a point of the curve, not of small order. Every
// package may import it.
package wallet

import (
	"crypto/ed25519"
	"slices"
	"strconv"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// Address is a wallet: the canonical base58 of an Ed25519 public key.
type Address string

// Parse returns the address, or a fault naming the field "wallet".
//
// Keys of small order are refused because anybody can make signatures that
// verify under them; points off the curve because nobody holds their key (they
// are program-derived addresses).
func Parse(text string) (Address, error) {
	decoded, ok := base58.Decode(text, ed25519.PublicKeySize)
	if !ok {
		return "", fault.Field("wallet", "must be a wallet address: the base58 of 32 bytes")
	}
	raw := [32]byte(decoded)
	if !onCurve(raw) {
		return "", fault.Field("wallet", "is not on the Ed25519 curve, so no key can sign for it")
	}
	if smallOrder(raw) {
		return "", fault.Field("wallet", "is a key of small order, whose signatures prove nothing")
	}
	return Address(text), nil
}

// FromPublicKey returns the address of a key, checked as Parse does.
func FromPublicKey(key ed25519.PublicKey) (Address, error) {
	if len(key) != ed25519.PublicKeySize {
		return "", fault.Field("wallet", "must be a key of 32 bytes")
	}
	return Parse(base58.Encode(key))
}

// PublicKey returns the key, nil for a text that is no address.
func (a Address) PublicKey() ed25519.PublicKey {
	raw, ok := base58.Decode(string(a), ed25519.PublicKeySize)
	if !ok {
		return nil
	}
	return raw
}

// LoginMessage returns the text a wallet signs to sign in. The timestamp is in
// Unix milliseconds, written as a plain decimal integer.
func LoginMessage(a Address, timestampMillis int64) string {
	return "casino-auth:" + string(a) + ":" + strconv.FormatInt(timestampMillis, 10)
}

// VerifyLogin reports whether the 64 signature bytes are the wallet's over the
// login message, as VerifyMessage does.
func VerifyLogin(a Address, timestampMillis int64, signature []byte) bool {
	return VerifyMessage(a, LoginMessage(a, timestampMillis), signature)
}

// VerifyMessage reports whether the 64 signature bytes are the wallet's over the text's
// bytes, or over the same text as an off-chain message of Solana, which is what hardware
// wallets sign. A signature of another length is false, never a panic.
//
// A text that begins with "casino-" is never a transaction: its first byte would ask
// for 99 signatures, more than fit into one. An off-chain message begins with 0xff, which
// no transaction does.
func VerifyMessage(a Address, text string, signature []byte) bool {
	key := a.PublicKey()
	if key == nil || len(signature) != ed25519.SignatureSize {
		return false
	}
	verifies := func(message string) bool { return ed25519.Verify(key, []byte(message), signature) }
	return verifies(text) || slices.ContainsFunc(offchainMessages(key, text), verifies)
}
