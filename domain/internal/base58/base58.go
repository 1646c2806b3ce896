// Package base58 encodes bytes in the Bitcoin alphabet, the text form of Solana
// addresses (32 bytes) and signatures (64 bytes).
//
// Only the domain imports it, to stay within the standard library. Adapters use the
// base58 of their Solana library.
package base58

import "encoding/binary"

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

var digit = func() (table [256]int8) {
	for i := range table {
		table[i] = -1
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = int8(i)
	}
	return table
}()

// Encode returns the canonical text of the bytes.
func Encode(raw []byte) string {
	rest := append([]byte(nil), raw...)
	zeros := 0
	for zeros < len(rest) && rest[zeros] == 0 {
		zeros++
	}
	rest = rest[zeros:]
	text := make([]byte, zeros+len(rest)*138/100+1) // log 256 / log 58 is below 1.38
	at := len(text)
	for len(rest) > 0 {
		remainder := 0
		for i, b := range rest {
			value := remainder<<8 | int(b)
			rest[i], remainder = byte(value/58), value%58
		}
		at--
		text[at] = alphabet[remainder]
		for len(rest) > 0 && rest[0] == 0 {
			rest = rest[1:]
		}
	}
	for ; zeros > 0; zeros-- {
		at--
		text[at] = alphabet[0]
	}
	return string(text[at:])
}

// Decode returns the bytes of a canonical text of exactly size bytes (a multiple of
// four), and false for any other text: another length, a foreign character, a value that
// doesn't fit. No two texts give the same bytes, because each leading zero byte is
// encoded as exactly one '1'.
func Decode(text string, size int) (raw []byte, ok bool) {
	if len(text) < size || len(text) > size*138/100+1 {
		return nil, false
	}
	limbs := make([]uint32, size/4, 16) // the most significant first
	for rest := text; rest != ""; {
		group := rest[:min(len(rest), groupDigits)]
		rest = rest[len(group):]
		value, scale := uint64(0), uint64(1)
		for i := range len(group) {
			d := digit[group[i]]
			if d < 0 {
				return nil, false
			}
			value, scale = value*58+uint64(d), scale*58
		}
		for j := len(limbs) - 1; j >= 0; j-- {
			value += uint64(limbs[j]) * scale
			limbs[j], value = uint32(value), value>>32
		}
		if value != 0 {
			return nil, false
		}
	}
	raw = make([]byte, size)
	for i, limb := range limbs {
		binary.BigEndian.PutUint32(raw[4*i:], limb)
	}
	ones := 0
	for ones < len(text) && text[ones] == alphabet[0] {
		ones++
	}
	zeros := 0
	for zeros < size && raw[zeros] == 0 {
		zeros++
	}
	return raw, ones == zeros
}

// groupDigits is the number of digits processed together: the most that fit 32 bits.
const groupDigits = 5
