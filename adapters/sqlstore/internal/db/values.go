package db

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The ids of rounds and seed pairs are UUIDs and are stored as 16 bytes. Outside the database
// they are 36 characters of lower-case text.

// idLength is the length of a UUID as text.
const idLength = 36

// ParseID returns the 16 bytes of a UUID in the form in which ids are generated; false for any
// other text.
func ParseID(text string) (id [16]byte, ok bool) {
	parsed, err := uuid.Parse(text)
	return parsed, err == nil && len(text) == idLength && text == strings.ToLower(text)
}

// IsID reports whether ParseID accepts a text.
func IsID(text string) bool {
	_, ok := ParseID(text)
	return ok
}

// ID returns the 16 bytes of an id. Any other text becomes the least 16 bytes whose text sorts
// after it, so that a list can begin at any text; the greatest if there is none.
func ID(text string) [16]byte {
	id, ok := ParseID(text)
	if ok {
		return id
	}
	id = [16]byte{}
	isBefore := func() bool { return TextOfID(id[:]) < text }
	if !isBefore() {
		return id
	}
	for bit := range 8 * len(id) { // finds the greatest id before the text
		mask := byte(0x80) >> (bit % 8)
		if id[bit/8] |= mask; !isBefore() {
			id[bit/8] &^= mask
		}
	}
	if id != greatestID {
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
func TextOfID(id []byte) string { return uuid.UUID(id).String() }

// IDMoment returns the time in a UUIDv7 id, to the millisecond.
func IDMoment(id string) (at time.Time, known bool) {
	raw, known := ParseID(id)
	if !known {
		return at, false
	}
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
