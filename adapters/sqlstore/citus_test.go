package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/services"
)

// onCitus is PostgreSQL with tables spread over two machines.
var onCitus = func() engine {
	on := onPostgres
	on.empty, on.url = nil, services.CitusService
	on.fresh = func(t testing.TB) string {
		t.Helper()
		if !services.CitusWanted() {
			t.Skip("runs with make citus") // allowed: the extension is missing on most machines
		}
		return services.CitusPrepared(t, func(ctx context.Context, url string) error {
			store, err := postgres.Open(ctx, url, postgres.Options{})
			if err != nil {
				return err
			}
			if _, err = store.Migrate(ctx); errors.Join(err, store.Close()) != nil {
				return err
			}
			return services.Distribute(ctx, url)
		})
	}
	on.open = func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		return postgres.Open(ctx, services.CitusService(where), postgres.Options{Sealer: sealer, Migrated: true, Readers: 4, Through: through})
	}
	return on
}()

// TestCitusConformance runs the suites of all ports on a cluster.
func TestCitusConformance(t *testing.T) {
	t.Parallel()
	if !services.CitusWanted() {
		t.Skip("runs with make citus") // allowed: one skipped test instead of each suite's
	}
	conformsOn(t, onCitus)
}

// TestCitusKeepsAWalletOnOneMachine queries the cluster for the placement of tables: each table
// of wallets is distributed by wallet key, and the rows of one wallet are on the same machine.
func TestCitusKeepsAWalletOnOneMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onCitus, sqlstore.WriterOptions{})
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
	w := newWorld(t, onCitus, sqlstore.WriterOptions{})
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

// TestCitusErrorsAreClassified gives the errors that a coordinator reported when a worker or it was
// killed, and when a worker's trigger refused rows of a COPY.
func TestCitusErrorsAreClassified(t *testing.T) {
	t.Parallel()
	for _, reported := range []struct {
		code, text string
		want       db.Failure
	}{
		{"08006", "connection to the remote node casino@10.0.0.2:5432 failed with the following error: Connection refused", db.Lost},
		{"XX000", "failure on connection marked as essential: 10.0.0.2:5432", db.Lost},
		{"XX000", "postmaster was shut down, exiting", db.Lost},
		{"XX000", "terminating connection due to unexpected postmaster exit", db.Lost},
		{"XX000", "terminating connection because of crash of another server process", db.Lost},
		{"XX000", "connection to the remote node 10.0.0.2:5432 failed with the following error: timeout", db.Lost},
		{"XX000", "server closed the connection unexpectedly", db.Lost},
		{"XX000", "the database system is starting up", db.Lost},
		{"XX000", "the shared round takes no bets any more", db.Contended},
		{"XX000", "an epoch began after the seed pair took its nonce", db.Contended},
		{"XX000", "a round's seed pair has not taken its nonce in this transaction", db.Constraint},
		{"XX000", `duplicate key value violates unique constraint "rounds_pkey_102043"`, db.Constraint},
		{"XX000", "cache lookup failed for relation 16384", db.Broken},
	} {
		if got := postgres.Dialect().Failure(&pgconn.PgError{Code: reported.code, Message: reported.text}); got != reported.want {
			t.Errorf("%s %s: %d, want %d", reported.code, reported.text, got, reported.want)
		}
	}
}

var (
	createdTable  = regexp.MustCompile(`CREATE TABLE IF NOT EXISTS (\w+) \(`)
	quotedName    = regexp.MustCompile(`'(\w+)'`)
	backtickNames = regexp.MustCompile("`(\\w+)`")
)

// TestEveryTableHasItsPlaceOnCitus compares the schema with deploy/citus/distribute.sql and with the
// table of docs/growth.md: each table is distributed, copied to every machine, or named as one that
// stays on the coordinator.
func TestEveryTableHasItsPlaceOnCitus(t *testing.T) {
	t.Parallel()
	script, page := readText(t, "../../deploy/citus/distribute.sql"), readText(t, "../../docs/growth.md")
	placed := map[string]string{}
	for statement := range strings.SplitSeq(script, ";") {
		place := ""
		switch {
		case strings.Contains(statement, "SELECT create_distributed_table("):
			place = "distributed"
		case strings.Contains(statement, "SELECT create_reference_table("):
			place = "on every machine"
		default:
			continue
		}
		for _, name := range quotedName.FindAllStringSubmatch(statement, -1) {
			placed[name[1]] = place
		}
	}
	files, err := filepath.Glob("migrations/postgres/*.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string]string{}
	for _, file := range files {
		for _, name := range createdTable.FindAllStringSubmatch(readText(t, file), -1) {
			if schema[name[1]] = placed[name[1]]; schema[name[1]] == "" {
				schema[name[1]] = "on the coordinator"
			}
		}
	}
	_, rows, found := strings.Cut(page, "| tables | lie |\n|---|---|\n")
	rows, _, ended := strings.Cut(rows, "\n\n")
	if !found || !ended {
		t.Fatal("docs/growth.md has no table of tables")
	}
	documented := map[string]string{}
	for row := range strings.Lines(rows) {
		cells := strings.Split(row, "|")
		place := strings.TrimSpace(cells[2])
		if place != "on every machine" && place != "on the coordinator" {
			place = "distributed"
		}
		for _, name := range backtickNames.FindAllStringSubmatch(cells[1], -1) {
			documented[name[1]] = place
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		if documented[name] != schema[name] {
			t.Errorf("%s lies %s by distribute.sql, and %q by docs/growth.md", name, schema[name], documented[name])
		}
		delete(documented, name)
	}
	if len(documented) > 0 || len(schema) < 60 {
		t.Errorf("docs/growth.md has %v, which the schema of %d tables has not", documented, len(schema))
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
