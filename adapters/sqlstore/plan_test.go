package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// everything runs each statement of the writer.
func (w *world) everything() {
	w.Helper()
	commit := func(items ...player.Item) []player.Receipt {
		w.Helper()
		receipts, errs := w.together(items...)
		if err := errors.Join(errs...); err != nil {
			w.Fatal(err)
		}
		return receipts
	}
	w.begin(1000, w.login(alice), w.login(bob))
	commit(w.play(alice, 10), keyed(w.play(bob, 10), "key", ""), w.withdraw(alice, 50))
	commit(w.rotate(alice, "mine"), w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10), w.adjust(bob, 5))
	if _, errs := w.together(keyed(w.withdraw(bob, 50_000), "refused", "")); errs[0] == nil {
		w.Fatal("bob was paid more than he has")
	}
	opened := commit(w.opens(bob, 10), w.opens(alice, 10))
	first := opened[0].Change.Steps[0]
	if stepped := commit(w.opensTile(first, 7), w.cashesOut(opened[1].Change.Steps[0]))[0].Change; stepped.Round == nil {
		commit(w.cashesOut(stepped.Steps[0]))
	}
	receipts := commit(w.withdraw(alice, 60), keyed(w.play(bob, 10), "key", ""))
	requested := *receipts[0].Change.Withdrawal
	step := func(decide func(v player.View, at time.Time) (player.Change, error)) {
		at := w.now()
		commit(player.Item{
			Wallet: alice, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
			Needs: player.Needs{
				Tokens: []money.Token{money.SOL}, Withdrawals: []string{requested.ID}, Roles: []wallet.Address{admin},
			},
			Decide: func(v player.View) (player.Change, error) { return decide(v, at) },
		})
	}
	approve := func(by wallet.Address) func(player.View, time.Time) (player.Change, error) {
		return func(v player.View, at time.Time) (player.Change, error) {
			word, err := v.Withdrawals[requested.ID].Approve(by, "fine", 2, at)
			return player.Change{Withdrawal: &word, Balance: v.Balances[money.SOL]}, err
		}
	}
	step(approve(admin))
	step(approve(carol))
	for number := 1; number <= 2; number++ {
		attempt := withdrawal.Attempt{
			WithdrawalID: requested.ID, Number: number, Signature: fakes.Signature(w.id()), Transaction: []byte{1},
			Blockhash: "hash", LastValidHeight: 1<<63 + 1, Slot: 7, CreatedAt: w.now(),
		}
		step(func(v player.View, at time.Time) (player.Change, error) { return player.Sign(v, attempt, at) })
		fate := withdrawal.Outcome{Status: withdrawal.Dead}
		if number == 2 {
			fate = withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5}}
		}
		step(func(v player.View, at time.Time) (player.Change, error) {
			return player.Settle(v, requested.ID, number, fate, at)
		})
	}
}

// TestEveryStatementFindsItsRowsByAnIndex asks the database for the plan of each statement of the
// writer: none may scan a whole table, which would make batches slower as data grows.
func TestEveryStatementFindsItsRowsByAnIndex(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onSQLite, sqlstore.WriterOptions{})
	w.everything()
	w.sound()
	w.forwards()
	db := w.beside()
	scan := regexp.MustCompile(`^SCAN ([a-z_]+)`) // sent rows are scanned as s, or as an n-ROW VALUES CLAUSE
	explained, open := 0, false
	for query := range f.ever {
		if !strings.Contains(query, "VALUES (?") || readsWhole(query) {
			continue // the schema's own statements are not sent
		}
		explained++
		plan, err := db.Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for plan.Next() {
			var id, parent, unused int
			var detail string
			if err := plan.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if found := scan.FindStringSubmatch(detail); found != nil && found[1] != "s" {
				t.Errorf("%s\n%s", query, detail)
			}
			open = open || strings.Contains(detail, "transactions_open")
		}
		if err := plan.Err(); err != nil {
			t.Error(err)
		}
	}
	if !open {
		t.Error("what is open is counted among everything a wallet ever did")
	}
	if explained < 25 {
		t.Errorf("only %d statements were seen", explained)
	}
}

// readsWhole reports whether a statement scans a table on purpose: the list of roles has one
// seal, and one row per admin.
func readsWhole(query string) bool {
	return strings.Contains(query, "role_list AS l CROSS JOIN roles AS r")
}

// TestWebhooksAreFoundByIndexes asks SQLite for the plans of workers' frequent queries and of
// admins' pages: none may read all endpoints or all dead letters.
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

var (
	parameter  = regexp.MustCompile(`\$[0-9]+`)
	wholeTable = regexp.MustCompile(`Seq Scan on ([a-z_]+)`)
	indexScan  = regexp.MustCompile(`(Index|Index Only|Bitmap Index) Scan( Backward)? (using|on) [a-z_]+`)
)

