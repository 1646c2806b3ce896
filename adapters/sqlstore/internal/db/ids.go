package db

import (
	"encoding/hex"
	"strings"
)

// The ids of rounds and seed pairs are UUIDs, and are kept as their 16 bytes. Everywhere
// else they are what they are outside: 36 characters of lower-case text.

// idForm is what a UUID looks like as text.
const idForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// IsID reports whether a text is a UUID in the form in which ids are drawn.
func IsID(text string) bool {
	if len(text) != len(idForm) {
		return false
	}
	for i := range len(text) {
		if hyphen := idForm[i] == '-'; hyphen != (text[i] == '-') || !hyphen && !isDigit(text[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// ID is the 16 bytes of an id. Any other text becomes the least 16 bytes whose text sorts
// after it, so that a list that begins there is the one that begins at the text.
func ID(text string) (id [16]byte) {
	digits := make([]byte, 0, 32)
	fill := byte('0')
	for i := 0; i < len(idForm) && i < len(text); i++ {
		c := text[i]
		if idForm[i] == '-' {
			if c == '-' {
				continue
			}
			if c > '-' {
				fill = 'f'
			}
			break
		}
		if isDigit(c) {
			digits = append(digits, c)
			continue
		}
		if c > 'f' {
			fill = 'f'
		} else if c > '9' {
			digits = append(digits, 'a')
		}
		break
	}
	digits = append(digits, strings.Repeat(string(fill), cap(digits)-len(digits))...)
	_, _ = hex.Decode(id[:], digits) // they are digits
	if len(text) > len(idForm) {
		for i := len(id) - 1; i >= 0; i-- { // the next one
			if id[i]++; id[i] != 0 {
				break
			}
		}
	}
	return id
}

// TextOfID is the text of the 16 bytes of an id.
func TextOfID(id []byte) string {
	text := []byte(idForm)
	hex.Encode(text, id[:4])
	hex.Encode(text[9:], id[4:6])
	hex.Encode(text[14:], id[6:8])
	hex.Encode(text[19:], id[8:10])
	hex.Encode(text[24:], id[10:16])
	return string(text)
}
