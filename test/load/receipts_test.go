package load_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// benchBefore is the path of another version's binary.
const benchBefore = "CASINO_BENCH_BEFORE"

// BenchmarkReceipts measures bets at `casino serve` on PostgreSQL in turns: without a receipt, with
// one, and at another version's binary on the same server.
func BenchmarkReceipts(b *testing.B) {
	cluster := benchCluster(b)
	reuseLog(b, cluster.URL())
	pgbench := newPgbench(b, cluster.URL())
	type side struct {
		name, mix, sessions string
		*product
		groups map[string][]int
	}
	start := func(name string, p *product) side {
		database := pgbench.beside(cluster.URL(), name)
		p.serve(database.url)
		return side{
			"plain", "play=1", p.enroll(playersMade), p,
			map[string][]int{"service": {p.pid}, "database": {database.postmaster()}},
		}
	}
	plain := start("now", newProduct(b))
	signed := plain
	signed.name, signed.mix = "receipt", "receipt=1"
	sides := []side{plain, signed}
	if binary := os.Getenv(benchBefore); binary != "" {
		p := newProduct(b)
		p.binary = binary
		before := start("before", p)
		before.name = "before"
		sides = append(sides, before)
	}
	for b.Loop() {
		t := newTable()
		for range turns(b) {
			for _, clients := range crowds {
				for _, s := range sides {
					meter := services.NewMeter(s.groups)
					result := s.load("--sessions-file", s.sessions, "--clients", strconv.Itoa(clients), "--mix", s.mix)
					row := fmt.Sprintf("%s, %d clients", s.name, clients)
					t.costs(row, meter.Each(float64(result.Sent)))
					t.result(row, result)
				}
			}
		}
		plain.audited()
		fmt.Print(t.String()) // a benchmark's log ends after ten lines
	}
	b.ReportMetric(0, "ns/op")
}
