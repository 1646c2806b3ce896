package load_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// benchProfile names a folder for profiles: one of the service's processors for each load of the
// last turn, and the database's most expensive statements. Both slow the product down, so take
// figures without it.
const benchProfile = "CASINO_BENCH_PROFILE"

// profiler takes them; without a folder it does nothing.
type profiler struct {
	*testing.B
	folder, operations, url string
}

// newProfiler prepares a server for counting statements.
func newProfiler(b *testing.B, cluster *services.Cluster) *profiler {
	b.Helper()
	p := &profiler{B: b, folder: os.Getenv(benchProfile), url: cluster.URL()}
	if p.folder == "" {
		return p
	}
	p.execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
	cluster.Restart(b)
	p.execute("CREATE EXTENSION pg_stat_statements")
	noError(b, os.MkdirAll(p.folder, 0o700))
	return p
}

func (p *profiler) execute(statement string) {
	p.Helper()
	db, err := sql.Open("pgx", p.url)
	noError(p, err)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(p.Context(), statement); err != nil {
		p.Fatal(err)
	}
}

// during profiles the service during a load, and writes the load's statements.
func (p *profiler) during(name string, load func() measurement) measurement {
	p.Helper()
	if p.folder == "" {
		return load()
	}
	p.execute("SELECT pg_stat_statements_reset()")
	taken := make(chan error, 1)
	go func() { taken <- p.processors(filepath.Join(p.folder, "serve-"+name+".pprof")) }()
	result := load()
	noError(p, <-taken)
	p.statements(filepath.Join(p.folder, "statements-"+name+".txt"), result.Sent)
	return result
}

// processors writes the service's processor profile for the time in which a side is measured.
func (p *profiler) processors(path string) (err error) {
	<-time.After(2 * time.Second) // the load's own start
	answer, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", p.operations, int(measured(p.B).Seconds())))
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	file, err := os.Create(path) //nolint:gosec // the caller names the folder
	if err != nil {
		return err
	}
	if _, err = io.Copy(file, answer.Body); err != nil {
		return err
	}
	return file.Close()
}

// statements writes the cost of each statement per request: microseconds of execution, calls,
// rows, bytes of log.
func (p *profiler) statements(path string, requests int64) {
	p.Helper()
	db, err := sql.Open("pgx", p.url)
	noError(p, err)
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(p.Context(), `SELECT total_exec_time * 1000 / $1, calls::float / $1, rows::float / $1, wal_bytes::float / $1,
		regexp_replace(left(query, 160), '\s+', ' ', 'g') FROM pg_stat_statements ORDER BY 1 DESC LIMIT 60`, requests)
	noError(p, err)
	var text strings.Builder
	for rows.Next() {
		var micros, calls, found, wal float64
		var query string
		noError(p, rows.Scan(&micros, &calls, &found, &wal, &query))
		fmt.Fprintf(&text, "%7.2f µs %7.4f calls %7.3f rows %7.1f B  %s\n", micros, calls, found, wal, query)
	}
	noError(p, rows.Err())
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		p.Fatal(err)
	}
}
