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

// ErrSettings says that a pool of somebody else is none that the store could work on, and
// names what has to be another way.
var ErrSettings = errors.New("the pool of the database can't be the casino's")

// OpenDB opens the store on connections of somebody else's pool, of the driver
// modernc.org/sqlite as they are, with nothing wrapped around them: one that writes, and as
// many that read as the machine has processors, at least four. The store takes them out as
// it needs them, sets on each what Open would have set (among it WAL, synchronous=FULL,
// busy_timeout, BEGIN IMMEDIATE for whoever writes and query_only for readers), and ends
// them instead of giving them back. Closing the store leaves the pool open.
//
// ErrSettings is of a pool that is too small, has another driver, keeps its database in
// memory, or whose connections don't take a setting, by its name. A file with tables of
// somebody else is refused as Store.CheckForeign says. Who may read the file is its
// owner's to say.
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
	// WAL mode comes with the connection that writes, and stays in the file.
	if err = store.CheckForeign(ctx); err == nil {
		err = write.PingContext(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), store.Close())
	}
	return store, nil
}

// fileOf is the file of a database.
func fileOf(ctx context.Context, pool *sql.DB) (path string, err error) {
	err = pool.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path)
	if err == nil && path == "" {
		err = fmt.Errorf("%w: its database is in memory, where each connection has another and none lasts", ErrSettings)
	}
	return path, err
}

// pragma is a setting of a connection, and what it says of itself when it was taken.
type pragma struct{ name, set, says string }

// pragmasFor are those of a connection that writes, or of one that reads.
func pragmasFor(writes bool) []pragma {
	all := []pragma{
		{"busy_timeout", busyTimeout, busyTimeout},
		{"synchronous", "FULL", "2"},
		{"locking_mode", "NORMAL", "normal"},
		{"ignore_check_constraints", "OFF", "0"},
		{"recursive_triggers", "OFF", "0"},
		{"foreign_keys", "OFF", "0"}, // the schema has none
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

// full is what the driver's connections can do and the store makes use of.
type full interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	// NewBackup is the driver's own: no other has it.
	NewBackup(to string) (*sqlite.Backup, error)
}

// taking makes connections of those that are taken out of somebody's pool.
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
		_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // which ends it
		if err := conn.Close(); !errors.Is(err, sql.ErrConnDone) && !errors.Is(err, driver.ErrBadConn) {
			return err
		}
		return nil
	}}
	// Whoever has the sql.Conn has its connection alone, until it is closed.
	err = conn.Raw(func(connection any) error {
		var ok bool
		if made.full, ok = connection.(full); !ok {
			return fmt.Errorf("%w: its connections are of type %T, and have to be those of modernc.org/sqlite", ErrSettings, connection)
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

// setPragmas sets the pragmas and names those that were not taken.
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

// taken is such a connection.
type taken struct {
	full
	writes bool
	end    func() error
}

// Close ends the connection.
func (t *taken) Close() error { return t.end() }

// BeginTx begins a transaction; of whoever writes, one that has the database at once.
func (t *taken) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if !t.writes {
		return t.full.BeginTx(ctx, o)
	}
	if _, err := t.ExecContext(ctx, "BEGIN IMMEDIATE", nil); err != nil {
		return nil, err
	}
	return transaction{t}, nil
}

// transaction is one that was begun so.
type transaction struct{ of *taken }

// Commit commits, or leaves no transaction behind.
func (t transaction) Commit() error {
	err := t.checkEnd("COMMIT")
	if err != nil {
		_ = t.Rollback() // an error where COMMIT has ended it
	}
	return err
}

// Rollback rolls back.
func (t transaction) Rollback() error { return t.checkEnd("ROLLBACK") }

func (t transaction) checkEnd(statement string) error {
	_, err := t.of.ExecContext(context.Background(), statement, nil)
	return err
}
