package memory

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func providerRoundID(r seamless.Round) string     { return r.ID }
func transactionID(t seamless.Transaction) string { return t.ID }

// everyRound returns the house's own rounds and those of providers, sorted by id.
func (s *Store) everyRound() []bet.Round {
	all := slices.Clone(s.rounds)
	for _, r := range s.providerRounds {
		all = append(all, r.Bet())
	}
	slices.SortFunc(all, func(a, b bet.Round) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// storeProviderRound adds a provider's round, or replaces it.
func (s *Store) storeProviderRound(r seamless.Round) {
	if at, ok := search(s.providerRounds, providerRoundID, r.ID); ok {
		s.providerRounds[at] = r
		return
	}
	s.providerRounds = inserted(s.providerRounds, r, providerRoundID)
}

// seenHours returns the hours that an item needs, at the item's time; this store has no
// clock.
func (s *Store) seenHours(item player.Item) map[seamless.HourRef]seamless.Hour {
	seen := make(map[seamless.HourRef]seamless.Hour, len(item.Needs.Hours))
	for _, ref := range item.Needs.Hours {
		seen[ref] = s.hours[ref].In(seamless.HourOf(item.At))
	}
	return seen
}

// countHour counts a transaction in the hour of its connection.
func (s *Store) countHour(item player.Item, t seamless.Transaction) {
	ref := t.HourRef()
	s.hours[ref] = s.hours[ref].In(seamless.HourOf(item.At)).With(t)
}

// standings finds the rounds that the transactions may belong to.
func (s *Store) standings(w wallet.Address, refs []seamless.Ref) map[seamless.Ref]seamless.RoundMatch {
	found := make(map[seamless.Ref]seamless.RoundMatch, len(refs))
	for _, ref := range refs {
		var standing seamless.RoundMatch
		for _, r := range s.providerRounds {
			if r.Wallet == w {
				standing = standing.After(ref, r)
			}
		}
		found[ref] = standing
	}
	return found
}

// Launch serves ports.Launches.
func (s *Store) Launch(_ context.Context, w wallet.Address, connection string) (seamless.Launch, error) {
	defer s.locked()()
	launch, ok := s.wallets[w].Launches[connection]
	if !ok {
		return seamless.Launch{}, fault.New(fault.NotFound, "%s never launched a game at %q", w, connection)
	}
	return launch, nil
}

// LaunchedSince serves ports.Launches.
func (s *Store) LaunchedSince(_ context.Context, connection string, since time.Time, after wallet.Address, limit int) ([]seamless.Launch, error) {
	defer s.locked()()
	found := []seamless.Launch{}
	for _, w := range slices.Sorted(maps.Keys(s.wallets)) {
		l, ok := s.wallets[w].Launches[connection]
		if ok && w > after && !l.At.Before(since) && len(found) < limit {
			found = append(found, l)
		}
	}
	return found, nil
}

// SeamlessTransaction serves ports.SeamlessTransactions.
func (s *Store) SeamlessTransaction(_ context.Context, id string) (seamless.Transaction, error) {
	defer s.locked()()
	at, ok := search(s.providerTransactions, transactionID, id)
	if !ok {
		return seamless.Transaction{}, fault.New(fault.NotFound, "no provider transaction %q", id)
	}
	return s.providerTransactions[at], nil
}

// SeamlessTransactions serves ports.SeamlessTransactions.
func (s *Store) SeamlessTransactions(_ context.Context, f ports.SeamlessFilter, page ports.Page) (ports.SeamlessPage, error) {
	defer s.locked()()
	settled := map[string]bool{}
	for _, t := range s.providerTransactions {
		switch t.Kind {
		case seamless.Settlement:
			settled[t.Connection+"\x00"+t.TxnID] = true
		case seamless.Rollback:
			settled[t.Connection+"\x00"+t.Reference] = true
		}
	}
	found, info, err := listed(s.providerTransactions, transactionID, func(t seamless.Transaction) bool {
		return wants(f.Connection, t.Connection) && wants(f.Wallet, t.Wallet) && wants(f.Agent, t.Agent) && within(f.From, f.To, t.At) &&
			wants(f.Reference, t.Reference) &&
			(!f.Open || t.Status == seamless.Review && !settled[t.Connection+"\x00"+t.TxnID])
	}, page)
	return ports.SeamlessPage{Transactions: found, PageInfo: info}, err
}

// Reconciled serves ports.Reconciliations.
func (s *Store) Reconciled(_ context.Context, connection string) (time.Time, error) {
	defer s.locked()()
	until, ok := s.reconciled[connection]
	if !ok {
		return time.Time{}, fault.New(fault.NotFound, "the log of %s was never compared", connection)
	}
	return until, nil
}

// AdvanceReconciled serves ports.Reconciliations.
func (s *Store) AdvanceReconciled(_ context.Context, connection string, from, to time.Time) error {
	defer s.locked()()
	if !s.reconciled[connection].Equal(from) {
		return fault.New(fault.InvalidState, "the log of %s is being compared by another instance", connection).With("status", "moved")
	}
	s.reconciled[connection] = to.UTC().Truncate(time.Microsecond)
	return nil
}
