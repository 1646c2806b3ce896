// Package base58 reads and writes 32-byte values in the Bitcoin alphabet, the
// text form of Solana addresses.
//
// Only the domain imports it: it keeps the domain on the standard library.
// Adapters have a full base58 in their Solana library.
package base58

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// MaxText is the longest text of 32 bytes.
const MaxText = 44

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
func Encode(raw [32]byte) string {
	zeros := 0
	for zeros < len(raw) && raw[zeros] == 0 {
		zeros++
	}
	var text [MaxText]byte
	at := len(text)
	for rest := raw[zeros:]; len(rest) > 0; {
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

// Decode returns the 32 bytes of a canonical text, and false for any other
// text: another length, a foreign character, a value that doesn't fit.
func Decode(text string) (raw [32]byte, ok bool) {
	if len(text) < 32 || len(text) > MaxText {
		return raw, false
	}
	for i := range len(text) {
		carry := int(digit[text[i]])
		if carry < 0 {
			return raw, false
		}
		for j := len(raw) - 1; j >= 0; j-- {
			carry += int(raw[j]) * 58
			raw[j], carry = byte(carry), carry>>8
		}
		if carry != 0 {
			return raw, false
		}
	}
	// Each leading zero byte is written as exactly one '1': re-encoding is the
	// simplest proof that no text names the same address twice.
	return raw, Encode(raw) == text
}
