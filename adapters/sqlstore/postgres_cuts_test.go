package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// answersByKey remembers each answer under the key it was given for.
type answersByKey struct {
	mu  sync.Mutex
	all map[player.UniqueKey]string
}

func (a *answersByKey) keep(claim player.UniqueKey, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[player.UniqueKey]string{}
	}
	a.all[claim] = text
}

// hold asks for each key again and compares the answer with the first one.
func (a *answersByKey) hold(w *world) {
	w.Helper()
	for claim, want := range maps.All(a.all) {
		receipt, err := w.writer.Commit(context.WithoutCancel(w.Context()), player.Item{
			Wallet: wallet.Address(claim.Scope), Keys: []player.UniqueKey{claim}, At: w.now(),
			Decide: func(player.View) (player.Change, error) { return player.Change{}, errors.New("it was forgotten") },
		})
		if err != nil || !receipt.Replayed {
			w.Errorf("%s: %v", claim.ID, err)
			continue
		}
		receipt.Replayed = false
		if got := told(receipt, nil); got != want {
			w.Errorf("%s was answered\n     %s\nthen %s", claim.ID, want, got)
		}
	}
}

// someItem is one of the things that players do, under a key.
func (w *world) someItem(who wallet.Address, i int) player.Item {
	item := w.play(who, 10)
	switch i % 5 {
	case 0:
		item = w.rotate(who, "mine")
	case 2:
		item = w.adjust(who, 1)
	case 3:
		item = w.withdraw(who, 10)
	}
	return keyed(item, fmt.Sprint("key ", i), "print")
}

// TestPostgresRule04FiftyConnectionsCutAtCommit cuts connections at their COMMIT
// while players act, half of them before it reached the server. Nobody notices:
// each answer is true and stays the answer of its key.
func TestPostgresRule04FiftyConnectionsCutAtCommit(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	through, where := newProxy(t, w.where)
	w.where = where
	w.open(sqlstore.WriterOptions{}, unwrapped)
	w.start(w.writer)
	people := make([]wallet.Address, 8)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint(i))
	}
	w.signIn(1_000_000, people...)
	var answers answersByKey
	var next atomic.Int64
	const cuts = 50
	callers(8, 8, func(c int) {
		for i := int(next.Add(1)); through.count() < cuts; i = int(next.Add(1)) {
			if i%4 == 0 && i/4 <= cuts {
				through.cut(i%8 == 0)
			}
			item := w.someItem(people[c], i)
			receipt, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
			switch {
			case fault.Is(err, fault.TooManyOpen):
			case err != nil:
				t.Errorf("item %d: %v", i, err)
			case receipt.Replayed:
				t.Errorf("item %d is answered as one that was there before", i)
			default:
				answers.keep(item.Keys[0], told(receipt, nil))
			}
		}
	})
	if n := through.count(); n < cuts || len(answers.all) < cuts {
		t.Errorf("%d cuts, %d answers", n, len(answers.all))
	}
	answers.hold(w)
	w.sound()
}

// aMoment lets a server come back without taking its processor.
func aMoment() { <-time.After(5 * time.Millisecond) }

// TestPostgresKilledUnderLoad kills the server again and again while players act.
// What was answered is there; what was not known then is answered by its key.
func TestPostgresKilledUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := services.NewCluster(t)
	if _, err := openOwner(t, cluster.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := worldAt(t, onPostgres, cluster.URL(), sqlstore.WriterOptions{}, unwrapped)
	w.start(w.writer)
	people := make([]wallet.Address, 32)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint(i))
	}
	w.signIn(1_000_000, people...)
	var answers answersByKey
	var given, unknown atomic.Int64
	var next atomic.Int64
	var over atomic.Bool
	var all sync.WaitGroup
	for c := range people {
		all.Go(func() {
			for !over.Load() {
				item := w.someItem(people[c], int(next.Add(1)))
				for {
					receipt, err := w.writer.Commit(context.WithoutCancel(t.Context()), item)
					if fault.Is(err, fault.Unavailable) {
						var refusal *fault.Error
						if errors.As(err, &refusal) && refusal.Details["outcome"] == "unknown" {
							unknown.Add(1)
						}
						aMoment()
						continue // the same key, until it is known
					}
					switch {
					case err == nil:
						receipt.Replayed = false
						answers.keep(item.Keys[0], told(receipt, nil))
						given.Add(1)
					case !fault.Is(err, fault.TooManyOpen):
						t.Error(err)
					}
					break
				}
			}
		})
	}
	const kills = 3
	for kill := range kills {
		for until := given.Load() + 200; given.Load() < until; {
			aMoment()
		}
		cluster.Kill(t)
		cluster.Start(t)
		t.Logf("kill %d: %d answers so far, %d unknown for a while", kill+1, given.Load(), unknown.Load())
	}
	for until := given.Load() + 200; given.Load() < until; {
		aMoment()
	}
	over.Store(true)
	all.Wait()
	answers.hold(w)
	w.sound()
}
