package load_test

import (
	"context"
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

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	of = slices.Clone(of)
	slices.Sort(of)
	return of[len(of)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// openPostgres opens a store as the service does, for what is asked of it alone.
func openPostgres(b *testing.B, url string) *sqlstore.Store {
	b.Helper()
	ring, err := sealer.ParseKeys([]string{"bench:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		b.Fatal(err)
	}
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
	store, err := postgres.Open(context.Background(), url+"&role=casino_runtime", postgres.Options{
		Sealer: sealer.New(ring, system.Default().Reader()), Migrated: true, IDFrom: system.IDFrom,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	if err := store.CheckDurable(context.Background()); err != nil {
		b.Fatal(err)
	}
	return store
}
