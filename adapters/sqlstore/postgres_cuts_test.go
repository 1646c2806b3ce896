package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// answersByKey remembers each answer under its key.
type answersByKey struct {
	mu  sync.Mutex
	all map[player.UniqueKey]string
}

func (a *answersByKey) keep(claim player.UniqueKey, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[player.UniqueKey]string{}
	}
	a.all[claim] = text
}

// hold requests each key again and compares the answer with the first one.
func (a *answersByKey) hold(w *world) {
	w.Helper()
	for claim, want := range maps.All(a.all) {
		receipt, err := w.writer.Commit(context.WithoutCancel(w.Context()), player.Item{
			Wallet: wallet.Address(claim.Scope), Keys: []player.UniqueKey{claim}, At: w.now(),
			Decide: func(player.View) (player.Change, error) { return player.Change{}, errors.New("it was forgotten") },
		})
		if err != nil || !receipt.Replayed {
			w.Errorf("%s: %v", claim.ID, err)
			continue
		}
		receipt.Replayed = false
		if got := told(receipt, nil); got != want {
			w.Errorf("%s was answered\n     %s\nthen %s", claim.ID, want, got)
		}
	}
}

// someItem returns an item of one of the things that players do, under a key.
func (w *world) someItem(who wallet.Address, i int) player.Item {
	item := w.play(who, 10)
	switch i % 5 {
	case 0:
		item = w.rotate(who, "mine")
	case 2:
		item = w.adjust(who, 1)
	case 3:
		item = w.withdraw(who, 10)
	}
	return keyed(item, fmt.Sprint("key ", i), "print")
}

// TestPostgresRule04FiftyConnectionsCutAtCommit cuts connections at their COMMIT while players
// act, half of them before it reached the server. Callers see no difference: each answer is true
// and stays the answer of its key.
func TestPostgresRule04FiftyConnectionsCutAtCommit(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	through, where := newProxy(t, w.where)
	w.where = where
	w.open(sqlstore.WriterOptions{}, unwrapped)
	w.start(w.writer)
	people := make([]wallet.Address, 8)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint(i))
	}
	w.signIn(1_000_000, people...)
	var answers answersByKey
	var next atomic.Int64
	const cuts = 50
	callers(8, 8, func(c int) {
		for i := int(next.Add(1)); through.count() < cuts; i = int(next.Add(1)) {
			if i%4 == 0 && i/4 <= cuts {
				through.cut(i%8 == 0)
			}
			item := w.someItem(people[c], i)
			receipt, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
			switch {
			case fault.Is(err, fault.TooManyOpen):
			case err != nil:
				t.Errorf("item %d: %v", i, err)
			case receipt.Replayed:
				t.Errorf("item %d is answered as one that was there before", i)
			default:
				answers.keep(item.Keys[0], told(receipt, nil))
			}
		}
	})
	if n := through.count(); n < cuts || len(answers.all) < cuts {
		t.Errorf("%d cuts, %d answers", n, len(answers.all))
	}
	answers.hold(w)
	w.sound()
}

// aMoment gives a server time to come back without using its processor.
func aMoment() { <-time.After(5 * time.Millisecond) }

