package load_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// grownFrom is the number of rounds from which bets are compared with those at the end.
const grownFrom = 100_000

// BenchmarkGrowth measures whether a bet at `casino serve` on PostgreSQL costs more after a
// million rounds: one run from the first round on, by 256 clients. It compares the loads from
// 100,000 on with the last ones, as many of each as there are turns.
func BenchmarkGrowth(b *testing.B) {
	cluster := benchCluster(b)
	reuseLog(b, cluster.URL())
	profiler := newProfiler(b, cluster)
	database := server{b, cluster.URL()}
	p := startServe(b, cluster.URL())
	profiler.operations = p.operations
	sessions := p.enroll(playersMade)
	groups := map[string][]int{"service": {p.pid}, "database": {database.postmaster()}}
	target := int64(positive(b, benchRounds, 1_000_000))
	for b.Loop() {
		var early, late []grown
		for rounds := database.one(`SELECT count(*) FROM rounds`); rounds < target || len(late) < turns(b); {
			meter := services.NewMeter(groups)
			g := grown{at: rounds, measurement: profiler.during(fmt.Sprint("growth", rounds), func() measurement {
				return p.load("--sessions-file", sessions, "--clients", strconv.Itoa(crowds[1]), "--mix", "play=1", "--warmup", "0s")
			})}
			each := meter.Each(float64(g.Sent))
			g.service, g.database = each["service"], each["database"]
			fmt.Printf("from %9d rounds: %6.0f/s, p50 %.1f ms, p99 %.1f ms, service %.1f µs, database %.1f µs\n",
				rounds, g.PerSecond, g.Latency.P50, g.Latency.P99, g.service, g.database)
			rounds += g.Sent
			switch {
			case g.at < grownFrom:
				continue
			case len(early) < turns(b):
				early = append(early, g)
			default:
				late = append(late, g)
			}
		}
		t := newTable()
		first := addGrown(t, fmt.Sprintf("from %d rounds", early[0].at), early)
		last := addGrown(t, fmt.Sprintf("the last to %d rounds", late[len(late)-1].at+late[len(late)-1].Sent), late[len(late)-turns(b):])
		t.add("the last", "× the first", last/first)
		p.audited()
		fmt.Printf("\ncasino serve at its default settings, 256 clients, %d players", playersMade)
		fmt.Print(t.String())
	}
	b.ReportMetric(0, "ns/op")
}

// grown is a load after a number of rounds, with the processor time per bet.
type grown struct {
	measurement
	at                int64
	service, database float64
}

// addGrown adds loads to a table and returns the median of their rates.
func addGrown(t *table, row string, loads []grown) float64 {
	rates := make([]float64, len(loads))
	for i, g := range loads {
		t.result(row, g.measurement)
		t.add(row, "service µs", g.service)
		t.add(row, "database µs", g.database)
		rates[i] = g.PerSecond
	}
	return median(rates)
}
