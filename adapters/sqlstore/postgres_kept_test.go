package sqlstore_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestPostgresListsAreKept: whoever lists what, page by page, a list stays a few prepared
// statements of a session with one plan each.
func TestPostgresListsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	for range 3 {
		w.commit(w.play(alice, 10))
	}
	reader := w.store.OneReader()
	ask := func(of wallet.Address, after string, limit int) {
		t.Helper()
		found, err := w.store.Rounds(t.Context(), ports.RoundFilter{Wallet: of}, ports.Page{Limit: limit, After: after})
		if err != nil {
			t.Fatal(err)
		}
		if want := min(3, limit); of == alice && after == "" && (len(found.Rounds) != want || found.Total != 3 || (found.Next != "") != (limit < 3)) {
			t.Errorf("%d of alice's rounds of %d, next %q", len(found.Rounds), found.Total, found.Next)
		}
		if of != alice && len(found.Rounds) != 0 {
			t.Errorf("%s has %d rounds of somebody else", of, len(found.Rounds))
		}
	}
	for limit := 1; limit <= ports.PageMax; limit++ {
		ask(alice, "", limit)
		ask(fakes.Wallet(fmt.Sprint(limit)), "", limit)
		ask(alice, fmt.Sprintf("0190%04d", limit), limit)
	}
	span := ports.RoundFilter{Wallet: alice, From: w.clock.Now().Add(-time.Hour)}
	if found, err := w.store.Rounds(t.Context(), span, ports.Page{Limit: 20}); err != nil || len(found.Rounds) != 3 {
		t.Errorf("%d rounds of an hour: %v", len(found.Rounds), err)
	}
	if _, err := w.store.Rounds(t.Context(), ports.RoundFilter{Agent: "acme", Token: money.SOL}, ports.Page{Limit: 20}); err != nil {
		t.Error(err)
	}
	kept := 0
	rows(t, reader, `SELECT generic_plans, custom_plans, statement FROM pg_prepared_statements WHERE statement LIKE '%FROM rounds%'`, func(scan func(...any)) {
		var generic, custom int
		var text string
		scan(&generic, &custom, &text)
		kept++
		if generic < 2 || custom > 0 {
			t.Errorf("planned %d times for its own values, run %d times by one plan: %s", custom, generic, text)
		}
		if strings.Contains(text, string(alice)) || strings.Contains(text, "0190") {
			t.Errorf("a value stands in %s", text)
		}
	})
	// A count, and pages of 20, 50 and 100 with and without a cursor; spans and values aren't kept.
	if kept != 7 {
		t.Errorf("%d statements are kept", kept)
	}
}

// TestPostgresReadsOfOneThingAreKept: whatever is asked for by its id, what workers look for
// again and again, and the pages of what is heard, which are read in a transaction, is planned
// once for a session.
func TestPostgresReadsOfOneThingAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	for range 5 {
		w.commit(w.play(alice, 10))
	}
	elsewhere, err := onPostgres.open(t.Context(), w.where, newSealer(t), unwrapped) // which has no events in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = elsewhere.Close() })
	reader := elsewhere.OneReader()
	w.askForOneThings(elsewhere, 5)
	kept := map[string]int{} // how often each of what was asked for was run by one plan
	rows(t, reader, `SELECT generic_plans, custom_plans, statement FROM pg_prepared_statements`, func(scan func(...any)) {
		var generic, custom int
		var text string
		scan(&generic, &custom, &text)
		if custom > 0 || strings.Contains(text, string(alice)) {
			t.Errorf("planned %d times for its own values: %s", custom, text)
		}
		for _, of := range []string{
			"FROM provider_rounds AS r WHERE r.id =", "AS l WHERE (l.wallet =", "AND t.status = 'pending'", "FROM open_rounds AS r",
			"FROM heads", "FROM blocks AS b WHERE (b.lane =", "FROM kept_rounds AS r WHERE r.lane =", "FROM ledger_events AS e WHERE e.lane =",
		} {
			if strings.Contains(text, of) {
				kept[of] = max(kept[of], generic)
			}
		}
	})
	if len(kept) != 8 {
		t.Errorf("only some are kept: %v", kept)
	}
	for of, generic := range kept {
		if generic < 5 {
			t.Errorf("%q was run %d times by one plan", of, generic)
		}
	}
}

// askForOneThings asks for single things and pages of what is heard, several times each.
func (w *world) askForOneThings(store *sqlstore.Store, times int) {
	w.Helper()
	missing := func(err error) {
		w.Helper()
		if err != nil && fault.KindOf(err) != fault.NotFound {
			w.Fatal(err)
		}
	}
	at := stream.Cursor{}
	for n := range times {
		for _, who := range []wallet.Address{alice, fakes.Wallet(fmt.Sprint(n))} {
			_, err := store.Round(w.Context(), w.id())
			missing(err)
			_, err = store.Launch(w.Context(), who, "demo")
			missing(err)
			_, err = store.OpenRoundsOf(w.Context(), who)
			missing(err)
		}
		_, err := store.WithdrawalsIn(w.Context(), withdrawal.Pending, "", 10)
		missing(err)
		page, err := store.After(w.Context(), at, stream.Filter{}, 1)
		missing(err)
		at = page.Next
	}
}

// TestPostgresKeptPlansAreMadeAnew: a plan that was made for a table that was empty is
// forgotten after a while although nobody has looked at the table since.
func TestPostgresKeptPlansAreMadeAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	reader := w.store.OneReader()
	ask := func(times int) {
		t.Helper()
		for range times {
			if _, err := w.store.Sums(t.Context(), ports.FigureFilter{Token: money.SOL}, ports.Grouping{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	plan := func() string {
		t.Helper()
		return keptPlan(t, reader, "FROM daily_figures")
	}
	execAll(t, w.beside(), `ALTER TABLE daily_figures SET (autovacuum_enabled = off)`)
	ask(2)
	small := plan()
	execAll(t, w.beside(), `INSERT INTO daily_figures
		SELECT 0, to_char(date '2000-01-01' + n, 'YYYY-MM-DD'), 'other', '', 'dice', 'house', 1, 0, 1, 0, 1, 0, 1, 0, 1 FROM generate_series(1, 20000) AS n`)
	ask(2)
	if got := plan(); got != small {
		t.Errorf("the plan is another one although nothing was forgotten:\n%s", got)
	}
	ask(300)
	if got := plan(); got == small {
		t.Errorf("the plan is still that of the empty table:\n%s", got)
	}
}

// keptPlan is the plan that the one connection of a pool has for a kept statement.
func keptPlan(t *testing.T, pool *sql.DB, of string) string {
	t.Helper()
	var name string
	if err := pool.QueryRowContext(t.Context(), "SELECT name FROM pg_prepared_statements WHERE position($1 IN statement) > 0", of).Scan(&name); err != nil {
		t.Fatal(err)
	}
	var plan []string
	rows(t, pool, `EXPLAIN EXECUTE "`+name+`"('`+string(money.SOL)+`')`, func(scan func(...any)) {
		var line string
		scan(&line)
		plan = append(plan, line)
	})
	return strings.Join(plan, "\n")
}
