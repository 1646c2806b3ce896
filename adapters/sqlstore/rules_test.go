package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// The numbers are those of the writer's rules in ARCHITECTURE.md.

// watched is an idle world whose database is watched and can be made to fail.
func watched(t *testing.T, on engine, o sqlstore.WriterOptions) (*world, *faults) {
	t.Helper()
	f := &faults{}
	return idleWorld(t, on, o, f.through), f
}

// begin signs wallets in before anything is watched.
func (w *world) begin(lamports money.Amount, people ...player.Item) {
	w.Helper()
	_, errs := w.together(people...)
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
	var credits []player.Item
	for _, item := range people {
		credits = append(credits, w.credit(item.Wallet, fmt.Sprint("funds of ", item.Wallet), money.SOL, lamports))
	}
	if _, errs := w.together(credits...); errors.Join(errs...) != nil {
		w.Fatal(errors.Join(errs...))
	}
}

func TestRule01NobodyElseWritesWhileABatchDecides(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		db := w.beside()
		item := w.adjust(alice, 1)
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			// On SQLite nobody else writes at all, on PostgreSQL nobody else locks.
			change := `UPDATE balances SET amount = amount + 1`
			if on.locks > 0 {
				change = `SELECT FROM players WHERE wallet = '` + string(alice) + `' FOR NO KEY UPDATE NOWAIT`
			}
			if _, err := db.Exec(change); err == nil {
				t.Error("somebody else wrote or locked between the view and the commit")
			}
			return decide(v)
		}
		if _, errs := w.together(item); errs[0] != nil {
			t.Fatal(errs[0])
		}
		if got := w.balance(alice); got != 1001 {
			t.Errorf("balance %d", got)
		}
		w.sound()
	})
}

func TestRule02AnItemSeesAndChangesWhatItDeclared(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		curious := w.adjust(alice, 1)
		curious.Needs = player.Needs{}
		decide := curious.Decide
		curious.Decide = func(v player.View) (player.Change, error) {
			if len(v.Balances) > 0 || v.Pair.ID != "" || v.OpenDeposits != 0 || v.Unclaimed != nil {
				t.Errorf("a decision sees %+v without having asked", v)
			}
			return decide(v)
		}
		receipts, errs := w.together(w.play(alice, 10), curious, w.play(alice, 10))
		if errs[0] != nil || errs[1] == nil || errs[2] != nil {
			t.Fatalf("%v", errs)
		}
		if receipts[2].Change.Round.Nonce != 1 {
			t.Errorf("the neighbour's round has nonce %d", receipts[2].Change.Round.Nonce)
		}
		for name, item := range map[string]player.Item{
			"no claim":          {Wallet: alice, At: w.now(), Decide: decide},
			"no decision":       {Wallet: alice, At: w.now(), Claims: curious.Claims},
			"no time":           {Wallet: alice, Claims: curious.Claims, Decide: decide},
			"two clients' keys": {Wallet: alice, At: w.now(), Decide: decide, Claims: append(keyed(curious, "a", "").Claims, keyed(curious, "b", "").Claims...)},
			"a NUL in a claim":  keyed(curious, "a\x00b", ""),
			"broken text":       keyed(curious, "a\xffb", ""),
		} {
			if _, err := w.writer.Commit(t.Context(), item); err == nil {
				t.Errorf("%s: the item was taken", name)
			}
		}
		w.sound()
	})
}

func TestRule03ClaimsComeAfterTheLocksAndBeforeTheDecisions(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		item := keyed(w.adjust(bob, 5), "key", "print")
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			asked := f.asked()
			claims := slices.IndexFunc(asked, func(q string) bool { return strings.HasPrefix(q, "INSERT INTO claims") })
			views := slices.IndexFunc(asked, func(q string) bool {
				return strings.Contains(q, "AS players") || strings.Contains(q, "CROSS JOIN balances")
			})
			if claims != on.locks || views <= claims {
				t.Errorf("before the decision was asked %q", asked)
			}
			return decide(v)
		}
		if _, errs := w.together(w.play(alice, 10), item); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		w.sound()
	})
}

