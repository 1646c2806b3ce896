// Package wallet parses wallet addresses, and builds and verifies the message that a
// player signs to sign in.
//
// An Address returned by Parse is a key with trustworthy signatures: canonical base58,
// 32 bytes, a point of the curve, not of small order.
package wallet

import (
	"crypto/ed25519"
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// Address is a wallet: the canonical base58 of an Ed25519 public key.
type Address string

// Parse returns the address, or a fault naming the field "wallet".
//
// Keys of small order are refused because anyone can make signatures that verify under
// them. Points off the curve are refused because they have no private key (they are
// program-derived addresses).
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
		return "", fault.Field("wallet", "is a key of small order, so anyone can forge its signatures")
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

// PublicKey returns the key, nil for an invalid address.
func (a Address) PublicKey() ed25519.PublicKey {
	raw, ok := base58.Decode(string(a), ed25519.PublicKeySize)
	if !ok {
		return nil
	}
	return raw
}

// LoginMessage returns the text that a wallet signs to sign in. The timestamp is a
// decimal integer in Unix milliseconds.
func LoginMessage(a Address, timestampMillis int64) string {
	return "casino-auth:" + string(a) + ":" + strconv.FormatInt(timestampMillis, 10)
}

// VerifyLogin reports whether the signature of 64 bytes is the wallet's over the login
// message, see VerifyMessage.
func VerifyLogin(a Address, timestampMillis int64, signature []byte) bool {
	return VerifyMessage(a, LoginMessage(a, timestampMillis), signature)
}

// VerifyMessage reports whether the signature of 64 bytes is the wallet's over the text,
// or over the text as an off-chain message of Solana, which hardware wallets sign. A
// signature of another length is false, never a panic.
//
// A text that begins with "casino-" is never a transaction: its first byte would mean 99
// signatures, more than fit into one. An off-chain message begins with 0xff, which no
// transaction does.
func VerifyMessage(a Address, text string, signature []byte) bool {
	key := a.PublicKey()
	if key == nil || len(signature) != ed25519.SignatureSize {
		return false
	}
	verifies := func(message string) bool { return ed25519.Verify(key, []byte(message), signature) }
	return verifies(text) || slices.ContainsFunc(offchainMessages(key, text), verifies)
}

// The curve of RFC 8032: -x² + y² = 1 + d·x²·y² over the field of p = 2^255-19.
var (
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	curveD     = func() *big.Int {
		inverse := new(big.Int).ModInverse(big.NewInt(121666), fieldPrime)
		d := new(big.Int).Mul(big.NewInt(-121665), inverse)
		return d.Mod(d, fieldPrime)
	}()
)

// onCurve reports whether the bytes are the canonical encoding of a point
// (RFC 8032, section 5.1.3): y below p, and x² = (y²-1)/(d·y²+1) a square.
func onCurve(raw [32]byte) bool {
	sign := raw[31] >> 7
	raw[31] &= 0x7f
	slices.Reverse(raw[:])
	y := new(big.Int).SetBytes(raw[:])
	if y.Cmp(fieldPrime) >= 0 {
		return false
	}
	ySquare := new(big.Int).Mul(y, y)
	ySquare.Mod(ySquare, fieldPrime)
	numerator := new(big.Int).Sub(ySquare, big.NewInt(1))
	denominator := new(big.Int).Mul(curveD, ySquare)
	denominator.Add(denominator, big.NewInt(1)).Mod(denominator, fieldPrime)
	// d is no square, so d·y²+1 is never zero and u·v is a square exactly when u/v is.
	xSquare := numerator.Mul(numerator, denominator)
	xSquare.Mod(xSquare, fieldPrime)
	if xSquare.Sign() == 0 {
		return sign == 0 // x = 0 has no negative: that encoding is not canonical
	}
	return big.Jacobi(xSquare, fieldPrime) == 1
}

// smallOrderY holds the y coordinates of the eight points of order 1, 2, 4 and
// 8, little-endian with the sign bit clear: the table of libsodium's
// ge25519_has_small_order without its non-canonical rows, which onCurve refuses.
var smallOrderY = [...][32]byte{
	{0x00}, // order 4
	{0x01}, // order 1
	{ // order 8
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
	},
	{ // order 8
		0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
		0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
	},
	{ // p-1, order 2
		0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
	},
}

func smallOrder(raw [32]byte) bool {
	raw[31] &= 0x7f
	return slices.Contains(smallOrderY[:], raw)
}

// signingDomain is the start of every off-chain message. Its first byte, 0xff, never
// starts a transaction: below 0x80 the byte counts signatures, above it is a version,
// and version 127 is reserved for off-chain messages.
const signingDomain = "\xffsolana offchain"

// offchainMax is the greatest length of an off-chain message in bytes, header included,
// in the formats for hardware wallets.
const offchainMax = 1232

// The formats of off-chain messages that hardware wallets sign.
const (
	restrictedASCII = 0 // 0x20 to 0x7e
	limitedUTF8     = 1
)

// offchainMessages returns the text as each off-chain message of header version 0 that
// the wallet may have signed: by the specification, with the wallet as the only signer
// and the application domain of zeros, and with the shorter header of `solana
// sign-offchain-message`. Source:
// https://docs.anza.xyz/proposals/off-chain-message-signing
func offchainMessages(key []byte, text string) (messages []string) {
	if text == "" || !utf8.ValidString(text) {
		return nil
	}
	formats := []byte{restrictedASCII, limitedUTF8}
	if strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
		formats = formats[1:]
	}
	length := string(binary.LittleEndian.AppendUint16(nil, uint16(min(len(text), offchainMax))))
	for _, format := range formats {
		current := signingDomain + "\x00" + strings.Repeat("\x00", 32) + string([]byte{format, 1}) + string(key) + length + text
		legacy := signingDomain + "\x00" + string([]byte{format}) + length + text
		for _, message := range []string{current, legacy} {
			if len(message) <= offchainMax {
				messages = append(messages, message)
			}
		}
	}
	return messages
}
