package sqlstore_test

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// reads records the queries of readers.
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

// stepsOf returns the steps of SQLite's plan for a query of readers.
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

// TestReportsComeFromKeptFigures asks the database for the plans of admins' reports: none reads
// rounds or transfers, and a list of one agent's rounds uses an index.
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
	from, until := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
	year := ports.FigureFilter{From: "2026-01-01", To: "2026-12-31", Token: money.SOL}
	played := len(seen.text)
	_, err = w.store.TransactionSums(ctx, from, until, money.SOL, "")
	ask(err)
	for _, daily := range []bool{false, true} {
		_, err = w.store.ActivePlayers(ctx, year, daily)
		ask(err)
	}
	for _, f := range []ports.PlayerDayFilter{{FigureFilter: year}, {FigureFilter: year, Wallet: alice}, {FigureFilter: year, AtLeast: 1}} {
		_, err = w.store.PlayerDays(ctx, f, 10)
		ask(err)
	}
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
	chosen := regexp.MustCompile(`^SCAN (counted|cell|kept|k|s|found VIRTUAL TABLE.*|one|other|\(subquery-[0-9]+\)|CONSTANT ROW)$`) // the result of an earlier step
	db := w.beside()
	for i, query := range seen.text {
		for _, detail := range stepsOf(t, db, query) {
			switch {
			case i >= played && i < reports && strings.HasPrefix(detail, "SCAN "):
				t.Errorf("a report of a period reads a whole table or index:\n%s\n%s", query, detail)
			case i < reports && (raw.MatchString(detail) || strings.Contains(query, "FROM rounds") || strings.Contains(query, "transfers")):
				t.Errorf("a report reads what it should not:\n%s\n%s", query, detail)
			case i >= reports && strings.HasPrefix(detail, "SCAN ") && !strings.Contains(detail, "INDEX") && !chosen.MatchString(detail):
				t.Errorf("a list reads a whole table:\n%s\n%s", query, detail)
			}
		}
	}
}

// TestRareListsReadTheirPage asks SQLite for the plans of lists by every combination of filters:
// an index finds all rows for the filter, sorted by id.
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
			chosen := 0 // scans of rounds after they were chosen
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
					// A player's own rounds are read through the player's index, which has these
					// columns.
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

// TestAlarmsAreFoundByIndexes asks both databases for the plan of a list of alarms of which
// nearly all are cleared: the cost depends only on the page.
func TestAlarmsAreFoundByIndexes(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		db := w.beside()
		execAll(t, db, `INSERT INTO alarms (id, kind, about, agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_at, cleared_by)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT 'z' || (100000 + i), 'kind' || (i % 400), 'about' || (i % 5000), CASE i % 100 WHEN 0 THEN 'acme' ELSE '' END, '{}', 1, 1, 1, '', '',
				CASE i % 4000 WHEN 0 THEN NULL ELSE 2 END, '' FROM n`, `ANALYZE alarms`)
		seen, open := &reads{}, true
		w.store.WatchReads(seen)
		for index, f := range map[string]ports.AlarmFilter{
			"alarms_open": {Open: &open}, "alarms_kind": {Kind: alarm.Kind("kind7")}, "alarms_about": {About: "about7"}, "alarms_agent": {Agent: "acme"},
		} {
			seen.text = nil
			found, err := w.store.Alarms(t.Context(), f, ports.Page{Number: 1, Limit: 20})
			if err != nil || len(found.Alarms) == 0 {
				t.Fatalf("%+v: %d alarms, %v", f, len(found.Alarms), err)
			}
			if len(seen.text) < 2 {
				t.Fatalf("only %d reads were seen", len(seen.text))
			}
			for _, query := range seen.text {
				plan := ""
				if on.arrays {
					plan = w.planOf(db, query)
				} else {
					plan = strings.Join(stepsOf(t, db, query), "\n")
				}
				if !strings.Contains(plan, index) {
					t.Errorf("%+v is listed without %s:\n%s\n%s", f, index, query, plan)
				}
			}
		}
	})
}

// TestInclusionsFindEventsByID asks both databases for the plan of the read that finds an event
// to prove: an index finds it by its id, among a wallet's many.
func TestInclusionsFindEventsByID(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		db := w.beside()
		execAll(t, db, `INSERT INTO ledger_events (kind, id, was, wallet, fields, lane, seq, position)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT 'pair', 'z' || (100000 + i), '', '`+string(alice)+`', '', 0, 1, 100 + i FROM n`, `ANALYZE ledger_events`)
		seen := &reads{}
		w.store.WatchReads(seen)
		if _, err := w.store.Inclusion(t.Context(), alice, "nothing"); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		for _, query := range seen.text {
			plan := ""
			if on.arrays {
				plan = w.planOf(db, query)
			} else {
				plan = strings.Join(stepsOf(t, db, query), "\n")
			}
			if !strings.Contains(plan, "ledger_events_id") {
				t.Errorf("an event is found without its index:\n%s\n%s", query, plan)
			}
		}
		if len(seen.text) != 1 {
			t.Errorf("%d reads were seen", len(seen.text))
		}
	})
}

// TestPlayersRecordsAreNotInTheWayOfAdmins asks both databases for the plans of each part of an
// audit log with nearly only players' records: an index has the admins' part alone.
func TestPlayersRecordsAreNotInTheWayOfAdmins(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		if _, errs := w.together(w.adjust(alice, 5)); errs[0] != nil {
			t.Fatal(errs)
		}
		db := w.beside()
		execAll(t, db, `INSERT INTO audit (id, action, actor, target, was, became, at, request_id, lane, seq, position)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT 'z' || (100000 + i), 'limits.changed', 'carol', 'carol', '', '', 1, '', 0, 1, 100 + i FROM n`, `ANALYZE audit`)
		seen := &reads{}
		w.store.WatchReads(seen)
		for part, index := range map[audit.Part]string{audit.Admins: "audit_admins", audit.Players: "audit_players"} {
			seen.text = nil
			found, err := w.store.Records(t.Context(), ports.AuditFilter{Part: part}, ports.Page{Number: 1, Limit: 20})
			if err != nil || len(found.Records) == 0 {
				t.Fatalf("%s: %d records, %v", part, len(found.Records), err)
			}
			for _, r := range found.Records {
				if r.Part() != part {
					t.Errorf("among the records of %s is %+v", part, r)
				}
			}
			if len(seen.text) < 2 {
				t.Fatalf("only %d reads were seen", len(seen.text))
			}
			for _, query := range seen.text {
				plan := ""
				if on.arrays {
					plan = w.planOf(db, query)
				} else {
					plan = strings.Join(stepsOf(t, db, query), "\n")
				}
				if !strings.Contains(plan, index) {
					t.Errorf("%s are listed without their index:\n%s\n%s", part, query, plan)
				}
			}
		}
	})
}

// askEvents reads all events as listeners do, from the beginning and from the end, and returns
// the queries of the database.
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

// TestEventsAreFoundByIndexes asks both databases for the plans of pages of events: growing
// tables are read by index, never scanned.
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
		// The planner assumes as many rows per page as at the last ANALYZE.
		execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
		looks := 0
		for _, query := range asked {
			lines := strings.Split(w.planOf(db, query, "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off"), "\n")
			for at, line := range lines {
				if whole := wholeTable.FindStringSubmatch(line); whole != nil {
					t.Errorf("%s\nreads all of %s:\n%s", query, whole[1], strings.Join(lines, "\n"))
				}
				if indexScan.MatchString(line) && !strings.Contains(line, " on detached_months ") { // which has some dozens of rows
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
