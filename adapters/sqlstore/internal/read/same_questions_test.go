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

	"github.com/casino-service/casino/ports"
)

func TestTheSameQuestionsShareAnAnswerThatIsAsNewAsTheyAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &Reads{}
		var stored, asked atomic.Int32
		ask := func(ctx context.Context, words ...any) (int32, error) {
			return Shared(ctx, r, func(context.Context) (int32, error) {
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
			return Shared(ctx, r, func(ctx context.Context) (int, error) {
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

// TestWhatNeverAnswersOrPanicsKeepsNobodyFromTheNextAnswer checks that a read of a vanished
// server is given up after a while, and that a panic fails only for its own callers.
func TestWhatNeverAnswersOrPanicsKeepsNobodyFromTheNextAnswer(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(context.Context) (int, error){
		"never answers": func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		},
		"panics": func(context.Context) (int, error) { panic("a row that can't be") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, now, went := &Reads{}, wrong, make(chan struct{})
				list := Lookups[int]{Read: func(ctx context.Context, _ []string, found func(string, int)) error {
					got, err := now(ctx)
					found("the list", got)
					return err
				}}
				ways := map[string]func(context.Context) (int, error){
					"a question": func(ctx context.Context) (int, error) {
						return Shared(ctx, r, func(ctx context.Context) (int, error) { return now(ctx) }, "the question")
					},
					"a look-up": func(ctx context.Context) (int, error) {
						got, _, err := list.Find(ctx, "the list")
						return got, err
					},
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				var all sync.WaitGroup
				all.Go(func() {
					_, _ = Shared(ctx, r, func(context.Context) (int, error) {
						<-went // until others wait for the next result
						return 1, nil
					}, "the question")
				})
				synctest.Wait()
				for way, ask := range ways {
					for range 3 * sharedReadsMax {
						all.Go(func() {
							if _, err := ask(ctx); err == nil {
								t.Errorf("%s was answered", way)
							}
						})
					}
				}
				synctest.Wait()
				close(went)
				all.Wait()
				time.Sleep(3 * sharedTime) // allowed: the clock of synctest; until what was asked is given up
				now = func(context.Context) (int, error) { return 2, nil }
				for way, ask := range ways {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					if got, err := ask(ctx); got != 2 || err != nil {
						t.Errorf("%s after that: %d, %v", way, got, err)
					}
					cancel()
				}
			})
		})
	}
}

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
