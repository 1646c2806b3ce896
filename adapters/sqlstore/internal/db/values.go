package db

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

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
