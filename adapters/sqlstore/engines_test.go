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
	// fresh makes an empty migrated database of this test and says where it is.
	fresh func(t testing.TB) (where string)
	// empty takes everything out of such a database, where that is faster than a
	// fresh one.
	empty func(t testing.TB, where string)
	// open opens it as the service does.
	open func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error)
	// beside opens it as its owner, to look at rows as they are and to change them.
	beside func(where string) (*sql.DB, error)
	// shows are the faults that cases can show here and not on SQLite; none for all.
	shows []conformance.Fault
	// batches are the small batches that the writer's suite is run with beside the greatest: on
	// PostgreSQL the smallest that has a neighbour, because all others are the same Go.
	batches []int
	// numbered says that the placeholders of its statements are $1, $2, ….
	numbered bool
	// locks is how many statements lock wallets before anything else.
	locks int
	// arrays says that one statement writes any number of rows.
	arrays bool
	// contended is the error of a batch that was rolled back because of others.
	contended func(t testing.TB) error
	// written is everything that lies in the database's files.
	written func(t testing.TB, where string) []byte
	// dropsBalances makes the database drop balances of a wallet without a word,
	// and keepsBalances ends that.
	dropsBalances func(key string) string
	keepsBalances string
}

// migratedFile is a SQLite database as migrations leave it. They take longer than
// most tests, so they run once.
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
	if err := errors.Join(err, store.Close()); err != nil { // closing folds the log into the file
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

// runtimeRole connects as the service does: as a member of the role that is
// granted what it needs and nothing else.
const runtimeRole = "&role=casino_runtime"

var onPostgres = engine{
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
	empty: func(t testing.TB, where string) {
		t.Helper()
		db, err := sql.Open("pgx", where+"&session_replication_role=replica&default_query_exec_mode=simple_protocol") // no trigger minds
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		var statements strings.Builder // one round trip for all
		for _, table := range []string{
			"approvals", "payout_attempts", "transactions", "transfers", "rounds", "seed_pairs", "balances", "unique_keys", "once",
			"audit", "blocks", "ledger_events", "lane_totals", "lane_players", "daily_figures", "list_cells", "roles", "role_list", "meta", "tokens", "players",
			"approval_requests", "votes", "vote_sums", "creditors", "lane_players", "branding",
			"player_protection", "provider_games", "origin", "dead_letters", "webhooks", "alarms", "agents WHERE code <> 'house'",
		} {
			statements.WriteString("DELETE FROM " + table + ";\n")
		}
		statements.WriteString("UPDATE control SET ledger = '', epoch = 1, epoch_at = NULL, restored = '', pauses = ''")
		if _, err := db.Exec(statements.String()); err != nil {
			t.Fatal(err)
		}
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

// literal is an id as statements write it where the column keeps UUIDs.
func (on engine) literal(id string) string {
	if on.numbered {
		return "'" + id + "'"
	}
	return "X'" + strings.ReplaceAll(id, "-", "") + "'"
}

// newID is the expression of an id that nothing has.
func (on engine) newID() string {
	if on.numbered {
		return "gen_random_uuid()"
	}
	return "randomblob(16)"
}

var placeholder = regexp.MustCompile(`\?`)

// query writes a statement's placeholders as the database has them.
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

// isSent reports whether a statement has the writer's sent rows in it.
func isSent(query string) bool {
	return strings.Contains(query, "VALUES (?") || strings.Contains(query, "unnest(")
}
