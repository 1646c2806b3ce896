package sqlstore_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var (
	largeTable = regexp.MustCompile(`Seq Scan on (rounds|provider_rounds|transactions|seed_pairs|players|audit|provider_transactions)[a-z0-9_ ]*\(cost=0.00..[1-9]`)
	sorted     = regexp.MustCompile(`Sort  \(cost=[0-9.]+ rows=([0-9]+) `)
)

// TestPostgresListsReadTheirPage asks the server how it would run what lists ask on
// tables of a million rows: by indexes, newest first, with nothing sorted but the
// two ends of own and providers' rounds.
func TestPostgresListsReadTheirPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onTimedPostgres(), sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	seen := &reads{}
	w.store.WatchReads(seen)
	w.asksForLists()
	db := w.beside()
	execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
		AND relname ~ '^(rounds|provider_rounds|transactions|seed_pairs|players|audit)'`)
	asked := map[string]bool{}
	for _, query := range seen.text {
		if strings.Contains(query, "id DESC") { // a page; counts end by their limit, in whatever order
			asked[query] = true
		}
	}
	if len(asked) < 30 {
		t.Errorf("only %d queries were seen", len(asked))
	}
	for query := range asked {
		var plan []string
		rows(t, db, "EXPLAIN "+query, func(scan func(...any)) {
			var line string
			scan(&line)
			plan = append(plan, line)
		})
		told := strings.Join(plan, "\n")
		if found := largeTable.FindString(told); found != "" {
			t.Errorf("%s\n%s:\n%s", query, found, told)
		}
		for _, found := range sorted.FindAllStringSubmatch(told, -1) {
			if n, err := strconv.Atoi(found[1]); err != nil || n > 2*(ports.PageMax+1) {
				t.Errorf("%s\nsorts %d rows:\n%s", query, n, told)
			}
		}
	}
}

// asksForLists asks for pages of every sort of list.
func (w *world) asksForLists() {
	w.Helper()
	ctx, at := w.Context(), w.clock.Now()
	pages := []ports.Page{{Number: 1, Limit: 20}, {Number: 9, Limit: 100}, {Limit: 20, After: "0190"}, {Number: 9, Limit: 100, Uncounted: true}}
	for _, page := range pages {
		for _, f := range []ports.RoundFilter{
			{}, {Wallet: alice}, {Agent: "acme"}, {Agent: player.HouseAgent}, {GameType: "dice"},
			{From: at.AddDate(0, 0, -9)}, {From: at.Add(-50 * time.Hour), To: at.Add(-time.Hour)}, {Wallet: alice, From: at.AddDate(0, 0, -2), To: at},
		} {
			if _, err := w.store.Rounds(ctx, f, page); err != nil {
				w.Fatal(err)
			}
		}
		for _, f := range []ports.TransactionFilter{
			{}, {Wallet: alice}, {Agent: "acme"}, {Type: ports.WithdrawalTransaction, Status: "completed"}, {Status: "review"},
			{Token: fakes.Mint("rare")}, {From: at.AddDate(0, 0, -9), To: at},
		} {
			if _, err := w.store.Transactions(ctx, f, page); err != nil {
				w.Fatal(err)
			}
		}
		if _, err := w.store.PlayerList(ctx, ports.PlayerFilter{}, page); err != nil {
			w.Fatal(err)
		}
	}
	if _, err := w.store.RecentRounds(ctx, 50); err != nil {
		w.Fatal(err)
	}
}
