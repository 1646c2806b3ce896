package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// openIsThere reports whether a new open round has the id or the nonce of an existing one.
func (s *Store) openIsThere(seen player.View, c player.Change) bool {
	opened := c.Steps[0]
	if _, known := seen.OpenRounds[opened.ID]; known {
		return false
	}
	_, open := s.open[opened.ID]
	return open || s.keys[keyName{player.RoundKey, "", opened.ID}].Wallet != "" || !opened.IsShared() && s.nonces[nonce{opened.PairID, opened.Nonce}]
}

// storeOpen stores a change's open rounds outside the view.
func (s *Store) storeOpen(before player.View, c player.Change) {
	if len(c.Steps) > 0 {
		opened := c.Steps[len(c.Steps)-1]
		s.nonces[nonce{opened.PairID, opened.Nonce}] = true
		if _, known := before.OpenRounds[opened.ID]; !known && !opened.Ended {
			s.open[opened.ID] = opened.Wallet
			s.exposed[opened.Token] = s.exposed[opened.Token].AddAmount(opened.Exposure)
		}
	}
	if c.Round == nil {
		return
	}
	if ended, known := before.OpenRounds[c.Round.ID]; known {
		delete(s.open, ended.ID)
		s.exposed[ended.Token] = s.exposed[ended.Token].Sub(money.TotalOf(ended.Exposure))
	}
}

func (s *Store) openOf(w wallet.Address) []bet.Open {
	found := []bet.Open{}
	rounds := s.wallets[w].OpenRounds
	for _, id := range slices.Sorted(maps.Keys(rounds)) {
		found = append(found, rounds[id])
	}
	return found
}

// OpenRound serves ports.OpenRounds.
func (s *Store) OpenRound(_ context.Context, id string) (bet.Open, error) {
	defer s.locked()()
	if w, open := s.open[id]; open {
		return s.wallets[w].OpenRounds[id], nil
	}
	return bet.Open{}, fault.New(fault.NotFound, "no open round %q", id)
}

// OpenRoundsOf serves ports.OpenRounds.
func (s *Store) OpenRoundsOf(_ context.Context, w wallet.Address) ([]bet.Open, error) {
	defer s.locked()()
	return s.openOf(w), nil
}

// UntouchedRounds serves ports.OpenRounds.
func (s *Store) UntouchedRounds(_ context.Context, before time.Time, after string, limit int) ([]bet.Open, error) {
	defer s.locked()()
	found := []bet.Open{}
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		open := s.wallets[s.open[id]].OpenRounds[id]
		if id > after && open.TouchedAt.Before(before) && len(found) < limit {
			found = append(found, open)
		}
	}
	return found, nil
}

// CrashBets serves ports.CrashBets.
func (s *Store) CrashBets(_ context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error) {
	defer s.locked()()
	found := []bet.Open{}
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		if open := s.wallets[s.open[id]].OpenRounds[id]; id > after && open.IsShared() && open.Shared == on && len(found) < limit {
			found = append(found, open)
		}
	}
	return found, nil
}

// SettledCrashBets serves ports.CrashBets.
func (s *Store) SettledCrashBets(_ context.Context, on bet.Shared, after string, limit int) ([]bet.Round, error) {
	defer s.locked()()
	found := []bet.Round{}
	for _, r := range s.rounds {
		if r.ID > after && r.IsShared() && crash.SharedOf(r) == on && len(found) < limit {
			found = append(found, r)
		}
	}
	return found, nil
}

// OpenExposure serves ports.OpenRounds.
func (s *Store) OpenExposure(_ context.Context, token money.Token) (money.Total, error) {
	defer s.locked()()
	return s.exposed[token], nil
}
