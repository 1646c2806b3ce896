package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/ports"
)

// TestAPageGoesThroughWhatWasCounted: whoever plays all the time has more rounds, counted
// already, than are read at once, and what came since is found behind all of them.
func TestAPageGoesThroughWhatWasCounted(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		together := func(items ...player.Item) {
			t.Helper()
			if _, errs := w.together(items...); errors.Join(errs...) != nil {
				t.Fatal(errors.Join(errs...))
			}
		}
		together(w.login(alice))
		together(w.credit(alice, "funds", money.SOL, 1_000_000))
		for range 70 {
			items := make([]player.Item, 16)
			for i := range items {
				items[i] = w.play(alice, 10)
			}
			together(items...)
		}
		count := proof.Begin(alice, proof.Proof{})
		page := func(limit int) ports.WalletPage {
			t.Helper()
			page, err := w.store.WalletBlocks(t.Context(), ports.WalletQuery{Wallet: alice, Counted: count.Counted, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range page.Blocks {
				if err := count.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			return page
		}
		if first := page(10_000); first.More || count.Check(first.State) != nil {
			t.Fatalf("%d blocks, more: %v, %v", len(first.Blocks), first.More, count.Check(first.State))
		}
		together(w.play(alice, 10))
		if last := page(1); last.More || len(last.Blocks) != 1 || count.Check(last.State) != nil {
			t.Errorf("%d blocks came since, more: %v, %v", len(last.Blocks), last.More, count.Check(last.State))
		}
	})
}
