package load_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// benchRounds names the environment variable that says how many rounds the
// larger of the two databases has; a million without it.
const benchRounds = "CASINO_BENCH_ROUNDS"

const fewRounds = 10_000

// BenchmarkLists measures what lists and reports cost on a database with many
// rounds beside one with ten thousand, each as the median of 21 calls.
func BenchmarkLists(b *testing.B) {
	many := 1_000_000
	if text := os.Getenv(benchRounds); text != "" {
		var err error
		if many, err = strconv.Atoi(text); err != nil {
			b.Fatalf("%s: %v", benchRounds, err)
		}
	}
	cluster := benchCluster(b)
	costs := map[string][]time.Duration{}
	for _, rounds := range []int{fewRounds, many} {
		store := openPostgres(b, fill(b, cluster.URL(), newSet(rounds)))
		for name, ask := range questions(store) {
			costs[name] = append(costs[name], medianOf(b, ask))
		}
	}
	for b.Loop() {
		for name, took := range costs {
			b.ReportMetric(milliseconds(took[0]), name+"-few-ms")
			b.ReportMetric(milliseconds(took[1]), name+"-many-ms")
			b.ReportMetric(float64(took[1])/float64(took[0]), name+"-ratio")
		}
	}
}

// questions are what players and admins look at.
func questions(store *sqlstore.Store) map[string]func(context.Context) error {
	page := ports.Page{Number: 1, Limit: ports.PageDefault}
	rounds := func(filter ports.RoundFilter, page ports.Page) func(context.Context) error {
		return func(ctx context.Context) error {
			answer, err := store.Rounds(ctx, filter, page)
			if err == nil && len(answer.Rounds) != page.Limit {
				err = fmt.Errorf("%d rounds of a page", len(answer.Rounds))
			}
			return err
		}
	}
	someone := fakes.Wallet("player 17")
	return map[string]func(context.Context) error{
		"history":    rounds(ports.RoundFilter{Wallet: someone}, page),
		"all":        rounds(ports.RoundFilter{}, page),
		"all-page-9": rounds(ports.RoundFilter{}, ports.Page{Number: 9, Limit: ports.PageMax}),
		"agent":      rounds(ports.RoundFilter{Agent: "acme"}, page),
		"game":       rounds(ports.RoundFilter{GameType: "limbo"}, page),
		"token":      rounds(ports.RoundFilter{Token: money.SOL}, page),
		"last-days":  rounds(ports.RoundFilter{From: newest.AddDate(0, 0, -7)}, page),
		"old-days":   rounds(ports.RoundFilter{From: newest.AddDate(0, 0, -50), To: newest.AddDate(0, 0, -40)}, page),
		"recent": func(ctx context.Context) error {
			_, err := store.RecentRounds(ctx, 50)
			return err
		},
		"ggr": func(ctx context.Context) error {
			_, err := store.Daily(ctx, "2026-09-01", "2026-10-31")
			return err
		},
		"totals": func(ctx context.Context) error {
			_, err := store.Totals(ctx)
			return err
		},
	}
}

func medianOf(b *testing.B, ask func(context.Context) error) time.Duration {
	b.Helper()
	var took []time.Duration
	for range 21 {
		begin := time.Now()
		if err := ask(context.Background()); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return took[len(took)/2]
}
