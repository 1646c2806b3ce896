package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// fresh is an item whose own id was drawn for it just now, as that of every real
// bet is.
func fresh(item player.Item) player.Item {
	item.Fresh = true
	return item
}

// TestRule04AFreshIDIsLookedForInFurtherRuns loses COMMITs of batches of bets: each
// bet is booked once and has its own answer.
func TestRule04AFreshIDIsLookedForInFurtherRuns(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, bets := range []int{1, 2} {
				t.Run(fmt.Sprintf("%d bets, carried out %v", bets, carriedOut), func(t *testing.T) {
					t.Parallel()
					w, f := watched(t, on, sqlstore.WriterOptions{})
					w.begin(1000, w.login(alice), w.login(bob))
					items := []player.Item{fresh(w.play(alice, 10)), fresh(w.play(bob, 20))}[:bets]
					f.loseCommit(carriedOut, 2)
					receipts, errs := w.together(items...)
					if err := errors.Join(errs...); err != nil {
						t.Fatal(err)
					}
					for i, receipt := range receipts {
						round := receipt.Change.Round
						if receipt.Replayed || round == nil || round.Balance != w.balance(items[i].Wallet) {
							t.Errorf("bet %d is answered %+v, the balance is %d", i, receipt, w.balance(items[i].Wallet))
						}
					}
					if stored := w.number("SELECT count(*) FROM rounds"); stored != int64(bets) {
						t.Errorf("%d rounds are stored of %d bets", stored, bets)
					}
					w.sound()
				})
			}
		}
	})
}

// TestRule04SomebodyElsesClaimIsNoFirstAnswer has another writer take the claims of a
// batch whose COMMIT was lost before it took effect: what was decided then is no
// answer, the other's is.
func TestRule04SomebodyElsesClaimIsNoFirstAnswer(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onSQLite, sqlstore.WriterOptions{ID: "here"})
	w.begin(1000, w.login(alice), w.login(bob))
	there := &world{TB: t, on: w.on, where: w.where, clock: w.clock, entropy: w.entropy}
	there.open(sqlstore.WriterOptions{ID: "there"}, unwrapped)
	there.start(there.writer)

	mine, theirs := w.credit(alice, "one payment", money.SOL, 70), w.credit(bob, "one payment", money.SOL, 70)
	adjusted, first := keyed(w.adjust(alice, 5), "key", "print"), keyed(w.adjust(alice, 5), "key", "print")
	f.meanwhile = func() {
		for _, item := range []player.Item{theirs, first} {
			if _, err := there.writer.Commit(context.WithoutCancel(t.Context()), item); err != nil {
				t.Error(err)
			}
		}
	}
	f.loseCommit(false, 1)
	receipts, errs := w.together(mine, adjusted)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if !receipts[0].Replayed || receipts[0].Holder.Wallet != bob {
		t.Errorf("who came second is told %+v", receipts[0])
	}
	if !receipts[1].Replayed || receipts[1].Change.Balance != 1005 {
		t.Errorf("the key that was used elsewhere meanwhile is answered %+v", receipts[1])
	}
	if a, b := w.balance(alice), w.balance(bob); a != 1005 || b != 1070 {
		t.Errorf("alice has %d and bob %d", a, b)
	}
	w.sound()
}
