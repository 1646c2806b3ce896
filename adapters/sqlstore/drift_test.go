package sqlstore

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/figure"
)

// TestDriftIsToldOfEachDay compares with the distances themselves: what is told of a
// day is enough for all of its rows, less than twice what the furthest takes, and
// nothing where a second is enough.
func TestDriftIsToldOfEachDay(t *testing.T) {
	t.Parallel()
	idFrom := func(at time.Time) string { return fmt.Sprintf("%012x", max(at.UnixMilli(), 0)) }
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 3, 14, 23, 59, 0, 0, time.UTC)
		furthest := map[string]time.Duration{}
		var all []dated
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			at := start.Add(time.Duration(rapid.Int64Range(0, 120_000).Draw(t, "at")) * time.Millisecond)
			off := time.Duration(rapid.OneOf(rapid.Int64Range(-900, 900), rapid.Int64Range(-90_000_000, 90_000_000)).Draw(t, "off")) * time.Millisecond
			all = append(all, dated{idFrom(at.Add(off)), at})
			furthest[figure.Day(at)] = max(furthest[figure.Day(at)], off.Abs())
		}
		told := driftOf(all, idFrom)
		for day, far := range furthest {
			got, ok := told[day]
			switch {
			case far < drawnWithin && ok:
				t.Fatalf("%s: %s is told where nothing was further than %s", day, got, far)
			case far > drawnWithin && (got < far || got > 2*far):
				t.Fatalf("%s: %s is told, the furthest was %s", day, got, far)
			}
		}
		for day := range told {
			if furthest[day] == 0 {
				t.Fatalf("%s had no row", day)
			}
		}
	})
}
