package load_test

import (
	"database/sql"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/casino-service/casino/test/services"
)

// crowds are how many clients bet at a time.
var crowds = []int{64, 256}

// BenchmarkPostgres measures `casino serve` on PostgreSQL, in turns with pgbench's TPC-B (scale
// 10, 16 clients) on the same server. Read the ratios: both have the same disk and the same
// processors at the same time.
func BenchmarkPostgres(b *testing.B) {
	cluster := benchCluster(b)
	reuseLog(b, cluster.URL())
	profiler := newProfiler(b, cluster)
	pgbench := newPgbench(b, cluster.URL())
	database := pgbench.beside(cluster.URL(), "casino")
	p := startServe(b, database.url)
	profiler.operations = p.operations
	sessions := p.enroll(playersMade)
	groups := map[string][]int{"service": {p.pid}, "database": {database.postmaster()}, "Redis": {p.redis.PID()}, "chain": {p.chain}}
	for b.Loop() {
		t := newTable()
		grown, rounds := int64(0), int64(0)
		for range turns(b) {
			wal, meter := database.wal(), services.NewMeter(groups)
			tpcb := pgbench.run("-c", "16")
			t.add("pgbench TPC-B", "/s", tpcb)
			made := tpcb * measured(b).Seconds()
			t.add("pgbench TPC-B", "WAL B each", float64(database.wal()-wal)/made)
			t.add("pgbench TPC-B", "database µs", meter.Each(made)["database"])
			for _, kind := range []struct {
				name, mix string
				clients   int
			}{{"bets", "play=1", crowds[0]}, {"bets", "play=1", crowds[1]}, {"steps", "step=1", crowds[0]}} {
				name := fmt.Sprintf("%s, %d clients", kind.name, kind.clients)
				before, wal, meter := database.size(), database.wal(), services.NewMeter(groups)
				result := profiler.during(kind.name+strconv.Itoa(kind.clients), func() measurement {
					return p.load("--sessions-file", sessions, "--clients", strconv.Itoa(kind.clients), "--mix", kind.mix)
				})
				t.costs(name, meter.Each(float64(result.Sent)))
				t.add(name, "× TPC-B", result.PerSecond/tpcb)
				t.result(name, result)
				t.add(name, "WAL B each", float64(database.wal()-wal)/float64(result.Sent))
				if kind.name == "bets" {
					grown, rounds = grown+database.size()-before, rounds+result.Sent
				}
			}
		}
		for _, clients := range crowds {
			t.summarize(fmt.Sprintf("bets, %d clients", clients), "PostgreSQL", clients, "× TPC-B")
		}
		t.add("bets", "bytes in tables and indexes each", float64(grown)/float64(rounds))
		t.add("bets", "peak MB of the service", services.ResidentMegabytes(p.pid))
		p.audited()
		fmt.Printf("\ncasino serve at its default settings with Redis and one node of a simulated chain, each a process of its own, its log in a file;\n"+
			"%d players, whose sign-ins come from loopback addresses of their own, so that no window was changed", playersMade)
		fmt.Print(t.String()) // a benchmark's log ends after ten lines
	}
	b.ReportMetric(0, "ns/op")
}

// server is a PostgreSQL server with its own statistics.
type server struct {
	testing.TB
	url string
}

// one returns the result of a query of one number.
func (s server) one(query string) int64 {
	s.Helper()
	db, err := sql.Open("pgx", s.url)
	noError(s, err)
	defer func() { _ = db.Close() }()
	var n int64
	noError(s, db.QueryRow(query).Scan(&n))
	return n
}

// wal returns how many bytes of log the server has written so far.
func (s server) wal() int64 {
	return s.one(`SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint`)
}

// size returns the size of all tables, with all their indexes.
func (s server) size() int64 {
	return s.one(`SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`)
}

// postmaster returns the server's first process, 0 if the system doesn't report it.
func (s server) postmaster() int {
	return services.ParentOf(int(s.one(`SELECT pg_backend_pid()`)))
}

// pgbench is PostgreSQL's own benchmark on its own tables.
type pgbench struct {
	*testing.B
	program, url string
}

func newPgbench(b *testing.B, url string) pgbench {
	b.Helper()
	p := pgbench{b, filepath.Join(services.PostgresBinaries(b), "pgbench"), url}
	p.call("-i", "-q", "-s", "10")
	return p
}

// beside makes another database on the server, because the casino refuses one with foreign
// tables.
func (p pgbench) beside(url, name string) server {
	p.Helper()
	db, err := sql.Open("pgx", url)
	noError(p, err)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(p.Context(), "CREATE DATABASE "+name); err != nil {
		p.Fatal(err)
	}
	return server{p.B, strings.Replace(url, "/postgres?", "/"+name+"?", 1)}
}

var pgbenchRate = regexp.MustCompile(`tps = ([0-9.]+) \(without initial`)

func (p pgbench) run(arguments ...string) float64 {
	p.Helper()
	seconds := strconv.Itoa(int(measured(p.B).Seconds()))
	output := p.call(append([]string{"-n", "-j", strconv.Itoa(runtime.GOMAXPROCS(0)), "-T", seconds}, arguments...)...)
	found := pgbenchRate.FindStringSubmatch(output)
	if found == nil {
		p.Fatalf("pgbench printed %s", output)
	}
	perSecond, err := strconv.ParseFloat(found[1], 64)
	noError(p, err)
	return perSecond
}

func (p pgbench) call(arguments ...string) string {
	p.Helper()
	output, err := exec.Command(p.program, append(arguments, p.url)...).CombinedOutput() //nolint:gosec // the program is PostgreSQL's
	if err != nil {
		p.Fatalf("pgbench: %v\n%s", err, output)
	}
	return string(output)
}
