package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"modernc.org/sqlite"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/migrations"
	"github.com/casino-service/casino/ports"
)

// ErrSettings reports a pool that the store can't work on, and names what must be different.
var ErrSettings = errors.New("the casino can't use this database pool")

// OpenDB opens the store on connections of the caller's pool, which must be of the driver
// modernc.org/sqlite with no wrapper around them: one that writes, and as many that read as the
// machine has processors, at least four. The store takes connections as it needs them and sets on
// each what Open would set (among it WAL, synchronous=FULL, busy_timeout, BEGIN IMMEDIATE for
// writers and query_only for readers). It closes them instead of returning them. Closing the
// store leaves the pool open.
//
// OpenDB returns ErrSettings for a pool that is too small, has another driver, keeps its database
// in memory, or has connections that don't accept a setting, which it names. It refuses a file
// with foreign tables as Store.CheckForeign does. It doesn't change the file's mode.
func OpenDB(ctx context.Context, db *sql.DB, sealer ports.Sealer) (*sqlstore.Store, error) {
	readers := max(readersMin, runtime.GOMAXPROCS(0))
	if room := db.Stats().MaxOpenConnections; room > 0 && room < readers+1 {
		return nil, fmt.Errorf("sqlite: open a pool: %w: it has room for %d connections, and the store takes up to %d of them",
			ErrSettings, room, readers+1)
	}
	read := sql.OpenDB(taking{db, false})
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	write := sql.OpenDB(taking{db, true})
	write.SetMaxOpenConns(1)
	path, err := fileOf(ctx, read)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open a pool: %w", err), read.Close(), write.Close())
	}
	store, err := sqlstore.New(sqlstore.Options{
		Write: write, Read: read, Dialect: Dialect(path), Migrations: migrations.SQLite(), Sealer: sealer,
	})
	if err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	// The write connection sets WAL mode, which stays in the file.
	if err = store.CheckForeign(ctx); err == nil {
		err = write.PingContext(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), store.Close())
	}
	return store, nil
}

// fileOf returns the path of a database's file.
func fileOf(ctx context.Context, pool *sql.DB) (path string, err error) {
	err = pool.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path)
	if err == nil && path == "" {
		err = fmt.Errorf("%w: its database is in memory, where each connection has a separate database that doesn't last", ErrSettings)
	}
	return path, err
}

// pragma is a setting of a connection, and the value that it reports when it is set.
type pragma struct{ name, set, says string }

// pragmasFor returns the pragmas of a connection that writes, or of one that reads.
func pragmasFor(writes bool) []pragma {
	all := []pragma{
		{"busy_timeout", busyTimeout, busyTimeout},
		{"synchronous", "FULL", "2"},
		{"locking_mode", "NORMAL", "normal"},
		{"ignore_check_constraints", "OFF", "0"},
		{"recursive_triggers", "OFF", "0"},
		{"foreign_keys", "OFF", "0"}, // the schema has no foreign keys
		{"writable_schema", "OFF", "0"},
		{"temp_store", "MEMORY", "2"},
		{"cache_size", cachePages, cachePages},
		{"wal_autocheckpoint", logPages, logPages},
		{"journal_size_limit", logKept, logKept},
	}
	if writes {
		return append(all, pragma{"query_only", "OFF", "0"}, pragma{"journal_mode", "WAL", "wal"})
	}
	return append(all, pragma{"query_only", "ON", "1"})
}

// full lists the methods of the driver's connections that the store uses.
type full interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	// NewBackup exists only on this driver's connections.
	NewBackup(to string) (*sqlite.Backup, error)
}

// taking is a connector that takes connections out of the caller's pool.
type taking struct {
	from   *sql.DB
	writes bool
}

// Driver implements driver.Connector.
func (t taking) Driver() driver.Driver { return t.from.Driver() }

// Connect takes a connection and sets what the store needs.
func (t taking) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := t.from.Conn(ctx)
	if err != nil {
		return nil, err
	}
	made := &taken{writes: t.writes, end: func() error {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // ends the connection
		if err := conn.Close(); !errors.Is(err, sql.ErrConnDone) && !errors.Is(err, driver.ErrBadConn) {
			return err
		}
		return nil
	}}
	// The caller of Conn owns the connection until it is closed.
	err = conn.Raw(func(connection any) error {
		var ok bool
		if made.full, ok = connection.(full); !ok {
			return fmt.Errorf("%w: its connections are of type %T, and must be those of modernc.org/sqlite", ErrSettings, connection)
		}
		return nil
	})
	if err == nil {
		err = setPragmas(ctx, conn, pragmasFor(t.writes))
	}
	if err != nil {
		return nil, errors.Join(err, made.end())
	}
	return made, nil
}

// setPragmas sets the pragmas and names those that were not accepted.
func setPragmas(ctx context.Context, conn *sql.Conn, all []pragma) error {
	var wrong []string
	for _, p := range all {
		if _, err := conn.ExecContext(ctx, "PRAGMA "+p.name+" = "+p.set); err != nil {
			return fmt.Errorf("PRAGMA %s: %w", p.name, err)
		}
		var says string
		if err := conn.QueryRowContext(ctx, "PRAGMA "+p.name).Scan(&says); err != nil {
			return fmt.Errorf("PRAGMA %s: %w", p.name, err)
		}
		if !strings.EqualFold(says, p.says) {
			wrong = append(wrong, fmt.Sprintf("%s is %q and must be %q", p.name, says, p.says))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %s", ErrSettings, strings.Join(wrong, "; "))
	}
	return nil
}

// taken is a connection that was taken out of a pool.
type taken struct {
	full
	writes bool
	end    func() error
}

// Close ends the connection.
func (t *taken) Close() error { return t.end() }

// BeginTx begins a transaction; a writer's begins IMMEDIATE.
func (t *taken) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if !t.writes {
		return t.full.BeginTx(ctx, o)
	}
	if _, err := t.ExecContext(ctx, "BEGIN IMMEDIATE", nil); err != nil {
		return nil, err
	}
	return transaction{t}, nil
}

// transaction is a transaction begun by taken.
type transaction struct{ of *taken }

// Commit commits, or leaves no transaction behind.
func (t transaction) Commit() error {
	err := t.checkEnd("COMMIT")
	if err != nil {
		_ = t.Rollback() // fails if COMMIT has ended the transaction
	}
	return err
}

// Rollback rolls back.
func (t transaction) Rollback() error { return t.checkEnd("ROLLBACK") }

func (t transaction) checkEnd(statement string) error {
	_, err := t.of.ExecContext(context.Background(), statement, nil)
	return err
}
