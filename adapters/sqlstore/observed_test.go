package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// observer is what a hook was told of one pool.
type observer struct {
	mu     sync.Mutex
	begun  int
	ended  []string // the texts, as traces have them
	failed []error
}

func (o *observer) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
	return ctx
}

func (o *observer) AfterQuery(_ context.Context, event *bun.QueryEvent) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended, o.failed = append(o.ended, event.QueryTemplate), append(o.failed, event.Err)
}

// TestEveryReadIsObserved: whoever times and traces queries is told of each of the readers,
// kept prepared or not, without its values, and of its failure.
func TestEveryReadIsObserved(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		played := w.commit(w.play(alice, 10)).Change.Round
		pools := map[string]*observer{"write": {}, "read": {}}
		w.store.Observe(func(pool string, db *sql.DB) bun.QueryHook {
			if db.Stats().MaxOpenConnections == 0 && pool == "write" {
				t.Error("the pool that writes has no bound")
			}
			return pools[pool]
		})
		reads := pools["read"]
		for what, ask := range map[string]func(context.Context) error{
			"a list": func(ctx context.Context) error {
				_, err := w.store.Rounds(ctx, ports.RoundFilter{Wallet: alice}, ports.Page{Limit: 20, Uncounted: true})
				return err
			},
			"a player": func(ctx context.Context) error { _, err := w.store.Player(ctx, alice); return err },
			"a round":  func(ctx context.Context) error { _, err := w.store.Round(ctx, played.ID); return err },
			"withdrawals": func(ctx context.Context) error {
				_, err := w.store.WithdrawalsIn(ctx, withdrawal.Pending, "", 10)
				return err
			},
			"counts": func(ctx context.Context) error { _, err := w.store.Counts(ctx, ""); return err },
		} {
			before := len(reads.ended)
			if err := ask(t.Context()); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if len(reads.ended) == before || reads.begun != len(reads.ended) {
				t.Errorf("%s: %d questions began and %d ended, of which it asked %d", what, reads.begun, len(reads.ended), len(reads.ended)-before)
			}
			for i, text := range reads.ended[before:] {
				if reads.failed[before+i] != nil || strings.Contains(text, string(alice)) || strings.Contains(text, played.ID) {
					t.Errorf("%s: %q failed with %v", what, text, reads.failed[before+i])
				}
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		before := len(reads.ended)
		if _, err := w.store.WithdrawalsIn(ended, withdrawal.Pending, "", 10); err == nil || len(reads.ended) != before+1 || !errors.Is(reads.failed[before], context.Canceled) {
			t.Errorf("a question that was given up: %v, told %v", err, reads.failed[before:])
		}
	})
}
