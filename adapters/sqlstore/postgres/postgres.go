// Package postgres opens the store on a PostgreSQL server (14 or newer), the database of `casino
// serve`, for any number of instances. Open takes a URL. For embedders, OpenConfig takes a pgx
// config, and OpenPool and OpenDB take connections out of an existing pool. The tables are in the
// first schema of search_path.
//
// Wiring and tests import it. Writers use READ COMMITTED and lock in the order that
// docs/writer.md gives; readers have their own connections, which can't write. The owner of the
// schema runs Store.Migrate. The service connects as a role that is granted casino_runtime, which
// can change neither the schema nor append-only tables.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/migrations"
	"github.com/casino-service/casino/ports"
)

// The limits used where Options has zero.
const (
	// StatementTime limits a statement of the writer or of an administrator, ReadTime one that
	// only reads.
	StatementTime = 9 * time.Second
	ReadTime      = 30 * time.Second
	// LockTime is how long a statement waits for a lock. A batch, with all its items, waits that
	// long for a wallet that it failed to lock three times.
	LockTime = 100 * time.Millisecond
	// IdleTime is how long a transaction may be idle before the server ends it, so that an
	// instance that hangs gives its locks back.
	IdleTime = 5 * time.Second
	// ConnectTime limits connecting to each server of the URL, unless the URL sets a limit: a
	// server that is gone must not delay trying the others.
	ConnectTime = 3 * time.Second
)

// WritersDefault is how many connections write: for each writer of the instance, one for the
// current batch and one that holds its lane; the rest for administrators and the checks of
// migrations.
const WritersDefault = 4 + 2*sqlstore.WritersMax

// readersMin is the least number of read connections.
const readersMin = 8

// Options configures an opener; zero fields mean the values above.
type Options struct {
	// Sealer encrypts and decrypts server seeds. Required.
	Sealer ports.Sealer
	// IDFrom is sqlstore.Options.IDFrom: system.IDFrom for the service's own ids.
	IDFrom func(time.Time) string
	// Migrated makes Open refuse a schema unless it has exactly this program's migrations.
	Migrated bool
	// Writers and Readers are the maximum numbers of connections of each kind.
	Writers, Readers int

	StatementTime, ReadTime, LockTime, IdleTime time.Duration

	// BeforeConnect is called before each connection that Open or OpenConfig makes, with a
	// shallow copy of the config, for example to set a rotating password. It may be nil.
	BeforeConnect func(context.Context, *pgx.ConnConfig) error
	// Through wraps the connector of the write connections; nil leaves it unchanged. Tests use it
	// to fail at COMMIT.
	Through func(driver.Connector) driver.Connector
}

// Open opens the database of a URL or a "name=value" list as libpq takes it, and returns when the
// server answers. Errors never hold the password. They are ErrPooler, ErrSettings, a fault of
// kind InvalidState under Options.Migrated, and errors of the driver.
func Open(ctx context.Context, url string, o Options) (*sqlstore.Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: the database's URL: %w", err) // pgx leaves the password out
	}
	return OpenConfig(ctx, config, o)
}

// OpenConfig is Open with a config that pgx.ParseConfig made and that may have been changed
// since, for example TLS, the dialer or a tracer. The store copies it and makes its own
// connections. RuntimeParams that it sets stay; OnNotice is called in addition to the store's.
// DefaultQueryExecMode and ValidateConnect are overwritten: the store needs prepared statements
// and a server that takes writes.
func OpenConfig(ctx context.Context, config *pgx.ConnConfig, o Options) (*sqlstore.Store, error) {
	if err := checkConfig(config); err != nil {
		return nil, fmt.Errorf("postgres: open %s: %w", config.Database, err)
	}
	o = o.withDefaults()
	return o.openStore(ctx, config.Database, o.newConnectors(config))
}

