package postgres

import (
	"context"
	"database/sql"
	"errors"
)

// The two numbers of an advisory lock: which of ours it is, and which lane. The
// first are "casi" and "caso" in ASCII, to stay clear of other programs'.
const (
	lanesLock  = 0x63617369
	schemaLock = 0x6361736f
)

// lanes is how many writers may work at the same time, all instances together.
const lanes = 64

// Lanes is how many writers may work at the same time.
func (dialect) Lanes() int { return lanes }

// TakeLane takes the lane's advisory lock, which the server takes back when the
// session ends, whatever ended it.
func (dialect) TakeLane(ctx context.Context, session *sql.Conn, lane int) (taken bool, err error) {
	err = session.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1, $2)", lanesLock, lane).Scan(&taken)
	return taken, err
}

// GiveLane gives the lane's advisory lock back.
func (dialect) GiveLane(ctx context.Context, session *sql.Conn, lane int) error {
	given := false
	err := session.QueryRowContext(ctx, "SELECT pg_advisory_unlock($1, $2)", lanesLock, lane).Scan(&given)
	if err == nil && !given {
		err = errors.New("postgres: the lane was not this session's")
	}
	return err
}

// LockSchema takes an advisory lock on a session of its own. The schema's
// connections have no limit of time, so it waits for whoever migrates.
func (dialect) LockSchema(ctx context.Context, db *sql.DB) (unlock func() error, err error) {
	session, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := session.ExecContext(ctx, "SELECT pg_advisory_lock($1, 0)", schemaLock); err != nil {
		return nil, errors.Join(err, session.Close())
	}
	return func() error {
		// Also after the caller's context ended, or the connection would keep the lock.
		_, err := session.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1, 0)", schemaLock)
		return errors.Join(err, session.Close())
	}, nil
}

// CountTables asks for the tables of the schema that statements go to.
func (dialect) CountTables() string {
	return `SELECT count(*) FROM pg_catalog.pg_class
		WHERE relname = ? AND relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`
}

// Unsafe asks for the settings without which a commit may be lost.
func (dialect) Unsafe(ctx context.Context, db *sql.DB) (unsafe []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name || '=' || setting FROM pg_catalog.pg_settings
		WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`)
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
