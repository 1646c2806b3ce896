package sqlstore_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var (
	largeTable = regexp.MustCompile(`Seq Scan on (rounds|provider_rounds|transactions|seed_pairs|players|audit|provider_transactions)[a-z0-9_ ]*\(cost=0.00..[1-9]`)
	// filtered matches a scan of a table with rows that discards some of them, or finds them out
	// of order; the other tables are empty here.
	filtered = regexp.MustCompile(`on (rounds_rest|provider_rounds|transactions|players)\b[^\n]*(\n +Index Cond:[^\n]*)?\n +Filter: ` +
		`|Bitmap Heap Scan on (rounds_other|provider_rounds|transactions|players)\b`)
	sorted = regexp.MustCompile(`Sort  \(cost=[0-9.]+ rows=([0-9]+) `)
)

// TestPostgresListsReadTheirPage asks the server for the plans of lists on tables of a million
// rows: they use indexes, newest first, and sort only the two ends of own and providers' rounds,
// and rounds that were open at a moment.
func TestPostgresListsReadTheirPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	db := w.beside()
	execAll(t, db, `INSERT INTO provider_rounds SELECT gen_random_uuid(), wallet_key(wallet), agent, 'maker', 'txn', 'maker', 'slot', 'slot', token, 6, '', 1, 0, 1, 0, false, false, at
		FROM readable_rounds`)
	timed, err := timed(onPostgres).open(t.Context(), w.where, newSealer(t), unwrapped)
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
		if strings.Contains(query, " DESC") { // a page, a count or the rows before a page
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
			if strings.Contains(scan, "_lateness_") { // rounds open at a moment are sorted by their end
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

// planOf returns the server's plan of a query under settings; for a kept query, its generic plan.
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

// asksForRareThings queries lists that must read only their page, even for rare values.
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

// rareRounds returns every combination of filters of rounds, except a player's rounds of one
// agent.
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

// rareTransactions returns every combination of filters of transactions, except a player's of one
// agent.
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

// asksForLists queries pages of every kind of list.
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

// TestPostgresIDsAreOfTheirRowsMoments commits rounds and transactions with ids by which lists of
// a period would not find them: they are refused, and no other item of their batch.
func TestPostgresIDsAreOfTheirRowsMoments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	timed := worldAt(t, timed(onPostgres), w.where, sqlstore.WriterOptions{ID: "timed"}, unwrapped)
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

var (
	// roundsWhole matches a scan of all rounds.
	roundsWhole = regexp.MustCompile(`(Seq|Bitmap Heap) Scan on rounds_[^\n]*`)
	// spanSorted matches a sort of rounds as they are found, but not of both lists' pages.
	spanSorted = regexp.MustCompile(`Sort  \([^\n]*\n +Sort Key: r\.id[^\n]*\n +->  (Append[^\n]*\n +->  )?(Index|Seq|Bitmap)[A-Za-z ]* Scan`)
	// wholeRead matches a scan of all rows of a player or of all players.
	wholeRead = regexp.MustCompile(`(Seq|Bitmap Heap) Scan on (rounds_rest|provider_rounds|transactions)\b`)
	// playerSorted matches a sort of rows of one list, but not of the two lists' pages together.
	playerSorted = regexp.MustCompile(`Sort  \([^\n]*\n +Sort Key: [rt](_\d+)?\.id[^\n]*\n +->  (Append[^\n]*\n +->  )?(Index|Seq|Bitmap)`)
	// walletsWalked matches a walk through all players' rows for those of one player.
	walletsWalked = regexp.MustCompile(`(Index Scan[A-Za-z ]* using (rounds_rest|provider_rounds|transactions)_id(_idx)?|Seq Scan) on (rounds_rest|provider_rounds|transactions)\b[^\n]*(\n +Index Cond:[^\n]*)?\n +Filter: [^\n]*wallet`)
)

// manyRounds is how many rounds the worlds of these tests have.
const manyRounds = 30_000

// playedMuch returns a world with many rounds, one per second from the time that it returns:
// round n has the wallet and the pair of these SQL expressions of n.
func playedMuch(t *testing.T, wallet, pair string) (w *world, begin time.Time) {
	t.Helper()
	w = newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	begin = w.clock.Now().Add(-manyRounds * time.Second)
	execAll(t, w.beside(), fmt.Sprintf(`BEGIN; SET LOCAL session_replication_role = replica;
		INSERT INTO seed_pairs (id, wallet, state, commitment, client_seed, client_source, nonce, revealed, next_id, epoch, since)
		SELECT md5('p' || n)::uuid, md5('w' || n)::uuid, 'retired', commitment, client_seed, client_source, 27, '', next_id, epoch, since
		FROM seed_pairs, generate_series(1, 1000) AS n WHERE state = 'active';
		INSERT INTO rounds %s SELECT (left(id_from(to_timestamp(m / 1000000.0)), 13) || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
			%s, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, %s, n + 1000, balance, m, lane, seq, position
		FROM rounds, generate_series(1, %d) AS n, LATERAL (SELECT %d + n * 1000000::bigint) AS at_n (m);
		COMMIT`, ofRounds, wallet, pair, manyRounds, begin.UnixMicro()), "ANALYZE rounds", "ANALYZE seed_pairs")
	return w, begin
}

// TestPostgresSpansAreReadInTheirOrder lists a tenth of many rounds by time. Ids and times are
// correlated, which statistics don't show: a planner that takes them for independent expects few
// rows and sorts the whole period for a page.
func TestPostgresSpansAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	w, begin := playedMuch(t, "wallet", "pair_id")
	timed, err := timed(onPostgres).open(t.Context(), w.where, newSealer(t), unwrapped)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = timed.Close() })
	seen := &reads{}
	timed.WatchReads(seen)
	for _, f := range []ports.RoundFilter{
		{From: w.clock.Now().Add(-3000 * time.Second)}, {From: begin.Add(6000 * time.Second), To: begin.Add(9000 * time.Second)},
	} {
		found, err := timed.Rounds(t.Context(), f, ports.Page{Number: 2, Limit: 20})
		if err != nil || len(found.Rounds) != 20 || !found.Capped {
			t.Fatalf("%d rounds, capped %t: %v", len(found.Rounds), found.Capped, err)
		}
	}
	if len(seen.text) != 6 { // a count, the rows before the page, and the page
		t.Errorf("%d queries were seen", len(seen.text))
	}
	db := w.beside()
	for _, query := range seen.text {
		if told := w.planOf(db, query); spanSorted.MatchString(told) {
			t.Errorf("%s\nsorts its span:\n%s", query, told)
		}
	}
}

