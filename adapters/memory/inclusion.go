package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// Inclusion implements ports.Inclusions.
func (s *Store) Inclusion(_ context.Context, w wallet.Address, id string) (hashchain.Inclusion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range slices.Backward(s.blocks) {
		if leaf, index, found := b.Find(w, id); found {
			return hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content).Include(leaf, index), nil
		}
	}
	return hashchain.Inclusion{}, fault.New(fault.NotFound, "you have no round, withdrawal, deposit or seed pair %q", id)
}
