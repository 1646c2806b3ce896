package fairness

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
)

// Stream is the endless sequence of draws of one round. It is total: no draw
// can fail. A Stream is for one goroutine.
type Stream struct {
	// outer is the key xor opad followed by the inner hash.
	outer [sha256.BlockSize + sha256.Size]byte
	// inner is the key xor ipad, "{clientSeed}:{nonce}:" and the cursor, whose
	// place starts at prefix. It lives in room unless the client seed is longer
	// than the longest a player may choose.
	inner  []byte
	prefix int
	room   [sha256.BlockSize + ClientSeedMax + 2*int64Digits + 2]byte

	block  [sha256.Size]byte
	used   int
	cursor uint64
}

// int64Digits is the most characters of an int64, sign included.
const int64Digits = 20

// NewStream starts the draws of the round with this nonce.
//
// The HMAC (RFC 2104) is spelled out over sha256.Sum256, which needs no heap:
// the stream itself is the only allocation of a round's draws, where crypto/hmac
// makes seven. A test holds the two against each other.
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

// Next returns the next draw k, every value of 0 … 2^32-1 as likely as another.
func (s *Stream) Next() uint32 {
	if s.used == sha256.Size {
		s.refill()
	}
	k := binary.BigEndian.Uint32(s.block[s.used:])
	s.used += 4
	return k
}

func (s *Stream) refill() {
	s.inner = strconv.AppendUint(s.inner[:s.prefix], s.cursor, 10)
	sum := sha256.Sum256(s.inner)
	copy(s.outer[sha256.BlockSize:], sum[:])
	s.block = sha256.Sum256(s.outer[:])
	s.used = 0
	s.cursor++
}

// Pick draws once and returns a number below n: (k·n) >> 32. The numbers are
// not exactly equally likely unless n is a power of two; each is drawn by
// ⌊2^32/n⌋ or one more of the 2^32 draws, which the published return to player
// accounts for. Pick(0) is 0.
func (s *Stream) Pick(n uint32) uint32 {
	return uint32(uint64(s.Next()) * uint64(n) >> 32)
}

// Format writes "[sealed]" for every verb: a stream holds its server seed.
func (Stream) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, sealed) }
