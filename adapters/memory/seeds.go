package memory

import (
	"context"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// storePair stores a change's seed pairs outside the view.
func (s *Store) storePair(before player.View, c player.Change) {
	w := before.Player.Wallet
	if c.Retired != nil {
		next := c.Pair.ID
		if c.Unplayed != nil {
			next = c.Unplayed.ID
		}
		s.retired = inserted(s.retired, retired{w, next, *c.Retired}, retiredID)
	}
	if c.Closed != nil {
		s.retired = inserted(s.retired, retired{w, before.Closing[c.Closed.ID].NextID, *c.Closed}, retiredID)
	}
	if c.Unplayed != nil {
		s.retired = inserted(s.retired, retired{w, c.Pair.ID, *c.Unplayed}, retiredID)
	}
	if c.Pair != nil && c.Pair.Next.ID != "" {
		s.pairs[c.Pair.ID], s.pairs[c.Pair.Next.ID] = true, true
		s.commitments[c.Pair.Commitment], s.commitments[c.Pair.Next.Commitment] = true, true
	}
}

func retiredID(r retired) string { return r.ID }

// ActivePair serves ports.Seeds.
func (s *Store) ActivePair(_ context.Context, w wallet.Address) (fairness.Pair, error) {
	defer s.locked()()
	pair := s.wallets[w].Pair
	if pair.ID == "" {
		return fairness.Pair{}, fault.New(fault.NotFound, "no seed pair of %s", w)
	}
	return withoutSeeds(pair), nil
}

// RevealedPairs serves ports.Seeds.
func (s *Store) RevealedPairs(_ context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error) {
	defer s.locked()()
	own, info, err := listed(s.retired, retiredID, func(r retired) bool { return r.wallet == w }, page)
	pairs := make([]fairness.Revealed, len(own))
	for i, r := range own {
		pairs[i] = r.Revealed
	}
	return ports.RevealedPage{Pairs: pairs, PageInfo: info}, err
}

// RevealedPair serves ports.Seeds.
func (s *Store) RevealedPair(_ context.Context, id string) (fairness.Revealed, error) {
	defer s.locked()()
	at, ok := search(s.retired, retiredID, id)
	if !ok {
		return fairness.Revealed{}, fault.New(fault.NotFound, "no revealed seed pair %q", id)
	}
	return s.retired[at].Revealed, nil
}

// RevealedSeeds serves ports.RevealedSeeds.
func (s *Store) RevealedSeeds(_ context.Context, pairs []string) (map[string]string, error) {
	defer s.locked()()
	found := map[string]string{}
	for _, id := range pairs {
		if at, ok := search(s.retired, retiredID, id); ok {
			found[id] = s.retired[at].ServerSeed
		}
	}
	return found, nil
}
