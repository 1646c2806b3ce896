package sqlstore_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/test/conformance"
)

// lookedThrough matches a scan of a table with rows of all players that no index narrows.
var lookedThrough = regexp.MustCompile(`Seq Scan on (rounds|provider_transactions|ledger_events|blocks)[a-z0-9_ ]*\(cost=0.00..[1-9]`)

// presentBalances is in the query of what a player has now, which has a key for each row.
const presentBalances = "CROSS JOIN balances AS b"

// TestPostgresBalancesAtAMomentReadIndexes asks the server for the plans of a balance at a
// moment, on tables of a million rows: each part of it has its index, and none is looked
// through. Lists of what was stated have theirs.
func TestPostgresBalancesAtAMomentReadIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	timed, err := timed(onPostgres).open(t.Context(), w.where, newSealer(t), unwrapped)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = timed.Close() })
	db, seen := w.beside(), &reads{}
	execAll(t, db, `INSERT INTO provider_transactions SELECT id, 'maker', 'txn', 'debit', 'maker', 'slot', 'slot', '', wallet_key(wallet), agent, token, 6, '1', '', 1, 0, '',
		'taken', '', id, '', 1, at, lane, seq, position FROM readable_rounds`, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
		AND relname ~ '^(rounds|provider_transactions|ledger_events|blocks)'`)
	timed.WatchReads(seen)
	if _, err := timed.BalancesAt(t.Context(), alice, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := timed.LiabilitiesAt(t.Context(), time.Now()); err == nil {
		t.Error("something was stated")
	}
	all := ""
	for _, query := range seen.text {
		if strings.Contains(query, presentBalances) {
			continue
		}
		told := w.planOf(db, query)
		all += query + "\n" + told + "\n\n"
		if found := lookedThrough.FindString(told); found != "" {
			t.Errorf("%s\n%s:\n%s", query, found, told)
		}
	}
	for _, index := range []string{"wallet_game_token_id_idx", "provider_transactions_wallet_token", "ledger_events_balance", "blocks_at", "blocks_pkey", "ledger_events_solvency"} {
		if !strings.Contains(all, index) {
			t.Errorf("no plan uses %s:\n%s", index, all)
		}
	}
}

// TestSQLiteBalancesAtAMomentReadIndexes is the same of SQLite.
func TestSQLiteBalancesAtAMomentReadIndexes(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
	w.everything()
	seen := &reads{}
	w.store.WatchReads(seen)
	if _, err := w.store.BalancesAt(t.Context(), alice, time.Now()); err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, query := range seen.text {
		if strings.Contains(query, presentBalances) {
			continue
		}
		for _, step := range stepsOf(t, w.beside(), query) {
			all += step + "\n"
			if found := regexp.MustCompile(`^SCAN (r|t|e|b|rounds|blocks|ledger_events|provider_transactions)\b`).FindString(step); found != "" && !strings.Contains(step, "INDEX") {
				t.Errorf("%s\n%s", query, step)
			}
		}
	}
	for _, index := range []string{"rounds_wallet", "provider_transactions_wallet_token", "ledger_events_balance", "blocks_at"} {
		if !strings.Contains(all, index) {
			t.Errorf("no plan uses %s:\n%s", index, all)
		}
	}
}

// TestBalancesAtTenThousandMomentsAreThoseOfAReplay compares balances of random wallets at
// random times with a replay of the ledger.
func TestBalancesAtTenThousandMomentsAreThoseOfAReplay(t *testing.T) {
	t.Parallel()
	conformance.PastBalancesAtRandom(t, stores(onSQLite, sqlstore.WriterOptions{}), 10_000)
}
