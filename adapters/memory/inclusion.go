package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// Inclusion serves ports.Inclusions.
func (s *Store) Inclusion(_ context.Context, w wallet.Address, id string) (hashchain.Inclusion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range slices.Backward(s.blocks) {
		block := hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content)
		if proved, found := block.Find(&b.Content, w, id); found {
			return proved, nil
		}
	}
	return hashchain.Inclusion{}, fault.New(fault.NotFound, "you have no round, withdrawal, deposit or seed pair %q", id)
}
