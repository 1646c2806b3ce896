package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestPostgresListsAreKept checks that any list, page by page, uses a few prepared statements of
// a session with one plan each.
func TestPostgresListsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	for range 3 {
		w.commit(w.play(alice, 10))
	}
	reader := w.store.OneReader()
	ask := func(of wallet.Address, after string, limit int) {
		t.Helper()
		found, err := w.store.Rounds(t.Context(), ports.RoundFilter{Wallet: of}, ports.Page{Limit: limit, After: after})
		if err != nil {
			t.Fatal(err)
		}
		if want := min(3, limit); of == alice && after == "" && (len(found.Rounds) != want || found.Total != 3 || (found.Next != "") != (limit < 3)) {
			t.Errorf("%d of alice's rounds of %d, next %q", len(found.Rounds), found.Total, found.Next)
		}
		if of != alice && len(found.Rounds) != 0 {
			t.Errorf("%s has %d rounds of other players", of, len(found.Rounds))
		}
	}
	for limit := 1; limit <= ports.PageMax; limit++ {
		ask(alice, "", limit)
		ask(fakes.Wallet(fmt.Sprint(limit)), "", limit)
		ask(alice, fmt.Sprintf("0190%04d", limit), limit)
	}
	span := ports.RoundFilter{Wallet: alice, From: w.clock.Now().Add(-time.Hour)}
	if found, err := w.store.Rounds(t.Context(), span, ports.Page{Limit: 20}); err != nil || len(found.Rounds) != 3 {
		t.Errorf("%d rounds of an hour: %v", len(found.Rounds), err)
	}
	if _, err := w.store.Rounds(t.Context(), ports.RoundFilter{Agent: "acme", Token: money.SOL}, ports.Page{Limit: 20}); err != nil {
		t.Error(err)
	}
	kept := 0
	rows(t, reader, `SELECT generic_plans, custom_plans, statement FROM pg_prepared_statements WHERE statement LIKE '%FROM rounds%'`, func(scan func(...any)) {
		var generic, custom int
		var text string
		scan(&generic, &custom, &text)
		kept++
		if generic < 2 || custom > 0 {
			t.Errorf("planned %d times for its own values, run %d times by one plan: %s", custom, generic, text)
		}
		if strings.Contains(text, string(alice)) || strings.Contains(text, "0190") {
			t.Errorf("a value stands in %s", text)
		}
	})
	// A count, and pages of 20, 50 and 100 with and without a cursor; periods and values aren't
	// kept.
	if kept != 7 {
		t.Errorf("%d statements are kept", kept)
	}
}

// TestPostgresReadsOfOneThingAreKept checks that reads by id, workers' frequent queries, and
// pages of events, which are read in a transaction, are planned once per session.
func TestPostgresReadsOfOneThingAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	for range 5 {
		w.commit(w.play(alice, 10))
	}
	elsewhere, err := onPostgres.open(t.Context(), w.where, newSealer(t), unwrapped) // which has no events in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = elsewhere.Close() })
	reader := elsewhere.OneReader()
	w.askForOneThings(elsewhere, 5)
	kept := map[string]int{} // how often each query ran with one plan
	rows(t, reader, `SELECT generic_plans, custom_plans, statement FROM pg_prepared_statements`, func(scan func(...any)) {
		var generic, custom int
		var text string
		scan(&generic, &custom, &text)
		if custom > 0 || strings.Contains(text, string(alice)) {
			t.Errorf("planned %d times for its own values: %s", custom, text)
		}
		for _, of := range []string{
			"FROM provider_rounds AS r WHERE r.id =", "AS l WHERE (l.wallet =", "AND t.status = 'pending'", "FROM open_rounds AS r",
			"FROM heads", "FROM blocks AS b WHERE (b.lane =", "FROM kept_rounds AS r WHERE r.lane =", "FROM ledger_events AS e WHERE e.lane =",
		} {
			if strings.Contains(text, of) {
				kept[of] = max(kept[of], generic)
			}
		}
	})
	if len(kept) != 8 {
		t.Errorf("only some are kept: %v", kept)
	}
	for of, generic := range kept {
		if generic < 5 {
			t.Errorf("%q was run %d times by one plan", of, generic)
		}
	}
}

// askForOneThings reads single things and pages of events, several times each.
func (w *world) askForOneThings(store *sqlstore.Store, times int) {
	w.Helper()
	missing := func(err error) {
		w.Helper()
		if err != nil && fault.KindOf(err) != fault.NotFound {
			w.Fatal(err)
		}
	}
	at := stream.Cursor{}
	for n := range times {
		for _, who := range []wallet.Address{alice, fakes.Wallet(fmt.Sprint(n))} {
			_, err := store.Round(w.Context(), w.id())
			missing(err)
			_, err = store.Launch(w.Context(), who, "demo")
			missing(err)
			_, err = store.OpenRoundsOf(w.Context(), who)
			missing(err)
		}
		_, err := store.WithdrawalsIn(w.Context(), withdrawal.Pending, "", 10)
		missing(err)
		page, err := store.After(w.Context(), at, stream.Filter{}, 1)
		missing(err)
		at = page.Next
	}
}

