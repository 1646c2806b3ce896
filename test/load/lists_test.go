package load_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// benchRounds names the environment variable that says how many rounds the
// larger of the two databases has; a million without it.
const benchRounds = "CASINO_BENCH_ROUNDS"

const fewRounds = 10_000

// BenchmarkLists measures what lists and reports cost on a database with many
// rounds beside one with ten thousand, each as the median of 21 calls.
func BenchmarkLists(b *testing.B) {
	many := 1_000_000
	if text := os.Getenv(benchRounds); text != "" {
		var err error
		if many, err = strconv.Atoi(text); err != nil {
			b.Fatalf("%s: %v", benchRounds, err)
		}
	}
	cluster := benchCluster(b)
	costs := map[string][]time.Duration{}
	for _, rounds := range []int{fewRounds, many} {
		store := openPostgres(b, fill(b, cluster.URL(), rounds))
		for name, ask := range questions(store) {
			costs[name] = append(costs[name], medianOf(b, ask))
		}
	}
	for b.Loop() {
		for name, took := range costs {
			b.ReportMetric(milliseconds(took[0]), name+"-few-ms")
			b.ReportMetric(milliseconds(took[1]), name+"-many-ms")
			b.ReportMetric(float64(took[1])/float64(took[0]), name+"-ratio")
		}
	}
}

// questions are what players and admins look at.
func questions(store *sqlstore.Store) map[string]func(context.Context) error {
	page := ports.Page{Number: 1, Limit: ports.PageDefault}
	rounds := func(filter ports.RoundFilter, page ports.Page) func(context.Context) error {
		return func(ctx context.Context) error {
			answer, err := store.Rounds(ctx, filter, page)
			if err == nil && len(answer.Rounds) != page.Limit {
				err = fmt.Errorf("%d rounds of a page", len(answer.Rounds))
			}
			return err
		}
	}
	someone := fakes.Wallet("player 17")
	return map[string]func(context.Context) error{
		"history":    rounds(ports.RoundFilter{Wallet: someone}, page),
		"all":        rounds(ports.RoundFilter{}, page),
		"all-page-9": rounds(ports.RoundFilter{}, ports.Page{Number: 9, Limit: ports.PageMax}),
		"agent":      rounds(ports.RoundFilter{Agent: "acme"}, page),
		"game":       rounds(ports.RoundFilter{GameType: "limbo"}, page),
		"token":      rounds(ports.RoundFilter{Token: money.SOL}, page),
		"last-days":  rounds(ports.RoundFilter{From: newest.AddDate(0, 0, -7)}, page),
		"old-days":   rounds(ports.RoundFilter{From: newest.AddDate(0, 0, -50), To: newest.AddDate(0, 0, -40)}, page),
		"recent": func(ctx context.Context) error {
			_, err := store.RecentRounds(ctx, 50)
			return err
		},
		"ggr": func(ctx context.Context) error {
			_, err := store.Daily(ctx, "2026-09-01", "2026-10-31")
			return err
		},
		"totals": func(ctx context.Context) error {
			_, err := store.Totals(ctx)
			return err
		},
	}
}

func medianOf(b *testing.B, ask func(context.Context) error) time.Duration {
	b.Helper()
	var took []time.Duration
	for range 21 {
		begin := time.Now()
		if err := ask(context.Background()); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// newest is when the newest of the filled in rounds was played; they go back 60 days.
var newest = time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)

// roundsEach is how many rounds each player has.
const roundsEach = 100

// fill makes a database with so many rounds of as many players as that takes,
// straight into the tables, and returns its URL.
func fill(b *testing.B, server string, rounds int) (url string) {
	b.Helper()
	name := fmt.Sprint("lists_", rounds)
	admin, err := sql.Open("pgx", server)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		b.Fatal(err)
	}
	url = "postgres://" + cutScheme(server, name)
	store := openPostgres(b, url)
	for month := range 3 {
		if _, err := store.MakeMonths(context.Background(), newest.AddDate(0, month-3, 0)); err != nil {
			b.Fatal(err)
		}
	}
	owner, err := sql.Open("pgx", url+"&session_replication_role=replica")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = owner.Close() }()
	people := make([]wallet.Address, rounds/roundsEach)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprintf("player %d", i))
	}
	const step = 60 * 24 * time.Hour
	for _, statement := range []string{
		`CREATE TABLE people AS SELECT row_number() OVER () - 1 AS n, wallet FROM unnest($1::text[]) AS u(wallet)`,
		`INSERT INTO players (wallet, agent, created_at) SELECT wallet, '', 1 FROM people`,
		`INSERT INTO seed_pairs (id, wallet, state, sealed, commitment, client_seed, client_source, nonce, next_id)
			SELECT 'pair ' || n, wallet, 'active', '\x00', repeat('0', 58) || to_char(n, 'FM000000'), 'seed', 'server', 1 << 40, 'next ' || n FROM people`,
		fmt.Sprintf(`INSERT INTO rounds SELECT left(hex, 8) || '-' || right(hex, 4) || '-7' || to_char(i %% 1000, 'FM000') || '-8000-' || to_char(i, 'FM000000000000'),
				wallet, CASE WHEN i %% 10 = 3 THEN 'acme' ELSE 'house' END, CASE WHEN i %% 5 = 1 THEN 'limbo' ELSE 'dice' END,
				'dice/1', '%s', 10000, 19800, 198, 100, '{"target":50.00,"direction":"over"}', '{"roll":51.00}', false, 'pair ' || n, i / 100, 1000000,
				millis * 1000, 1, i / 100 + 1, i %% 100
			FROM (SELECT i, lpad(to_hex(millis), 12, '0') AS hex, millis FROM (SELECT i, %d + i::bigint * %d / %d AS millis
				FROM generate_series(0, %d) AS i) AS timed) AS rows JOIN people ON n = i::bigint * 7919 %% %d`,
			money.SOL, newest.Add(-step).UnixMilli(), step.Milliseconds(), rounds, rounds-1, rounds/roundsEach),
		`INSERT INTO daily_figures SELECT 1, to_char(day, 'YYYY-MM-DD'), token, 'own', game, agent, count(*), 0, 0, 0, 0, 0, 0, 0, 0
			FROM (SELECT date_trunc('day', to_timestamp(at / 1000000) AT TIME ZONE 'UTC') AS day, token, game, agent FROM rounds) AS r
			GROUP BY day, token, game, agent`,
		`VACUUM (ANALYZE)`,
	} {
		var arguments []any
		if strings.Contains(statement, "$1") {
			arguments = append(arguments, people)
		}
		if _, err := owner.Exec(statement, arguments...); err != nil {
			b.Fatalf("%.60s: %v", statement, err)
		}
	}
	return url
}

// cutScheme is the server's URL with another database, from its user on.
func cutScheme(server, database string) string {
	return server[len("postgres://"):len(server)-len("postgres?sslmode=disable")] + database + "?sslmode=disable"
}
