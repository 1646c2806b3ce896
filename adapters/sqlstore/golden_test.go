package sqlstore_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// recorded are the hashes of the newest block after the story below, by lane. They were
// recorded when wallets were text in every row but those of rounds, and anew when blocks
// began to cover facts of balances: what blocks cover are public values, so that no way to
// store them changes a hash that somebody kept.
var recorded = map[int]string{
	0: "940e858c10b5ba84ccd15fbdd168a05506bf3a982207ce5ebbb0a34bea76aa04",
	1: "d0e66cf150acfe02c49c5317dfb77dec3ee69410b957eb77d8841c649650dd53",
}

// TestBlocksAreAsTheyWereInTheFormerSchema tells a story of everything that blocks cover
// of players, one block an item, and compares the heads and what an audit reads back.
func TestBlocksAreAsTheyWereInTheFormerSchema(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{ID: "golden"})
		for _, item := range []func() player.Item{
			func() player.Item { return w.login(alice) },
			func() player.Item { return w.credit(alice, "first", money.SOL, 1_000_000) },
			func() player.Item { return w.credit(bob, "unclaimed", money.SOL, 7) },
			func() player.Item { return w.login(bob) },
			func() player.Item { return w.play(alice, 1_000) },
			func() player.Item { return w.playOf(game.Crash(), alice, money.SOL, 33) },
			func() player.Item { return w.playOf(game.Slots(), alice, money.SOL, 500) },
			func() player.Item { return w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10) },
			func() player.Item { return w.rotate(alice, "mine") },
			func() player.Item { return w.play(alice, 1_000) },
			func() player.Item { return keyed(w.play(alice, 20), "key", "print") },
			func() player.Item { return w.adjust(bob, 50) },
			func() player.Item { return w.withdraw(alice, 700) },
		} {
			w.commit(item())
		}
		taken := w.commit(w.withdraw(alice, 300)).Change.Withdrawal
		w.commit(w.cancel(alice, taken.ID))
		heads, err := w.store.Heads(t.Context())
		if err != nil || len(heads) != 1 {
			t.Fatalf("heads %v, %v", heads, err)
		}
		if got, want := heads[0].Hash.String(), recorded[heads[0].Lane]; got != want {
			t.Errorf("the head of lane %d is %s, it was %s", heads[0].Lane, got, want)
		}
		w.sound()
		postings, rounds := 0, 0
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			postings, rounds = postings+len(b.Postings), rounds+len(b.Rounds)
			return nil
		}); err != nil || rounds != 6 || postings < 10 {
			t.Errorf("%d postings and %d rounds are read back, %v", postings, rounds, err)
		}
	})
}
