package sqlstore_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// TestRule10AWalletsItemsAreInOneBatchAtATime has players play at the writers of one
// instance, each from several callers. All writers have a part, and no item is
// taken twice: that would be one whose wallet another batch had locked.
func TestRule10AWalletsItemsAreInOneBatchAtATime(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		var taken atomic.Int64
		writers, err := w.store.Writers(sqlstore.WriterOptions{ID: "instance", Batch: func(items int) func(error) {
			taken.Add(int64(items))
			return func(error) {}
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		ended := make(chan error, 1)
		go func() { ended <- writers.Run(ctx) }()
		people := make([]wallet.Address, 8)
		for i := range people {
			people[i] = fakes.Wallet(fmt.Sprint("player ", i))
			for _, item := range []player.Item{w.login(people[i]), w.adjust(people[i], 1000)} {
				if _, err := writers.Commit(ctx, item); err != nil {
					t.Fatal(err)
				}
			}
		}
		const callersEach, plays = 4, 10
		callers(callersEach*len(people), callersEach*len(people), func(c int) {
			for range plays {
				if _, err := writers.Commit(ctx, w.play(people[c%len(people)], 10)); err != nil {
					t.Error(err)
				}
			}
		})
		if want := int64(len(people) * (2 + callersEach*plays)); taken.Load() != want {
			t.Errorf("%d items were taken up %d times", want, taken.Load())
		}
		cancel()
		if err := <-ended; err != nil || writers.Waiting() != 0 {
			t.Errorf("the writers ended with %v, %d items wait", err, writers.Waiting())
		}
		want := int64(sqlstore.WritersMax)
		if on.locks == 0 {
			want = 1 // transactions that write come one at a time
		}
		if n := w.number(`SELECT count(DISTINCT lane) FROM rounds`); n != want {
			t.Errorf("rounds lie in %d lanes, not in %d", n, want)
		}
		w.sound()
	})
}
