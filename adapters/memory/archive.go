package memory

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
)

// Heads serves ports.Checkpoints. Everything is committed in lane 0; others there are
// only where heads of them were known when an epoch began.
func (s *Store) Heads(_ context.Context) ([]hashchain.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest(), nil
}

func (s *Store) newest() (heads []hashchain.Head) {
	for _, lane := range slices.Sorted(maps.Keys(s.heads)) {
		heads = append(heads, s.heads[lane])
	}
	return heads
}

// BlocksAt serves ports.BlockHashes.
func (s *Store) BlocksAt(_ context.Context, heads []hashchain.Head) ([]hashchain.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []hashchain.Head{}
	for _, b := range s.blocks {
		if slices.ContainsFunc(heads, func(h hashchain.Head) bool { return h.Lane == b.Lane && h.Seq == b.Seq }) {
			found = append(found, b.Head)
		}
	}
	return found, nil
}

// Blocks serves ports.Archive. It visits the blocks that existed when it was called;
// visit may call the store.
func (s *Store) Blocks(ctx context.Context, visit func(ports.Block) error) error {
	s.mu.Lock()
	blocks := slices.Clone(s.blocks)
	s.mu.Unlock()
	for _, b := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return nil
}

// LiabilityBalances serves ports.Archive.
func (s *Store) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	s.mu.Lock()
	balances := s.book.Balances()
	s.mu.Unlock()
	for _, b := range balances {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !b.Account.Kind.Liability() {
			continue
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return nil
}
