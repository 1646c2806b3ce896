package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	_ "modernc.org/sqlite"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/services"
)

// engine is a database that the tests run on.
type engine struct {
	// fresh makes an empty migrated database for this test and returns its location.
	fresh func(t testing.TB) (where string)
	// empty deletes all data of such a database, where that is faster than making a fresh one.
	empty func(db *sql.DB) error
	// open opens it as the service does.
	open func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error)
	// url returns the URL with which open opens it, of a server.
	url func(where string) string
	// beside opens it as its owner, to read and change rows directly.
	beside func(where string) (*sql.DB, error)
	// shows lists the faults that cases can show here and not on SQLite; empty for all.
	shows []conformance.Fault
	// batches are the small batch sizes that the writer's suite runs with, besides the largest:
	// on PostgreSQL the smallest size with more than one item, because all others run the same Go
	// code.
	batches []int
	// numbered says that the placeholders of its statements are $1, $2, ….
	numbered bool
	// locks is how many statements lock wallets first.
	locks int
	// arrays says that one statement writes any number of rows.
	arrays bool
	// contended is the error of a batch that was rolled back because of others.
	contended func(t testing.TB) error
	// written returns the contents of all the database's files.
	written func(t testing.TB, where string) []byte
	// dropsBalances returns a statement that makes the database silently drop balances of a
	// wallet, keepsBalances one that ends that.
	dropsBalances func(key string) string
	keepsBalances string
}

// migratedFile is an SQLite database after migration. Migrating takes longer than most tests, so
// it runs once.
var migratedFile = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "casino-migrated")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "casino.db")
	store, err := sqlite.Open(context.Background(), path, nil)
	if err != nil {
		return nil, err
	}
	_, err = store.Migrate(context.Background())
	if err := errors.Join(err, store.Close()); err != nil { // closing copies the log into the file
		return nil, err
	}
	return os.ReadFile(path)
})

var onSQLite = engine{
	batches: []int{1, 2, 3},
	fresh: func(t testing.TB) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "casino.db")
		migrated, err := migratedFile()
		if err == nil {
			err = os.WriteFile(path, migrated, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	},
	open: sqlite.OpenThrough,
	beside: func(where string) (*sql.DB, error) {
		return sql.Open("sqlite", "file:"+where+"?_busy_timeout=0")
	},
	contended: busy,
	written: func(t testing.TB, where string) []byte {
		t.Helper()
		var all []byte
		for _, suffix := range []string{"", "-wal"} {
			written, err := os.ReadFile(where + suffix)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, written...)
		}
		return all
	},
	dropsBalances: func(key string) string {
		return fmt.Sprintf(`CREATE TRIGGER dropped BEFORE UPDATE ON balances WHEN NEW.wallet = %s
			BEGIN SELECT RAISE(IGNORE); END`, key)
	},
	keepsBalances: `DROP TRIGGER dropped`,
}

// runtimeRole connects as the service does: as a member of the role that has exactly the grants
// it needs.
const runtimeRole = "&role=casino_runtime"

func asRuntime(where string) string { return where + runtimeRole }

var onPostgres = engine{
	url:      asRuntime,
	shows:    []conformance.Fault{conformance.Rows, conformance.Races},
	batches:  []int{2},
	numbered: true, locks: 1, arrays: true,
	fresh: func(t testing.TB) string {
		t.Helper()
		return services.PostgresPrepared(t, "a migrated store", func(ctx context.Context, url string) error {
			store, err := postgres.Open(ctx, url, postgres.Options{})
			if err != nil {
				return err
			}
			_, err = store.Migrate(ctx)
			return errors.Join(err, store.Close())
		})
	},
	empty: func(db *sql.DB) error {
		var statements strings.Builder // one round trip for all, and without triggers
		statements.WriteString("SET LOCAL session_replication_role = replica;\n")
		for _, table := range []string{
			"approvals", "payout_attempts", "transactions", "transfers", "rounds", "seed_pairs", "balances", "unique_keys", "once",
			"audit", "blocks", "ledger_events", "lane_totals", "lane_players", "daily_figures", "player_days", "counted_blocks", "list_cells", "roles", "role_list", "meta", "tokens", "players",
			"approval_requests", "votes", "vote_sums", "creditors", "lane_players", "branding",
			"player_protection", "provider_games", "origin", "dead_letters", "webhooks", "alarms", "agents WHERE code <> 'house'",
		} {
			statements.WriteString("DELETE FROM " + table + ";\n")
		}
		statements.WriteString("UPDATE control SET ledger = '', epoch = 1, epoch_at = NULL, restored = '', pauses = ''")
		_, err := db.Exec(statements.String(), pgx.QueryExecModeSimpleProtocol)
		return err
	},
	open: func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		return postgres.Open(ctx, where+runtimeRole, postgres.Options{Sealer: sealer, Migrated: true, Readers: 4, Through: through})
	},
	beside: func(where string) (*sql.DB, error) { return sql.Open("pgx", where) },
	contended: func(testing.TB) error {
		return fmt.Errorf("as it comes: %w", &pgconn.PgError{Code: "40P01"})
	},
	written: func(t testing.TB, where string) []byte {
		t.Helper()
		db, err := sql.Open("pgx", where)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		var tables []string
		rows(t, db, `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace`,
			func(scan func(...any)) {
				var name string
				scan(&name)
				tables = append(tables, name)
			})
		var all []byte
		for _, table := range tables {
			rows(t, db, `SELECT convert_to(t::text, 'UTF8') FROM `+table+` AS t`, func(scan func(...any)) {
				var row []byte
				scan(&row)
				all = append(all, row...)
			})
		}
		rows(t, db, `SELECT coalesce(sealed, '') FROM seed_pairs`, func(scan func(...any)) {
			var sealed []byte
			scan(&sealed)
			all = append(all, sealed...)
		})
		return all
	},
	dropsBalances: func(key string) string {
		return fmt.Sprintf(`CREATE FUNCTION drops() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
			CREATE TRIGGER dropped BEFORE UPDATE ON balances FOR EACH ROW WHEN (NEW.wallet = %s) EXECUTE FUNCTION drops()`, key)
	},
	keepsBalances: `DROP TRIGGER dropped ON balances`,
}

// everywhere runs a test on each database.
func everywhere(t *testing.T, test func(t *testing.T, on engine)) {
	t.Helper()
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, onSQLite)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, onPostgres)
	})
}

// literal returns an id as a literal for a column of UUIDs.
func (on engine) literal(id string) string {
	if on.numbered {
		return "'" + id + "'"
	}
	return "X'" + strings.ReplaceAll(id, "-", "") + "'"
}

// newID returns the expression of an unused id.
func (on engine) newID() string {
	if on.numbered {
		return "gen_random_uuid()"
	}
	return "randomblob(16)"
}

var placeholder = regexp.MustCompile(`\?`)

// query converts a statement's placeholders to those of the database.
func (on engine) query(text string) string {
	if !on.numbered {
		return text
	}
	n := 0
	return placeholder.ReplaceAllStringFunc(text, func(string) string {
		n++
		return "$" + strconv.Itoa(n)
	})
}

// isSent reports whether a statement contains rows sent by the writer.
func isSent(query string) bool {
	return strings.Contains(query, "VALUES (?") || strings.Contains(query, "unnest(")
}
