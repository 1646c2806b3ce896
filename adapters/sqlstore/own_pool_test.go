package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ownConfig returns an embedder's config, with session settings far from the store's.
func ownConfig(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err == nil {
		config.OnNotice = postgres.KeepWarning
		config.RuntimeParams["timezone"] = "Asia/Kathmandu"
	}
	return config, err
}

// dirtied is an AfterConnect hook that sets what users of a shared pool should not set.
func dirtied(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.PgConn().Exec(ctx, "SET DateStyle = 'SQL, DMY'; SET default_transaction_isolation = 'serializable'; SET client_encoding = 'LATIN1'").ReadAll()
	return err
}

// ownDB returns a database/sql pool that is closed when the context ends.
func ownDB(ctx context.Context, url string) (*sql.DB, error) {
	config, err := ownConfig(url)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(dirtied))
	context.AfterFunc(ctx, func() { _ = db.Close() })
	return db, nil
}

// ownPool returns a pgx pool that is closed when the context ends.
func ownPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if config.ConnConfig, err = ownConfig(url); err != nil {
		return nil, err
	}
	config.AfterConnect, config.MaxConns = dirtied, 40
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err == nil {
		context.AfterFunc(ctx, pool.Close)
	}
	return pool, err
}

// onOwn is PostgreSQL with a store that is not opened by a URL.
func onOwn(open func(ctx context.Context, url string, o postgres.Options) (*sqlstore.Store, error)) engine {
	on := onPostgres
	on.open = func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		return open(ctx, where+runtimeRole, postgres.Options{Sealer: sealer, Migrated: true, Readers: 4, Through: through})
	}
	return on
}

func openByDB(ctx context.Context, url string, o postgres.Options) (*sqlstore.Store, error) {
	db, err := ownDB(ctx, url)
	if err != nil {
		return nil, err
	}
	return postgres.OpenDB(ctx, db, o)
}

func openByPool(ctx context.Context, url string, o postgres.Options) (*sqlstore.Store, error) {
	pool, err := ownPool(ctx, url)
	if err != nil {
		return nil, err
	}
	return postgres.OpenPool(ctx, pool, o)
}

// onOwnSQLite is SQLite with a pool of connections that have these settings, none or wrong ones.
func onOwnSQLite(settings string) engine {
	on := onSQLite
	on.open = func(ctx context.Context, where string, sealer ports.Sealer, _ func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		db, err := sql.Open("sqlite", "file:"+where+settings)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { _ = db.Close() })
		return sqlite.OpenDB(ctx, db, sealer)
	}
	return on
}

// TestPoolsOfOthersDoEverything runs every statement on stores that take their connections out of
// pools with other settings.
func TestPoolsOfOthersDoEverything(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]engine{
		"PostgreSQL, a pool of database/sql": onOwn(openByDB), "PostgreSQL, a pool of pgx": onOwn(openByPool),
		"SQLite": onOwnSQLite("?_txlock=deferred&_pragma=query_only(1)&_pragma=ignore_check_constraints(1)&_pragma=synchronous(OFF)"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
			w.everything()
			w.start(w.writer)
			for _, broken := range []player.Item{w.withdraw(alice, money.Max), w.credit(bob, "more", money.SOL, 5)} {
				_, _ = w.writer.Commit(t.Context(), broken) // one item is refused, the other is not
			}
			var all sync.WaitGroup
			for _, who := range []wallet.Address{alice, bob} {
				for range 12 {
					item := w.play(who, 1)
					all.Go(func() { w.commit(item) })
				}
			}
			all.Wait()
			if page, err := w.store.Rounds(t.Context(), ports.RoundFilter{Wallet: alice}, ports.Page{Number: 1, Limit: 100}); err != nil || len(page.Rounds) < 12 {
				t.Errorf("%d rounds, %v", len(page.Rounds), err)
			}
			w.sound()
		})
	}
}

// TestPostgresAPoolOfOthersStaysTheirs checks that the pool is open after the store is closed,
// without a lock or setting of the store, and that settings left on a connection don't lead the
// store to another schema.
func TestPostgresAPoolOfOthersStaysTheirs(t *testing.T) {
	t.Parallel()
	ofPool := func(ctx context.Context, url string) (*pgxpool.Pool, *sql.DB, error) {
		pool, err := ownPool(ctx, url)
		if err != nil {
			return nil, nil, err
		}
		db := stdlib.OpenDBFromPool(pool)
		context.AfterFunc(ctx, func() { _ = db.Close() })
		return pool, db, nil
	}
	// How the pool is made, and how a store is opened on it.
	for name, make := range map[string]func(ctx context.Context, url string) (*sql.DB, func(context.Context, postgres.Options) (*sqlstore.Store, error), error){
		"of database/sql": func(ctx context.Context, url string) (*sql.DB, func(context.Context, postgres.Options) (*sqlstore.Store, error), error) {
			db, err := ownDB(ctx, url)
			return db, func(ctx context.Context, o postgres.Options) (*sqlstore.Store, error) {
				return postgres.OpenDB(ctx, db, o)
			}, err
		},
		"of pgx": func(ctx context.Context, url string) (*sql.DB, func(context.Context, postgres.Options) (*sqlstore.Store, error), error) {
			pool, db, err := ofPool(ctx, url)
			return db, func(ctx context.Context, o postgres.Options) (*sqlstore.Store, error) {
				return postgres.OpenPool(ctx, pool, o)
			}, err
		},
		"of database/sql, on one of pgx": func(ctx context.Context, url string) (*sql.DB, func(context.Context, postgres.Options) (*sqlstore.Store, error), error) {
			_, db, err := ofPool(ctx, url)
			return db, func(ctx context.Context, o postgres.Options) (*sqlstore.Store, error) {
				return postgres.OpenDB(ctx, db, o)
			}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := onPostgres.fresh(t)
			db, open, err := make(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxIdleConns(20)
			staysTheirs(t, url, db, open)
		})
	}
}

