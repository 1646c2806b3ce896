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
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

// citusVariable names the URL of the coordinator of a Citus cluster, with a superuser, that
// accepts casino_citus without a password.
const citusVariable = "CASINO_TEST_CITUS_URL"

// citusSchemas counts schemas; they are made one at a time, because the cluster can't make two at
// once.
var citusSchemas struct {
	sync.Mutex
	made int
}

// onCitus is a server with tables spread over machines.
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

// freshOnCitus makes a schema for this test, migrated and distributed.
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

// TestCitusWriters runs the writer's suite on distributed tables.
func TestCitusWriters(t *testing.T) {
	t.Parallel()
	on := onCitus(t)
	for name, suite := range map[string]conformance.Suite{
		"Writer": conformance.Writer, "OpenRounds": conformance.OpenRounds,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, stores(on, sqlstore.WriterOptions{}))
		})
	}
}

// TestCitusKeepsAWalletOnOneMachine queries the cluster for the placement of tables: each table
// of wallets is distributed by wallet key, and the rows of one wallet are on the same machine.
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
	// So does an open round, which ends as a round on its own machine.
	const opens = `INSERT INTO open_rounds (id, wallet, agent, game, rules, token, wager, stake, config, pair_id, nonce, actions, shown, choices,
		multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal) SELECT gen_random_uuid(), wallet, agent, game, rules, token, wager, stake,
		config, pair_id, nonce + 1, actions, shown, choices, multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal FROM open_rounds`
	left := w.commit(w.opens(alice, 10)).Change.Steps[0]
	w.commit(w.opens(bob, 10))
	for what, statement := range map[string]string{
		"has not taken its nonce": opens,
		"has not ended":           "DELETE FROM open_rounds",
		"only go forward":         "UPDATE open_rounds SET stake = stake + 1",
	} {
		if _, err := db.Exec(statement); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", statement, err)
		}
	}
	w.commit(w.cashesOut(left))
	w.audited("")
}

// TestCitusLists queries lists of one player and of all, with and without filters, by page and by
// cursor.
func TestCitusLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onCitus(t), sqlstore.WriterOptions{})
	w.signIn(1000, alice, bob)
	w.commit(w.play(alice, 10))
	w.commit(w.play(alice, 10))
	w.commit(w.play(bob, 10))
	ctx, store := t.Context(), w.store
	rounds := func(filter ports.RoundFilter) citusList {
		return func(page ports.Page) (int, ports.PageInfo, error) {
			found, err := store.Rounds(ctx, filter, page)
			return len(found.Rounds), found.PageInfo, err
		}
	}
	transactions := func(filter ports.TransactionFilter) citusList {
		return func(page ports.Page) (int, ports.PageInfo, error) {
			found, err := store.Transactions(ctx, filter, page)
			return len(found.Transactions), found.PageInfo, err
		}
	}
	for name, list := range map[string]struct {
		ask  citusList
		want int
	}{
		"all rounds":                 {rounds(ports.RoundFilter{}), 3},
		"rounds since a day":         {rounds(ports.RoundFilter{From: w.clock.Now().Add(-24 * time.Hour)}), 3},
		"rounds of a game":           {rounds(ports.RoundFilter{GameType: "dice"}), 3},
		"rounds of an agent":         {rounds(ports.RoundFilter{Agent: player.HouseAgent}), 3},
		"rounds of a player":         {rounds(ports.RoundFilter{Wallet: alice}), 2},
		"of a player and a game":     {rounds(ports.RoundFilter{Wallet: alice, GameType: "dice"}), 2},
		"of a player and a token":    {rounds(ports.RoundFilter{Wallet: alice, Token: money.SOL}), 2},
		"all transactions":           {transactions(ports.TransactionFilter{}), 2},
		"transactions of a player":   {transactions(ports.TransactionFilter{Wallet: bob}), 1},
		"transactions of a token":    {transactions(ports.TransactionFilter{Token: money.SOL}), 2},
		"a player's and the token's": {transactions(ports.TransactionFilter{Wallet: bob, Token: money.SOL}), 1},
		"a provider's calls": {func(page ports.Page) (int, ports.PageInfo, error) {
			found, err := store.Deliveries(ctx, ports.DeliveryFilter{}, page)
			return len(found.Deliveries), found.PageInfo, err
		}, 0},
		"its transactions": {func(page ports.Page) (int, ports.PageInfo, error) {
			found, err := store.SeamlessTransactions(ctx, ports.SeamlessFilter{}, page)
			return len(found.Transactions), found.PageInfo, err
		}, 0},
		"pairs of a player": {func(page ports.Page) (int, ports.PageInfo, error) {
			found, err := store.RevealedPairs(ctx, alice, page)
			return len(found.Pairs), found.PageInfo, err
		}, 0},
	} {
		list.ask.whole(t, name, list.want)
	}
	if found, err := store.RecentRounds(ctx, 5); err != nil || len(found) != 3 {
		t.Errorf("the public's newest: %d, %v", len(found), err)
	}
}

// citusList is a list of a store; it returns how many rows a page has.
type citusList func(page ports.Page) (int, ports.PageInfo, error)

// whole reads the list one by one, by pages and by cursors, and expects this many rows.
func (ask citusList) whole(t *testing.T, name string, want int) {
	t.Helper()
	byPlace, after := 0, ""
	for number := 1; number <= max(want, 1); number++ {
		n, info, err := ask(ports.Page{Number: number, Limit: 1})
		if err != nil || info.Total != want || n != min(want, 1) {
			t.Errorf("%s, page %d: %d of %d, want %d, %v", name, number, n, info.Total, want, err)
			return
		}
	}
	for {
		n, info, err := ask(ports.Page{Number: 1, Limit: 1, After: after})
		if err != nil {
			t.Errorf("%s, after %q: %v", name, after, err)
			return
		}
		if byPlace, after = byPlace+n, info.Next; after == "" {
			break
		}
	}
	if byPlace != want {
		t.Errorf("%s: %d by places, want %d", name, byPlace, want)
	}
}
