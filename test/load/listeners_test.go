package load_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// BenchmarkListeners measures the cost to `casino serve` on PostgreSQL of players who read their
// own events, in turns with the same load without listeners: of the players who bet, and of
// others; and of another process that follows everything.
func BenchmarkListeners(b *testing.B) {
	cluster := benchCluster(b)
	reuseLog(b, cluster.URL())
	profiler := newProfiler(b, cluster)
	database := newPgbench(b, cluster.URL()).beside(cluster.URL(), "casino")
	p := startServe(b, database.url)
	profiler.operations = p.operations
	sessions := p.enroll(playersMade)
	idle := filepath.Join(p.folder, "idle")
	p.run(append([]string{"bench", "--players", strconv.Itoa(playersMade), "--stake", "0.01", "--sessions-out", idle, "--clients", "8",
		"--duration", "1s", "--warmup", "0s", "--mix", "read=1"}, p.where...)...)
	all := strconv.Itoa(playersMade)
	load := func(t *table, name string, arguments ...string) measurement {
		groups := map[string][]int{"service": {p.pid}, "database": {database.postmaster()}}
		meter := services.NewMeter(groups)
		result := profiler.during(strings.NewReplacer(" ", "-", ",", "").Replace(name), func() measurement {
			return p.load(append([]string{"--sessions-file", sessions, "--clients", "64", "--mix", "play=1"}, arguments...)...)
		})
		t.costs(name, meter.Each(float64(result.Sent)))
		t.result(name, result)
		if h := result.Heard; h != nil {
			t.add(name, "heard after p50 ms", h.Latency.P50)
			t.add(name, "heard after p99 ms", h.Latency.P99)
			t.add(name, "not heard", float64(h.Missing))
		}
		return result
	}
	for b.Loop() {
		t := newTable()
		for range turns(b) {
			unheard := load(t, "bets")
			heard := load(t, "bets, all players listen", "--listen", all)
			t.add("bets, all players listen", "× unheard", heard.PerSecond/unheard.PerSecond)
			stop := p.listening(idle)
			beside := load(t, "bets, 1,000 others listen")
			stop()
			t.add("bets, 1,000 others listen", "× unheard", beside.PerSecond/unheard.PerSecond)
			load(t, "2,000 bets a second, all players listen", "--listen", all, "--rate", "2000")
			stop = p.following()
			apart := load(t, "bets, another process follows them")
			stop()
			t.add("bets, another process follows them", "× unheard", apart.PerSecond/unheard.PerSecond)
		}
		t.add("bets", "peak MB of the service", services.ResidentMegabytes(p.pid))
		p.audited()
		fmt.Printf("\ncasino serve at its default settings, %d players who bet and %d others", playersMade, playersMade)
		fmt.Print(t.String())
	}
	b.ReportMetric(0, "ns/op")
}

// listening lets players listen who hardly ever bet, until it is stopped.
func (p *product) listening(sessions string) (stop func()) {
	p.Helper()
	command := p.command(append([]string{"bench", "--sessions-file", sessions, "--clients", "1", "--listen", strconv.Itoa(playersMade),
		"--mix", "read=1", "--rate", "1", "--duration", "10m"}, p.where...)...)
	p.begin(command, "listeners")
	<-time.After(5 * time.Second) // until their streams are open
	return ending(command)
}

// following runs a separate process that reads all events from the database, as instances do with
// others' commits, until it is stopped.
func (p *product) following() (stop func()) {
	p.Helper()
	command := p.command("events", "--from", "now", "--follow")
	p.begin(command, "follower")
	return ending(command)
}

func ending(command *exec.Cmd) (stop func()) {
	return func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}
}