// TestPostgresListsOfManyPairsAreReadInTheirOrder lists many rounds of many players. A planner
// that takes a round's wallet and its pair for independent expects few rounds with a pair, and
// reads and sorts all of them for a page.
func TestPostgresListsOfManyPairsAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	w, _ := playedMuch(t, "md5('w' || n % 1000 + 1)::uuid", "md5('p' || n % 1000 + 1)::uuid")
	seen := &reads{}
	w.store.WatchReads(seen)
	recent, err := w.store.RecentRounds(t.Context(), 50)
	if err != nil || len(recent) != 50 {
		t.Fatalf("%d recent rounds: %v", len(recent), err)
	}
	page := ports.Page{Limit: 20, Uncounted: true}
	for range 2 {
		found, err := w.store.Rounds(t.Context(), ports.RoundFilter{}, page)
		if err != nil || len(found.Rounds) != 20 || found.Next == "" {
			t.Fatalf("%d rounds, next %q: %v", len(found.Rounds), found.Next, err)
		}
		page.After = found.Next
	}
	if len(seen.text) != 3 {
		t.Errorf("%d queries were seen", len(seen.text))
	}
	db := w.beside()
	for _, query := range seen.text {
		told := w.planOf(db, query)
		if whole := roundsWhole.FindString(told); whole != "" || spanSorted.MatchString(told) || !strings.Contains(told, "Index Scan Backward using") {
			t.Errorf("%s\nreads all there are for a page:\n%s", query, told)
		}
	}
}

// TestPostgresListsOfOnePlayerReadNobodyElses reads the lists of one player among many who play
// little, and of one among few who play much. Plans are generic: one for the average player would
// read and sort all rows of the most active player, or walk through all players' rows for one
// without rows.
func TestPostgresListsOfOnePlayerReadNobodyElses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wallets string
		of      wallet.Address
		most    bool
	}{
		"a player of most among many of few": {"CASE WHEN n % 10 = 0 THEN wallet ELSE md5('w' || n % 10000)::uuid END", alice, true},
		"a player of most among thousands":   {"CASE WHEN n % 10 = 0 THEN wallet ELSE md5('w' || n % 1000)::uuid END", alice, true},
		"a player of none among few of many": {"md5('w' || n % 20)::uuid", bob, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := playedMuch(t, c.wallets, "pair_id")
			w.signIn(1000, bob)
			db := w.beside()
			execAll(t, db, `BEGIN; SET LOCAL session_replication_role = replica;
				INSERT INTO provider_rounds SELECT id, wallet, agent, 'maker', id::text, 'maker', 'slot', 'slot', 'token', 6, '', 1, 0, 1, 0, false, false, at FROM rounds;
				INSERT INTO transactions SELECT wallet, id::text, 'adjustment', agent, true, 'completed', 'token', 1, '', '', '', '', 0, '', 1, '', '', at, at FROM rounds;
				COMMIT`, "ANALYZE provider_rounds", "ANALYZE transactions",
				// Scanning 30,000 rows is cheap, so the statistics say twenty times as many.
				"UPDATE pg_class SET reltuples = 20 * reltuples WHERE relname IN ('rounds_rest', 'provider_rounds', 'transactions') AND relnamespace = current_schema()::regnamespace")
			seen := &reads{}
			w.store.WatchReads(seen)
			newest := w.id()
			for _, page := range []ports.Page{{Number: 1, Limit: 20}, {Limit: ports.PageMax, After: newest, Uncounted: true}} {
				rounds, err := w.store.Rounds(t.Context(), ports.RoundFilter{Wallet: c.of}, page)
				if err != nil || (len(rounds.Rounds) == page.Limit) != c.most || rounds.Capped != (c.most && !page.Uncounted) {
					t.Fatalf("%d rounds, capped %t: %v", len(rounds.Rounds), rounds.Capped, err)
				}
				moved, err := w.store.Transactions(t.Context(), ports.TransactionFilter{Wallet: c.of}, page)
				if err != nil || (len(moved.Transactions) == page.Limit) != c.most {
					t.Fatalf("%d transactions: %v", len(moved.Transactions), err)
				}
			}
			if len(seen.text) < 5 { // counts and pages; a page that is empty by its count isn't queried
				t.Errorf("%d queries were seen", len(seen.text))
			}
			for _, query := range seen.text {
				plan := w.planOf(db, query)
				if wholeRead.MatchString(plan) || playerSorted.MatchString(plan) || walletsWalked.MatchString(plan) {
					t.Errorf("%s\nreads more than its page:\n%s", query, plan)
				}
				if strings.HasPrefix(query, "SELECT count(*)") && strings.Contains(plan, "Sort  (") {
					t.Errorf("%s\nsorts to count:\n%s", query, plan)
				}
			}
		})
	}
}
