package sqlstore_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestADatabaseThatIsAwayIsUnavailable asks a killed server: callers are told to
// come back, and nothing that looks like a defect.
func TestADatabaseThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cluster := services.NewCluster(t)
	store, err := postgres.Open(ctx, cluster.URL(), postgres.Options{Sealer: newSealer(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, err := store.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	alice, round := fakes.Wallet("alice"), "01993b3a-2c00-7abc-8def-00123456789a"
	questions := map[string]func() error{
		"ping":     func() error { return store.Ping(ctx) },
		"a player": func() error { _, err := store.Player(ctx, alice); return err },
		"balances": func() error { _, err := store.Balances(ctx, alice); return err },
		"a round":  func() error { _, err := store.Round(ctx, round); return err },
		"rounds": func() error {
			_, err := store.Rounds(ctx, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 10})
			return err
		},
		"the bankroll": func() error { _, err := store.Bankroll(ctx, money.SOL); return err },
		"roles":        func() error { _, err := store.Roles(ctx); return err },
		"role's change": func() error {
			return store.ChangeRole(ctx, alice, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
				return nil, audit.Record{}, nil
			})
		},
	}
	for name, ask := range questions {
		if err := ask(); fault.Is(err, fault.Unavailable) {
			t.Errorf("%s of a server that is there: %v", name, err)
		}
	}
	crowded(t, cluster.URL())
	cluster.Kill(t)
	for name, ask := range questions {
		if err := ask(); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s of a server that was killed: %v", name, err)
		}
	}
	cluster.Start(t)
	limit, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for limit.Err() == nil && store.Ping(limit) != nil {
	}
	if err := store.Ping(ctx); err != nil {
		t.Errorf("ten seconds after it is back: %v", err)
	}
}

// crowded asks as a role for which the server has no connection left.
func crowded(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), "CREATE ROLE crowd LOGIN CONNECTION LIMIT 0"); err != nil {
		t.Fatal(err)
	}
	_, err = postgres.Open(t.Context(), strings.Replace(url, "postgres@", "crowd@", 1), postgres.Options{Sealer: newSealer(t)})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("without a connection left: %v", err)
	}
}
