package sqlstore_test

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/services"
)

// pipe runs statements on a session.
func pipe(t *testing.T, session *sql.Conn, statements ...sqlstore.Statement) (failed int, err error) {
	t.Helper()
	_ = session.Raw(func(connection any) error {
		failed, err = postgres.Pipeline(t.Context(), connection, statements)
		return nil
	})
	return failed, err
}

func sessionOf(t *testing.T, url string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	session, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestPostgresPipelinesSendWhatTheDriverSends sends values of every type in a
// pipeline and through the driver: the server reads the same arrays.
func TestPostgresPipelinesSendWhatTheDriverSends(t *testing.T) {
	t.Parallel()
	session := sessionOf(t, services.Postgres(t))
	text := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	rows := [][]any{
		{"", int64(math.MinInt64), []byte{}, true, `{"a":"\u00e9"}`},
		{`quote " comma , brace { backslash \ NULL`, 0, []byte{0, 255}, false, "null"},
		{nil, nil, nil, nil, nil},
		{"日本 🎲", int64(math.MaxInt64), bytes.Repeat([]byte("x"), 100_000), true, "[1, 2]"},
	}
	yes, no, nothing := true, false, "null"
	driver := []any{
		[]*string{text(""), text(rows[1][0].(string)), nil, text("日本 🎲")},
		[]*int64{number(math.MinInt64), number(0), nil, number(math.MaxInt64)},
		[][]byte{{}, {0, 255}, nil, bytes.Repeat([]byte("x"), 100_000)},
		[]*bool{&yes, &no, nil, &yes},
		[]*string{text(rows[0][4].(string)), &nothing, nil, text("[1, 2]")},
	}
	const question = "SELECT $1::text[]::text, $2::bigint[]::text, $3::bytea[]::text, $4::boolean[]::text, $5::json[]::text"
	scan := func(row db.Row) (told string) {
		var all [5]string
		if err := row.Scan(&all[0], &all[1], &all[2], &all[3], &all[4]); err != nil {
			t.Error(err)
		}
		return strings.Join(all[:], "\n")
	}
	want := scan(session.QueryRowContext(t.Context(), question, driver...))
	got := ""
	columns := []db.Column{
		{Name: "a"}, {Name: "b", Type: db.Integer}, {Name: "c", Type: db.Bytes}, {Name: "d", Type: db.Bool},
		{Name: "e", Type: db.JSON},
	}
	if _, err := pipe(t, session, sqlstore.Statement{Text: question, Columns: columns, Rows: rows, Row: func(row db.Row) error {
		got = scan(row)
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("the server read\n%s\nof the driver it reads\n%s", got, want)
	}
	rows[1][0] = struct{}{}
	if _, err := pipe(t, session, sqlstore.Statement{Text: question, Columns: columns, Rows: rows}); err == nil {
		t.Error("a value of no type was sent")
	}
}

// TestPostgresPipelinesTellWhichStatementFailed lets each of three statements fail in turn: the
// ones after it take no effect, including COMMIT.
func TestPostgresPipelinesTellWhichStatementFailed(t *testing.T) {
	t.Parallel()
	session := sessionOf(t, services.Postgres(t))
	if _, err := pipe(t, session, sqlstore.Statement{Text: "CREATE TABLE kept (n bigint PRIMARY KEY)"}); err != nil {
		t.Fatal(err)
	}
	const fails = "SELECT 1 / (SELECT count(*) FROM kept WHERE n = -1)"
	for place := 1; place < 4; place++ {
		statements := []sqlstore.Statement{
			{Text: "BEGIN"}, {Text: "INSERT INTO kept VALUES (1)"}, {Text: "INSERT INTO kept VALUES (2)"},
			{Text: "INSERT INTO kept VALUES (3)"}, {Text: "COMMIT"},
		}
		statements[place] = sqlstore.Statement{Text: fails}
		failed, err := pipe(t, session, statements...)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "22012" || failed != place {
			t.Errorf("statement %d failed with %v, not %d by a division", failed, err, place)
		}
		if _, err := session.ExecContext(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
	}
	// A failed transaction is not committed, which the server doesn't report as an error.
	if _, err := pipe(t, session, sqlstore.Statement{Text: "BEGIN"}, sqlstore.Statement{Text: "INSERT INTO kept VALUES (1)"},
		sqlstore.Statement{Text: fails}); err == nil {
		t.Error("a division by zero worked")
	}
	if _, err := pipe(t, session, sqlstore.Statement{Text: "COMMIT"}); !errors.Is(err, pgx.ErrTxCommitRollback) {
		t.Errorf("a failed transaction was committed: %v", err)
	}
	if n := numberIn(t, session, "SELECT count(*) FROM kept"); n != 0 {
		t.Errorf("%d rows are there after all", n)
	}
	if _, err := pipe(t, session, sqlstore.Statement{Text: "BEGIN"},
		sqlstore.Statement{Text: "INSERT INTO kept VALUES (1)"}, sqlstore.Statement{Text: "COMMIT"}); err != nil {
		t.Error(err)
	}
	if n := numberIn(t, session, "SELECT count(*) FROM kept"); n != 1 {
		t.Errorf("%d rows are there after a commit", n)
	}
}

// TestPostgresPipelinesPrepareAnew changes a table under a prepared statement: it fails once, and
// its connection is closed.
func TestPostgresPipelinesPrepareAnew(t *testing.T) {
	t.Parallel()
	url := services.Postgres(t)
	session := sessionOf(t, url)
	ask := sqlstore.Statement{Text: "SELECT * FROM kept", Row: func(db.Row) error { return nil }}
	if _, err := pipe(t, session, sqlstore.Statement{Text: "CREATE TABLE kept (n bigint)"}); err != nil {
		t.Fatal(err)
	}
	if _, err := pipe(t, session, ask); err != nil {
		t.Fatal(err)
	}
	if _, err := sessionOf(t, url).ExecContext(t.Context(), "ALTER TABLE kept ADD COLUMN m bigint"); err != nil {
		t.Fatal(err)
	}
	if _, err := pipe(t, session, ask); err == nil {
		t.Error("the statement still had its old columns")
	}
	if err := session.PingContext(t.Context()); err == nil {
		t.Error("the connection with the old statement lives on")
	}
	if _, err := pipe(t, sessionOf(t, url), ask); err != nil {
		t.Error(err)
	}
}

func numberIn(t *testing.T, session *sql.Conn, question string) (n int64) {
	t.Helper()
	if err := session.QueryRowContext(t.Context(), question).Scan(&n); err != nil {
		t.Error(err)
	}
	return n
}

// TestPostgresABatchOfBetsIsTwoExchanges counts exchanges: one reads all that bets need, and one
// writes. A client's key or an account between needs one more.
func TestPostgresABatchOfBetsIsTwoExchanges(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onPostgres, sqlstore.WriterOptions{})
	w.begin(1000, w.login(alice), w.login(bob))
	exchanges := func(items ...player.Item) int {
		before := f.exchanged()
		if _, errs := w.together(items...); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		return f.exchanged() - before
	}
	if n := exchanges(w.play(alice, 10), w.play(bob, 10), w.play(alice, 10), w.adjust(bob, 1)); n != 2 {
		t.Errorf("bets took %d exchanges", n)
	}
	if n := exchanges(w.play(alice, 10), keyed(w.play(bob, 10), "key", "print")); n != 3 {
		t.Errorf("a bet under a client's key took %d exchanges", n)
	}
	w.sound()
}

// TestPostgresRule08RolesAreLockedAfterAllWallets lets an admin credit a new wallet, which is
// refused in the end: its row is inserted and locked before the admin's role is.
func TestPostgresRule08RolesAreLockedAfterAllWallets(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onPostgres, sqlstore.WriterOptions{})
	w.begin(1000, w.login(alice))
	credit := w.adjust(bob, 5)
	credit.Needs.Roles = []wallet.Address{admin}
	if _, errs := w.together(w.play(alice, 10), credit); errs[0] != nil || !fault.Is(errs[1], fault.NotFound) {
		t.Fatal(errs)
	}
	made, locked := -1, -1
	for i, q := range f.asked() {
		switch {
		case strings.Contains(q, "FOR NO KEY UPDATE OF p"), strings.HasPrefix(q, "INSERT INTO players"):
			made = i
		case locked < 0 && strings.HasPrefix(q, "UPDATE roles"):
			locked = i
		}
	}
	if made < 0 || locked < made {
		t.Errorf("statement %d locks the last wallet, %d the role", made, locked)
	}
	w.sound()
}

// exchanged returns how many pipelines were sent.
func (f *faults) exchanged() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pipelines
}

// TestPostgresWhatWasLeftOnConnectionsIsTakenBack checks that, whatever settings were left on a
// pool's connections, commits are durable, triggers protect, and statements use the casino's
// tables.
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
		for n := range connections { // all held at once, so that each is another one
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
