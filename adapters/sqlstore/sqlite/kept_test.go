package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	sqlitedriver "modernc.org/sqlite"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
)

// compiled counts, by text, the statements that an SQLite connection was asked to prepare, and
// those that it was asked to run directly, which it compiles as well.
type compiled struct {
	path             string
	prepared, atOnce map[string]int
}

func (c *compiled) Driver() driver.Driver { return &sqlitedriver.Driver{} }

func (c *compiled) Connect(context.Context) (driver.Conn, error) {
	connection, err := c.Driver().Open(c.path)
	return &countedConnection{connection, c}, err
}

type countedConnection struct {
	driver.Conn
	*compiled
}

func (c *countedConnection) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	c.prepared[text]++
	return c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, text)
}

func (c *countedConnection) QueryContext(ctx context.Context, text string, arguments []driver.NamedValue) (driver.Rows, error) {
	c.atOnce[text]++
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, text, arguments)
}

// TestReadsAreCompiledOnce checks that, where the driver prepares nothing, a read is compiled
// once for all values, and has the same result as one that is formatted.
func TestReadsAreCompiledOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "casino.db")
	counts := &compiled{path: path, prepared: map[string]int{}, atOnce: map[string]int{}}
	write, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	read := sql.OpenDB(counts)
	read.SetMaxOpenConns(1)
	d := db.New(write, read, sqlite.Dialect(path))
	t.Cleanup(func() { _ = d.Close() })
	if _, err := write.Exec("CREATE TABLE things (name TEXT, number INTEGER, raw BLOB)"); err != nil {
		t.Fatal(err)
	}
	ask := func(text string, arguments ...any) (answer []string) {
		t.Helper()
		err := d.Rows(t.Context(), "ask", text, arguments, func(row *sql.Rows) error {
			var name, kind string
			err := row.Scan(&name, &kind)
			answer = append(answer, name+" "+kind)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for n := range 300 {
		name := fmt.Sprintf("it's ? %d", n)
		if _, err := write.Exec("INSERT INTO things VALUES (?, ?, ?)", name, n, []byte{byte(n), byte(n >> 8)}); err != nil {
			t.Fatal(err)
		}
		got := ask("SELECT name, typeof(raw) FROM things WHERE name = ? AND number < ? AND number > ? AND raw = ? LIMIT ?",
			name, n+1, int64(n-1), []byte{byte(n), byte(n >> 8)}, 5)
		if !slices.Equal(got, []string{name + " blob"}) {
			t.Fatalf("%s is found as %q", name, got)
		}
	}
	once := "SELECT name, typeof(raw) FROM things WHERE name = $1 AND number < $2 AND number > $3 AND raw = $4 LIMIT 5"
	if counts.prepared[once] != 1 || len(counts.prepared) != 1 || len(counts.atOnce) != 0 {
		t.Errorf("prepared %v, run at once %v", counts.prepared, counts.atOnce)
	}

	// Names are written into the text; with an argument of that kind bun formats the query.
	if got := ask("SELECT name, typeof(?) FROM things WHERE number = ?", bun.Ident("number"), 7); !slices.Equal(got, []string{"it's ? 7 integer"}) {
		t.Errorf("by a column's name %q is found", got)
	}

	// So are Words, unless they have other characters than letters; bun quotes those.
	for _, name := range []string{"pending", "it's"} {
		if _, err := write.Exec("INSERT INTO things VALUES (?, -1, '')", name); err != nil {
			t.Fatal(err)
		}
		if got := ask("SELECT name, 'found' FROM things WHERE name = ? AND number < ?", db.Word(name), 0); !slices.Equal(got, []string{name + " found"}) {
			t.Errorf("the word %s finds %q", name, got)
		}
	}
	if counts.prepared["SELECT name, 'found' FROM things WHERE name = 'pending' AND number < $1"] != 1 {
		t.Errorf("no word stands in %v", counts.prepared)
	}

	// A list of ids has a text for each length: it isn't kept.
	ids := []any{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	long := "SELECT name, typeof(number) FROM things WHERE number IN (?" + strings.Repeat(", ?", len(ids)-1) + ")"
	before := len(counts.prepared)
	if got := ask(long, ids...); len(got) != len(ids) || len(counts.prepared) != before {
		t.Errorf("%d of %d ids are found, %d statements are prepared", len(got), len(ids), len(counts.prepared)-before)
	}

	// Of any number of texts few are kept, and all work.
	for n := range 300 {
		if got := ask(fmt.Sprintf("SELECT name, 'text %d' FROM things WHERE number = ?", n), n); len(got) != 1 || !strings.HasSuffix(got[0], fmt.Sprintf("%d text %d", n, n)) {
			t.Fatalf("text %d answers %q", n, got)
		}
	}
	if n := len(counts.prepared); n != db.KeptMax {
		t.Errorf("%d statements are prepared, not %d: %v", n, db.KeptMax, slices.Sorted(maps.Keys(counts.prepared))[:3])
	}
}
