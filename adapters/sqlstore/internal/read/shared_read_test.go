package read

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestLookUpsShareAQueryAndSeeWhatWasThereWhenTheyBegan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var stored sync.Map
		var queries atomic.Int32
		g := Lookups[int]{Read: func(_ context.Context, keys []string, found func(string, int)) error {
			queries.Add(1)
			for _, key := range keys {
				if value, ok := stored.Load(key); ok {
					found(key, value.(int))
				}
			}
			time.Sleep(time.Millisecond) // allowed: the clock of synctest, which waits for nobody
			return nil
		}}
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				key := fmt.Sprint(i % 300)
				stored.Store(key, i)
				value, ok, err := g.Find(t.Context(), key)
				if err != nil || !ok || value%300 != i%300 {
					t.Errorf("%s: %d, %v, %v", key, value, ok, err)
				}
			})
		}
		all.Wait()
		if n := queries.Load(); n > sharedReadsMax+1 {
			t.Errorf("a thousand at once made %d queries", n)
		}
		if _, ok, err := g.Find(t.Context(), "nobody"); ok || err != nil {
			t.Errorf("what isn't there: %v, %v", ok, err)
		}
	})
}

func TestALookUpThatLeavesTakesNothingFromTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := Lookups[int]{Read: func(ctx context.Context, keys []string, found func(string, int)) error {
			time.Sleep(time.Millisecond) // allowed: the clock of synctest, which waits for nobody
			for _, key := range keys {
				found(key, 1)
			}
			return ctx.Err()
		}}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				if i%2 == 0 {
					if _, _, err := g.Find(ctx, "a"); err != nil && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				} else if _, ok, err := g.Find(t.Context(), "a"); !ok || err != nil {
					t.Errorf("found %v, %v", ok, err)
				}
			})
		}
		cancel()
		all.Wait()
		broken := errors.New("broken")
		g.Read = func(context.Context, []string, func(string, int)) error { return broken }
		if _, _, err := g.Find(t.Context(), "a"); !errors.Is(err, broken) {
			t.Errorf("a query that failed: %v", err)
		}
	})
}
