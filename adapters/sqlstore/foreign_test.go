package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/services"
)

// foreignTo describes a database that another program has used, and how to open it.
type foreignTo struct {
	engine
	// unused makes an empty database.
	unused func(t *testing.T) string
	owner  func(ctx context.Context, where string, sealer ports.Sealer) (*sqlstore.Store, error)
	// holds is a query of the names of all objects in it.
	holds string
}

var foreignSQLite = foreignTo{
	engine: onSQLite, owner: sqlite.Open, holds: "SELECT name FROM sqlite_schema",
	unused: func(t *testing.T) string {
		t.Helper()
		return filepath.Join(t.TempDir(), "theirs.db")
	},
}

var foreignPostgres = foreignTo{
	engine: onPostgres, unused: func(t *testing.T) string {
		t.Helper()
		return services.Postgres(t)
	},
	owner: func(ctx context.Context, where string, sealer ports.Sealer) (*sqlstore.Store, error) {
		return postgres.Open(ctx, where, postgres.Options{Sealer: sealer})
	},
	holds: "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
}

// onBothForeign runs a test on a database of each kind.
func onBothForeign(t *testing.T, test func(t *testing.T, on foreignTo)) {
	t.Helper()
	t.Parallel()
	for name, on := range map[string]foreignTo{"SQLite": foreignSQLite, "PostgreSQL": foreignPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, on)
		})
	}
}

// prepared opens a database as its owner and runs another program's statements.
func (f foreignTo) prepared(t *testing.T, where string, statements ...string) *sql.DB {
	t.Helper()
	db, err := f.beside(where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	execAll(t, db, statements...)
	return db
}

// migrate opens the database and migrates it.
func (f foreignTo) migrate(t *testing.T, where string) (ran []string, err error) {
	t.Helper()
	store, err := f.owner(t.Context(), where, newSealer(t))
	if err != nil {
		return nil, err
	}
	ran, err = store.Migrate(t.Context())
	return ran, errors.Join(err, store.Close())
}

// names lists the objects in it.
func (f foreignTo) names(t *testing.T, db *sql.DB) (all []string) {
	t.Helper()
	rows(t, db, f.holds, func(scan func(...any)) {
		var name string
		scan(&name)
		all = append(all, name)
	})
	slices.Sort(all)
	return all
}

// TestMigrateRefusesWhatIsSomebodyElses checks that the error names every foreign object and that
// nothing is created, even if a table has the name of one of the casino's, which IF NOT EXISTS
// would accept.
func TestMigrateRefusesWhatIsSomebodyElses(t *testing.T) {
	onBothForeign(t, func(t *testing.T, on foreignTo) {
		cases := map[string]struct{ made, named []string }{
			"a table and a view": {
				[]string{"CREATE TABLE customers (id integer)", "CREATE VIEW recent AS SELECT * FROM customers"},
				[]string{"table customers", "view recent"},
			},
			"a name of the casino's":      {[]string{"CREATE TABLE players (name text)"}, []string{"table players"}},
			"a list of its own":           {[]string{"CREATE TABLE bun_migrations (id integer PRIMARY KEY, name text, migrated_at timestamp)", "INSERT INTO bun_migrations (id, name, migrated_at) VALUES (1, '20240101', '2024-01-01')"}, []string{"20240101"}},
			"a list, and some of a table": {[]string{"CREATE TABLE bun_migrations (id integer PRIMARY KEY, name text, migrated_at timestamp)", "CREATE TABLE tokens (id integer)"}, []string{"table tokens"}},
		}
		if on.numbered {
			cases["a type"] = struct{ made, named []string }{[]string{"CREATE TYPE mood AS ENUM ('fine')"}, []string{"type mood"}}
			cases["a function that would be replaced"] = struct{ made, named []string }{
				[]string{"CREATE FUNCTION refuse() RETURNS text LANGUAGE sql AS 'SELECT NULL::text'"}, []string{"function refuse"},
			}
		}
		for name, c := range cases {
			where := on.unused(t)
			db := on.prepared(t, where, c.made...)
			before := on.names(t, db)
			ran, err := on.migrate(t, where)
			if !fault.Is(err, fault.InvalidState) || len(ran) > 0 {
				t.Errorf("%s: migrated %v, %v", name, ran, err)
				continue
			}
			for _, want := range c.named {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v doesn't name %s", name, err, want)
				}
			}
			if after := on.names(t, db); !slices.Equal(after, before) {
				t.Errorf("%s: made %v", name, after)
			}
		}
	})
}

// TestMigrateGoesOnWithItsOwn checks that a killed migration is finished, even if the last one
// was committed and not recorded, and that views beside the casino's tables are accepted, but not
// a table with the name of a coming one.
func TestMigrateGoesOnWithItsOwn(t *testing.T) {
	onBothForeign(t, func(t *testing.T, on foreignTo) {
		where := on.fresh(t)
		db := on.prepared(t, where, "CREATE VIEW reporting AS SELECT wallet FROM players",
			"DELETE FROM bun_migrations WHERE name IN ('0005', '0006')", "DROP TABLE provider_deliveries", "DROP TABLE agent_funds")
		if ran, err := on.migrate(t, where); err != nil || !slices.Equal(ran, []string{"0005_provider", "0006_operators"}) {
			t.Errorf("the last two: ran %v, %v", ran, err)
		}
		execAll(t, db, "DELETE FROM bun_migrations", "DROP VIEW reporting")
		if _, err := on.migrate(t, where); err == nil {
			t.Error("everything but the first is foreign without the list, and is migrated")
		}
		where = on.fresh(t)
		db = on.prepared(t, where, "DELETE FROM bun_migrations WHERE name = '0006'", "DROP TABLE provider_deliveries",
			"DROP TABLE agent_funds", "CREATE TABLE agent_funds (theirs text)")
		if _, err := on.migrate(t, where); !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "agent_funds") {
			t.Errorf("a table that a migration is to make: %v", err)
		}
		execAll(t, db, "DROP TABLE agent_funds", "INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 9)")
		if _, err := on.migrate(t, where); !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "9999") {
			t.Errorf("under a newer program's: %v", err)
		}
	})
}

// TestPostgresAnExtensionIsNobodys checks that a table of an extension doesn't count as foreign.
func TestPostgresAnExtensionIsNobodys(t *testing.T) {
	t.Parallel()
	where := services.Postgres(t)
	// Every server has this extension, a language with two functions and no table. An object that
	// is made a member of it counts as part of it.
	db := foreignPostgres.prepared(t, where, "CREATE TABLE brought (a text)", "ALTER EXTENSION plpgsql ADD TABLE brought")
	if ran, err := foreignPostgres.migrate(t, where); err != nil || len(ran) == 0 {
		t.Errorf("beside an extension: %v, %v", ran, err)
	}
	execAll(t, db, "ALTER EXTENSION plpgsql DROP TABLE brought")
}

// TestSQLiteSomebodyElsesFileStaysAsItIs checks that trying to open a file changes neither its
// journal mode nor its permissions.
func TestSQLiteSomebodyElsesFileStaysAsItIs(t *testing.T) {
	t.Parallel()
	path := foreignSQLite.unused(t)
	db := foreignSQLite.prepared(t, path, "CREATE TABLE customers (id integer)")
	if err := errors.Join(db.Close(), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path, newSealer(t)); !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "customers") {
		t.Errorf("opened: %v", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) || modeOf(t, path) != 0o644 {
		t.Errorf("the file was changed, or has mode %v: %v", modeOf(t, path), err)
	}
}
