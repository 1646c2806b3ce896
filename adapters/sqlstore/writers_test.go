package sqlstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/test/fakes"
)

// TestRule10AWalletsItemsGoToOneWriter has twenty players play with the writers of
// one instance: each player's rounds lie in one lane, and all writers had a part.
func TestRule10AWalletsItemsGoToOneWriter(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		writers, err := w.store.Writers(sqlstore.WriterOptions{ID: "instance"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		ended := make(chan error, 1)
		go func() { ended <- writers.Run(ctx) }()
		for i := range 20 {
			who := fakes.Wallet(fmt.Sprint("player ", i))
			for _, item := range []func() error{
				func() error { _, err := writers.Commit(ctx, w.login(who)); return err },
				func() error { _, err := writers.Commit(ctx, w.adjust(who, 1000)); return err },
				func() error { _, err := writers.Commit(ctx, w.play(who, 10)); return err },
				func() error { _, err := writers.Commit(ctx, w.play(who, 10)); return err },
			} {
				if err := item(); err != nil {
					t.Fatal(err)
				}
			}
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
		if n := w.number(`SELECT count(*) FROM (SELECT wallet FROM rounds GROUP BY wallet HAVING count(DISTINCT lane) > 1) AS split`); n != 0 {
			t.Errorf("%d players' rounds are in several lanes", n)
		}
		w.sound()
	})
}
