// Package fairness implements the provably fair scheme: server seeds and their
// commitments, seed pairs and their rotation, and the stream of draws that decides a
// round.
//
// A pair is a server seed, chosen and committed to by the house, and a client seed. Each
// round increments the pair's nonce, and the draws of a round are
//
//	HMAC_SHA256(key = server seed as text, message = "{clientSeed}:{nonce}:{cursor}")
//
// read as eight big-endian uint32 for each cursor 0, 1, 2, …. Common public verifiers
// compute the same. Rotation retires a pair, reveals its server seed and starts the next
// pair. Its server seed was committed to before the player chose its client seed, so the
// house chooses neither seed knowing the other. A pair also ends with its 10,000th
// round, or its first round after 30 days.
//
// Nothing here draws randomness: random bytes are arguments. Handlers, logs and metrics
// must not use an open ServerSeed; as a safeguard it prints as "[sealed]".
package fairness

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/fault"
)

// sealed is the text that a server seed always prints as.
const sealed = "[sealed]"

// ServerSeed is an unrevealed server seed. Printing and encoding always give "[sealed]";
// only Reveal returns the text. The zero ServerSeed is the seed of the empty text.
// Compare seeds with Equal (or reflect.DeepEqual).
//
// The text is behind a pointer because fmt calls no methods on unexported fields:
// printing a struct with %+v would show a plain string, but shows only a pointer's
// address. Because == would compare addresses, the type doesn't allow it. A
// unique.Handle would allow ==, but interning costs 2 µs for each opened seed, several
// times a draw.
type ServerSeed struct {
	_    [0]func()
	text *string
}

// NewServerSeed makes a seed from 32 random bytes. Its text is their 64 lower-case hex
// characters.
func NewServerSeed(entropy [32]byte) ServerSeed {
	return ServerSeedFromText(hex.EncodeToString(entropy[:]))
}

// ParseServerSeed reads a server seed for a verifier: exactly 64 lower-case hex digits. Any
// other text is a fault naming the field "serverSeed". Another spelling of the same bytes
// would have another commitment and other draws.
func ParseServerSeed(text string) (ServerSeed, error) {
	if len(text) != hex.EncodedLen(sha256.Size) || strings.Trim(text, "0123456789abcdef") != "" {
		return ServerSeed{}, fault.Field("serverSeed", "must be %d hexadecimal digits in lower case", hex.EncodedLen(sha256.Size))
	}
	return ServerSeedFromText(text), nil
}

// ServerSeedFromText makes a seed from a stored text without checking it.
func ServerSeedFromText(text string) ServerSeed {
	return ServerSeed{text: &text}
}

// Reveal returns the seed's text. Only rotation, draws and the sealing of a stored seed
// call it: a revealed seed must never decide another round.
func (s ServerSeed) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Equal reports whether both seeds have the same text.
func (s ServerSeed) Equal(other ServerSeed) bool { return s.Reveal() == other.Reveal() }

// Commitment returns the lower-case hex SHA-256 of the seed's text. It is published
// before the seed is used.
func (s ServerSeed) Commitment() string {
	sum := sha256.Sum256([]byte(s.Reveal()))
	return hex.EncodeToString(sum[:])
}

// String returns "[sealed]".
func (ServerSeed) String() string { return sealed }

// GoString returns "[sealed]".
func (ServerSeed) GoString() string { return sealed }

// Format writes "[sealed]" for every verb, including those that print a struct's fields.
func (ServerSeed) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, sealed) }

// LogValue returns "[sealed]".
func (ServerSeed) LogValue() slog.Value { return slog.StringValue(sealed) }

// MarshalJSON returns the JSON string "[sealed]".
func (ServerSeed) MarshalJSON() ([]byte, error) { return []byte(`"` + sealed + `"`), nil }

// MarshalText returns "[sealed]".
func (ServerSeed) MarshalText() ([]byte, error) { return []byte(sealed), nil }

// Stream is the endless sequence of draws of one round. No draw can fail. It isn't safe
// for concurrent use.
type Stream struct {
	// outer is the key xor opad followed by the inner hash.
	outer [sha256.BlockSize + sha256.Size]byte
	// inner is the key xor ipad, "{clientSeed}:{nonce}:" and, from prefix on, the cursor.
	// It is stored in room unless the client seed is longer than a player may choose.
	inner  []byte
	prefix int
	room   [sha256.BlockSize + ClientSeedMax + 2*int64Digits + 2]byte

	block  [sha256.Size]byte
	used   int
	cursor uint64
}

// int64Digits is the greatest length of an int64 in decimal, with its sign.
const int64Digits = 20

// NewStream returns the draws of the round with this nonce.
//
// It computes the HMAC (RFC 2104) with sha256.Sum256, which allocates nothing: the
// stream is the only allocation of a round's draws, where crypto/hmac makes seven. A
// test compares the two.
func NewStream(seed ServerSeed, clientSeed string, nonce int64) *Stream {
	key := seed.Reveal()
	if len(key) > sha256.BlockSize {
		sum := sha256.Sum256([]byte(key))
		key = string(sum[:])
	}
	s := &Stream{used: sha256.Size}
	s.inner = s.room[:sha256.BlockSize]
	for i := range sha256.BlockSize {
		var b byte
		if i < len(key) {
			b = key[i]
		}
		s.inner[i], s.outer[i] = b^0x36, b^0x5c
	}
	s.inner = append(s.inner, clientSeed...)
	s.inner = append(s.inner, ':')
	s.inner = strconv.AppendInt(s.inner, nonce, 10)
	s.inner = append(s.inner, ':')
	s.prefix = len(s.inner)
	return s
}

// Next returns the next draw, uniform in 0 … 2^32-1.
func (s *Stream) Next() uint32 {
	if s.used == sha256.Size {
		s.refillBuffer()
	}
	k := binary.BigEndian.Uint32(s.block[s.used:])
	s.used += 4
	return k
}

func (s *Stream) refillBuffer() {
	s.inner = strconv.AppendUint(s.inner[:s.prefix], s.cursor, 10)
	sum := sha256.Sum256(s.inner)
	copy(s.outer[sha256.BlockSize:], sum[:])
	s.block = sha256.Sum256(s.outer[:])
	s.used = 0
	s.cursor++
}

// Pick draws once and returns a number below n: (k·n) >> 32. Unless n is a power of two
// the numbers aren't exactly equally likely: each comes from ⌊2^32/n⌋ draws or one more.
// The published return to player accounts for that. Pick(0) is 0.
func (s *Stream) Pick(n uint32) uint32 {
	return uint32(uint64(s.Next()) * uint64(n) >> 32)
}

// Format writes "[sealed]" for every verb, because a stream holds its server seed.
func (Stream) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, sealed) }
