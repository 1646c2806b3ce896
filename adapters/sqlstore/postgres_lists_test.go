package sqlstore_test

import (
	"database/sql"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var (
	largeTable = regexp.MustCompile(`Seq Scan on (rounds|provider_rounds|transactions|seed_pairs|players|audit|provider_transactions)[a-z0-9_ ]*\(cost=0.00..[1-9]`)
	// filtered is what a scan of a table with rows drops again, or finds out of order;
	// the other tables are empty here.
	filtered = regexp.MustCompile(`on (rounds_rest|provider_rounds|transactions|players)\b[^\n]*(\n +Index Cond:[^\n]*)?\n +Filter: ` +
		`|Bitmap Heap Scan on (rounds_other|provider_rounds|transactions|players)\b`)
	sorted = regexp.MustCompile(`Sort  \(cost=[0-9.]+ rows=([0-9]+) `)
)

// TestPostgresListsReadTheirPage asks the server how it would run what lists ask on
// tables of a million rows: by indexes, newest first, with nothing sorted but the
// two ends of own and providers' rounds, and what was open at a moment.
func TestPostgresListsReadTheirPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	db := w.beside()
	execAll(t, db, `INSERT INTO provider_rounds SELECT gen_random_uuid(), wallet_key(wallet), agent, 'maker', 'txn', 'maker', 'slot', 'slot', token, 6, '', 1, 0, 1, 0, false, at
		FROM readable_rounds`)
	timed, err := onTimedPostgres().open(t.Context(), w.where, newSealer(t), unwrapped)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = timed.Close() })
	w.store = timed
	seen := &reads{}
	w.store.WatchReads(seen)
	w.asksForLists()
	execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
		AND relname ~ '^(rounds|provider_rounds|transactions|seed_pairs|players|audit)'`)
	asked := map[string]bool{}
	for _, query := range seen.text {
		if strings.Contains(query, " DESC") { // a page, a count or what is before a page
			asked[query] = true
		}
	}
	if len(asked) < 66 {
		t.Errorf("only %d queries were seen", len(asked))
	}
	for query := range asked {
		told := w.planOf(db, query)
		if found := largeTable.FindString(told); found != "" {
			t.Errorf("%s\n%s:\n%s", query, found, told)
		}
		for _, found := range sorted.FindAllStringSubmatchIndex(told, -1) {
			_, below, _ := strings.Cut(told[found[1]:], " Scan ")
			scan, _, _ := strings.Cut(below, "\n")
			if strings.Contains(scan, "_lateness_") { // what was open at a moment lies in the order in which it ended
				continue
			}
			if n, err := strconv.Atoi(told[found[2]:found[3]]); err != nil || n > 2*(ports.PageMax+1) {
				t.Errorf("%s\nsorts %d rows:\n%s", query, n, told)
			}
		}
	}

	seen.text = nil
	w.asksForRareThings()
	if len(seen.text) < 150 {
		t.Errorf("only %d queries were seen", len(seen.text))
	}
	for _, query := range seen.text {
		if told := w.planOf(db, query); strings.Contains(query, " DESC") && (filtered.MatchString(told) || strings.Contains(told, "Merge Semi")) {
			t.Errorf("%s\nlooks through what it doesn't list:\n%s", query, told)
		}
	}
}

// planOf is how the server would run a query under settings: one that is kept by the plan
// that it has for any parameters.
func (w *world) planOf(db *sql.DB, query string, settings ...string) string {
	w.Helper()
	session, err := db.Conn(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	set := []string{"RESET ALL"}
	for _, setting := range settings {
		set = append(set, "SET "+setting)
	}
	explained, parameters, kept := strings.Cut(query, sqlstore.KeptMark)
	if kept {
		set = append(set, "SET plan_cache_mode = force_generic_plan", "PREPARE kept AS "+explained)
		defer func() { _, _ = session.ExecContext(w.Context(), "DEALLOCATE kept") }()
		explained = "EXECUTE kept" + parameters
	}
	for _, text := range set {
		if _, err := session.ExecContext(w.Context(), text); err != nil {
			w.Fatalf("%s: %v", text, err)
		}
	}
	answer, err := session.QueryContext(w.Context(), "EXPLAIN "+explained)
	if err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = answer.Close() }()
	var plan []string
	for answer.Next() {
		var line string
		if err := answer.Scan(&line); err != nil {
			w.Fatal(err)
		}
		plan = append(plan, line)
	}
	if err := answer.Err(); err != nil {
		w.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

// asksForRareThings asks for lists that end after their page however rare what they
// have is.
func (w *world) asksForRareThings() {
	w.Helper()
	for _, page := range []ports.Page{{Number: 1, Limit: 20}, {Limit: 20, After: "0190"}, {Number: 9, Limit: 100, Uncounted: true}} {
		for _, f := range rareRounds() {
			if _, err := w.store.Rounds(w.Context(), f, page); err != nil {
				w.Fatal(err)
			}
		}
		for _, f := range rareTransactions() {
			if _, err := w.store.Transactions(w.Context(), f, page); err != nil {
				w.Fatal(err)
			}
		}
		if _, err := w.store.PlayerList(w.Context(), ports.PlayerFilter{Agent: "acme"}, page); err != nil {
			w.Fatal(err)
		}
	}
}

// rareRounds are filters by every combination of what narrows rounds, but a player's of
// one agent.
func rareRounds() (all []ports.RoundFilter) {
	for n := range 16 {
		var f ports.RoundFilter
		if n&1 != 0 {
			f.GameType = "dice"
		}
		if n&2 != 0 {
			f.Token = fakes.Mint("rare")
		}
		if n&4 != 0 {
			f.Agent = "acme"
		}
		if n&8 != 0 {
			f.Wallet = alice
		}
		if f.Agent == "" || f.Wallet == "" {
			all = append(all, f)
		}
	}
	return all
}

// rareTransactions are filters by every combination of what narrows transactions, but a
// player's of one agent.
func rareTransactions() (all []ports.TransactionFilter) {
	for _, f := range rareRounds() {
		of := ports.TransactionFilter{Wallet: f.Wallet, Token: f.Token, Agent: f.Agent}
		if f.GameType != "" {
			continue
		}
		for _, of.Type = range []ports.TransactionType{"", ports.WithdrawalTransaction} {
			for _, of.Status = range []string{"", "failed"} {
				all = append(all, of)
			}
		}
	}
	return all
}

// asksForLists asks for pages of every sort of list.
func (w *world) asksForLists() {
	w.Helper()
	ctx, at := w.Context(), w.clock.Now()
	pages := []ports.Page{{Number: 1, Limit: 20}, {Number: 9, Limit: 100}, {Limit: 20, After: "0190"}, {Number: 9, Limit: 100, Uncounted: true}}
	rare := fakes.Mint("rare")
	for _, page := range pages {
		for _, f := range []ports.RoundFilter{
			{}, {Wallet: alice}, {Agent: "acme"}, {Agent: player.HouseAgent}, {GameType: "dice"}, {Token: rare}, {Token: money.SOL},
			{Agent: "acme", GameType: "dice", Token: rare}, {Wallet: alice, GameType: "dice"}, {GameType: "dice", To: at.AddDate(0, 0, -30)},
			{From: at.AddDate(0, 0, -9)}, {From: at.Add(-50 * time.Hour), To: at.Add(-time.Hour)}, {Wallet: alice, From: at.AddDate(0, 0, -2), To: at},
		} {
			if _, err := w.store.Rounds(ctx, f, page); err != nil {
				w.Fatal(err)
			}
		}
		for _, f := range []ports.TransactionFilter{
			{}, {Wallet: alice}, {Agent: "acme"}, {Type: ports.WithdrawalTransaction, Status: "completed"}, {Status: "review"},
			{Type: ports.AdjustmentTransaction}, {Token: rare}, {From: at.AddDate(0, 0, -9), To: at},
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

// TestPostgresIDsAreOfTheirRowsMoments commits rounds and transactions with ids that
// lists of a span of time would not find them by: they are refused, and nothing else of
// their batch.
func TestPostgresIDsAreOfTheirRowsMoments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	timed := worldAt(t, onTimedPostgres(), w.where, sqlstore.WriterOptions{ID: "timed"}, unwrapped)
	timed.clock = w.clock
	timed.entropy = fakes.NewEntropy(2)
	timed.start(timed.writer)
	at := w.clock.Now()
	for _, row := range []struct {
		off  time.Duration
		want bool
	}{{0, true}, {50 * time.Second, true}, {-50 * time.Second, true}, {62 * time.Second, false}, {-62 * time.Second, false}, {30 * time.Hour, false}} {
		round := timed.playAs(dated(at.Add(row.off), 1), game.Dice(), alice, money.SOL, 10)
		a := player.Adjustment{
			ID: dated(at.Add(row.off), 2), Wallet: alice, Token: money.SOL, Amount: 1, Reason: "goodwill", By: admin, At: timed.now(),
		}
		moved := timed.adjust(alice, 1)
		moved.Keys[0].ID = a.ID
		moved.Decide = func(v player.View) (player.Change, error) { return player.Adjust(v, a, timed.id(), "req") }
		for what, item := range map[string]player.Item{"a round": round, "an adjustment": moved} {
			_, err := timed.writer.Commit(t.Context(), item)
			if (err == nil) != row.want {
				t.Errorf("%s with an id of %s from its moment: %v", what, row.off, err)
			}
		}
	}
}