// TestPostgresKeptPlansAreMadeAnew checks that a plan made for an empty table is discarded after
// a while even without an ANALYZE of the table.
func TestPostgresKeptPlansAreMadeAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1000, alice)
	reader := w.store.OneReader()
	ask := func(times int) {
		t.Helper()
		for range times {
			if _, err := w.store.Sums(t.Context(), ports.FigureFilter{Token: money.SOL}, ports.Grouping{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	plan := func() string {
		t.Helper()
		return keptPlan(t, reader, "FROM daily_figures")
	}
	execAll(t, w.beside(), `ALTER TABLE daily_figures SET (autovacuum_enabled = off)`)
	ask(2)
	small := plan()
	execAll(t, w.beside(), `INSERT INTO daily_figures
		SELECT 0, to_char(date '2000-01-01' + n, 'YYYY-MM-DD'), 'other', '', 'dice', 'house', 1, 0, 1, 0, 1, 0, 1, 0, 1 FROM generate_series(1, 20000) AS n`)
	ask(2)
	if got := plan(); got != small {
		t.Errorf("the plan is another one although nothing was forgotten:\n%s", got)
	}
	ask(300)
	if got := plan(); got == small {
		t.Errorf("the plan is still that of the empty table:\n%s", got)
	}
}

// keptPlan returns the plan that the one connection of a pool has for a kept statement.
func keptPlan(t *testing.T, pool *sql.DB, of string) string {
	t.Helper()
	var name string
	if err := pool.QueryRowContext(t.Context(), "SELECT name FROM pg_prepared_statements WHERE position($1 IN statement) > 0", of).Scan(&name); err != nil {
		t.Fatal(err)
	}
	var plan []string
	rows(t, pool, `EXPLAIN EXECUTE "`+name+`"('`+string(money.SOL)+`')`, func(scan func(...any)) {
		var line string
		scan(&line)
		plan = append(plan, line)
	})
	return strings.Join(plan, "\n")
}

// observer records what a hook received for one pool.
type observer struct {
	mu     sync.Mutex
	begun  int
	ended  []string // the texts, as in traces
	failed []error
}

func (o *observer) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
	return ctx
}

func (o *observer) AfterQuery(_ context.Context, event *bun.QueryEvent) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended, o.failed = append(o.ended, event.QueryTemplate), append(o.failed, event.Err)
}

// TestEveryReadIsObserved checks that hooks see each read, kept prepared or not, without its
// values, and its failure.
func TestEveryReadIsObserved(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		played := w.commit(w.play(alice, 10)).Change.Round
		pools := map[string]*observer{"write": {}, "read": {}}
		w.store.Observe(func(pool string, db *sql.DB) bun.QueryHook {
			if db.Stats().MaxOpenConnections == 0 && pool == "write" {
				t.Error("the pool that writes has no bound")
			}
			return pools[pool]
		})
		reads := pools["read"]
		for what, ask := range map[string]func(context.Context) error{
			"a list": func(ctx context.Context) error {
				_, err := w.store.Rounds(ctx, ports.RoundFilter{Wallet: alice}, ports.Page{Limit: 20, Uncounted: true})
				return err
			},
			"a player": func(ctx context.Context) error { _, err := w.store.Player(ctx, alice); return err },
			"a round":  func(ctx context.Context) error { _, err := w.store.Round(ctx, played.ID); return err },
			"withdrawals": func(ctx context.Context) error {
				_, err := w.store.WithdrawalsIn(ctx, withdrawal.Pending, "", 10)
				return err
			},
			"counts": func(ctx context.Context) error { _, err := w.store.Counts(ctx, ""); return err },
		} {
			before := len(reads.ended)
			if err := ask(t.Context()); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if len(reads.ended) == before || reads.begun != len(reads.ended) {
				t.Errorf("%s: %d questions began and %d ended, of which it asked %d", what, reads.begun, len(reads.ended), len(reads.ended)-before)
			}
			for i, text := range reads.ended[before:] {
				if reads.failed[before+i] != nil || strings.Contains(text, string(alice)) || strings.Contains(text, played.ID) {
					t.Errorf("%s: %q failed with %v", what, text, reads.failed[before+i])
				}
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		before := len(reads.ended)
		if _, err := w.store.WithdrawalsIn(ended, withdrawal.Pending, "", 10); err == nil || len(reads.ended) != before+1 || !errors.Is(reads.failed[before], context.Canceled) {
			t.Errorf("a question that was given up: %v, told %v", err, reads.failed[before:])
		}
	})
}

// TestSharedReadsAreAsNewAsTheirQuestions runs many identical reads, which share results: a read
// after a commit sees it, and no caller gets the result of another query.
func TestSharedReadsAreAsNewAsTheirQuestions(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer stop()
		for i := range 16 {
			others.Go(func() {
				for ctx.Err() == nil {
					w.asksAsAdminsDo(ctx, []wallet.Address{"", alice, bob}[i%3])
				}
			})
		}
		page := ports.Page{Number: 1, Limit: 20}
		for range 40 {
			made := w.commit(w.adjust(alice, 5)).Change.Adjustment
			lines, err := w.store.Transactions(t.Context(), ports.TransactionFilter{}, page)
			if err != nil || len(lines.Transactions) == 0 || lines.Transactions[0].ID != made.ID {
				t.Fatalf("after adjustment %s: %+v, %v", made.ID, lines.Transactions, err)
			}
			before, err := w.store.Counts(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			asked := w.commit(w.withdraw(alice, 1)).Change.Withdrawal
			after, err := w.store.Counts(t.Context(), "")
			if err != nil || after.Withdrawals["pending"] != before.Withdrawals["pending"]+1 {
				t.Fatalf("pending withdrawals: %d, then %d, %v", before.Withdrawals["pending"], after.Withdrawals["pending"], err)
			}
			w.commit(w.cancel(alice, asked.ID))
			round := w.commit(w.play(alice, 1)).Change.Round
			rounds, err := w.store.Rounds(t.Context(), ports.RoundFilter{}, page)
			if err != nil || rounds.Rounds[0].ID != round.ID {
				t.Fatalf("after round %s: %v", round.ID, err)
			}
			played, err := w.store.Sums(t.Context(), ports.FigureFilter{Token: money.SOL}, ports.Grouping{})
			if err != nil || len(played) != 1 || played[0].Rounds != int64(rounds.Total) {
				t.Fatalf("%d rounds, figures of %+v: %v", rounds.Total, played, err)
			}
		}
	})
}

