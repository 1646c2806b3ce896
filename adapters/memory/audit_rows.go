package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Things serves ports.AuditRows. It visits the rows that existed when it was called; visit
// may call the store.
func (s *Store) Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error {
	s.mu.Lock()
	rows := s.thingsOf(kind)
	s.mu.Unlock()
	for _, row := range rows {
		if err := cmp.Or(ctx.Err(), visit(row)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) thingsOf(kind event.Kind) (all []event.Event) {
	switch kind {
	case event.Withdrawal, event.Deposit, event.Adjustment:
		return s.lineThings(kind)
	case event.Attempt, event.DeadAttempt:
		return s.attemptThings(kind)
	case event.Pair:
		return s.pairThings()
	case event.Request:
		for _, a := range s.approvals {
			all = append(all, a.Covered())
		}
	case event.Vote:
		for _, y := range s.votes {
			all = append(all, y.Covered())
		}
	case event.Role:
		for _, a := range s.assignments() {
			all = append(all, a.Covered())
		}
	case event.Login:
		for _, l := range s.logins {
			all = append(all, l.Covered())
		}
	case event.Alarm:
		for _, a := range s.alarms {
			all = append(all, a.Covered())
		}
	case event.OpenRound:
		for _, w := range s.knownWallets() {
			for _, open := range s.openOf(w) {
				all = append(all, open.Covered())
			}
		}
	case event.Player:
		for _, w := range s.knownWallets() {
			if p := s.wallets[w].Player; p.Known() {
				all = append(all, p.Covered())
			}
		}
	default:
		return s.crashThings(kind)
	}
	return all
}

func (s *Store) knownWallets() []wallet.Address { return slices.Sorted(maps.Keys(s.wallets)) }

func (s *Store) lineThings(kind event.Kind) (all []event.Event) {
	if kind == event.Adjustment {
		for _, a := range s.adjustments {
			all = append(all, a.Covered())
		}
		return all
	}
	for _, w := range s.knownWallets() {
		if kind == event.Withdrawal {
			for _, id := range slices.Sorted(maps.Keys(s.wallets[w].Withdrawals)) {
				all = append(all, s.wallets[w].Withdrawals[id].Covered())
			}
			continue
		}
		for _, claim := range s.wallets[w].Deposits {
			all = append(all, claim.Covered())
		}
	}
	return all
}

func (s *Store) attemptThings(kind event.Kind) (all []event.Event) {
	for _, l := range s.lines {
		for _, a := range s.attempts[l.ID] {
			if kind == event.Attempt {
				all = append(all, a.Covered(l.Wallet))
			} else if s.buried[a.Signature] {
				all = append(all, withdrawal.CoveredDead(a.WithdrawalID, a.Number, l.Wallet))
			}
		}
	}
	return all
}

func (s *Store) pairThings() (all []event.Event) {
	for _, r := range s.retired {
		all = append(all, r.Covered(r.wallet, r.next))
	}
	for _, w := range s.knownWallets() {
		if p := s.wallets[w].Pair; p.ID != "" {
			all = append(all, p.Covered(w), p.Next.Covered(w))
		}
		for _, p := range s.wallets[w].Closing {
			all = append(all, p.Covered(w))
		}
	}
	return all
}

// nextNonces returns the next nonce of each pair.
func (s *Store) nextNonces() map[string]int64 {
	next := map[string]int64{}
	for _, r := range s.retired {
		next[r.ID] = r.Rounds
	}
	for _, v := range s.wallets {
		if v.Pair.ID != "" {
			next[v.Pair.ID], next[v.Pair.Next.ID] = v.Pair.Nonce, 0
		}
		for id, p := range v.Closing {
			next[id] = p.Nonce
		}
	}
	return next
}

// SealedSeeds serves ports.AuditRows. This store seals no seeds, so it verifies the seeds
// in the pairs.
func (s *Store) SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error {
	s.mu.Lock()
	var pairs []fairness.Pair
	for _, w := range s.knownWallets() {
		if p := s.wallets[w].Pair; p.ID != "" {
			pairs = append(pairs, fairness.Pair{ID: p.ID, Seed: p.Seed, Commitment: p.Commitment},
				fairness.Pair{ID: p.Next.ID, Seed: p.Next.Seed, Commitment: p.Next.Commitment})
		}
		for _, p := range s.wallets[w].Closing {
			pairs = append(pairs, p.Pair)
		}
	}
	s.mu.Unlock()
	for _, one := range pairs {
		if err := cmp.Or(ctx.Err(), visit(one.ID, one.Verify())); err != nil {
			return err
		}
	}
	return nil
}
