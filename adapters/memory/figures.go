package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// Totals serves ports.Figures.
func (s *Store) Totals(_ context.Context) ([]ledger.Balance, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []ledger.Balance{}
	for account, tokens := range s.book.Totals() {
		for _, token := range tokensOf(tokens) {
			all = append(all, ledger.Balance{Account: account, Token: token, Amount: tokens[token]})
		}
	}
	slices.SortStableFunc(all, func(x, y ledger.Balance) int {
		return strings.Compare(x.Account.String(), y.Account.String())
	})
	return all, nil
}

// Bankroll serves ports.Figures.
func (s *Store) Bankroll(_ context.Context, token money.Token) (money.Total, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum money.Total
	for _, kind := range ledger.Kinds() {
		if kind.Bankroll() {
			sum = sum.Add(s.book.Balance(ledger.System(kind), token))
		}
	}
	return sum, nil
}

// Daily serves ports.Figures.
func (s *Store) Daily(_ context.Context, from, to string) ([]ports.DailyFigure, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []ports.DailyFigure{}
	for key, cell := range s.figures {
		if key.Day >= from && key.Day <= to {
			found = append(found, ports.DailyFigure{Key: key, Cell: cell})
		}
	}
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return compareKeys(x.Key, y.Key) })
	return found, nil
}

func compareKeys(x, y figure.Key) int {
	return cmp.Or(strings.Compare(x.Day, y.Day), strings.Compare(string(x.Token), string(y.Token)),
		strings.Compare(x.Source, y.Source), strings.Compare(x.Game, y.Game), strings.Compare(x.Agent, y.Agent))
}