// asksAsAdminsDo reads lists of one player, or of all, and checks their owners. A result with an
// error, when the context ends, is ignored.
func (w *world) asksAsAdminsDo(ctx context.Context, of wallet.Address) {
	page := ports.Page{Number: 1, Limit: 20}
	lines, err := w.store.Transactions(ctx, ports.TransactionFilter{Wallet: of}, page)
	for _, line := range lines.Transactions {
		if err == nil && of != "" && line.Wallet != of {
			w.Errorf("a transaction of %s among those of %s", line.Wallet, of)
		}
	}
	rounds, roundsErr := w.store.Rounds(ctx, ports.RoundFilter{Wallet: of}, page)
	for _, round := range rounds.Rounds {
		if roundsErr == nil && of != "" && round.Wallet != of {
			w.Errorf("a round of %s among those of %s", round.Wallet, of)
		}
	}
	if first, err := w.store.Rounds(ctx, ports.RoundFilter{Wallet: of}, ports.Page{Number: 1, Limit: 1}); err == nil && len(first.Rounds) > 1 {
		w.Errorf("a page of one round has %d", len(first.Rounds))
	}
	_, countsErr := w.store.Counts(ctx, "")
	if theirs, err := w.store.Counts(ctx, "acme"); err == nil && (theirs.Players != 0 || len(theirs.Owed) != 0 || len(theirs.Withdrawals) != 0) {
		w.Errorf("counts of an agent without players: %+v", theirs)
	}
	nobodys, sumsErr := w.store.Sums(ctx, ports.FigureFilter{Token: money.SOL, Agent: "acme"}, ports.Grouping{})
	_, allErr := w.store.Sums(ctx, ports.FigureFilter{Token: money.SOL}, ports.Grouping{})
	if len(nobodys) != 0 {
		w.Errorf("figures of an agent without players: %+v", nobodys)
	}
	if err := errors.Join(err, roundsErr, countsErr, sumsErr, allErr); err != nil && ctx.Err() == nil {
		w.Error(err)
	}
}

// TestARoleThatWasRevokedIsGoneForWhoAsksThen checks that, although others read the same list.
func TestARoleThatWasRevokedIsGoneForWhoAsksThen(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer stop()
		for range 16 {
			others.Go(func() {
				for ctx.Err() == nil {
					if _, err := w.store.RoleList(ctx); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
				}
			})
		}
		for i := range 40 {
			role := &rbac.Assignment{Wallet: alice, Role: "admin", GrantedAt: w.now()}
			if i%2 == 1 {
				role = nil
			}
			err := w.store.ChangeRoleList(t.Context(), alice, func(now rbac.List) (rbac.List, audit.Record, error) {
				record := audit.Record{ID: w.id(), Action: audit.RoleGranted, By: bob, Target: string(alice), At: w.now()}
				return now.With(alice, role, 0), record, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			list, err := w.store.RoleList(t.Context())
			if has := list.Of(alice).Role != ""; err != nil || has != (role != nil) {
				t.Fatalf("alice has a role: %t, %v", has, err)
			}
		}
	})
}
