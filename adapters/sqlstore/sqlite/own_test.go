package sqlite

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// TestATakenConnectionBeginsAsTheOwnDo checks that a transaction that writes locks the database
// from its beginning, and that a failed COMMIT leaves the connection without a transaction.
func TestATakenConnectionBeginsAsTheOwnDo(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "own.db")
	own, err := sql.Open("sqlite", "file:"+path+"?_txlock=deferred")
	if err != nil {
		t.Fatal(err)
	}
	write := sql.OpenDB(taking{own, true})
	write.SetMaxOpenConns(1)
	t.Cleanup(func() { _, _ = write.Close(), own.Close() })
	tx, err := write.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	beside, err := own.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := beside.ExecContext(ctx, "PRAGMA busy_timeout = 0; BEGIN IMMEDIATE"); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("another connection began to write: %v", err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := write.ExecContext(ctx, `PRAGMA foreign_keys = ON; CREATE TABLE a (id INTEGER PRIMARY KEY);
		CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)`); err != nil {
		t.Fatal(err)
	}
	if tx, err = write.BeginTx(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO b VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err == nil { // which leaves the transaction open
		t.Error("a row without its parent was committed")
	}
	again, err := write.BeginTx(ctx, nil)
	if err != nil {
		t.Fatalf("after a COMMIT that failed: %v", err)
	}
	if err := again.Commit(); err != nil {
		t.Error(err)
	}
}
