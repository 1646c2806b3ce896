package postgres

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// readingBatches names the transactions that have read the control state as batches
// do. The server takes this lock of the table before it takes the snapshot that the
// statement reads by, and keeps it until the transaction ends, however it ends. It is
// in nobody's way, and no other lock would do: a batch that has changed nothing yet
// has no transaction id, and what sessions of another login are at is hidden. A dump
// has another mode of lock.
const readingBatches = `SELECT virtualtransaction FROM pg_catalog.pg_locks
	WHERE locktype = 'relation' AND mode = 'RowShareLock' AND relation = 'control'::regclass
		AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())`

// Batches names those that are there now. Those that come later have their own names.
func (dialect) Batches(ctx context.Context, db *sql.DB) (names []string, err error) {
	return namesOf(ctx, db, readingBatches)
}

// AwaitBatches waits for those that are there now.
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