func staysTheirs(t *testing.T, url string, db *sql.DB, open func(context.Context, postgres.Options) (*sqlstore.Store, error)) {
	t.Helper()
	ctx := t.Context()
	w := &world{TB: t, on: onPostgres}
	w.on.open = func(ctx context.Context, _ string, sealer ports.Sealer, _ func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		return open(ctx, postgres.Options{Sealer: sealer, Migrated: true})
	}
	w = worldAt(t, w.on, url, sqlstore.WriterOptions{}, unwrapped)
	if err := w.writer.ProbeLane(ctx); err != nil {
		t.Fatal(err)
	}
	execAll(t, db, `CREATE SCHEMA elsewhere`, `CREATE TABLE elsewhere.control (a text)`, `CREATE TABLE elsewhere.branding (a text)`)
	var left []*sql.Conn
	for range 12 {
		conn, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(ctx, "SET search_path = elsewhere"); err != nil {
			t.Fatal(err)
		}
		left = append(left, conn)
	}
	for _, conn := range left {
		_ = conn.Close()
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if _, err := w.store.State(ctx); err != nil {
					t.Errorf("a read beside connections that were left elsewhere: %v", err)
				}
			}
		})
	}
	all.Wait()
	w.writer.Release()
	if err := w.store.Close(); err != nil {
		t.Error(err)
	}
	var theirs []*sql.Conn
	for range 20 { // all held at once, so that each is another one
		conn, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		theirs = append(theirs, conn)
		for setting, want := range map[string]string{"enable_seqscan": "on", "application_name": "", "default_transaction_read_only": "off"} {
			var is string
			if err := conn.QueryRowContext(ctx, "SELECT current_setting($1)", setting).Scan(&is); err != nil || is != want {
				t.Errorf("the pool has %s = %q, %v", setting, is, err)
			}
		}
	}
	waitFor(t, openSide(t, url), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, 0)
	for _, conn := range theirs {
		_ = conn.Close()
	}
}

