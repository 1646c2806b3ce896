// Package postgres opens the store on a PostgreSQL server (14 or newer): the
// database of `casino serve`, for as many instances as wanted.
//
// Wiring and tests import it. Whoever writes has READ COMMITTED and locks in the
// order that ARCHITECTURE.md gives; readers have connections of their own, which
// can't write. The schema is its owner's, who runs Store.Migrate; the service
// connects as a role that is granted casino_runtime, which can neither change
// the schema nor anything that is only ever added to.
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

// The limits that Options leaves at zero.
const (
	// StatementTime bounds a statement of the writer or of an administrator,
	// ReadTime one that only reads.
	StatementTime = 9 * time.Second
	ReadTime      = 30 * time.Second
	// LockTime is how long a statement waits for somebody else's lock. A batch
	// waits that long for a wallet that was missed three times, and everybody else
	// with it.
	LockTime = 100 * time.Millisecond
	// IdleTime is how long a transaction may stand still before the server ends
	// it, so that an instance that hangs gives its locks back.
	IdleTime = 5 * time.Second
	// ConnectTime bounds connecting to each server that the URL names, unless the URL
	// does: one that is gone must not keep the others waiting.
	ConnectTime = 3 * time.Second
)

// WritersDefault is how many connections write: for each writer of the instance
// the batch that is under way and the session that holds its lane; administrators;
// and migrations' checks.
const WritersDefault = 4 + 2*sqlstore.WritersMax

// readersMin is the least number of connections that read.
const readersMin = 8

// Options are the choices of an opener; zero fields mean the values above.
type Options struct {
	// Sealer opens and closes server seeds. Required.
	Sealer ports.Sealer
	// IDFrom is sqlstore.Options.IDFrom: system.IDFrom for the service's own ids.
	IDFrom func(time.Time) string
	// Migrated makes Open refuse a schema that isn't exactly the one this program
	// knows.
	Migrated bool
	// Writers and Readers are the most connections of each sort.
	Writers, Readers int

	StatementTime, ReadTime, LockTime, IdleTime time.Duration

	// Through wraps the connector of the connections that write; nil leaves it as
	// it is. Tests put one there that fails at COMMIT.
	Through func(driver.Connector) driver.Connector
}

// Open opens the database of a URL (or a list of "name=value") as libpq takes
// it, and returns when the server answers. Errors never hold the password.
func Open(ctx context.Context, url string, o Options) (*sqlstore.Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: the database's URL: %w", err) // pgx leaves the password out
	}
	o = o.withDefaults()
	write, read, schema := o.connectors(config)
	writers, readers := pool(o.Through(write), o.Writers), pool(read, o.Readers)
	store, err := sqlstore.New(sqlstore.Options{
		Write: writers, Read: readers, Schema: func() *sql.DB {
			return pool(oneSession{schema, &atomic.Bool{}}, 1)
		},
		Dialect: dialect{}, Migrations: migrations.Postgres(), Sealer: o.Sealer, IDFrom: o.IDFrom,
	})
	if err != nil {
		return nil, err
	}
	err = store.Ping(ctx)
	for _, check := range []func() error{
		func() error { return checkSessions(ctx, readers) },
		func() error { return checkSettings(ctx, writers, slices.Concat(anySettings, writingSettings)) },
		func() error { return checkSettings(ctx, readers, anySettings) },
	} {
		if err == nil {
			err = check()
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: open %s: %w", config.Database, namedPooler(err)), store.Close())
	}
	if o.Migrated {
		if err := store.CheckSchema(ctx); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	return store, nil
}

func (o Options) withDefaults() Options {
	o.Writers = orDefault(o.Writers, WritersDefault)
	o.Readers = max(2, orDefault(o.Readers, max(readersMin, 2*runtime.GOMAXPROCS(0)))) // two, which checkSessions compares
	o.StatementTime = orDefault(o.StatementTime, StatementTime)
	o.ReadTime = orDefault(o.ReadTime, ReadTime)
	o.LockTime = orDefault(o.LockTime, LockTime)
	o.IdleTime = orDefault(o.IdleTime, IdleTime)
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

// chosen reports whether the URL leaves a choice of servers: names several, or what the
// one should be. Then reads are the primary's too. They would be old on a standby, and a
// session whose end nobody saw would go on reading from what was the primary.
func chosen(config *pgx.ConnConfig) bool {
	for _, other := range config.Fallbacks {
		if other.Host != config.Host || other.Port != config.Port {
			return true
		}
	}
	return config.ValidateConnect != nil
}

// connectors are those of who writes, who reads, and who migrates. What the URL
// sets itself stays as it says.
func (o Options) connectors(config *pgx.ConnConfig) (write, read, schema driver.Connector) {
	millis := func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
	left := &atomic.Int64{}
	with := func(mode pgx.QueryExecMode, writes bool, settings map[string]string) driver.Connector {
		c := config.Copy()
		c.DefaultQueryExecMode, c.OnNotice = mode, keepWarning
		if c.ConnectTimeout == 0 {
			c.ConnectTimeout = ConnectTime
		}
		if writes || chosen(config) {
			c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		}
		for name, value := range settings {
			setUnset(c.RuntimeParams, name, value)
		}
		for _, s := range anySettings {
			setUnset(c.RuntimeParams, s.name, s.want)
		}
		after := stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
			if writes {
				return nil
			}
			// Not with the connection: what takes no writes is no primary to the check of
			// the one that the URL asks for.
			_, err := conn.Exec(ctx, "SET default_transaction_read_only = on")
			return err
		})
		return sessions{stdlib.GetConnector(*c, after), left, writes}
	}
	write = with(pgx.QueryExecModeCacheStatement, true, map[string]string{
		"application_name": "casino writer", "statement_timeout": millis(o.StatementTime), "lock_timeout": millis(o.LockTime),
		"idle_in_transaction_session_timeout": millis(o.IdleTime),
		// Later statements must see what was committed before the locks were given.
		"default_transaction_isolation": "read committed",
		// Each statement of a batch finds a few hundred rows by their keys. What the
		// planner believes of tables that were empty a minute ago must not change that.
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off",
		"enable_mergejoin": "off", "jit": "off",
	})
	// Reads come as text with their values in it: each is another statement, and
	// keeping them prepared would keep them for nothing.
	read = with(pgx.QueryExecModeExec, false, map[string]string{
		"application_name":  "casino reader",
		"statement_timeout": millis(o.ReadTime), "lock_timeout": millis(o.StatementTime), "jit": "off",
		"idle_in_transaction_session_timeout": millis(o.IdleTime),
	})
	schema = with(pgx.QueryExecModeExec, true, map[string]string{"application_name": "casino schema"})
	return write, read, schema
}

// setUnset sets what isn't set, in whichever case of letters.
func setUnset(settings map[string]string, name, value string) {
	for set := range settings {
		if strings.EqualFold(set, name) {
			return
		}
	}
	settings[name] = value
}

func pool(c driver.Connector, connections int) *sql.DB {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}
