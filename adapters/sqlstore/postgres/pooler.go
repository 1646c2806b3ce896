package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrPooler says that something stands between the store and the server on which
// sessions don't last. The writer holds its lane, and a migration the schema, by a lock
// of its session; statements are prepared on their connection, and settings bound them.
var ErrPooler = errors.New("a connection pooler stands before the server, and through it sessions don't last: " +
	"name the server itself (a pool of the service's own is small)")

// refusedSetting is the SQLSTATE by which a pooler refuses the settings of a session.
const refusedSetting = "08P01"

// poolerRounds is how often two sessions are held against each other. A pooler that
// gives out its connections in turn may keep them apart once.
const poolerRounds = 3

// checkSessions refuses a pooler in front of the server, unless each of its sessions is
// one of the server for as long as it lasts, with its settings.
func checkSessions(ctx context.Context, pool *sql.DB) (err error) {
	ctx, cancel := context.WithTimeout(ctx, StatementTime)
	defer cancel()
	var both [2]*sql.Conn
	for i := range both {
		if both[i], err = pool.Conn(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, both[i].Close()) }()
	}
	source := ""
	err = both[0].QueryRowContext(ctx, "SELECT source FROM pg_catalog.pg_settings WHERE name = 'lock_timeout'").Scan(&source)
	switch {
	case err != nil:
		return err
	case source != "client" && source != "session":
		return fmt.Errorf("%w; this one drops settings such as lock_timeout", ErrPooler)
	}
	for range poolerRounds {
		if err := apart(ctx, both[0], both[1]); err != nil {
			return err
		}
	}
	return nil
}

// apart refuses two sessions that don't each have a process of the server of their own.
func apart(ctx context.Context, one, other *sql.Conn) (err error) {
	before, err := process(ctx, one)
	if err != nil {
		return err
	}
	// Twice: a pooler that gives its connections out in turn may come round to the first.
	again, err := process(ctx, one)
	if err != nil {
		return err
	}
	tx, err := other.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	between, err := process(ctx, tx)
	if err != nil {
		return err
	}
	after := between
	if between != before && again == before { // else there may be one connection, and the transaction has it
		if after, err = process(ctx, one); err != nil {
			return err
		}
	}
	if before != after || before != again || before == between {
		return fmt.Errorf("%w; this one gives a session to others between two transactions "+
			"(pgbouncer calls that pool_mode = transaction)", ErrPooler)
	}
	return nil
}

// process is the server's process that answers.
func process(ctx context.Context, on interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (pid int, err error) {
	return pid, on.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid)
}

// namedPooler names the pooler where one refused the store's settings.
func namedPooler(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == refusedSetting {
		return fmt.Errorf("%w: %w", ErrPooler, err)
	}
	return err
}
