package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// The numbers are those of the writer's rules in docs/writer.md.

// watched returns an idle world with a database that records statements and can be made to fail.
func watched(t *testing.T, on engine, o sqlstore.WriterOptions) (*world, *faults) {
	t.Helper()
	f := &faults{}
	return idleWorld(t, on, o, f.through), f
}

// begin signs wallets in before anything is recorded.
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
			// On SQLite no other transaction writes, on PostgreSQL none locks.
			change := `UPDATE balances SET amount = amount + 1`
			if on.locks > 0 {
				change = `SELECT FROM players WHERE wallet = '` + string(alice) + `' FOR NO KEY UPDATE NOWAIT`
			}
			if _, err := db.Exec(change); err == nil {
				t.Error("another transaction wrote or locked between the view and the commit")
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
			"no decision":       {Wallet: alice, At: w.now(), Keys: curious.Keys},
			"no time":           {Wallet: alice, Keys: curious.Keys, Decide: decide},
			"two clients' keys": {Wallet: alice, At: w.now(), Decide: decide, Keys: append(keyed(curious, "a", "").Keys, keyed(curious, "b", "").Keys...)},
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
			claims := slices.IndexFunc(asked, func(q string) bool { return strings.HasPrefix(q, "INSERT INTO unique_keys") })
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
		// The first is refused, the second has the same key and runs after it.
		receipts, errs := w.together(
			keyed(w.withdraw(alice, 5000), "key", "print"), keyed(w.withdraw(alice, 500), "key", "print"),
			keyed(w.withdraw(bob, 5000), "key", "print"),
		)
		if !fault.Is(errs[0], fault.InsufficientFunds) || errs[1] != nil || receipts[1].Replayed || !fault.Is(errs[2], fault.InsufficientFunds) {
			t.Fatalf("answers %+v, %v", receipts, errs)
		}
		if n := w.number(`SELECT count(*) FROM unique_keys WHERE kind = 'idempotency'`); n != 1 {
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
		if errs[0] != nil || !again[0].Replayed || again[0].Change.Round.ID != void.Round.ID || !again[0].Change.Round.Void ||
			again[0].Change.Balance != void.Balance {
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
