package load_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
)

// benchRounds names the environment variable with the number of rounds of the larger of the two
// databases; the default is a million.
const benchRounds = "CASINO_BENCH_ROUNDS"

const (
	manyRounds = 1_000_000
	fewRounds  = 10_000
)

// BenchmarkLists compares the cost of lists and reports on a database with many rounds and on one
// with ten thousand. Both are a set (see there): the same days, months, games, tokens, agents and
// proportions, so that in the larger one each day has more rounds, more players play, and the
// most active one has more rounds too.
//
// Each query runs on both in turn. A pass has the median of 21 calls each and their ratio; the
// report has the median of the passes, and the least and the greatest ratio.
func BenchmarkLists(b *testing.B) {
	many := manyRounds
	if text := os.Getenv(benchRounds); text != "" {
		var err error
		if many, err = strconv.Atoi(text); err != nil || many < fewRounds {
			b.Fatalf("%s: %q is not a number from %d", benchRounds, text, fewRounds)
		}
	}
	cluster := benchCluster(b)
	begin := time.Now()
	stores := [2]*sqlstore.Store{}
	for i, rounds := range []int{fewRounds, many} {
		stores[i] = openPostgres(b, fill(b, cluster.URL(), newSet(rounds)))
	}
	b.Logf("filled in %s", time.Since(begin).Round(time.Second))
	for b.Loop() {
		compareLists(b, stores)
	}
}

// passes is how often everything is queried.
const passes = 5

func compareLists(b *testing.B, stores [2]*sqlstore.Store) {
	b.Helper()
	few, many := questions(stores[0]), questions(stores[1])
	took, ratios := make([][2][]float64, len(few)), make([][]float64, len(few))
	for range passes {
		for i := range few {
			pair := inTurn(b, few[i], many[i])
			ratios[i] = append(ratios[i], pair[1]/pair[0])
			for side, cost := range pair {
				took[i][side] = append(took[i][side], cost)
			}
		}
	}
	var table strings.Builder
	for i, q := range few {
		ratio := median(ratios[i])
		b.ReportMetric(ratio, q.name+"-ratio")
		fmt.Fprintf(&table, "%-24s %7.2f ms %7.2f ms   %5.2f times (%.2f to %.2f)\n", q.name, median(took[i][0]), median(took[i][1]),
			ratio, slices.Min(ratios[i]), slices.Max(ratios[i]))
	}
	fmt.Printf("\nfew and many rounds\n%s", table.String()) // a benchmark's log ends after ten lines
}

// inTurn queries two stores in turn and returns the medians of the times, in milliseconds,
// without the first calls.
func inTurn(b *testing.B, few, many question) (medians [2]float64) {
	b.Helper()
	const calls, warm = 21, 3
	var took [2][]float64
	for call := range warm + calls {
		for side, q := range [...]question{few, many} {
			begin := time.Now()
			found, err := q.ask(context.Background())
			if err != nil {
				b.Fatalf("%s: %v", q.name, err)
			}
			if cost := milliseconds(time.Since(begin)); call >= warm {
				took[side] = append(took[side], cost)
			}
			if !q.any && (found == 0) != q.empty {
				b.Fatalf("%s: %d found", q.name, found)
			}
		}
	}
	return [2]float64{median(took[0]), median(took[1])}
}
