package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// schemaOID is the OID of the schema that statements go to. It stays when the schema is renamed.
const schemaOID = "quote_ident(current_schema())::regnamespace::oid"

// lockNumber is the number of an advisory lock, which is shared by the whole database. The upper
// half is the schema's OID, so that casinos in several schemas of one database don't block each
// other. The lower half is "ca" in ASCII, to differ from other programs' locks, plus the lane; 0
// is the lock of migrations.
const lockNumber = "(" + schemaOID + "::bigint << 32) + 1667301376 + "

// lanes is how many writers may work at the same time, over all instances.
const lanes = 64

// Lanes returns how many writers may work at the same time.
func (dialect) Lanes() int { return lanes }

// TakeLane takes the lane's advisory lock. The server releases it when the session ends for any
// reason.
func (dialect) TakeLane(ctx context.Context, session *sql.Conn, lane int) (taken bool, err error) {
	err = session.QueryRowContext(ctx, "SELECT pg_try_advisory_lock("+lockNumber+"$1)", lane).Scan(&taken)
	return taken, err
}

// LanesTaken queries the server's list of locks, which shows a lane from the moment it is taken
// until its session ends, independent of commits.
func (dialect) LanesTaken() string {
	return `SELECT (l.objid::bigint - 1667301376)::integer FROM {sent} AS s CROSS JOIN pg_catalog.pg_locks AS l
		WHERE s.one = 1 AND l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.classid = ` + schemaOID + `
			AND l.objid::bigint > 1667301376 AND l.objid::bigint <= 1667301376 + 64
			AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = current_database())`
}

// GiveLane gives the lane's advisory lock back.
func (dialect) GiveLane(ctx context.Context, session *sql.Conn, lane int) error {
	given := false
	err := session.QueryRowContext(ctx, "SELECT pg_advisory_unlock("+lockNumber+"$1)", lane).Scan(&given)
	if err == nil && !given {
		err = errors.New("postgres: the lane was not this session's")
	}
	return err
}

// NewestNumber reads the sequence of the block numbers, which costs the same for any number of
// blocks. Numbers drawn by failed transactions count too.
func (dialect) NewestNumber(ctx context.Context, session *sql.Conn) (number int64, err error) {
	err = session.QueryRowContext(ctx, "SELECT coalesce(pg_sequence_last_value('block_numbers'), 0)").Scan(&number)
	return number, err
}

// Origin returns the system identifier, which initdb draws, and the timeline, which every
// promotion and every point-in-time recovery begins anew. The timeline is the first eight digits
// of the name of the current WAL file.
func (dialect) Origin(ctx context.Context, db *sql.DB) (system string, timeline int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT system_identifier::text,
		('x' || lpad(substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), 16, '0'))::bit(64)::bigint
		FROM pg_control_system()`).Scan(&system, &timeline)
	return system, timeline, err
}

// LockSchema takes an advisory lock in the migrating session. It is held while any part of the
// migration still runs on the server, even after the program that started it has ended. The
// session has no time limit.
func (dialect) LockSchema(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "SELECT pg_advisory_lock("+lockNumber+"0)")
	return err
}

// oneSession is a connector that connects once. A session that broke while it migrated must not
// be replaced by one that doesn't have the lock.
type oneSession struct {
	driver.Connector
	used *atomic.Bool
}

var errSessionGone = errors.New("postgres: the session that migrates is gone")

// Connect makes the one connection.
func (c oneSession) Connect(ctx context.Context) (driver.Conn, error) {
	if c.used.Swap(true) {
		return nil, errSessionGone
	}
	return c.Connector.Connect(ctx)
}

// CountTables returns a query of the tables in the schema that statements go to.
func (dialect) CountTables() string {
	return `SELECT count(*) FROM pg_catalog.pg_class
		WHERE relname = ? AND relkind IN ('r', 'p') AND relnamespace = ` + schemaOID
}

// Holds returns a query of the tables, views, types and functions of the schema that statements
// go to. It leaves out partitions and members of extensions.
func (dialect) Holds() string {
	return `SELECT kind, name FROM (
		SELECT oid, 'pg_class'::regclass AS of, relname AS name, CASE relkind WHEN 'v' THEN 'view'
			WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' WHEN 'c' THEN 'type' ELSE 'table' END AS kind
		FROM pg_catalog.pg_class WHERE relnamespace = ` + schemaOID + ` AND relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND NOT relispartition
		UNION ALL SELECT oid, 'pg_type'::regclass, typname, 'type'
		FROM pg_catalog.pg_type WHERE typnamespace = ` + schemaOID + ` AND typtype IN ('d', 'e', 'r')
		UNION ALL SELECT oid, 'pg_proc'::regclass, proname, 'function'
		FROM pg_catalog.pg_proc WHERE pronamespace = ` + schemaOID + `) AS held
	WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = held.of AND d.objid = held.oid AND d.deptype = 'e')
	ORDER BY kind = 'function', name`
}

// Unsafe returns the settings with which a commit may be lost. synchronous_commit=local is one if
// there is a synchronous standby: a failover to it loses what it lacks.
func (dialect) Unsafe(ctx context.Context, db *sql.DB) (unsafe []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name || '=' || setting FROM pg_catalog.pg_settings
		WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
		OR name = 'synchronous_commit' AND setting = 'local' AND current_setting('synchronous_standby_names') <> '' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var setting string
		if err := rows.Scan(&setting); err != nil {
			return nil, err
		}
		unsafe = append(unsafe, setting)
	}
	return unsafe, rows.Err()
}

// readingBatches lists the transactions that have read the control state as batches do. The
// server takes this table lock before the statement's snapshot and keeps it until the transaction
// ends. It blocks no other statement. No other sign would do: a batch that has changed nothing
// yet has no transaction id, and sessions of another login hide their queries. A dump takes
// another lock mode. Where tables are spread over machines, it is the table guards, which is on the
// coordinator alone; short transactions are listed then too.
const readingBatches = `SELECT virtualtransaction FROM pg_catalog.pg_locks
	WHERE locktype = 'relation' AND mode = '%s' AND relation = '%s'::regclass
		AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())`

// Batches names the current ones. Later batches have other names.
func (d dialect) Batches(ctx context.Context, db *sql.DB) (names []string, err error) {
	mode, table := "RowShareLock", "control"
	if d.spread {
		mode, table = "RowExclusiveLock", "guards"
	}
	return namesOf(ctx, db, fmt.Sprintf(readingBatches, mode, table))
}

// AwaitBatches waits until the current ones have ended.
func (d dialect) AwaitBatches(ctx context.Context, db *sql.DB) error {
	before, err := d.Batches(ctx, db)
	if err != nil {
		return err
	}
	for rest := time.Millisecond; len(before) > 0; rest = min(2*rest, 50*time.Millisecond) {
		timer := time.NewTimer(rest)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		now, err := d.Batches(ctx, db)
		if err != nil {
			return err
		}
		before = slices.DeleteFunc(before, func(name string) bool { return !slices.Contains(now, name) })
	}
	return nil
}

func namesOf(ctx context.Context, db *sql.DB, query string) (names []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
