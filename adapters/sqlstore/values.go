package sqlstore

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// micros is how a moment is stored: microseconds since 1970 UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

// microsOrNil stores the zero time as null.
func microsOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return micros(t)
}

func moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// sortedRows makes one row of each key, sorted.
func sortedRows[K ~string, V any](keys map[K]V) [][]any {
	rows := make([][]any, 0, len(keys))
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		rows = append(rows, []any{string(key)})
	}
	return rows
}

// compareRows orders rows by their leading texts.
func compareRows(a, b []any) int {
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
