package sqlstore_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

func TestSmoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqlstore.WriterOptions{})
	w.signIn(1000, alice, bob)
	for range 5 {
		w.commit(w.play(alice, 10))
	}
	w.commit(w.rotate(alice, "mine"))
	w.commit(w.play(alice, 10))
	w.commit(w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10))
	wd := w.commit(w.withdraw(bob, 300))
	w.commit(w.cancel(bob, wd.Change.Withdrawal.ID))
	w.commit(keyed(w.adjust(bob, -5), "k", "f"))
	again := w.commit(keyed(w.adjust(bob, -5), "k", "f"))
	if !again.Replayed || again.Change.Adjustment.Amount != -5 {
		t.Errorf("%+v", again)
	}
	w.sound()
}
