package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Initialize serves ports.Registry.
func (s *Store) Initialize(_ context.Context, id ports.Identity) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.identity == nil:
		s.identity = &id
	case s.identity.Mode != id.Mode:
		return fault.New(fault.InvalidState, "the mode differs: the store was made for %q, not %q", s.identity.Mode, id.Mode)
	case s.identity.Genesis != id.Genesis:
		return fault.New(fault.InvalidState, "the genesis hash differs: the store was made for the chain %s, not %s",
			s.identity.Genesis, id.Genesis)
	}
	if s.control.Ledger == "" {
		named := s.control.Clone()
		named.Ledger = id.Ledger
		s.control = &named
	}
	return nil
}

// RegisterTokens serves ports.Registry.
func (s *Store) RegisterTokens(_ context.Context, open []token.Terms) (token.Book, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, terms := range open {
		known, ok := s.tokens[terms.Mint]
		if ok && (known.Decimals != terms.Decimals || known.Program != terms.Program) {
			return token.Book{}, fault.New(fault.InvalidState,
				"token %s differs: %d decimals under %s are stored, %d under %s were given",
				terms.Mint, known.Decimals, known.Program, terms.Decimals, terms.Program)
		}
	}
	for _, terms := range open {
		terms.Closing = false
		s.tokens[terms.Mint] = terms
	}
	all := make([]token.Terms, 0, len(s.tokens))
	for _, terms := range s.tokens {
		terms.Closing = !slices.ContainsFunc(open, func(o token.Terms) bool { return o.Mint == terms.Mint })
		all = append(all, terms)
	}
	return token.NewBook(all...), nil
}
