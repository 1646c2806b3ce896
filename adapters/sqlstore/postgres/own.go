package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/casino-service/casino/adapters/sqlstore"
)

// OpenPool opens the store on connections of the caller's pool, which must have room for
// Options.Writers, Options.Readers and one for migrations; ErrSettings reports how many these
// are. The store takes connections as it needs them and sets on each what Open would set, except
// what the pool's config sets. It closes them instead of returning them, so that its settings
// affect no other user of the pool. Closing the store leaves the pool open; close the pool after
// it.
//
// The pool's config needs OnNotice: postgres.KeepWarning. OpenPool returns ErrPooler or
// ErrSettings, with the reason, for a pool that goes through a transaction pooler, uses the
// simple protocol, prepares no statements, passes on no warnings, or has other settings under
// which the store would be wrong.
func OpenPool(ctx context.Context, pool *pgxpool.Pool, o Options) (*sqlstore.Store, error) {
	config := pool.Config()
	if err := checkConfig(config.ConnConfig); err != nil {
		return nil, fmt.Errorf("postgres: open a pool: %w", err)
	}
	from := stdlib.GetPoolConnector(pool)
	return o.openOf(ctx, int(config.MaxConns), from.Driver(), func(ctx context.Context) (*native, func() error, error) {
		conn, err := from.Connect(ctx)
		if err != nil {
			return nil, nil, err
		}
		own, ok := conn.(*native)
		if !ok {
			return nil, nil, errors.Join(fmt.Errorf("postgres: a connection of type %T", conn), conn.Close())
		}
		return own, func() error { return errors.Join(hangUp(own), own.Close()) }, nil
	})
}

// OpenDB is OpenPool with a database/sql pool. Its connections must be those of the driver
// github.com/jackc/pgx/v5/stdlib, with no wrapper around them. For a pool that
// stdlib.OpenDBFromPool made, call OpenPool with the pgx pool instead: OpenDB can't see its size.
func OpenDB(ctx context.Context, db *sql.DB, o Options) (*sqlstore.Store, error) {
	return o.openOf(ctx, db.Stats().MaxOpenConnections, db.Driver(), func(ctx context.Context) (own *native, end func() error, err error) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, nil, err
		}
		end = func() error {
			var err error
			if own != nil {
				err = hangUp(own) // closes the connection for a pgx pool underneath too
			}
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // ends the connection
			return errors.Join(err, ignoreClosed(conn.Close()))
		}
		// The caller of Conn owns the connection until it is closed.
		err = conn.Raw(func(connection any) error {
			var ok bool
			if own, ok = connection.(*native); !ok {
				return fmt.Errorf("%w: its connections are of type %T, and must be those of github.com/jackc/pgx/v5/stdlib", ErrSettings, connection)
			}
			return nil
		})
		if err == nil {
			err = checkConfig(own.Conn().Config())
		}
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		return own, end, nil
	})
}

// hangUpTime limits how long closing a connection takes.
const hangUpTime = 5 * time.Second

// hangUp closes a connection, so that no pool uses it again.
func hangUp(own *native) error {
	ctx, cancel := context.WithTimeout(context.Background(), hangUpTime)
	defer cancel()
	return own.Conn().Close(ctx)
}

