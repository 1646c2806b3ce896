package sqlstore_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	// roundsWhole is a walk through all rounds.
	roundsWhole = regexp.MustCompile(`(Seq|Bitmap Heap) Scan on rounds_[^\n]*`)
	// spanSorted is a sort of rounds as they are found; one of both ends' pages isn't.
	spanSorted = regexp.MustCompile(`Sort  \([^\n]*\n +Sort Key: r\.id[^\n]*\n +->  (Append[^\n]*\n +->  )?(Index|Seq|Bitmap)[A-Za-z ]* Scan`)
	// wholeRead is a read of all rows of a player or of everybody.
	wholeRead = regexp.MustCompile(`(Seq|Bitmap Heap) Scan on (rounds_rest|provider_rounds|transactions)\b`)
	// playerSorted is a sort of rows of one list; the two lists' pages together are sorted too.
	playerSorted = regexp.MustCompile(`Sort  \([^\n]*\n +Sort Key: [rt](_\d+)?\.id[^\n]*\n +->  (Append[^\n]*\n +->  )?(Index|Seq|Bitmap)`)
	// walletsWalked is a walk through everybody's rows for those of one player.
	walletsWalked = regexp.MustCompile(`(Index Scan[A-Za-z ]* using (rounds_rest|provider_rounds|transactions)_id(_idx)?|Seq Scan) on (rounds_rest|provider_rounds|transactions)\b[^\n]*(\n +Index Cond:[^\n]*)?\n +Filter: [^\n]*wallet`)
)

// manyRounds is how many rounds the worlds of these tests have.
const manyRounds = 30_000

// playedMuch is a world with many rounds, one a second from the moment on that it returns:
// round n is of the wallet and the pair that these expressions of SQL make of n.
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

// TestPostgresSpansAreReadInTheirOrder has a tenth of many rounds listed by their time.
// Ids and moments tell the same, which statistics don't know: who takes both for chance
// expects few rows and sorts all of the span for a page.
func TestPostgresSpansAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	w, begin := playedMuch(t, "wallet", "pair_id")
	timed, err := onTimedPostgres().open(t.Context(), w.where, newSealer(t), unwrapped)
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
	if len(seen.text) != 6 { // a count, what is before the page, and the page
		t.Errorf("%d queries were seen", len(seen.text))
	}
	db := w.beside()
	for _, query := range seen.text {
		if told := w.planOf(db, query); spanSorted.MatchString(told) {
			t.Errorf("%s\nsorts its span:\n%s", query, told)
		}
	}
}

// TestPostgresListsOfManyPairsAreReadInTheirOrder has many rounds of many players listed.
// Whoever takes a round's wallet and its pair for chance each expects few rounds that have a
// pair, and reads and sorts all of them for a page.
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

// TestPostgresListsOfOnePlayerReadNobodyElses has the lists of one player among many who play
// little, and of one among few who play much. Plans are kept for any player: one that is made
// for the average player reads and sorts all rows of the player who plays most, or walks
// through everybody's for a player who never played.
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
				INSERT INTO provider_rounds SELECT id, wallet, agent, 'maker', id::text, 'maker', 'slot', 'slot', 'token', 6, '', 1, 0, 1, 0, false, at FROM rounds;
				INSERT INTO transactions SELECT wallet, id::text, 'adjustment', agent, true, 'completed', 'token', 1, '', '', '', '', 0, '', 1, '', at, at FROM rounds;
				COMMIT`, "ANALYZE provider_rounds", "ANALYZE transactions",
				// Walking through 30,000 rows is cheap. The tables pass for twenty times as large.
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
			if len(seen.text) < 5 { // counts and pages; a page that is empty by its count isn't asked for
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
