// Package base58 reads and writes bytes in the Bitcoin alphabet, the text form
// of Solana addresses (32 bytes) and signatures (64 bytes).
//
// Only the domain imports it: it keeps the domain on the standard library.
// Adapters have a full base58 in their Solana library.
package base58

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

// Decode returns the bytes of a canonical text of exactly size bytes, and false
// for any other text: another length, a foreign character, a value that doesn't fit.
func Decode(text string, size int) (raw []byte, ok bool) {
	if len(text) < size || len(text) > size*138/100+1 {
		return nil, false
	}
	raw = make([]byte, size)
	for i := range len(text) {
		carry := int(digit[text[i]])
		if carry < 0 {
			return nil, false
		}
		for j := size - 1; j >= 0; j-- {
			carry += int(raw[j]) * 58
			raw[j], carry = byte(carry), carry>>8
		}
		if carry != 0 {
			return nil, false
		}
	}
	// Each leading zero byte is written as exactly one '1': re-encoding is the
	// simplest proof that no two texts name the same bytes.
	return raw, Encode(raw) == text
}