// TestPostgresPoolsThatCantBeTheCasinosAreRefused checks that the error names the wrong setting.
func TestPostgresPoolsThatCantBeTheCasinosAreRefused(t *testing.T) {
	t.Parallel()
	url := onPostgres.fresh(t)
	through := (&pooler{servers: 4}).start(t, url)
	for name, c := range map[string]struct {
		url    string
		change func(*pgx.ConnConfig)
		want   string
		kind   error
	}{
		"warnings get lost":        {url, func(c *pgx.ConnConfig) { c.OnNotice = nil }, "postgres.KeepWarning", postgres.ErrSettings},
		"warnings are not sent":    {url, func(c *pgx.ConnConfig) { c.RuntimeParams["client_min_messages"] = "error" }, "client_min_messages", postgres.ErrSettings},
		"the simple protocol":      {url, func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol }, "simple_protocol", postgres.ErrSettings},
		"nothing stays prepared":   {url, func(c *pgx.ConnConfig) { c.StatementCacheCapacity = 0 }, "statement_cache_capacity", postgres.ErrSettings},
		"another isolation":        {url, func(c *pgx.ConnConfig) { c.RuntimeParams["Default_Transaction_Isolation"] = "serializable" }, "default_transaction_isolation", postgres.ErrSettings},
		"read only":                {url, func(c *pgx.ConnConfig) { c.RuntimeParams["default_transaction_read_only"] = "on" }, "default_transaction_read_only", postgres.ErrSettings},
		"another schema":           {url, func(c *pgx.ConnConfig) { c.RuntimeParams["search_path"] = "gone" }, "search_path", postgres.ErrSettings},
		"a pooler of transactions": {through, func(*pgx.ConnConfig) {}, "pool_mode = transaction", postgres.ErrPooler},
	} {
		config, err := ownConfig(c.url)
		if err != nil {
			t.Fatal(err)
		}
		c.change(config)
		check := func(how string, store *sqlstore.Store, err error) {
			t.Helper()
			if err == nil {
				err = store.Close() // otherwise the pools below would wait for it
			}
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
		db := stdlib.OpenDB(*config)
		store, err := postgres.OpenDB(t.Context(), db, postgres.Options{})
		check("OpenDB", store, err)
		pooled, err := pgxpool.ParseConfig(c.url)
		if err != nil {
			t.Fatal(err)
		}
		pooled.ConnConfig, pooled.MaxConns = config, 40
		pool, err := pgxpool.NewWithConfig(t.Context(), pooled)
		if err != nil {
			t.Fatal(err)
		}
		store, err = postgres.OpenPool(t.Context(), pool, postgres.Options{})
		check("OpenPool", store, err)
		if name != "warnings get lost" && name != "read only" { // in those cases the store sets its own value, or isn't connected
			store, err = postgres.OpenConfig(t.Context(), config, postgres.Options{})
			check("OpenConfig", store, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		pool.Close() // returns when every connection was returned
	}
}

// TestPostgresAPoolIsNamedThatIsTooSmallOrAnotherDrivers.
func TestPostgresAPoolIsNamedThatIsTooSmallOrAnotherDrivers(t *testing.T) {
	t.Parallel()
	url := onPostgres.fresh(t)
	db, err := ownDB(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(4)
	_, err = postgres.OpenDB(t.Context(), db, postgres.Options{Writers: 3, Readers: 2})
	if !errors.Is(err, postgres.ErrSettings) || !strings.Contains(err.Error(), "room for 4 connections, and the store takes up to 6") {
		t.Errorf("too small: %v", err)
	}
	config, err := ownConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	wrapped := sql.OpenDB(faultyConnector{stdlib.GetConnector(*config), &faults{}})
	_, err = postgres.OpenDB(t.Context(), wrapped, postgres.Options{})
	if !errors.Is(err, postgres.ErrSettings) || !strings.Contains(err.Error(), "faultyConn") {
		t.Errorf("wrapped: %v", err)
	}
	_, err = sqlite.OpenDB(t.Context(), wrapped, newSealer(t))
	if !errors.Is(err, sqlite.ErrSettings) || !strings.Contains(err.Error(), "modernc.org/sqlite") {
		t.Errorf("another database's: %v", err)
	}
	if err := wrapped.Close(); err != nil {
		t.Error(err)
	}
}

// TestPostgresAConfigKeepsItsOwnHooks checks that a changing password and another notice handler
// work.
func TestPostgresAConfigKeepsItsOwnHooks(t *testing.T) {
	t.Parallel()
	config, err := ownConfig(onPostgres.fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	host, port := config.Host, config.Port
	config.Host, config.Port = "127.0.0.1", 1 // no server listens there
	var mu sync.Mutex
	said := 0
	config.OnNotice = func(*pgconn.PgConn, *pgconn.Notice) {
		mu.Lock()
		defer mu.Unlock()
		said++
	}
	store, err := postgres.OpenConfig(t.Context(), config, postgres.Options{
		Sealer: newSealer(t), Migrated: true, BeforeConnect: func(_ context.Context, c *pgx.ConnConfig) error {
			c.Host, c.Port = host, port
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Migrate(t.Context()) // the server reports that tables exist already
	if err := errors.Join(err, store.Close()); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if said == 0 {
		t.Error("the config's own OnNotice was never called")
	}
}

// TestSQLitePoolsThatCantBeTheCasinosAreRefused checks that the error names the wrong setting,
// and that the pool stays open.
func TestSQLitePoolsThatCantBeTheCasinosAreRefused(t *testing.T) {
	t.Parallel()
	open := func(where string, most int) (*sql.DB, error) {
		db, err := sql.Open("sqlite", where)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		db.SetMaxOpenConns(most)
		store, err := sqlite.OpenDB(t.Context(), db, newSealer(t))
		if err != nil {
			return db, err
		}
		_, err = store.Migrate(t.Context())
		return db, errors.Join(err, store.Close())
	}
	folder := t.TempDir()
	for name, c := range map[string]struct {
		where string
		most  int
		want  string
	}{
		"in memory":     {":memory:", 0, "in memory"},
		"too small":     {"file:" + filepath.Join(folder, "small.db"), 1, "room for 1 connections"},
		"without a log": {"file:" + filepath.Join(folder, "locked.db") + "?vfs=unix-none&_pragma=locking_mode(EXCLUSIVE)", 0, "journal_mode"},
	} {
		if _, err := open(c.where, c.most); !errors.Is(err, sqlite.ErrSettings) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := foreignSQLite.unused(t)
	foreignSQLite.prepared(t, path, "CREATE TABLE customers (id integer)")
	if _, err := open("file:"+path, 0); !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "customers") {
		t.Errorf("a foreign file: %v", err)
	}
	db, err := open("file:"+filepath.Join(folder, "casino.db"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var blocks int
	if err := db.QueryRow("SELECT count(*) FROM blocks").Scan(&blocks); err != nil {
		t.Errorf("the pool after the store was closed: %v", err)
	}
	for range 4 { // all held at once, so that each is another one
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		var only int
		if err := conn.QueryRowContext(t.Context(), "PRAGMA query_only").Scan(&only); err != nil || only != 0 {
			t.Errorf("the pool has query_only = %d, %v", only, err)
		}
	}
}
