package db

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Micros is how a moment is stored: microseconds since 1970 UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// MicrosOrNil stores the zero time as null.
func MicrosOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Micros(t)
}

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

// CompareRows orders rows by their leading texts.
func CompareRows(a, b []any) int {
	for i := range a {
		x, isText := a[i].(string)
		if !isText {
			return 0
		}
		if order := cmp.Compare(x, b[i].(string)); order != 0 {
			return order
		}
	}
	return 0
}
