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

	"github.com/jackc/pgx/v5"
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
	// shared is the server of this process's tests. The cluster is kept here so that its
	// guard's input stays open.
	shared struct {
		once    sync.Once
		cluster *Cluster
		url     string
		failed  error
	}
	// own is the connection to the server's own database by which those of tests are made and
	// dropped, one after the other. A pool would leave a goroutine behind.
	own struct {
		sync.Mutex
		connection *pgx.Conn
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
		if err := drop(tb, name); err != nil {
			tb.Error(err)
		}
	})
	return databaseURL(url, name)
}

// drop removes a database. Sessions that were closed a moment ago are still ending: where the
// server meets one it looks again after 100 ms, for which all tests would wait. So they are
// waited for here, between whose looks other databases are made and dropped.
func drop(tb testing.TB, name string) error {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	for range 50 {
		var sessions int
		if err := onOwn(tb, func(ctx context.Context, on *pgx.Conn) error {
			return on.QueryRow(ctx, `SELECT count(pg_terminate_backend(pid))
				FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`, name).Scan(&sessions)
		}); err != nil {
			return err
		}
		if sessions == 0 {
			break
		}
		wait(ctx, 2*time.Millisecond)
	}
	return onOwn(tb, func(ctx context.Context, on *pgx.Conn) error {
		_, err := on.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)") // whoever is still there goes
		return err
	})
}

// create makes a database that has what another one has. Its files are copied, which takes
// half the time of what servers do unless they are told to, and is all that those before
// PostgreSQL 15 can.
func create(tb testing.TB, name, from string) error {
	tb.Helper()
	return onOwn(tb, func(ctx context.Context, on *pgx.Conn) error {
		statement := "CREATE DATABASE " + name + " TEMPLATE " + from
		if version := on.PgConn().ParameterStatus("server_version"); len(version) < 2 || version[:2] > "14" {
			statement += " STRATEGY file_copy"
		}
		_, err := on.Exec(ctx, statement)
		return err
	})
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
	})
	if shared.failed != nil {
		tb.Fatal(shared.failed)
	}
	return shared.url
}

// onOwn does something in the server's own database.
func onOwn(tb testing.TB, do func(ctx context.Context, on *pgx.Conn) error) (err error) {
	tb.Helper()
	url, ctx := server(tb), context.WithoutCancel(tb.Context())
	own.Lock()
	defer own.Unlock()
	if own.connection == nil || own.connection.IsClosed() {
		if own.connection, err = pgx.Connect(ctx, url); err != nil {
			return fmt.Errorf("services: the server's own database: %w", err)
		}
	}
	if err := do(ctx, own.connection); err != nil {
		return fmt.Errorf("services: a database of a test: %w", err)
	}
	return nil
}

// execute runs a statement on a server's own database.
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
