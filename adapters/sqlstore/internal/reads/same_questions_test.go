package reads

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/ports"
)

func TestTheSameQuestionsShareAnAnswerThatIsAsNewAsTheyAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &Reads{}
		var stored, asked atomic.Int32
		ask := func(ctx context.Context, words ...any) (int32, error) {
			return shared(ctx, r, func(context.Context) (int32, error) {
				asked.Add(1)
				value := stored.Load()
				time.Sleep(time.Millisecond) // allowed: the clock of synctest, which waits for nobody
				return value, nil
			}, words...)
		}
		var all sync.WaitGroup
		for range 5 {
			for range 100 {
				all.Go(func() {
					least := stored.Add(1)
					if got, err := ask(t.Context(), "the question"); err != nil || got < least {
						t.Errorf("%d after %d, %v", got, least, err)
					}
				})
			}
			time.Sleep(300 * time.Microsecond) // allowed: the clock of synctest, which waits for nobody
		}
		all.Wait()
		if n := asked.Load(); n > 4 {
			t.Errorf("five hundred within 1.5 ms asked %d times", n)
		}
		if len(r.same.asked) != 0 {
			t.Errorf("%d questions are still remembered", len(r.same.asked))
		}

		asked.Store(0)
		for range 10 {
			all.Go(func() { _, _ = ask(t.Context(), "the question", "of acme") })
			all.Go(func() { _, _ = ask(t.Context(), "the question", "of", "acme") })
			all.Go(func() { _, _ = ask(ports.ForPlayers(t.Context()), "the question") })
		}
		all.Wait()
		if n := asked.Load(); n != 2+2+10 {
			t.Errorf("two questions of ten admins and one of ten players were asked %d times", n)
		}
	})
}

func TestWhoLeavesTakesTheAnswerFromNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, broken := &Reads{}, errors.New("broken")
		ask := func(ctx context.Context, failed error) (int, error) {
			return shared(ctx, r, func(ctx context.Context) (int, error) {
				time.Sleep(time.Millisecond) // allowed: the clock of synctest, which waits for nobody
				return 1, errors.Join(failed, ctx.Err())
			}, "the question")
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				if i%2 == 0 {
					if _, err := ask(ctx, nil); err != nil && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				} else if got, err := ask(t.Context(), nil); got != 1 || err != nil {
					t.Errorf("%d, %v", got, err)
				}
			})
		}
		synctest.Wait()
		cancel()
		all.Wait()
		for range 3 {
			all.Go(func() {
				if _, err := ask(t.Context(), broken); !errors.Is(err, broken) {
					t.Errorf("an answer that failed: %v", err)
				}
			})
		}
		all.Wait()
	})
}
