package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"maps"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

// citusVariable names the URL of the coordinator of a Citus cluster, whose user is a
// superuser, and that lets casino_citus in without a password.
const citusVariable = "CASINO_TEST_CITUS_URL"

// citusSchemas counts schemas, of which one is made at a time: the cluster takes no two.
var citusSchemas struct {
	sync.Mutex
	made int
}

// onCitus is a server whose tables are spread over machines.
func onCitus(t *testing.T) engine {
	t.Helper()
	cluster := os.Getenv(citusVariable)
	if cluster == "" {
		t.Skip(citusVariable + " names no cluster") // allowed: there is none on most machines
	}
	on := onPostgres
	on.empty = nil
	on.fresh = func(t testing.TB) string {
		t.Helper()
		return freshOnCitus(t, cluster)
	}
	on.open = func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		service, err := url.Parse(where)
		if err != nil {
			return nil, err
		}
		service.User = url.User("casino_citus")
		query := service.Query()
		query.Set("plan_cache_mode", "force_custom_plan")
		service.RawQuery = query.Encode()
		return postgres.Open(ctx, service.String(), postgres.Options{Sealer: sealer, Migrated: true, Readers: 4, Through: through})
	}
	return on
}

// freshOnCitus is a schema of this test alone, migrated and spread.
func freshOnCitus(t testing.TB, cluster string) (where string) {
	t.Helper()
	citusSchemas.Lock()
	defer citusSchemas.Unlock()
	citusSchemas.made++
	schema := fmt.Sprintf("casino_test_%d_%d", os.Getpid(), citusSchemas.made)
	owner, err := sql.Open("pgx", cluster)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		citusSchemas.Lock()
		defer citusSchemas.Unlock()
		if _, err := owner.Exec("DROP SCHEMA IF EXISTS " + schema + " CASCADE"); err != nil {
			t.Error(err)
		}
		_ = owner.Close()
	})
	exec := func(on *sql.DB, statement string) {
		if _, err := on.Exec(statement); err != nil {
			t.Fatalf("%.60s: %v", statement, err)
		}
	}
	exec(owner, "CREATE SCHEMA "+schema)
	where = cluster + "&search_path=" + schema
	store, err := postgres.Open(t.Context(), where, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	statements, err := os.ReadFile("../../deploy/citus/distribute.sql")
	if err != nil {
		t.Fatal(err)
	}
	master, err := sql.Open("pgx", where+"&citus.shard_count=4&default_query_exec_mode=simple_protocol")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = master.Close() }()
	exec(master, string(statements))
	exec(master, `DO $$ BEGIN CREATE ROLE casino_citus LOGIN IN ROLE casino_runtime; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
	return where
}

// TestCitusWriters runs the writer's suite on tables that are spread over machines.
func TestCitusWriters(t *testing.T) {
	t.Parallel()
	on := onCitus(t)
	conformance.Writer(t, func(t *testing.T) conformance.Store {
		t.Helper()
		store := stores(on, sqlstore.WriterOptions{})(t)
		store.NoOpenRounds = true
		return store
	})
}

// TestCitusKeepsAWalletOnOneMachine asks the cluster where tables lie: every one of wallets
// is spread by their keys, and the same wallets of all of them lie together.
func TestCitusKeepsAWalletOnOneMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onCitus(t), sqlstore.WriterOptions{})
	w.signIn(1000, alice, bob)
	w.commit(w.play(alice, 10))
	db := w.beside()
	spread, together := map[string]string{}, map[string]bool{}
	rows(t, db, `SELECT d.logicalrelid::text, column_to_column_name(d.logicalrelid, d.partkey), d.colocationid::text
		FROM pg_dist_partition AS d JOIN pg_class AS c ON c.oid = d.logicalrelid
		WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND d.partmethod = 'h' AND NOT c.relispartition`, func(scan func(...any)) {
		var table, by, group string
		scan(&table, &by, &group)
		if spread[table] = by; table != "once" {
			together[group] = true
		}
	})
	if len(together) != 1 {
		t.Errorf("tables lie in %d groups", len(together))
	}
	rows(t, db, `SELECT c.relname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
		WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND a.attname = 'wallet' AND a.atttypid = 'uuid'::regtype`, func(scan func(...any)) {
		var table string
		scan(&table)
		if spread[table] != "wallet" {
			t.Errorf("%s is spread by %q", table, spread[table])
		}
		delete(spread, table)
	})
	if want := map[string]string{"players": "key", "unique_keys": "place", "once": "id"}; !maps.Equal(spread, want) {
		t.Errorf("beside tables of wallets %v are spread", spread)
	}
	// A round finds its pair on its own machine, and is refused without one.
	_, err := db.Exec(`INSERT INTO rounds ` + ofRounds + ` SELECT gen_random_uuid(), wallet, agent, game, rules, token, wager, payout, multiplier_num,
		multiplier_den, config, outcome, void, pair_id, nonce + 1, balance, at, lane, seq, position FROM rounds`)
	if err == nil || !strings.Contains(err.Error(), "has not taken its nonce") {
		t.Errorf("a round without a nonce: %v", err)
	}
	w.audited("")
}

// TestCitusLists asks for the lists that docs/growth.md says a cluster answers: all of one
// player's, and those over everybody that leave no game, token or agent open beside one that
// is asked for.
func TestCitusLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onCitus(t), sqlstore.WriterOptions{})
	w.signIn(1000, alice, bob)
	w.commit(w.play(alice, 10))
	w.commit(w.play(bob, 10))
	ctx, store, page := t.Context(), w.store, ports.Page{Number: 1, Limit: 10}
	round := func(filter ports.RoundFilter) func(ports.Page) (int, error) {
		return func(page ports.Page) (int, error) {
			found, err := store.Rounds(ctx, filter, page)
			if err == nil && found.Total != len(found.Rounds) {
				t.Errorf("%+v: %d of %d rounds", filter, len(found.Rounds), found.Total)
			}
			return len(found.Rounds), err
		}
	}
	transaction := func(filter ports.TransactionFilter) func(ports.Page) (int, error) {
		return func(page ports.Page) (int, error) {
			found, err := store.Transactions(ctx, filter, page)
			if err == nil && found.Total != len(found.Transactions) {
				t.Errorf("%+v: %d of %d transactions", filter, len(found.Transactions), found.Total)
			}
			return len(found.Transactions), err
		}
	}
	for name, list := range map[string]struct {
		ask  func(ports.Page) (int, error)
		want int
	}{
		"all rounds":         {round(ports.RoundFilter{}), 2},
		"rounds since a day": {round(ports.RoundFilter{From: w.clock.Now().Add(-24 * time.Hour)}), 2},
		"rounds of a player": {round(ports.RoundFilter{Wallet: alice}), 1},
		"all transactions":   {transaction(ports.TransactionFilter{}), 2},
		"those of a player":  {transaction(ports.TransactionFilter{Wallet: bob}), 1},
		"records": {func(page ports.Page) (int, error) {
			found, err := store.Records(ctx, ports.AuditFilter{}, page)
			return min(len(found.Records), 1), err
		}, 1},
		"a provider's calls": {func(page ports.Page) (int, error) {
			found, err := store.Deliveries(ctx, ports.DeliveryFilter{}, page)
			return len(found.Deliveries), err
		}, 0},
		"its transactions": {func(page ports.Page) (int, error) {
			found, err := store.SeamlessTransactions(ctx, ports.SeamlessFilter{}, page)
			return len(found.Transactions), err
		}, 0},
		"pairs of a player": {func(page ports.Page) (int, error) {
			found, err := store.RevealedPairs(ctx, alice, page)
			return len(found.Pairs), err
		}, 0},
		"players": {func(page ports.Page) (int, error) {
			found, err := store.PlayerList(ctx, ports.PlayerFilter{}, page)
			return len(found.Players), err
		}, 2},
		"the public's newest": {func(ports.Page) (int, error) { found, err := store.RecentRounds(ctx, 5); return len(found), err }, 2},
	} {
		if got, err := list.ask(page); err != nil || got != list.want {
			t.Errorf("%s: %d, want %d, %v", name, got, list.want, err)
		}
	}
}