func TestRule03TheSameClaimTwiceInABatchIsAnsweredFromTheFirst(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		round := w.play(alice, 10)
		receipts, errs := w.together(
			keyed(w.adjust(alice, 5), "key", "print"), keyed(w.adjust(alice, 7), "key", "print"),
			keyed(w.adjust(alice, 9), "key", "other print"), round, round,
			keyed(w.adjust(bob, 5), "key", "print"),
		)
		if !fault.Is(errs[2], fault.IdempotencyConflict) {
			t.Errorf("another fingerprint: %v", errs[2])
		}
		if errors.Join(errs[0], errs[1], errs[3], errs[4], errs[5]) != nil {
			t.Fatal(errs)
		}
		if receipts[0].Replayed || !receipts[1].Replayed || receipts[1].Change.Balance != 1005 || receipts[5].Replayed {
			t.Errorf("answers %+v", receipts)
		}
		if !receipts[4].Replayed || receipts[4].Change.Round.ID != receipts[3].Change.Round.ID {
			t.Errorf("the round again: %+v", receipts[4])
		}
		w.sound()
	})
}

func TestRule03AClaimWhoseDecisionRefusesIsRemovedInTheSameCommit(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		// The first is refused, the second has the same key and its turn after it.
		receipts, errs := w.together(
			keyed(w.withdraw(alice, 5000), "key", "print"), keyed(w.withdraw(alice, 500), "key", "print"),
			keyed(w.withdraw(bob, 5000), "key", "print"),
		)
		if !fault.Is(errs[0], fault.InsufficientFunds) || errs[1] != nil || receipts[1].Replayed || !fault.Is(errs[2], fault.InsufficientFunds) {
			t.Fatalf("answers %+v, %v", receipts, errs)
		}
		if n := w.number(`SELECT count(*) FROM claims WHERE kind = 'idempotency'`); n != 1 {
			t.Errorf("%d keys are held", n)
		}
		before := f.commits
		if _, errs := w.together(keyed(w.withdraw(bob, 5000), "key", "print")); !fault.Is(errs[0], fault.InsufficientFunds) {
			t.Error(errs)
		}
		if f.commits != before {
			t.Error("a batch of refusals was committed")
		}
		receipts, errs = w.together(keyed(w.withdraw(bob, 500), "key", "print"))
		if errs[0] != nil || receipts[0].Replayed {
			t.Errorf("the freed key: %+v, %v", receipts, errs)
		}
		w.sound()
	})
}

func TestRule03OnlyTheGuiltyOneFails(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob), w.login(carol))
		guilty := w.adjust(bob, 5)
		decide := guilty.Decide
		guilty.Decide = func(v player.View) (player.Change, error) {
			change, err := decide(v)
			change.Audit = append(change.Audit, change.Audit[0]) // its id is used twice
			return change, err
		}
		receipts, errs := w.together(w.play(alice, 10), guilty, w.adjust(bob, 3), w.play(carol, 10))
		if errs[0] != nil || errs[2] != nil || errs[3] != nil || errs[1] == nil || fault.KindOf(errs[1]) != fault.Internal {
			t.Fatalf("answers %v", errs)
		}
		if got := w.balance(bob); got != 1003 || receipts[2].Change.Balance != 1003 {
			t.Errorf("bob has %d, was told %d", got, receipts[2].Change.Balance)
		}
		w.sound()
	})
}

func TestRule05DecisionsMayRunTwiceAndGiveOneAnswer(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		item := w.play(alice, 10)
		var runs atomic.Int32
		var drawn []string
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			runs.Add(1)
			change, err := decide(v)
			drawn = append(drawn, change.Round.Outcome.String())
			return change, err
		}
		f.failOn("INSERT INTO blocks", on.contended(t), on.contended(t))
		receipts, errs := w.together(item)
		if errs[0] != nil || runs.Load() != 3 || len(slices.Compact(drawn)) != 1 || receipts[0].Replayed {
			t.Errorf("%d runs drew %v: %+v, %v", runs.Load(), drawn, receipts[0], errs[0])
		}
		w.sound()
	})
}

