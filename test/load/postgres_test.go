package load_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/test/services"
)

// benchPostgres names the environment variable without which the benchmarks that
// start a PostgreSQL server are left out.
const benchPostgres = "CASINO_BENCH_POSTGRES"

// benchCluster is a server that commits durably, of this benchmark alone.
func benchCluster(b *testing.B) *services.Cluster {
	b.Helper()
	if os.Getenv(benchPostgres) == "" {
		b.Skip("runs with make bench-postgres") // allowed: it takes minutes and a server of its own
	}
	return services.NewCluster(b)
}

// BenchmarkPostgres measures, in turns on one server with durable commits,
// pgbench's TPC-B (scale 10, 16 clients) and simple update, a bare handler, and
// bets over HTTP with full authentication at 64 and at 256 clients. The ratios of
// the medians are what counts.
func BenchmarkPostgres(b *testing.B) {
	cluster := benchCluster(b)
	pgbench := newPgbench(b, cluster.URL())
	store := openPostgres(b, cluster.URL())
	address, tokens := serve(b, store)
	bare, cpu := listen(b, bareHandler()), newMeter(b, cluster.URL())
	for b.Loop() {
		measuredIn := map[string][]float64{}
		latencies := map[int][]time.Duration{}
		for range rounds {
			note := func(name string, figure float64) { measuredIn[name] = append(measuredIn[name], figure) }
			_, before := cpu.read()
			perSecond := pgbench.run("-c", "16")
			_, after := cpu.read()
			note("tpcb/s", perSecond)
			note("tpcb-server-us", float64((after-before).Microseconds())/perSecond/measured.Seconds())
			note("simple-update/s", pgbench.run("-c", "16", "-N"))
			for _, clients := range []int{64, 256} {
				perSecond, _ := measureHTTP(b, []string{bare}, clients, (*caller).bare)
				note(fmt.Sprintf("bare-%d/s", clients), perSecond)
				ownBefore, before := cpu.read()
				perSecond, took := measureHTTP(b, []string{address}, clients, plays(tokens))
				own, after := cpu.read()
				note(fmt.Sprintf("plays-%d/s", clients), perSecond)
				note(fmt.Sprintf("play-server-us-%d", clients), float64((after-before).Microseconds())/float64(len(took)))
				note(fmt.Sprintf("play-own-us-%d", clients), float64((own-ownBefore).Microseconds())/float64(len(took)))
				latencies[clients] = append(latencies[clients], took...)
			}
		}
		for name, figures := range measuredIn {
			b.ReportMetric(median(figures), name)
		}
		for clients, took := range latencies {
			slices.Sort(took)
			b.ReportMetric(median(measuredIn[fmt.Sprintf("plays-%d/s", clients)])/median(measuredIn["tpcb/s"]), fmt.Sprintf("x-tpcb-%d", clients))
			b.ReportMetric(milliseconds(took[len(took)/2]), fmt.Sprintf("p50-ms-%d", clients))
			b.ReportMetric(milliseconds(took[len(took)*99/100]), fmt.Sprintf("p99-ms-%d", clients))
		}
		b.ReportMetric(residentMegabytes(b), "peak-MB")
	}
}

// BenchmarkPostgresInstances measures bets over HTTP at 256 clients with one, two
// and four instances of the service on one database, in turns, with the same
// players on all of them, and how large their batches were.
func BenchmarkPostgresInstances(b *testing.B) {
	cluster := benchCluster(b)
	first := openPostgres(b, cluster.URL())
	address, tokens := serve(b, first)
	addresses := []string{address}
	for len(addresses) < 4 {
		one, _ := serveWith(b, openPostgres(b, cluster.URL()), tokens)
		addresses = append(addresses, one)
	}
	blocks := func() (n int64) {
		heads, err := first.Heads(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		for _, head := range heads {
			n += head.Seq
		}
		return n
	}
	for b.Loop() {
		measuredIn, batches := map[int][]float64{}, map[int][]float64{}
		for range rounds {
			for _, instances := range []int{1, 2, 4} {
				before := blocks()
				perSecond, took := measureHTTP(b, addresses[:instances], 256, plays(tokens))
				measuredIn[instances] = append(measuredIn[instances], perSecond)
				batches[instances] = append(batches[instances], float64(len(took))/float64(blocks()-before))
			}
		}
		for instances, figures := range measuredIn {
			b.ReportMetric(median(figures), fmt.Sprintf("plays-by-%d/s", instances))
			b.ReportMetric(median(batches[instances]), fmt.Sprintf("batch-by-%d", instances))
			b.ReportMetric(median(figures)/median(measuredIn[1]), fmt.Sprintf("x-one-by-%d", instances))
		}
		b.ReportMetric(count(b, cluster.URL(), "SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'"), "deadlocks")
	}
}

// count answers a query of one number.
func count(b *testing.B, url, query string) float64 {
	b.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var n float64
	if err := db.QueryRow(query).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// bareHandler is the least that a handler of this sort does: it reads JSON and
// answers JSON through the same router.
func bareHandler() http.Handler {
	router := mux.NewRouter()
	router.HandleFunc("/casino/play", func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}).Methods(http.MethodPost)
	return router
}

func (c *caller) bare(*rand.Rand) error { return c.play("none") }

func openPostgres(b *testing.B, url string) *sqlstore.Store {
	b.Helper()
	seeds, _ := newSealer(b, system.Default())
	owner, err := postgres.Open(context.Background(), url, postgres.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := owner.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		b.Fatal(err)
	}
	store, err := postgres.Open(context.Background(), url+"&role=casino_runtime", postgres.Options{Sealer: seeds, Migrated: true, IDFrom: system.IDFrom})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	if err := store.CheckDurable(context.Background()); err != nil {
		b.Fatal(err)
	}
	return store
}

// pgbench is PostgreSQL's own benchmark on tables of its own.
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

var pgbenchRate = regexp.MustCompile(`tps = ([0-9.]+) \(without initial`)

func (p pgbench) run(arguments ...string) float64 {
	p.Helper()
	seconds := strconv.Itoa(int(measured.Seconds()))
	output := p.call(append([]string{"-n", "-j", strconv.Itoa(runtime.GOMAXPROCS(0)), "-T", seconds}, arguments...)...)
	found := pgbenchRate.FindStringSubmatch(output)
	if found == nil {
		p.Fatalf("pgbench printed %s", output)
	}
	perSecond, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		p.Fatal(err)
	}
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

// residentMegabytes is the most memory that this process, clients included, had
// at any time; 0 where the system doesn't report it.
func residentMegabytes(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	found := regexp.MustCompile(`VmHWM:\s+([0-9]+) kB`).FindSubmatch(status)
	if found == nil {
		return 0
	}
	kilobytes, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1024
}
