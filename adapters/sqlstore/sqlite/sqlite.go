// Package sqlite opens the store on an SQLite file: the default of `casino dev`, with nothing
// else installed.
//
// Wiring and tests import it. One connection writes, with transactions that begin IMMEDIATE, so
// that values that a decision reads can't change before it commits. Readers have their own
// connections, which can't write.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"slices"

	"modernc.org/sqlite"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/migrations"
	"github.com/casino-service/casino/ports"
)

// busyTimeout is how long a connection waits for another process, in milliseconds.
const busyTimeout = "10000"

// cachePages is how much of the file a connection caches, in the form of PRAGMA cache_size: up to
// 64 MiB.
const cachePages = "-65536"

// pragmas are set on every connection. Statement journals in memory spare the writer a temporary
// file. See writeAheadLog for the two about the log.
var pragmas = []string{"temp_store(MEMORY)", "wal_autocheckpoint(" + logPages + ")", "journal_size_limit(" + logKept + ")"}

// readersMin is the least number of read connections.
const readersMin = 4

// The read connections of OpenLean, as many as a walk through a ledger uses at a time, and their
// cache of 4 MiB each. Pages that are read once need no larger cache, and each connection would
// fill it.
const (
	leanReaders = 2
	leanPages   = "-4096"
)

// Open opens or creates the database file, which only its owner can read. Store.Migrate creates
// the schema. Commits are durable: WAL with synchronous=FULL. The path is a file path, not a URI,
// and must not be empty. A file with foreign tables is refused as by Store.CheckForeign, and left
// unchanged.
func Open(ctx context.Context, path string, sealer ports.Sealer) (*sqlstore.Store, error) {
	return OpenThrough(ctx, path, sealer, func(c driver.Connector) driver.Connector { return c })
}

// OpenThrough is Open with a function that wraps the connector of the write connection.
// Simulations and tests use it to fail at COMMIT.
func OpenThrough(ctx context.Context, path string, sealer ports.Sealer,
	through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
	return pools{through: through, readers: max(readersMin, runtime.GOMAXPROCS(0)), pages: cachePages}.openStore(ctx, path, sealer)
}

// OpenLean is Open for commands that read a whole ledger once: its memory doesn't grow with the
// file.
func OpenLean(ctx context.Context, path string, sealer ports.Sealer) (*sqlstore.Store, error) {
	return pools{
		through: func(c driver.Connector) driver.Connector { return c }, readers: leanReaders, pages: leanPages,
	}.openStore(ctx, path, sealer)
}

// OpenReadOnly opens an existing file for reads alone and changes neither it nor its mode. Its
// store can't write. A file without a log is taken for one that no process has open.
func OpenReadOnly(_ context.Context, path string, sealer ports.Sealer) (*sqlstore.Store, error) {
	how := url.Values{"_query_only": {"1"}, "mode": {"ro"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		how.Set("immutable", "1")
	}
	reader, err := newConnector(path, leanPages, how)
	if err != nil {
		return nil, err
	}
	read := sql.OpenDB(reader)
	read.SetMaxOpenConns(leanReaders)
	return sqlstore.New(sqlstore.Options{
		Write: sql.OpenDB(reader), Read: read, Dialect: Dialect(path), Migrations: migrations.SQLite(), Sealer: sealer,
	})
}

// pools says how connections are made, how many read, and how much each caches.
type pools struct {
	through func(driver.Connector) driver.Connector
	readers int
	pages   string
}

func (p pools) openStore(ctx context.Context, path string, sealer ports.Sealer) (*sqlstore.Store, error) {
	if path == "" {
		return nil, errors.New("sqlite: the database file needs a path")
	}
	writer, err := newConnector(path, p.pages, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}})
	if err != nil {
		return nil, err
	}
	reader, err := newConnector(path, p.pages, url.Values{"_query_only": {"1"}})
	if err != nil {
		return nil, err
	}
	write := sql.OpenDB(p.through(writer))
	write.SetMaxOpenConns(1)
	read := sql.OpenDB(reader)
	read.SetMaxOpenConns(p.readers)
	read.SetMaxIdleConns(p.readers)
	store, err := sqlstore.New(sqlstore.Options{
		Write: write, Read: read, Dialect: Dialect(path), Migrations: migrations.SQLite(), Sealer: sealer,
	})
	if err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	if err := prepareFile(ctx, path, store, write); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// prepareFile prepares a file for the store, unless it holds foreign tables.
func prepareFile(ctx context.Context, path string, store *sqlstore.Store, write *sql.DB) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		// Before WAL mode and the file mode are set, because both stay after closing.
		if err := store.CheckForeign(ctx); err != nil {
			return fmt.Errorf("sqlite: open %s: %w", path, err)
		}
	}
	if err := ownersOnly(path); err != nil {
		return err
	}
	// The file must exist and be in WAL mode before a reader opens it.
	if err := write.PingContext(ctx); err != nil {
		return fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	return nil
}

func newConnector(path, pages string, settings url.Values) (driver.Connector, error) {
	settings.Set("_busy_timeout", busyTimeout)
	settings.Set("_synchronous", "FULL")
	settings.Set("_defensive", "1")
	settings.Set("_dqs", "0")
	// The driver sorts them: of two with one name the alphabetically last would win.
	settings["_pragma"] = append(slices.Clone(pragmas), "cache_size("+pages+")")
	made, err := sqlite.NewConnector(fileURI(path) + "?" + settings.Encode())
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	return made, nil
}

// fileURI returns a path as a file URI, escaped so that no part of it is read as a setting.
func fileURI(path string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}
