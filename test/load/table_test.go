package load_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Environment variables that make a measurement longer, and their defaults.
const (
	benchTurns   = "CASINO_BENCH_TURNS"   // 3
	benchSeconds = "CASINO_BENCH_SECONDS" // 5
)

// turns returns how many turns the medians are taken of.
func turns(b *testing.B) int { return positive(b, benchTurns, 3) }

// measured returns how long each side runs in a turn.
func measured(b *testing.B) time.Duration {
	return time.Duration(positive(b, benchSeconds, 5)) * time.Second
}

func positive(b *testing.B, name string, without int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s: %q is not a number from 1", name, text)
	}
	return n
}

// table collects figures of several turns and prints their medians, minimums and maximums.
type table struct {
	order   []string
	figures map[string]map[string][]float64
	columns map[string][]string
}

func newTable() *table {
	return &table{figures: map[string]map[string][]float64{}, columns: map[string][]string{}}
}

func (t *table) add(row, column string, figure float64) {
	if t.figures[row] == nil {
		t.order, t.figures[row] = append(t.order, row), map[string][]float64{}
	}
	if t.figures[row][column] == nil {
		t.columns[row] = append(t.columns[row], column)
	}
	t.figures[row][column] = append(t.figures[row][column], figure)
}

// result adds what a load measured.
func (t *table) result(row string, r measurement) {
	t.add(row, "/s", r.PerSecond)
	t.add(row, "p50 ms", r.Latency.P50)
	t.add(row, "p99 ms", r.Latency.P99)
	t.add(row, "p99 / p50", r.Latency.P99/r.Latency.P50)
	t.add(row, "client µs", r.CPUMicros)
}

// costs adds the costs per request of a meter's groups.
func (t *table) costs(row string, each map[string]float64) {
	for _, group := range slices.Sorted(maps.Keys(each)) {
		t.add(row, group+" µs", each[group])
	}
}

// String returns a line per figure: the median, and the range over the turns.
func (t *table) String() string {
	var b strings.Builder
	b.WriteString("\nmedians of the turns, the least and the greatest\n")
	for _, row := range t.order {
		for _, column := range t.columns[row] {
			of := t.figures[row][column]
			fmt.Fprintf(&b, "%-24s %-34s %10s  %s to %s\n", row, column, number(median(of)), number(slices.Min(of)), number(slices.Max(of)))
		}
	}
	return b.String()
}

// summary has the rows of the table that make bench ends with, which README shows.
var summary []string

// summarize adds a row of bets to the summary: the medians, with both processes' µs added up.
func (t *table) summarize(row, store string, clients int, yardstick string) {
	of := func(column string) float64 {
		if len(t.figures[row][column]) == 0 {
			return 0
		}
		return median(t.figures[row][column])
	}
	summary = append(summary, fmt.Sprintf("| %s | %d | %.0f | %.1f | %.0f | %.0f | %.2f %s |", store, clients, of("/s"), of("p50 ms"), of("p99 ms"),
		of("service µs")+of("database µs"), of(yardstick), yardstick))
}

// TestMain prints the summary after the benchmarks.
func TestMain(m *testing.M) {
	code := m.Run()
	if len(summary) > 0 {
		fmt.Println("\n| bets on | clients | bets/s | p50 ms | p99 ms | µs of both cores a bet | times |\n|---|---|---|---|---|---|---|\n" + strings.Join(summary, "\n"))
	}
	os.Exit(code)
}

// number formats a number with three digits, or all before the point.
func number(f float64) string {
	switch {
	case f >= 100:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case f >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}
