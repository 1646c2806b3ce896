package sqlstore_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/casino-service/casino/adapters/sqlstore/postgres"
)

// TestPostgresWhatWasLeftOnConnectionsIsTakenBack: whatever others of a pool left behind,
// commits last, triggers guard, and statements mean the casino's tables.
func TestPostgresWhatWasLeftOnConnectionsIsTakenBack(t *testing.T) {
	t.Parallel()
	const connections = 12
	ctx, url := t.Context(), onPostgres.fresh(t)
	db, err := ownDB(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxIdleConns(connections)
	hold := func(next func() (*sql.Conn, error), do func(n int, conn *sql.Conn)) {
		t.Helper()
		for n := range connections { // held together, so that each is another
			conn, err := next()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			do(n, conn)
		}
	}
	hold(func() (*sql.Conn, error) { return db.Conn(ctx) }, func(n int, conn *sql.Conn) {
		left := "SET synchronous_commit = local; SET default_transaction_read_only = on; CREATE TEMP TABLE control (a text)"
		if n%2 == 0 {
			left = "SET session_replication_role = replica"
		}
		if _, err := conn.ExecContext(ctx, left, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	})
	var writing driver.Connector
	store, err := postgres.OpenDB(ctx, db, postgres.Options{Sealer: newSealer(t), Migrated: true, Through: func(c driver.Connector) driver.Connector {
		writing = c
		return c
	}})
	if err != nil {
		t.Fatal(err)
	}
	writers := sql.OpenDB(writing)
	hold(func() (*sql.Conn, error) { return writers.Conn(ctx) }, func(_ int, conn *sql.Conn) {
		var is string
		if err := conn.QueryRowContext(ctx, `SELECT concat_ws(' ', current_setting('session_replication_role'), current_setting('synchronous_commit') = 'local',
			current_setting('default_transaction_read_only'), (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'control'::regclass))`).Scan(&is); err != nil || is != "origin f off public" {
			t.Errorf("%q, %v", is, err)
		}
	})
	if err := errors.Join(writers.Close(), store.Close()); err != nil {
		t.Error(err)
	}
}
