package conformance

import (
	"context"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/player"
)

// sub runs a subtest beside others. An adapter that panics, or returns something that its story can't
// work with (a nil, an empty list), fails that subtest: every other one still runs.
func sub(t *testing.T, sentence string, prove func(t *testing.T)) {
	t.Helper()
	t.Run(sentence, func(t *testing.T) {
		t.Parallel()
		defer failed(t)
		prove(t)
	})
}

// failed makes a panic a failure of the test. It is to be deferred.
func failed(t *testing.T) {
	if broke := recover(); broke != nil {
		t.Errorf("panicked: %v\n%s", broke, debug.Stack())
	}
}

// atOnce runs n pieces of work at the same time and returns when all are done.
func atOnce(n int, work func(i int)) {
	var all sync.WaitGroup
	broke := make(chan any, n)
	for i := range n {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					broke <- r
				}
			}()
			work(i)
		})
	}
	all.Wait()
	select {
	case first := <-broke:
		panic(first) // in the goroutine of the subtest, which fails by it
	default:
	}
}

// Commit serves ports.Writer. Stories call it on goroutines of their own, where a panic
// of the adapter's would end the whole run.
func (b *bench) Commit(ctx context.Context, item player.Item) (receipt player.Receipt, err error) {
	err = guarded(func() error {
		receipt, err = b.Store.Commit(ctx, item)
		return err
	})
	return receipt, err
}

// patience is how long a story waits for something that a sound adapter does at once.
var patience = 20 * time.Second

// await waits for what a goroutine of the story signals.
func (b *bench) await(signal <-chan struct{}) {
	b.Helper()
	select {
	case <-signal:
	case <-time.After(patience):
		b.Fatalf("nothing was decided within %v", patience)
	}
}
