package load_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/test/services"
)

// BenchmarkCitus measures `casino serve` on one PostgreSQL server and on Citus clusters of one and
// of two workers, in turns. All servers are on this machine: read what a cluster costs, not what
// its machines add.
func BenchmarkCitus(b *testing.B) {
	type place struct {
		name, sessions string
		*product
	}
	one, two := services.NewCitus(b, 1), services.NewCitus(b, 2)
	places := []place{{name: "one PostgreSQL", product: startServe(b, services.NewCluster(b).URL())}}
	for n, cluster := range []*services.Citus{one, two} {
		migrateOn(b, cluster.URL())
		noError(b, services.Distribute(b.Context(), cluster.URL()))
		places = append(places, place{name: fmt.Sprint("Citus, workers: ", n+1), product: startServe(b, cluster.URL()+"&plan_cache_mode=force_custom_plan")})
	}
	for i := range places {
		places[i].sessions = places[i].enroll(playersMade / 10)
	}
	for b.Loop() {
		t := newTable()
		for range turns(b) {
			for _, p := range places {
				t.result(p.name, p.load("--sessions-file", p.sessions, "--clients", "64", "--mix", "play=1"))
			}
		}
		for _, p := range places {
			p.audited()
		}
		fmt.Print(t.String())
	}
	b.ReportMetric(0, "ns/op")
}

func migrateOn(b *testing.B, url string) {
	b.Helper()
	owner, err := postgres.Open(context.Background(), url, postgres.Options{})
	noError(b, err)
	_, err = owner.Migrate(context.Background())
	noError(b, err)
	noError(b, owner.Close())
}
