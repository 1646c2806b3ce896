package sqlstore_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/stream"
)

// askEvents reads everything that is heard, as those who listen do, from the beginning and
// from the end, and returns what the database was asked.
func askEvents(w *world) []string {
	w.Helper()
	seen := &reads{}
	w.store.WatchReads(seen)
	for _, f := range []stream.Filter{{}, {Wallet: alice}, {Types: []stream.Type{stream.RoundSettled}}} {
		for at := (stream.Cursor{}); ; {
			page, err := w.store.After(w.Context(), at, f, 5)
			if err != nil {
				w.Fatal(err)
			}
			if at = page.Next; !page.More {
				break
			}
		}
		if _, err := w.store.Newest(w.Context()); err != nil {
			w.Fatal(err)
		}
	}
	slices.Sort(seen.text)
	return slices.DeleteFunc(slices.Compact(seen.text), func(query string) bool { return !strings.Contains(query, "SELECT") })
}

// TestEventsAreFoundByIndexes asks both databases how they would read pages of events: what
// grows with the ledger is looked into, never gone through.
func TestEventsAreFoundByIndexes(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
		w.everything()
		grown := regexp.MustCompile(`^(SCAN|SEARCH) (b|r|t|e|a|p|o|s|x|rounds|transfers|blocks|ledger_events|transactions|audit_log|provider_transactions)\b(.*)`)
		looks := 0
		for _, query := range askEvents(w) {
			for _, detail := range stepsOf(t, w.beside(), query) {
				if found := grown.FindStringSubmatch(detail); found != nil {
					if looks++; found[1] == "SCAN" {
						t.Errorf("all of a table is read:\n%s\n%s", query, detail)
					}
				}
			}
		}
		if looks < 20 {
			t.Errorf("only %d looks into tables were seen", looks)
		}
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		w, _ := watched(t, onPostgres, sqlstore.WriterOptions{})
		w.everything()
		asked := askEvents(w)
		db := w.beside()
		// The planner counts on as many rows a page as there were when it last looked.
		execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
		looks := 0
		for _, query := range asked {
			lines := strings.Split(w.planOf(db, query, "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off"), "\n")
			for at, line := range lines {
				if whole := wholeTable.FindStringSubmatch(line); whole != nil {
					t.Errorf("%s\nreads all of %s:\n%s", query, whole[1], strings.Join(lines, "\n"))
				}
				if indexScan.MatchString(line) && !strings.Contains(line, " on detached_months ") { // of which there are some dozens
					if looks++; at+1 == len(lines) || !strings.Contains(lines[at+1], "Index Cond:") {
						t.Errorf("%s\ngoes through a whole index:\n%s", query, strings.Join(lines, "\n"))
					}
				}
			}
		}
		if looks < 20 {
			t.Errorf("only %d looks into tables were seen", looks)
		}
	})
}