// TestPostgresEveryStatementFindsItsRowsByAnIndex asks the server for the plans that the writer's
// sessions make on tables of a million rows: each table is read by a key.
func TestPostgresEveryStatementFindsItsRowsByAnIndex(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onPostgres, sqlstore.WriterOptions{})
	w.everything()
	w.forwards()
	db := w.beside()
	ctx := t.Context()
	execAll(t, db, `INSERT INTO roles VALUES ('somebody', 'admin', '', '', 1, false)`)
	// Scanning an empty index costs as much as searching it.
	execAll(t, db, `INSERT INTO provider_games SELECT 'game' || n, 'MAKER', '', 'slot', '', true, 1, false FROM generate_series(1, 2000) AS n`)
	// The planner assumes as many rows per page as at the last ANALYZE.
	execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
	session, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for _, setting := range []string{
		"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off",
	} {
		if _, err := session.ExecContext(ctx, "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	explained := 0
	for query := range f.ever {
		if !isSent(query) || readsWhole(query) {
			continue
		}
		explained++
		plan := planOf(t, ctx, session, query, fmt.Sprint("q", explained))
		for at, line := range plan {
			found := wholeTable.FindStringSubmatch(line)
			if found != nil {
				t.Errorf("%s\nreads all of %s:\n%s", query, found[1], strings.Join(plan, "\n"))
			}
			// The condition is in the lines below its scan, before the next step. The index of
			// blocked agents has no other rows, so all of it is read.
			if indexScan.MatchString(line) && !strings.Contains(line, " agents_blocked ") && !(at+1 < len(plan) && strings.Contains(plan[at+1], "Index Cond:")) {
				t.Errorf("%s\ngoes through a whole index:\n%s", query, strings.Join(plan, "\n"))
			}
		}
	}
	if explained < 20 {
		t.Errorf("only %d statements were seen", explained)
	}
}

func planOf(t *testing.T, ctx context.Context, session *sql.Conn, query, name string) (plan []string) {
	t.Helper()
	if _, err := session.ExecContext(ctx, "PREPARE "+name+" AS "+query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	seen := map[string]bool{}
	for _, p := range parameter.FindAllString(query, -1) {
		seen[p] = true
	}
	nulls := strings.TrimSuffix(strings.Repeat("NULL, ", len(seen)), ", ")
	answer, err := session.QueryContext(ctx, "EXPLAIN EXECUTE "+name+"("+nulls+")")
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = answer.Close() }()
	for answer.Next() {
		var line string
		if err := answer.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	if err := answer.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}

// BenchmarkBytes reports the disk space of a round, with its transfers and index entries, by
// table and index, for 10,000 players who play all games of the house; a million players would
// give the same. On PostgreSQL it also reports the bytes per round in the write-ahead log. Sizes
// are those of whole files, with pages as full as play leaves them.
func BenchmarkBytes(b *testing.B) {
	for name, on := range map[string]engine{"PostgreSQL": onPostgres, "SQLite": onSQLite} {
		b.Run(name, func(b *testing.B) {
			w, people := crowd(b, on, sqlstore.WriterOptions{})
			before, logged := sizes(b, w)
			games := game.Standard()
			b.ResetTimer()
			callers(benchCallers, b.N, func(i int) {
				item := w.playOf(games[i%len(games)], people[i*7919%len(people)], money.SOL, 10_000)
				if _, err := w.writer.Commit(context.Background(), item); err != nil {
					b.Error(err)
				}
			})
			b.StopTimer()
			after, loggedAfter := sizes(b, w)
			report(b, before, after)
			if logged > 0 {
				b.ReportMetric(float64(loggedAfter-logged)/float64(b.N), "wal-B/round")
			}
		})
	}
}

// relation is the size of a table or an index.
type relation struct {
	name, of string // the index, and its table
	bytes    int64
}

// sizes returns the sizes of all tables and indexes, with partitions added to their table, and
// how much was ever written into the write-ahead log.
func sizes(b *testing.B, w *world) (all []relation, logged int64) {
	b.Helper()
	db := w.beside()
	defer func() { _ = db.Close() }()
	query := `SELECT s.name, s.tbl_name, sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name GROUP BY 1, 2 ORDER BY 1`
	if w.on.numbered {
		query = `SELECT regexp_replace(c.relname, '_(\d{4}_\d{2}|other|rest)', ''), regexp_replace(coalesce(t.relname, c.relname), '_(\d{4}_\d{2}|other|rest)', ''),
				sum(pg_relation_size(c.oid))::bigint
			FROM pg_class AS c LEFT JOIN pg_index AS x ON x.indexrelid = c.oid LEFT JOIN pg_class AS t ON t.oid = x.indrelid
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i') GROUP BY 1, 2 ORDER BY 1`
		if err := db.QueryRow("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").Scan(&logged); err != nil {
			b.Fatal(err)
		}
	}
	rows(b, db, query, func(scan func(...any)) {
		var s relation
		scan(&s.name, &s.of, &s.bytes)
		all = append(all, s)
	})
	return all, logged
}

// report reports the growth per round.
func report(b *testing.B, before, after []relation) {
	b.Helper()
	had := map[string]int64{}
	for _, s := range before {
		had[s.name] = s.bytes
	}
	var table strings.Builder
	total := 0.0
	for _, s := range after {
		if s.of != "rounds" && s.of != "transfers" {
			continue
		}
		each := float64(s.bytes-had[s.name]) / float64(b.N)
		total += each
		fmt.Fprintf(&table, "%-28s %6.1f\n", s.name, each)
	}
	b.ReportMetric(total, "B/round")
	if b.N > 1 {
		fmt.Printf("\nbytes a round on %s\n%s%-28s %6.1f\n", strings.TrimPrefix(b.Name(), "BenchmarkBytes/"), table.String(), "together", total)
	}
}
