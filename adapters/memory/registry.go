package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Initialize serves ports.Registry.
func (s *Store) Initialize(_ context.Context, id ports.Identity) error {
	defer s.locked()()
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
	defer s.locked()()
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

// search returns the index of the id in a list sorted by id, or where to insert it.
func search[T any](all []T, id func(T) string, wanted string) (int, bool) {
	return slices.BinarySearchFunc(all, wanted, func(t T, wanted string) int { return strings.Compare(id(t), wanted) })
}

// inserted returns a list sorted by id with one more element.
func inserted[T any](all []T, thing T, id func(T) string) []T {
	at, _ := search(all, id, id(thing))
	return slices.Insert(all, at, thing)
}

// listed returns one page, newest first, of the elements that keep accepts, from a list
// that is sorted by id.
func listed[T any](all []T, id func(T) string, keep func(T) bool, page ports.Page) ([]T, ports.PageInfo, error) {
	kept := []T{}
	for _, thing := range slices.Backward(all) {
		if keep(thing) {
			kept = append(kept, thing)
		}
	}
	var info ports.PageInfo
	if !page.Uncounted {
		info.Total, info.Capped = min(len(kept), ports.TotalMax), len(kept) > ports.TotalMax
	}
	skip, empty, err := page.Skip(info)
	if empty || err != nil {
		return []T{}, info, err
	}
	if page.After != "" {
		kept = slices.DeleteFunc(kept, func(thing T) bool { return id(thing) >= page.After })
	}
	kept = kept[min(skip, len(kept)):]
	if len(kept) > page.Limit {
		kept = kept[:page.Limit]
		info.Next = id(kept[len(kept)-1])
	}
	return kept, info, nil
}