func TestRule05ADrawThatBreaksDownGivesAVoidRound(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		broken := w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10)
		receipts, errs := w.together(w.play(alice, 10), broken, w.play(alice, 10), w.play(bob, 10))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		void, after := receipts[1].Change, receipts[2].Change
		if !void.Round.Void || void.Round.Nonce != 1 || void.Retired == nil || void.Balance != receipts[0].Change.Balance {
			t.Errorf("the broken draw gave %+v", void)
		}
		if after.Round.PairID != void.Pair.ID || after.Round.Nonce != 0 || after.Round.Void {
			t.Errorf("the next round is %+v", after.Round)
		}
		again, errs := w.together(broken)
		if errs[0] != nil || fmt.Sprintf("%+v", again[0].Change.Retired) != fmt.Sprintf("%+v", void.Retired) ||
			again[0].Change.Pair.Next.ID != void.Pair.Next.ID || again[0].Change.Pair.Nonce != 0 {
			t.Errorf("told again as %+v, %v", again[0].Change, errs)
		}
		w.sound()
	})
}

func TestRule05APanickingDecisionFailsAlone(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		bad := w.adjust(alice, 5)
		bad.Decide = func(player.View) (player.Change, error) { panic("a defect") }
		_, errs := w.together(w.play(alice, 10), bad, w.play(alice, 10), w.play(bob, 10))
		if errs[0] != nil || errs[2] != nil || errs[3] != nil || errs[1] == nil || fault.KindOf(errs[1]) != fault.Internal {
			t.Errorf("answers %v", errs)
		}
		w.sound()
	})
}

func TestRule08LaneRowsComeLastAndLanesAddUp(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		if _, errs := w.together(keyed(w.play(bob, 10), "key", ""), w.play(alice, 10), w.withdraw(alice, 10)); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		order := []string{
			"INSERT INTO claims", "JOIN blocks", "seed_pairs AS a", "UPDATE claims", "UPDATE seed_pairs", "INSERT INTO rounds",
			"INSERT INTO balances", "INSERT INTO transactions", "INSERT INTO transfers",
			"INSERT INTO lane_totals", "INSERT INTO daily_figures", "INSERT INTO blocks",
		}
		at := -1
		for _, q := range f.asked() {
			if i := slices.IndexFunc(order, func(part string) bool { return strings.Contains(q, part) }); i >= 0 {
				if i < at {
					t.Errorf("%q comes after %q", order[i], order[at])
				}
				at = i
			}
		}
		if at != len(order)-1 {
			t.Errorf("the last of the lane's rows is %q", order[at])
		}

		second := w.must(w.store.Writer(sqlstore.WriterOptions{ID: "second", Lane: 7}))
		first := w.writer
		w.writer = second
		if _, errs := w.together(w.play(bob, 10), w.play(bob, 10)); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		w.writer = first
		if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
			t.Fatal(errs)
		}
		if n := w.number(`SELECT count(DISTINCT lane) FROM blocks`); n != 2 {
			t.Errorf("blocks of %d lanes", n)
		}
		if n := w.number(`SELECT sum(hi) * 1099511627776 + sum(lo) FROM lane_totals`); n != 0 {
			t.Errorf("the kept totals of all lanes add up to %d", n)
		}
		if n := w.number(`SELECT sum(rounds) FROM daily_figures`); n != 5 {
			t.Errorf("%d rounds are counted", n)
		}
		house := w.number(`SELECT sum(hi) * 1099511627776 + sum(lo) FROM lane_totals WHERE kind = 'house'`)
		if want := w.number(`SELECT sum(wager - payout) FROM rounds`); house != want {
			t.Errorf("the house has %d, its rounds make %d", house, want)
		}
	})
}

func TestRule09EachHeadIsToldAndASecondBlockOfANumberIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		var told []hashchain.Head
		w, f := watched(t, on, sqlstore.WriterOptions{Sealed: func(h hashchain.Head) { told = append(told, h) }})
		w.begin(1000, w.login(alice))
		f.loseCommit(true, 1)
		for range 3 {
			if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
				t.Fatal(errs)
			}
		}
		for i, head := range told {
			if i > 0 && head.Seq <= told[i-1].Seq {
				t.Errorf("heads out of order: %v", told)
			}
			if n := w.number(`SELECT count(*) FROM blocks WHERE seq = ? AND hash = ?`, head.Seq, head.Hash.String()); n != 1 {
				t.Errorf("head %v is not stored", head)
			}
		}
		if last := w.number(`SELECT max(seq) FROM blocks`); told[len(told)-1].Seq != last {
			t.Errorf("the last head told is %d, the last block %d", told[len(told)-1].Seq, last)
		}
		db := w.beside()
		for _, change := range []string{
			`INSERT INTO blocks SELECT * FROM blocks WHERE seq = 1`, `UPDATE blocks SET hash = previous`, `DELETE FROM blocks`,
			`UPDATE transfers SET amount = amount + 1`, `DELETE FROM transfers`, `UPDATE rounds SET payout = 0`,
			`DELETE FROM rounds`, `UPDATE audit SET was = ''`, `DELETE FROM audit`, `DELETE FROM transactions`,
			`UPDATE seed_pairs SET nonce = 0`, `UPDATE seed_pairs SET state = 'next', nonce = 9`, `DELETE FROM seed_pairs`,
			`INSERT INTO rounds SELECT id || 'x', wallet, agent, game, rules, token, wager, payout, multiplier_num,
			multiplier_den, config, outcome, void, pair_id, nonce + 100, balance, at, lane, seq, position FROM rounds`,
		} {
			if _, err := db.Exec(change); err == nil {
				t.Errorf("the schema allows %q", change)
			}
		}
		w.sound()
	})
}

