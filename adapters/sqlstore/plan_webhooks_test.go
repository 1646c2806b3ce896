package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/ports"
)

// TestWebhooksAreFoundByIndexes asks SQLite how it would run what workers ask all the time,
// and what admins look at: nothing reads all endpoints or all dead letters.
func TestWebhooksAreFoundByIndexes(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
	seen, ctx, db := &reads{}, t.Context(), w.beside()
	w.store.WatchReads(seen)
	ask := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := w.store.WebhooksOf(ctx, agent.House)
	ask(err)
	_, err = w.store.WebhooksDue(ctx, w.now(), "", 1_000)
	ask(err)
	_, err = w.store.DeadLettersDue(ctx, w.now(), 16)
	ask(err)
	_, err = w.store.DeadLetters(ctx, "one", ports.Page{Number: 1, Limit: 20})
	ask(err)
	found := 0
	for _, query := range seen.text {
		for _, detail := range stepsOf(t, db, query) {
			for _, table := range []string{"w", "l", "d"} {
				if !strings.HasPrefix(detail, "SCAN "+table+" ") && detail != "SCAN "+table && !strings.HasPrefix(detail, "SEARCH "+table+" ") {
					continue
				}
				found++
				if strings.HasPrefix(detail, "SCAN") && !strings.Contains(detail, "INDEX dead_letters_due") {
					t.Errorf("all of a table is read:\n%s\n%s", query, detail)
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("only %d looks into tables were seen, in %d statements", found, len(seen.text))
	}
}