// TestPostgresKilledUnderLoad kills the server repeatedly while players act. Answered changes
// exist; unknown ones are answered by repeating their key.
func TestPostgresKilledUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := services.NewCluster(t)
	if _, err := openOwner(t, cluster.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := worldAt(t, onPostgres, cluster.URL(), sqlstore.WriterOptions{}, unwrapped)
	w.start(w.writer)
	people := make([]wallet.Address, 32)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint(i))
	}
	w.signIn(1_000_000, people...)
	var answers answersByKey
	var given, unknown atomic.Int64
	var next atomic.Int64
	var over atomic.Bool
	var all sync.WaitGroup
	for c := range people {
		all.Go(func() {
			for !over.Load() {
				item := w.someItem(people[c], int(next.Add(1)))
				for {
					receipt, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
					if fault.Is(err, fault.Unavailable) {
						var refusal *fault.Error
						if errors.As(err, &refusal) && refusal.Details["outcome"] == "unknown" {
							unknown.Add(1)
						}
						aMoment()
						continue // the same key, until the outcome is known
					}
					switch {
					case err == nil:
						receipt.Replayed = false
						answers.keep(item.Keys[0], told(receipt, nil))
						given.Add(1)
					case !fault.Is(err, fault.TooManyOpen):
						t.Error(err)
					}
					break
				}
			}
		})
	}
	const kills = 3
	for kill := range kills {
		for until := given.Load() + 200; given.Load() < until; {
			aMoment()
		}
		cluster.Kill(t)
		cluster.Start(t)
		t.Logf("kill %d: %d answers so far, %d unknown for a while", kill+1, given.Load(), unknown.Load())
	}
	for until := given.Load() + 200; given.Load() < until; {
		aMoment()
	}
	over.Store(true)
	all.Wait()
	answers.hold(w)
	w.sound()
}

// TestADatabaseThatIsAwayIsUnavailable queries a killed server: callers are told to try again,
// and no error looks like a defect.
func TestADatabaseThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cluster := services.NewCluster(t)
	store, err := postgres.Open(ctx, cluster.URL(), postgres.Options{Sealer: newSealer(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, err := store.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	alice, round := fakes.Wallet("alice"), "01993b3a-2c00-7abc-8def-00123456789a"
	questions := map[string]func() error{
		"ping":     func() error { return store.Ping(ctx) },
		"a player": func() error { _, err := store.Player(ctx, alice); return err },
		"balances": func() error { _, err := store.Balances(ctx, alice); return err },
		"a round":  func() error { _, err := store.Round(ctx, round); return err },
		"rounds": func() error {
			_, err := store.Rounds(ctx, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 10})
			return err
		},
		"the bankroll": func() error { _, err := store.Bankroll(ctx, money.SOL); return err },
		"roles":        func() error { _, err := store.Roles(ctx); return err },
		"role's change": func() error {
			return store.ChangeRole(ctx, alice, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
				return nil, audit.Record{}, nil
			})
		},
	}
	for name, ask := range questions {
		if err := ask(); fault.Is(err, fault.Unavailable) {
			t.Errorf("%s of a server that is there: %v", name, err)
		}
	}
	crowded(t, cluster.URL())
	cluster.Kill(t)
	for name, ask := range questions {
		if err := ask(); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s of a server that was killed: %v", name, err)
		}
	}
	cluster.Start(t)
	limit, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for limit.Err() == nil && store.Ping(limit) != nil {
	}
	if err := store.Ping(ctx); err != nil {
		t.Errorf("ten seconds after it is back: %v", err)
	}
}

// crowded queries as a role for which the server has no connection left.
func crowded(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), "CREATE ROLE crowd LOGIN CONNECTION LIMIT 0"); err != nil {
		t.Fatal(err)
	}
	_, err = postgres.Open(t.Context(), strings.Replace(url, "postgres@", "crowd@", 1), postgres.Options{Sealer: newSealer(t)})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("without a connection left: %v", err)
	}
}

var (
	// lateByHand matches a scan of a month for late rounds, instead of their index.
	lateByHand = regexp.MustCompile(`on rounds_20[0-9_]+ [^\n]*\n( +Index Cond:[^\n]*\n)? +Filter: [^\n]*width_bucket`)
	lateScan   = regexp.MustCompile(`Scan using rounds_([0-9_]+)_(wallet_)?lateness_`)
)

// TestPostgresLateRoundsAreFoundByTheirLateness lists rounds of four months, some of which were
// played step by step for minutes to months: lists of a period include those opened before it and
// ended within it, each class of lateness from its index alone, and only from months in which
// such a round may have been opened.
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
	timed, err := timed(onPostgres).open(t.Context(), w.where, newSealer(t), unwrapped)
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
