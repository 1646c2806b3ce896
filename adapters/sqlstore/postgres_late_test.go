package sqlstore_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

var (
	// lateByHand is a look for late rounds through a month, instead of by their index.
	lateByHand = regexp.MustCompile(`on rounds_20[0-9_]+ [^\n]*\n( +Index Cond:[^\n]*\n)? +Filter: [^\n]*width_bucket`)
	lateScan   = regexp.MustCompile(`Scan using rounds_([0-9_]+)_(wallet_)?lateness_`)
)

// TestPostgresLateRoundsAreFoundByTheirLateness lists rounds of four months, of which some
// were played step by step for minutes to months: lists of a span have those that were
// opened before it and ended within, each class of lateness from its index alone, and only
// of months in which such a round may have been opened.
func TestPostgresLateRoundsAreFoundByTheirLateness(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 3 {
		if _, err := w.store.MakeMonths(t.Context(), begin.AddDate(0, 2*i, 0)); err != nil {
			t.Fatal(err)
		}
	}
	w.signIn(1000, alice)
	w.commit(w.play(alice, 10))
	db := w.beside()
	// A round each 500 s from January to June; one of 20 was open for up to 100 days.
	execAll(t, db, `BEGIN; SET LOCAL session_replication_role = replica;
		INSERT INTO rounds `+strings.TrimSuffix(ofRounds, ")")+`, actions) SELECT (left(id_from(to_timestamp(m / 1000000.0)), 13) || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
			wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id, n + 1000, balance,
			m + CASE WHEN n % 20 = 0 THEN (30000000 * power(10, n / 20 % 6) * (1 + n % 7))::bigint ELSE 0 END, lane, seq, position, CASE WHEN n % 20 = 0 THEN '[]' ELSE '' END
		FROM rounds, generate_series(1, 30000) AS n, LATERAL (SELECT 1735689600000000 + n * 500000000::bigint) AS at_n (m);
		COMMIT`, "ANALYZE rounds")
	timed, err := onTimedPostgres().open(t.Context(), w.where, newSealer(t), unwrapped)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = timed.Close() })
	seen := &reads{}
	timed.WatchReads(seen)
	from := time.Date(2025, 5, 10, 12, 0, 0, 0, time.UTC)
	for _, f := range []ports.RoundFilter{
		{}, {Wallet: alice}, {GameType: "dice"}, {Wallet: alice, Token: money.SOL}, {Agent: "house"}, {Token: money.SOL, Agent: "house"},
	} {
		f.From, f.To = from, from.Add(3*time.Hour)
		seen.text = nil
		page, err := timed.Rounds(t.Context(), f, ports.Page{Number: 1, Limit: ports.PageMax})
		want := w.number(`SELECT count(*) FROM rounds WHERE at >= $1 AND at < $2`, f.From.UnixMicro(), f.To.UnixMicro())
		if err != nil || len(page.Rounds) != int(want) || page.Total != int(want) || page.Rounds[len(page.Rounds)-1].At.Before(f.From) || want < 20 {
			t.Errorf("%+v lists %d of %d rounds: %v", f, len(page.Rounds), want, err)
		}
		for _, query := range seen.text {
			plan, months := w.planOf(db, query), map[string]int{}
			for _, found := range lateScan.FindAllStringSubmatch(plan, -1) {
				months[found[1]]++
			}
			if lateByHand.MatchString(plan) || months["2025_05"] != 6 || months["2025_04"] != 2 || months["2025_01"] != 1 || months["2025_06"] != 0 {
				t.Errorf("%s\nlooks into months so often: %v\n%s", query, months, plan)
			}
		}
	}
}
