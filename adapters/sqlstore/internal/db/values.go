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

// The ids of rounds and seed pairs are UUIDs and are stored as 16 bytes. Outside the database
// they are 36 characters of lower-case text.

// idForm is the form of a UUID as text.
const idForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// IsID reports whether a text is a UUID in the form in which ids are generated.
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

// ID returns the 16 bytes of an id. Any other text becomes the least 16 bytes whose text sorts
// after it, so that a list can begin at any text; the greatest if there is none.
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
		// All ids that begin with these digits sort before the text, or after it.
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
	_, _ = hex.Decode(id[:], digits) // only digits
	if after && id != greatestID {
		for i := len(id) - 1; i >= 0; i-- { // increment
			if id[i]++; id[i] != 0 {
				break
			}
		}
	}
	return id
}

var greatestID = [16]byte(slices.Repeat([]byte{0xff}, 16))

// TextOfID returns the text of an id's 16 bytes.
func TextOfID(id []byte) string {
	text := []byte(idForm)
	hex.Encode(text, id[:4])
	hex.Encode(text[9:], id[4:6])
	hex.Encode(text[14:], id[6:8])
	hex.Encode(text[19:], id[8:10])
	hex.Encode(text[24:], id[10:16])
	return string(text)
}

// IDMoment returns the time in a UUIDv7 id, to the millisecond.
func IDMoment(id string) (at time.Time, known bool) {
	if !IsID(id) {
		return at, false
	}
	raw := ID(id)
	millis := int64(binary.BigEndian.Uint64(append([]byte{0, 0}, raw[:6]...)))
	return time.UnixMilli(millis).UTC(), true
}

// Micros returns a time as it is stored: microseconds since 1970 UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Moment returns the time that Micros stored.
func Moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// SortedRows returns one row per key, sorted.
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
