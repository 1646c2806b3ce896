package services

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// PostgresURL names the environment variable of a server to use instead of a
// private one: a URL whose user may create databases and roles.
const PostgresURL = "CASINO_TEST_POSTGRES_URL"

// Postgres returns the URL of a fresh empty database of this test alone, which is
// dropped when the test ends.
func Postgres(tb testing.TB) string {
	tb.Helper()
	return copyOf(tb, "template0")
}

// PostgresPrepared returns the URL of a fresh copy of a database that prepare
// filled, which happens once for each name in a test process.
func PostgresPrepared(tb testing.TB, name string, prepare func(ctx context.Context, url string) error) string {
	tb.Helper()
	entry, _ := templates.LoadOrStore(name, &template{})
	made := entry.(*template)
	made.once.Do(func() {
		made.name = freshName()
		if made.failed = create(tb, made.name, "template0"); made.failed == nil {
			made.failed = prepare(context.WithoutCancel(tb.Context()), databaseURL(server(tb), made.name))
		}
	})
	if made.failed != nil {
		tb.Fatalf("the database that %s copies: %v", name, made.failed)
	}
	return copyOf(tb, made.name)
}

// template is a database that others are copied from.
type template struct {
	once   sync.Once
	name   string
	failed error
}

var (
	templates sync.Map // of *template, by the caller's name for it
	named     atomic.Int64
	// shared is the server of this process's tests, with connections to its own database
	// for making and dropping theirs. The cluster is kept here so that its guard's input
	// stays open.
	shared struct {
		once    sync.Once
		cluster *Cluster
		url     string
		own     *sql.DB
		failed  error
	}
)

// freshName is a name that no other test process uses at the same time.
func freshName() string {
	return fmt.Sprintf("casino_test_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), named.Add(1))
}

func copyOf(tb testing.TB, from string) string {
	tb.Helper()
	url, name := server(tb), freshName()
	if err := create(tb, name, from); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := administer(tb, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			tb.Error(err)
		}
	})
	return databaseURL(url, name)
}

// create makes a database that has what another one has. Its files are copied, which takes
// half the time of what servers do unless they are told to, and is all that those before
// PostgreSQL 15 can.
func create(tb testing.TB, name, from string) error {
	tb.Helper()
	server(tb)
	var version int
	if err := shared.own.QueryRowContext(tb.Context(), "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return fmt.Errorf("services: the server's version: %w", err)
	}
	statement := "CREATE DATABASE " + name + " TEMPLATE " + from
	if version >= 150_000 {
		statement += " STRATEGY file_copy"
	}
	return administer(tb, statement)
}

// server is the URL of the server that this process's tests share.
func server(tb testing.TB) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs PostgreSQL") // allowed: -short leaves out what needs a service
	}
	shared.once.Do(func() {
		if shared.url = os.Getenv(PostgresURL); shared.url == "" {
			if shared.cluster, shared.failed = newCluster(inMemory(), unsafeSettings); shared.failed != nil {
				return
			}
			if shared.failed = shared.cluster.launch(); shared.failed != nil {
				return
			}
			shared.url = shared.cluster.URL()
		}
		shared.own, shared.failed = sql.Open("pgx", shared.url)
	})
	if shared.failed != nil {
		tb.Fatal(shared.failed)
	}
	return shared.url
}

// administer runs a statement on the server's own database.
func administer(tb testing.TB, statement string) error {
	tb.Helper()
	server(tb)
	return on(context.WithoutCancel(tb.Context()), shared.own, statement)
}

// execute runs a statement on a connection of its own.
func execute(ctx context.Context, url, statement string) (err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("services: open the server's database: %w", err)
	}
	defer func() {
		if closing := db.Close(); err == nil && closing != nil {
			err = fmt.Errorf("services: close the server's database: %w", closing)
		}
	}()
	return on(ctx, db, statement)
}

// on runs a statement.
func on(ctx context.Context, db *sql.DB, statement string) error {
	verb := strings.Join(strings.Fields(statement)[:2], " ")
	if _, err := db.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("services: %s: %w", verb, err)
	}
	return nil
}

// databaseURL is the server's URL with another database.
func databaseURL(server, name string) string {
	parsed, err := url.Parse(server)
	if err != nil {
		return server // opening it reports what is wrong
	}
	parsed.Path = "/" + name
	return parsed.String()
}
