package services

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// PostgresURL names the environment variable of a server to use instead of a private one: a URL
// of a user who may create databases and roles.
const PostgresURL = "CASINO_TEST_POSTGRES_URL"

// Postgres returns the URL of a new empty database for this test, which is dropped when the test
// ends.
func Postgres(tb testing.TB) string {
	tb.Helper()
	return copyOf(tb, "template0")
}

// PostgresPrepared returns the URL of a new copy of a database that prepare filled, once for each
// name in a test process.
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
	// shared is the server of this process's tests. The cluster is stored here so that its
	// guard's input stays open.
	shared struct {
		once    sync.Once
		cluster *Cluster
		url     string
		failed  error
	}
	// own is the connection to the server's own database on which databases of tests are made and
	// dropped, one after the other. A pool would leave a goroutine behind.
	own struct {
		sync.Mutex
		connection *pgx.Conn
	}
)

// freshName returns a name that no other test process uses at the same time.
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

// drop removes a database. Sessions closed just before are still ending: if the server finds one,
// it checks again after 100 ms, for which all tests would wait. Therefore drop waits for them
// itself, and other databases can be made and dropped meanwhile.
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
		_, err := on.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)") // ends remaining sessions
		return err
	})
}

// create makes a copy of a database. It copies the files, which takes half the time of the
// default, and is the only way before PostgreSQL 15.
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

// server returns the URL of the server that this process's tests share.
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

// onOwn runs a function on the server's own database.
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

// databaseURL returns the server's URL with another database.
func databaseURL(server, name string) string {
	parsed, err := url.Parse(server)
	if err != nil {
		return server // opening it reports the error
	}
	parsed.Path = "/" + name
	return parsed.String()
}

// followTime limits the wait for a standby to follow its primary.
const followTime = 30 * time.Second

// NewStandby makes a server that follows the primary by streaming replication, and waits until it
// does. It ends with the test. Synchronous decides whether the primary's commits wait for it.
func (c *Cluster) NewStandby(tb testing.TB) *Cluster {
	tb.Helper()
	s, err := bareCluster("", c.settings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.guard.end(); err != nil {
			tb.Error(err)
		}
	})
	s.Follow(tb, c)
	return s
}

// Follow recreates the server as a standby of the primary, on its previous port, and starts it.
// Its old data is lost.
func (c *Cluster) Follow(tb testing.TB, primary *Cluster) {
	tb.Helper()
	if err := os.RemoveAll(c.data()); err != nil {
		tb.Fatal(err)
	}
	backup := c.as(c.program("pg_basebackup"), "-D", c.data(), "-R", "-X", "stream", "-c", "fast", "--no-sync",
		"-d", primary.URL())
	if err := errors.Join(run(backup...), c.configure()); err != nil {
		tb.Fatal(err)
	}
	c.Start(tb)
	primary.await(tb, "SELECT 1/count(*) FROM pg_stat_replication WHERE state = 'streaming'")
}

// Synchronous makes the server's commits wait for a standby, or ends that.
func (c *Cluster) Synchronous(tb testing.TB, on bool) {
	tb.Helper()
	names := "''"
	if on {
		names = "'*'"
	}
	c.administer(tb, "ALTER SYSTEM SET synchronous_standby_names = "+names)
	c.administer(tb, "SELECT pg_reload_conf()")
	if on {
		c.await(tb, "SELECT 1/count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
	}
}

// Promote promotes a standby, and waits until it takes writes.
func (c *Cluster) Promote(tb testing.TB) {
	tb.Helper()
	if err := c.control("promote"); err != nil {
		tb.Fatal(err)
	}
}

// Freeze stops the processes by which a standby follows its primary, like a disk or a machine
// that hangs. The server's first process continues, so that it can be ended.
func (c *Cluster) Freeze(tb testing.TB) {
	tb.Helper()
	c.signal(tb, syscall.SIGSTOP)
	c.frozen = true
}

// Thaw continues them.
func (c *Cluster) Thaw(tb testing.TB) {
	tb.Helper()
	c.signal(tb, syscall.SIGCONT)
	c.frozen = false
}

// signal sends a signal to each child of the server's first process.
func (c *Cluster) signal(tb testing.TB, signal syscall.Signal) {
	tb.Helper()
	first := c.PID(tb)
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		tb.Fatal(err)
	}
	sent := 0
	for _, folder := range folders {
		status, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it has ended by now
		}
		// "pid (name) state parent …": the name may contain any characters.
		_, after, _ := strings.Cut(string(status), ") ")
		fields := strings.Fields(after)
		if len(fields) < 2 || fields[1] != strconv.Itoa(first) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err == nil {
			err = syscall.Kill(pid, signal)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			tb.Fatal(err)
		}
		sent++
	}
	if sent == 0 {
		tb.Fatalf("the server %d has no processes", first)
	}
}

// PID returns the id of the server's first process.
func (c *Cluster) PID(tb testing.TB) int {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		tb.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 1 {
		tb.Fatalf("the server's pid file says %q", first)
	}
	return pid
}

func (c *Cluster) administer(tb testing.TB, statement string) {
	tb.Helper()
	if err := execute(tb.Context(), c.URL(), statement); err != nil {
		tb.Fatal(err)
	}
}

// await repeats the statement until it succeeds.
func (c *Cluster) await(tb testing.TB, statement string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), followTime)
	defer cancel()
	for {
		err := execute(ctx, c.URL(), statement)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			tb.Fatal(fmt.Errorf("services: within %s: %w", followTime, err))
		}
		wait(ctx, 20*time.Millisecond)
	}
}

// MultiURL returns the URL of both servers, which connects to the one that takes writes.
func (c *Cluster) MultiURL(other *Cluster) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write",
		c.port, other.port)
}

// ReadOnly makes the server refuse writes, also in open sessions.
func (c *Cluster) ReadOnly(tb testing.TB) {
	tb.Helper()
	c.administer(tb, "ALTER SYSTEM SET default_transaction_read_only = on")
	c.administer(tb, "SELECT pg_reload_conf()")
}

// CutOff ends all sessions of clients.
func (c *Cluster) CutOff(tb testing.TB) {
	tb.Helper()
	c.administer(tb, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
}

// Upgrade moves the databases of a server to a new one by pg_upgrade, like a version upgrade, and
// starts that on the same port: it has all data, and another system identifier. Standbys must
// Follow it again.
func (c *Cluster) Upgrade(tb testing.TB) {
	tb.Helper()
	c.Stop(tb)
	before := filepath.Join(c.folder, "before")
	if err := os.Rename(c.data(), before); err != nil {
		tb.Fatal(err)
	}
	upgrade := c.as(c.program("pg_upgrade"), "--old-bindir", c.binaries, "--new-bindir", c.binaries,
		"--old-datadir", before, "--new-datadir", c.data(), "--username", "postgres", "--socketdir", c.folder)
	// It writes its log into its working folder, which must be the server's.
	upgrade = append([]string{"env", "-C", c.folder}, upgrade...)
	if err := errors.Join(c.initialize(), run(upgrade...), os.RemoveAll(before), c.configure()); err != nil {
		tb.Fatal(err)
	}
	c.Start(tb)
}
