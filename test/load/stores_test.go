package load_test

import (
	"context"
	"database/sql"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/test/services"
)

// benchPostgres names the environment variable without which the benchmarks that start a
// PostgreSQL server are skipped.
const benchPostgres = "CASINO_BENCH_POSTGRES"

// benchCluster starts a server that commits durably, for this benchmark only.
func benchCluster(b *testing.B) *services.Cluster {
	b.Helper()
	if os.Getenv(benchPostgres) == "" {
		b.Skip("runs with make bench-postgres") // allowed: it takes minutes and a server of its own
	}
	return services.NewCluster(b)
}

// reuseLog brings a server to the state after its first checkpoint, in which it reuses its log
// files. A new server first fills each 16 MB file of the log with zeros, and every commit waits
// for that.
func reuseLog(b *testing.B, url string) {
	b.Helper()
	db, err := sql.Open("pgx", url)
	noError(b, err)
	defer func() { _ = db.Close() }()
	// As much as the server writes between two checkpoints: it keeps files for that.
	for _, statement := range []string{
		`SELECT pg_logical_emit_message(false, 'bench', repeat('x', 16777216)) FROM generate_series(1, 140)`, `CHECKPOINT`,
	} {
		if _, err := db.ExecContext(b.Context(), statement); err != nil {
			b.Fatal(err)
		}
	}
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	of = slices.Clone(of)
	slices.Sort(of)
	return of[len(of)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// openPostgres opens a store as the service does, for queries only.
func openPostgres(b testing.TB, url string) *sqlstore.Store {
	b.Helper()
	ring, err := sealer.ParseKeys([]string{"bench:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	noError(b, err)
	owner, err := postgres.Open(context.Background(), url, postgres.Options{})
	noError(b, err)
	if _, err := owner.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	noError(b, owner.Close())
	store, err := postgres.Open(context.Background(), url+"&role=casino_runtime", postgres.Options{
		Sealer: sealer.New(ring, system.Default().Reader()), Migrated: true, IDFrom: system.IDFrom,
	})
	noError(b, err)
	b.Cleanup(func() { _ = store.Close() })
	noError(b, store.CheckDurable(context.Background()))
	return store
}
