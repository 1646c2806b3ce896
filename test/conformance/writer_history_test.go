package conformance

import (
	"context"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// spoiled is a store with a defect that only shows with several clients.
type spoiled struct {
	Ports
	mu       sync.Mutex
	commits  int
	balances []ports.TokenBalance // as last returned
	// stale is how many consecutive reads of the balance repeat the first one's result.
	stale, looks int
	// twice is the commit that changes the balance a second time, unrecorded.
	twice int
	again func(w wallet.Address) player.Item
}

func (s *spoiled) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	now, err := s.Ports.Balances(ctx, w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looks++; s.stale == 0 || s.looks%s.stale == 1 {
		s.balances = now
	}
	return s.balances, err
}

func (s *spoiled) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := s.Ports.Commit(ctx, item)
	s.mu.Lock()
	s.commits++
	now := s.commits == s.twice
	s.mu.Unlock()
	if now {
		if _, err := s.Ports.Commit(ctx, s.again(item.Wallet)); err != nil {
			return player.Receipt{}, err
		}
	}
	return receipt, err
}

// TestTheHistoryOfASpoiledStoreIsFound checks that histories show defects: reads older than
// acknowledged changes, and money that moves twice.
func TestTheHistoryOfASpoiledStoreIsFound(t *testing.T) {
	t.Parallel()
	for name, defect := range map[string]func() *spoiled{
		"reads lag behind":       func() *spoiled { return &spoiled{stale: 8} },
		"a change counts twice":  func() *spoiled { return &spoiled{twice: 60} },
		"nothing (it is memory)": func() *spoiled { return &spoiled{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := defect()
			store.Ports = memory.New()
			b := newBench(t, Store{Ports: store})
			store.again = func(w wallet.Address) player.Item { return b.adjust(w, 1) }
			sound := store.stale == 0 && store.twice == 0
			if err := recorded(b).Check(); (err == nil) != sound {
				t.Errorf("the history is judged %v", err)
			}
			if line := must(b.Ports.Balances(background, alice))(b); len(line) == 0 || line[0].Token != money.SOL {
				t.Errorf("no client played: %+v", line)
			}
		})
	}
}
