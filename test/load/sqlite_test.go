package load_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// BenchmarkSQLite measures `casino dev` over HTTP, in turns with the rows of a bet committed one
// bet per transaction through database/sql: both commit durably on the same disk at the same
// time. 64 clients make bets, then play rounds of mines step by step, then send a provider's
// callbacks.
func BenchmarkSQLite(b *testing.B) {
	alone := openPlain(b)
	p := startDev(b)
	sessions := p.enroll(playersMade)
	groups := map[string][]int{"service": {p.pid}}
	for b.Loop() {
		t := newTable()
		for range turns(b) {
			perSecond := measurePlain(b, &alone)
			t.add("one bet a transaction", "/s", perSecond)
			for _, kind := range []struct{ name, mix string }{{"bets, 64 clients", "play=1"}, {"steps, 64 clients", "step=1"}, {"callbacks, 64 clients", "callback=1"}} {
				meter := services.NewMeter(groups)
				result := p.load("--sessions-file", sessions, "--clients", strconv.Itoa(crowds[0]), "--mix", kind.mix)
				if kind.mix != "callback=1" { // callbacks are prepared by launches, which load the service too
					t.costs(kind.name, meter.Each(float64(result.Sent)))
				}
				t.add(kind.name, "× one a transaction", result.PerSecond/perSecond)
				t.result(kind.name, result)
			}
		}
		t.summarize("bets, 64 clients", "SQLite", crowds[0], "× one a transaction")
		t.add("both", "peak MB of the service", services.ResidentMegabytes(p.pid))
		p.audited()
		fmt.Print(t.String()) // a benchmark's log ends after ten lines
	}
	b.ReportMetric(0, "ns/op")
}

func measurePlain(b *testing.B, p *plain) float64 {
	b.Helper()
	begin, before := time.Now(), p.bets
	for time.Since(begin) < measured(b) {
		noError(b, p.bet(context.Background()))
	}
	return float64(p.bets-before) / time.Since(begin).Seconds()
}