func TestRule12AContendedBatchRunsAgainAsAWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		for _, at := range []string{"INSERT INTO claims", "seed_pairs AS a", "INSERT INTO rounds", "INSERT INTO lane_totals"} {
			f.failOn(at, on.contended(t), on.contended(t))
			if _, errs := w.together(keyed(w.play(alice, 10), at, ""), w.play(bob, 10)); errors.Join(errs...) != nil {
				t.Errorf("contended at %q: %v", at, errs)
			}
		}
		f.failOn("INSERT INTO rounds", slices.Repeat([]error{on.contended(t)}, 2*sqlstore.ContendedTries)...)
		for _, err := range w.failedStep(w.play(alice, 10)) {
			var refusal *fault.Error
			if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none" {
				t.Errorf("contended without end: %v", err)
			}
		}
		f.mend()
		w.sound()
	})
}

// failedStep hands the items over and takes a step whose error is expected.
func (w *world) failedStep(items ...player.Item) []error {
	w.Helper()
	done := make(chan error, 1)
	go func() { done <- w.stepWhenWaiting(len(items)) }()
	errs := w.commitAll(items...)
	if <-done == nil {
		w.Error("the step reports no error")
	}
	return errs
}

func TestRule14NothingHappensWithoutAStep(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 2})
		if worked, err := w.writer.Step(t.Context()); worked || err != nil {
			t.Errorf("an idle step worked %v, %v", worked, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var answered atomic.Int32
		var all sync.WaitGroup
		for range 5 {
			item := w.login(fakes.Wallet(w.id()))
			all.Go(func() {
				_, _ = w.writer.Commit(ctx, item)
				answered.Add(1)
			})
		}
		for w.writer.Waiting() < 5 {
			pauseALittle()
		}
		if n := w.number(`SELECT count(*) FROM players`); n != 0 || answered.Load() != 0 {
			t.Errorf("%d players and %d answers without a step", n, answered.Load())
		}
		for _, want := range []int64{2, 4} {
			w.step()
			if n := w.number(`SELECT count(*) FROM players`); n != want {
				t.Errorf("%d players after a step, want %d", n, want)
			}
		}
		cancel()
		all.Wait()
		w.sound()
	})
}

func TestRule15SumsNeverOverflow(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		capital, chain := ledger.System(ledger.Capital), ledger.System(ledger.Chain)
		var items []player.Item
		for i := range 9 {
			item := w.posts("", fmt.Sprint("top-up ", i),
				ledger.Transfer{Debit: chain, Credit: capital, Token: money.SOL, Amount: money.Max})
			item.Needs = player.Needs{}
			items = append(items, item)
		}
		for _, batch := range [][]player.Item{items[:1], items[1:4], items[4:]} {
			if _, errs := w.together(batch...); errors.Join(errs...) != nil {
				t.Fatal(errs)
			}
		}
		want := money.TotalOfProduct(uint64(money.Max), 9)
		for kind, total := range map[string]money.Total{"capital": want, "chain": want.Neg()} {
			hi := w.number(`SELECT hi FROM lane_totals WHERE kind = ?`, kind)
			lo := w.number(`SELECT lo FROM lane_totals WHERE kind = ?`, kind)
			if got := money.TotalFromParts(hi, lo); got != total {
				t.Errorf("%s holds %v, want %v", kind, got, total)
			}
		}
		w.sound()
	})
}
