package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// onServices returns a world on PostgreSQL and Redis, migrated by the database's owner and
// served as a role that can't change the schema.
func onServices(t *testing.T) *world {
	t.Helper()
	return onServicesBeside(t, "", "")
}

// onServicesBeside is onServices on a prepared database; where is the casino's schema in
// it, as in the URL.
func onServicesBeside(t *testing.T, theirs, where string) *world {
	t.Helper()
	owner := services.NewCluster(t).URL()
	w := newWorld(t)
	w.settings["redis-url"] = services.Redis(t)
	db, err := sql.Open("pgx", owner)
	if err != nil {
		t.Fatal(err)
	}
	if theirs != "" {
		if _, err := db.ExecContext(t.Context(), theirs); err != nil {
			t.Fatal(err)
		}
		w.settings["database-url"] = owner
		if _, errOut, code := runCasino(t, append([]string{"migrate", "up"}, w.flags("database-url")...)...); code != exitFailed || !strings.Contains(errOut, "table rounds") {
			t.Errorf("migrated between somebody else's tables: exit %d\n%s", code, errOut)
		}
	}
	owner += where
	w.settings["database-url"] = owner
	w.do("migrate", "up")
	if _, err := db.ExecContext(t.Context(), "CREATE ROLE casino_app LOGIN IN ROLE casino_runtime"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	w.settings["database-url"] = strings.Replace(owner, "postgres@", "casino_app@", 1)
	return w
}

// TestTwoInstances runs two services on one PostgreSQL and one Redis. Each knows the
// players of the other, and an address has ten sign-ins on both together. They use a schema
// other than public, which has other tables.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	w := onServicesBeside(t, "CREATE SCHEMA casino; CREATE TABLE rounds (theirs text)", "&search_path=casino")
	one, other := w.serve(), w.serve()
	w.do("capital", "book", string(money.SOL), "10000000000", "founding")
	alice, session, err := client.New(one.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	credited(t, alice, w.pay("alice", 1_000_000_000))
	there := client.New(other.api, nil).WithToken(session.Token)
	until(t, "both know the bankroll", func() bool {
		for _, at := range []*client.Client{alice, there} {
			if _, err := at.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)}); err != nil {
				return false
			}
		}
		return true
	})
	rounds, err := there.ListRounds(t.Context(), api.ListRoundsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for i, round := range rounds.Rounds {
		if want := int64(len(rounds.Rounds) - 1 - i); *round.Nonce != want {
			t.Errorf("round %d has nonce %d, want %d", i, round.Nonce, want)
		}
	}

	admitted := 1 // alice's sign-in
	for i := range 12 {
		at := []*running{one, other}[i%2]
		_, _, err := client.New(at.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now())
		if client.CodeOf(err) != "RATE_LIMITED" {
			admitted++
		}
	}
	if admitted != 10 {
		t.Errorf("%d logins were admitted by both together, want 10", admitted)
	}
	if _, text := one.get("/metrics"); !strings.Contains(text, "casino_limiter_fallback 0\n") {
		t.Error("the limiter counts alone though Redis is there")
	}
	one.stop()
	other.stop()
	if out := w.do("audit"); !strings.Contains(out, "everything holds") {
		t.Errorf("audit: %s", out)
	}
}

func TestOldMonthsAreDetachedAndAttached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings["database-url"] = services.Postgres(t)
	w.do("migrate", "up")
	if out, errOut, code := runCasino(t, append([]string{"migrate", "detach", "2099-01"}, w.flags("database-url")...)...); code != exitFailed {
		t.Errorf("a month to come: exit %d\n%s%s", code, out, errOut)
	}
	w.settings["database-url"] = "sqlite:" + filepath.Join(w.folder, "casino.db")
	w.do("migrate", "up")
	if _, errOut, code := runCasino(t, append([]string{"migrate", "detach", "2026-01"}, w.flags("database-url")...)...); code != exitFailed || !strings.Contains(errOut, "no monthly partitions") {
		t.Errorf("SQLite: exit %d\n%s", code, errOut)
	}
}

func TestServeRefusesADatabaseThatForgets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings["redis-url"] = "none"
	w.settings["database-url"] = services.Postgres(t) // a test server with fsync off
	w.refused("CASINO_DATABASE_URL", "not migrated")
	w.do("migrate", "up")
	w.refused("CASINO_DATABASE_URL", "fsync", "full_page_writes", "synchronous_commit")
}

func TestServeRefusesAnUnreachableServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings["redis-url"] = "none"
	w.settings["database-url"] = "postgres://casino:the-password@127.0.0.1:1/casino?sslmode=disable&connect_timeout=2"
	w.settings["solana-rpc-urls"] = "http://127.0.0.1:1/api-key-of-the-node"
	w.refused("CASINO_DATABASE_URL", "CASINO_SOLANA_RPC_URLS")
}
