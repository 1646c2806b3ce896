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

// OpenPool opens the store on connections of somebody else's pool, which must have room
// for Options.Writers, Options.Readers and one to migrate with: ErrSettings says how many
// these are. The store takes them out one by one as it needs them, sets on each what Open
// would have set unless the pool's config sets it, and ends them instead of giving them
// back, so that no setting of the store reaches anybody else. Closing the store leaves the
// pool open; the pool is closed after it.
//
// The pool's config needs OnNotice: postgres.KeepWarning. A pool whose connections go
// through a pooler of transactions, use the simple protocol, keep no statements prepared,
// pass on no warnings, or have other settings under which the store would be wrong is
// refused by ErrPooler or ErrSettings, which name them.
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

// OpenDB is OpenPool with a pool of database/sql. Its connections must be those of the
// driver github.com/jackc/pgx/v5/stdlib as they are, with nothing wrapped around them. Of
// one that stdlib.OpenDBFromPool made, OpenPool is to be given the pool: the room in it
// can't be seen from outside.
func OpenDB(ctx context.Context, db *sql.DB, o Options) (*sqlstore.Store, error) {
	return o.openOf(ctx, db.Stats().MaxOpenConnections, db.Driver(), func(ctx context.Context) (own *native, end func() error, err error) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, nil, err
		}
		end = func() error {
			var err error
			if own != nil {
				err = hangUp(own) // below the pool may be another, which would take it back
			}
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // which ends it
			return errors.Join(err, ignoreClosed(conn.Close()))
		}
		// Whoever has the sql.Conn has its connection alone, until it is closed.
		err = conn.Raw(func(connection any) error {
			var ok bool
			if own, ok = connection.(*native); !ok {
				return fmt.Errorf("%w: its connections are of type %T, and have to be those of github.com/jackc/pgx/v5/stdlib", ErrSettings, connection)
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

// hangUpTime bounds saying goodbye to a server.
const hangUpTime = 5 * time.Second

// hangUp closes a connection, which no pool uses again then.
func hangUp(own *native) error {
	ctx, cancel := context.WithTimeout(context.Background(), hangUpTime)
	defer cancel()
	return own.Conn().Close(ctx)
}

// ignoreClosed hides that a connection is gone that was to be ended.
func ignoreClosed(err error) error {
	if errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// take takes a connection out of somebody's pool, and returns how it is ended.
type take func(context.Context) (own *native, end func() error, err error)

// openOf opens a store on connections of a pool with room for so many, 0 for any number.
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

// taking makes sessions of connections that are taken out of somebody's pool.
type taking struct {
	take   take
	driver driver.Driver
	as     role
	of     sessions
	first  *place
}

// place is where the sessions of a store are, which the first one decides.
type place struct {
	mu           sync.Mutex
	user, schema string
	known        bool
}

// errElsewhere is of a connection that somebody left in another place, errUnguarded of one
// without the triggers, which only administrators can set back. It is ended, so that the
// next may be a better one.
var (
	errElsewhere = fmt.Errorf("%w: connections of the pool were left with another role or search_path than the first", ErrSettings)
	errUnguarded = fmt.Errorf("%w: connections of the pool were left with another session_replication_role than origin", ErrSettings)
)

// elsewhereMax is how many of those in turn are ended for one that isn't.
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

// asNew takes back what somebody may have left on a connection: commits that wait for no
// disk, and that nothing can be written. withoutTables takes back tables that stand before
// the casino's; a standby doesn't know it under every isolation, so it comes later.
const (
	asNew         = "RESET synchronous_commit; RESET default_transaction_read_only;"
	withoutTables = "DISCARD TEMP"
)

// prepareConnection sets what the store needs, and looks at where the connection leads.
func (t taking) prepareConnection(ctx context.Context, conn *pgx.Conn) error {
	params := conn.Config().RuntimeParams
	var all strings.Builder
	all.WriteString(asNew)
	for _, name := range slices.Sorted(maps.Keys(t.as.settings)) {
		if !isSet(params, name) {
			all.WriteString("SET " + name + " = '" + t.as.settings[name] + "';") // of the store's own words
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

// isSamePlace reports whether this is where the first session was.
func (p *place) isSamePlace(user, schema string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known {
		p.user, p.schema, p.known = user, schema, true
	}
	return p.user == user && p.schema == schema
}

// checkWarnings has the server warn, which a session answers with an error that says that
// the commit is in doubt, unless nobody kept the warning.
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
