package db

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
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
// after it, so that a list that begins there is the one that begins at the text; the
// greatest where no such text does.
func ID(text string) (id [16]byte) {
	digits, after := make([]byte, 0, 32), len(text) > len(idForm)
	for i := 0; i < len(idForm) && i < len(text); i++ {
		c := text[i]
		if idForm[i] == '-' && c == '-' {
			continue
		}
		if idForm[i] != '-' && isDigit(c) {
			digits = append(digits, c)
			continue
		}
		// All ids that begin with these digits come before the text, or after it.
		switch {
		case idForm[i] == '-':
			after = c > '-'
		case c > '9' && c < 'a':
			digits, after = append(digits, 'a'), false
		default:
			after = c > 'f'
		}
		break
	}
	fill := "0"
	if after {
		fill = "f"
	}
	digits = append(digits, strings.Repeat(fill, cap(digits)-len(digits))...)
	_, _ = hex.Decode(id[:], digits) // they are digits
	if after && id != greatestID {
		for i := len(id) - 1; i >= 0; i-- { // the next one
			if id[i]++; id[i] != 0 {
				break
			}
		}
	}
	return id
}

var greatestID = [16]byte(slices.Repeat([]byte{0xff}, 16))

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

// IDMoment is the moment that an id tells which is a UUID of version 7, to the millisecond.
func IDMoment(id string) (at time.Time, known bool) {
	if !IsID(id) {
		return at, false
	}
	raw := ID(id)
	millis := int64(binary.BigEndian.Uint64(append([]byte{0, 0}, raw[:6]...)))
	return time.UnixMilli(millis).UTC(), true
}

// Micros is how a moment is stored: microseconds since 1970 UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Moment is the moment that Micros stores.
func Moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// SortedRows makes one row of each key, sorted.
func SortedRows[K ~string, V any](keys map[K]V) [][]any {
	rows := make([][]any, 0, len(keys))
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		rows = append(rows, []any{string(key)})
	}
	return rows
}

// CompareRows orders rows by their texts and integers.
func CompareRows(a, b []any) int {
	for i := range a {
		order := 0
		switch x := a[i].(type) {
		case string:
			y, _ := b[i].(string)
			order = cmp.Compare(x, y)
		case int64:
			y, _ := b[i].(int64)
			order = cmp.Compare(x, y)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