// ignoreClosed drops the error of a connection that is already closed.
func ignoreClosed(err error) error {
	if errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// take takes a connection out of a pool, and returns a function that closes it.
type take func(context.Context) (own *native, end func() error, err error)

// openOf opens a store on connections of a pool with this much room, 0 for unlimited.
func (o Options) openOf(ctx context.Context, room int, of driver.Driver, take take) (*sqlstore.Store, error) {
	o = o.withDefaults()
	if needed := o.Writers + o.Readers + 1; room > 0 && room < needed {
		return nil, fmt.Errorf("postgres: open a pool: %w: it has room for %d connections, and the store takes up to %d of them "+
			"(Options.Writers %d, Options.Readers %d, and one to migrate with)", ErrSettings, room, needed, o.Writers, o.Readers)
	}
	left, first := &atomic.Int64{}, &place{}
	with := func(as role) driver.Connector {
		return taking{take: take, driver: of, as: as, of: sessions{left: left, writes: as.writes}, first: first}
	}
	write, read, schema := o.roleSettings()
	return o.openStore(ctx, "a pool", connectors{with(write), with(read), with(schema), checkWarnings})
}

// taking is a connector that makes sessions from connections of the caller's pool.
type taking struct {
	take   take
	driver driver.Driver
	as     role
	of     sessions
	first  *place
}

// place is the user and schema of a store's sessions; the first session decides.
type place struct {
	mu           sync.Mutex
	user, schema string
	known        bool
}

// errElsewhere reports a connection that was left with another user or schema, errUnguarded one
// with triggers disabled, which only administrators can enable again. Both are closed, so that
// the next connection may be usable.
var (
	errElsewhere = fmt.Errorf("%w: connections of the pool were left with another role or search_path than the first", ErrSettings)
	errUnguarded = fmt.Errorf("%w: connections of the pool were left with another session_replication_role than origin", ErrSettings)
)

// elsewhereMax is how many of those in a row are closed before giving up.
const elsewhereMax = 100

// Driver implements driver.Connector.
func (t taking) Driver() driver.Driver { return t.driver }

// Connect takes a connection and sets what the store needs.
func (t taking) Connect(ctx context.Context) (made driver.Conn, err error) {
	for range elsewhereMax {
		if made, err = t.takeOne(ctx); !errors.Is(err, errElsewhere) && !errors.Is(err, errUnguarded) {
			break
		}
	}
	return made, err
}

func (t taking) takeOne(ctx context.Context) (driver.Conn, error) {
	made := t.of.left.Load() // before the server is chosen
	own, end, err := t.take(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.prepareConnection(ctx, own.Conn()); err != nil {
		return nil, errors.Join(err, end())
	}
	return &session{native: own, of: t.of, made: made, end: end, mode: t.as.mode}, nil
}

// asNew resets what may have been left on a connection: synchronous_commit off and read-only
// mode. withoutTables drops temporary tables that hide the casino's; it comes later, because a
// standby can't run it under every isolation level.
const (
	asNew         = "RESET synchronous_commit; RESET default_transaction_read_only;"
	withoutTables = "DISCARD TEMP"
)

// prepareConnection sets what the store needs, and checks the server, user and schema.
func (t taking) prepareConnection(ctx context.Context, conn *pgx.Conn) error {
	params := conn.Config().RuntimeParams
	var all strings.Builder
	all.WriteString(asNew)
	for _, name := range slices.Sorted(maps.Keys(t.as.settings)) {
		if !isSet(params, name) {
			all.WriteString("SET " + name + " = '" + t.as.settings[name] + "';") // names and values are the store's own
		}
	}
	if !t.as.writes {
		all.WriteString(readOnlyFromNow)
	}
	if _, err := conn.PgConn().Exec(ctx, all.String()).ReadAll(); err != nil {
		return err
	}
	var user, schema string
	var standby, guarded bool
	err := conn.QueryRow(ctx, "SELECT current_user::text, coalesce(current_schema(), '')::text, pg_is_in_recovery(), "+
		"current_setting('session_replication_role') = 'origin'", pgx.QueryExecModeExec).Scan(&user, &schema, &standby, &guarded)
	switch {
	case err != nil:
		return err
	case standby:
		return fmt.Errorf("postgres: the pool leads to a standby: %w", pgconn.ErrReadOnlyConnection)
	case !t.first.isSamePlace(user, schema):
		return errElsewhere
	case !guarded && t.as.writes:
		return errUnguarded
	}
	_, err = conn.PgConn().Exec(ctx, withoutTables).ReadAll()
	return err
}

// isSamePlace reports whether user and schema are those of the first session.
func (p *place) isSamePlace(user, schema string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known {
		p.user, p.schema, p.known = user, schema, true
	}
	return p.user == user && p.schema == schema
}

// checkWarnings makes the server warn. The session answers with the error of a commit in doubt;
// without it, the connection doesn't keep warnings.
func checkWarnings(ctx context.Context, writers *sql.DB) error {
	_, err := writers.ExecContext(ctx, "DO $$ BEGIN RAISE WARNING 'casino asks whether warnings reach it'; END $$")
	switch {
	case errors.Is(err, errInDoubt):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: its connections pass on no warnings of the server: set OnNotice of its config to postgres.KeepWarning, or call that in yours", ErrSettings)
}