// openStore opens a store on the connections of the connectors.
func (o Options) openStore(ctx context.Context, database string, of connectors) (*sqlstore.Store, error) {
	writers, readers := newPool(o.Through(of.write), o.Writers), newPool(of.read, o.Readers)
	spread, unreachable := isSpread(ctx, readers)
	store, err := sqlstore.New(sqlstore.Options{
		Write: writers, Read: readers, Schema: func() *sql.DB {
			return newPool(oneSession{of.schema, &atomic.Bool{}}, 1)
		},
		Dialect: dialect{spread}, Migrations: migrations.Postgres(), Sealer: o.Sealer, IDFrom: o.IDFrom,
	})
	if err != nil {
		return nil, errors.Join(err, readers.Close(), writers.Close())
	}
	if err = store.Ping(ctx); err == nil {
		err = unreachable
	}
	for _, check := range []func() error{
		func() error { return checkSessions(ctx, readers) },
		func() error { return checkSettings(ctx, writers, slices.Concat(anySettings, writingSettings)) },
		func() error { return checkSettings(ctx, readers, anySettings) },
		func() error { return of.check(ctx, writers) },
	} {
		if err == nil {
			err = check()
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: open %s: %w", database, namedPooler(err)), store.Close())
	}
	if o.Migrated {
		if err := store.CheckSchema(ctx); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	return store, nil
}

// isSpread reports whether Citus has distributed the tables of the schema. It recognizes a
// distributed table by Citus's trigger.
func isSpread(ctx context.Context, readers *sql.DB) (spread bool, err error) {
	err = readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
		WHERE t.tgrelid = to_regclass('players') AND p.proname = 'citus_truncate_trigger')`).Scan(&spread)
	return spread, err
}

func (o Options) withDefaults() Options {
	o.Writers = orDefault(o.Writers, WritersDefault)
	o.Readers = max(2, orDefault(o.Readers, max(readersMin, 2*runtime.GOMAXPROCS(0)))) // two, which checkSessions compares
	o.StatementTime = orDefault(o.StatementTime, StatementTime)
	o.ReadTime = orDefault(o.ReadTime, ReadTime)
	o.LockTime = orDefault(o.LockTime, LockTime)
	o.IdleTime = orDefault(o.IdleTime, IdleTime)
	if o.BeforeConnect == nil {
		o.BeforeConnect = func(context.Context, *pgx.ConnConfig) error { return nil }
	}
	if o.Through == nil {
		o.Through = func(c driver.Connector) driver.Connector { return c }
	}
	return o
}

func orDefault[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// choosesServer reports whether the URL leaves a choice of servers: it names several, or the
// state the server must have. Reads then go to the primary too. On a standby they would be old,
// and a session to a former primary could keep reading there.
func choosesServer(config *pgx.ConnConfig) bool {
	for _, other := range config.Fallbacks {
		if other.Host != config.Host || other.Port != config.Port {
			return true
		}
	}
	return config.ValidateConnect != nil
}

// connectors are those of writers, readers and migrations, and a check to make before the first
// session is used.
type connectors struct {
	write, read, schema driver.Connector
	check               func(ctx context.Context, writers *sql.DB) error
}

// role describes the sessions of one kind.
type role struct {
	mode   pgx.QueryExecMode
	writes bool
	// settings are set unless the config sets them.
	settings map[string]string
}

// roleSettings returns the roles of writers, readers and migrations.
func (o Options) roleSettings() (write, read, schema role) {
	millis := func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
	write = role{pgx.QueryExecModeCacheStatement, true, map[string]string{
		"application_name": "casino writer", "statement_timeout": millis(o.StatementTime), "lock_timeout": millis(o.LockTime),
		"idle_in_transaction_session_timeout": millis(o.IdleTime),
		// The server reports a commit that a standby may lack by a warning.
		"client_min_messages": "warning",
		// Each statement of a batch finds a few hundred rows by key. Planner estimates from when
		// the tables were empty must not change that.
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off",
		"enable_mergejoin": "off", "jit": "off",
	}}
	// Reads are sent as text with their values inside, so each is a different statement and
	// preparing it is useless. Lists, which repeat, are kept prepared with generic plans.
	read = role{pgx.QueryExecModeExec, false, map[string]string{
		"application_name":  "casino reader",
		"statement_timeout": millis(o.ReadTime), "lock_timeout": millis(o.StatementTime), "jit": "off",
		"plan_cache_mode":                     "force_generic_plan",
		"idle_in_transaction_session_timeout": millis(o.IdleTime),
	}}
	schema = role{pgx.QueryExecModeExec, true, map[string]string{"application_name": "casino schema"}}
	for _, of := range []role{write, read, schema} {
		for _, s := range anySettings {
			of.settings[s.name] = s.want
		}
	}
	return write, read, schema
}

// readOnlyFromNow can't be set while connecting: the check for a primary takes a read-only
// session for a standby.
const readOnlyFromNow = "SET default_transaction_read_only = on"

// newConnectors returns connectors that make their own connections with a config.
func (o Options) newConnectors(config *pgx.ConnConfig) connectors {
	left := &atomic.Int64{}
	with := func(of role) driver.Connector {
		c := config.Copy()
		c.DefaultQueryExecMode, c.OnNotice = of.mode, alsoKeepingWarnings(config.OnNotice)
		if c.ConnectTimeout == 0 {
			c.ConnectTimeout = ConnectTime
		}
		if !of.writes {
			c.StatementCacheCapacity = min(c.StatementCacheCapacity, keptMax)
		}
		if of.writes || choosesServer(config) {
			c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		}
		for name, value := range of.settings {
			setUnset(c.RuntimeParams, name, value)
		}
		after := stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
			if of.writes {
				return nil
			}
			_, err := conn.Exec(ctx, readOnlyFromNow)
			return err
		})
		before := stdlib.OptionBeforeConnect(func(ctx context.Context, c *pgx.ConnConfig) error { return o.BeforeConnect(ctx, c) })
		return sessions{Connector: stdlib.GetConnector(*c, after, before), left: left, writes: of.writes}
	}
	write, read, schema := o.roleSettings()
	return connectors{with(write), with(read), with(schema), func(context.Context, *sql.DB) error { return nil }}
}

// setUnset sets a value that isn't set yet.
func setUnset(settings map[string]string, name, value string) {
	if !isSet(settings, name) {
		settings[name] = value
	}
}

// isSet reports whether a setting is present, ignoring case.
func isSet(settings map[string]string, name string) bool {
	for set := range settings {
		if strings.EqualFold(set, name) {
			return true
		}
	}
	return false
}

func newPool(c driver.Connector, connections int) *sql.DB {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}
