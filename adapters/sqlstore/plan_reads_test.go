package sqlstore_test

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// reads notes what readers are asked.
type reads struct {
	mu   sync.Mutex
	text []string
}

func (*reads) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (r *reads) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text = append(r.text, e.Query)
}

// stepsOf are the steps by which SQLite would run a question that readers were asked.
func stepsOf(t *testing.T, db *sql.DB, query string) (steps []string) {
	t.Helper()
	statement, list, kept := strings.Cut(query, sqlstore.KeptMark)
	var parameters []any
	if kept {
		rows(t, db, "VALUES "+list, func(scan func(...any)) {
			parameters = make([]any, strings.Count(statement, "$"))
			into := make([]any, len(parameters))
			for i := range parameters {
				into[i] = &parameters[i]
			}
			scan(into...)
		})
	}
	visit := func(scan func(...any)) {
		var id, parent, unused int
		var step string
		scan(&id, &parent, &unused, &step)
		steps = append(steps, step)
	}
	rowsWith(t, db, "EXPLAIN QUERY PLAN "+statement, parameters, visit)
	return steps
}

// TestReportsComeFromKeptFigures asks the database how it would run what an admin
// looks at: nothing reads rounds or transfers, and a list of one agent's rounds
// finds them by an index.
func TestReportsComeFromKeptFigures(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
	w.everything()
	seen := &reads{}
	w.store.WatchReads(seen)
	ctx := t.Context()
	page := ports.Page{Number: 1, Limit: 20}
	ask := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := range 8 {
		_, err := w.store.Sums(ctx, ports.FigureFilter{From: "2026-01-01", To: "2026-12-31", Token: money.SOL, Agent: []string{"", "acme"}[n%2]},
			ports.Grouping{Day: n&1 != 0, Game: n&2 != 0, Agent: n&4 != 0})
		ask(err)
	}
	for _, agent := range []string{"", "acme"} {
		_, err := w.store.Counts(ctx, agent)
		ask(err)
	}
	_, err := w.store.Bankroll(ctx, money.SOL)
	ask(err)
	reports := len(seen.text)
	_, err = w.store.Rounds(ctx, ports.RoundFilter{Agent: "acme"}, page)
	ask(err)
	_, err = w.store.Transactions(ctx, ports.TransactionFilter{Agent: "acme"}, page)
	ask(err)
	for _, f := range []ports.AuditFilter{{By: alice}, {Target: string(alice)}, {Action: "session.opened"}} {
		_, err = w.store.Records(ctx, f, page)
		ask(err)
	}
	if reports < 15 || len(seen.text) < reports+5 {
		t.Fatalf("only %d reads were seen", len(seen.text))
	}
	raw := regexp.MustCompile(`\b(rounds|transfers|r) USING|SCAN (rounds|transfers|r|t|a)\b`)
	chosen := regexp.MustCompile(`^SCAN (counted|cell|kept|k|s|found VIRTUAL TABLE.*|one|other|\(subquery-[0-9]+\)|CONSTANT ROW)$`) // what a step before it found
	db := w.beside()
	for i, query := range seen.text {
		for _, detail := range stepsOf(t, db, query) {
			switch {
			case i < reports && (raw.MatchString(detail) || strings.Contains(query, "FROM rounds") || strings.Contains(query, "transfers")):
				t.Errorf("a report reads what it should not:\n%s\n%s", query, detail)
			case i >= reports && strings.HasPrefix(detail, "SCAN ") && !strings.Contains(detail, "INDEX") && !chosen.MatchString(detail):
				t.Errorf("a list reads a whole table:\n%s\n%s", query, detail)
			}
		}
	}
}

// TestRareListsReadTheirPage asks SQLite how it would run lists by every combination of
// filters: an index finds all that the filter wants and has it in the order of ids.
func TestRareListsReadTheirPage(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
	seen := &reads{}
	w.store.WatchReads(seen)
	db, found := w.beside(), regexp.MustCompile(`^(?:SEARCH|SCAN) [rt]\b[^(]*(.*)`)
	check := func(f any, err error, wants map[string]bool) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		searched := 0
		for _, query := range seen.text {
			chosen := 0 // lists of rounds that are gone through when they were chosen
			for _, detail := range stepsOf(t, db, query) {
				if detail == "CO-ROUTINE r" {
					chosen++
				}
				by := found.FindStringSubmatch(detail)
				if by == nil || by[1] == "(id=?)" {
					continue // a row that was found already
				}
				if detail == "SCAN r" && chosen > 0 {
					chosen--
					continue
				}
				searched++
				for column, wanted := range wants {
					// A player's own rounds are a walk down the player's index, which has these.
					if strings.Contains(detail, "INDEX rounds_wallet (") && (column == "game" || column == "token") {
						continue
					}
					if wanted && !strings.Contains(by[1], column+"=?") {
						t.Errorf("%+v looks through what it doesn't list: %s\n%s", f, detail, query)
					}
				}
			}
		}
		if searched < 2 {
			t.Errorf("%+v: %d searches were seen", f, searched)
		}
		seen.text = nil
	}
	page := ports.Page{After: "0190", Limit: 20}
	for _, f := range rareRounds() {
		_, err := w.store.Rounds(t.Context(), f, page)
		check(f, err, map[string]bool{"wallet": f.Wallet != "", "game": f.GameType != "", "token": f.Token != "", "agent": f.Agent != ""})
	}
	for _, f := range rareTransactions() {
		_, err := w.store.Transactions(t.Context(), f, page)
		check(f, err, map[string]bool{
			"wallet": f.Wallet != "", "token": f.Token != "", "agent": f.Agent != "", "type": f.Type != "", "status": f.Status != "",
		})
	}
}
