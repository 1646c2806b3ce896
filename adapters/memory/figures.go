package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Totals serves ports.Figures.
func (s *Store) Totals(_ context.Context) ([]ledger.Balance, error) {
	defer s.locked()()
	return s.totals(), nil
}

func (s *Store) totals() []ledger.Balance {
	all := []ledger.Balance{}
	for account, tokens := range s.book.Totals() {
		for _, token := range tokensOf(tokens) {
			all = append(all, ledger.Balance{Account: account, Token: token, Amount: tokens[token]})
		}
	}
	slices.SortStableFunc(all, func(x, y ledger.Balance) int {
		return strings.Compare(x.Account.String(), y.Account.String())
	})
	return all
}

// Bankroll serves ports.Figures.
func (s *Store) Bankroll(_ context.Context, token money.Token) (money.Total, error) {
	defer s.locked()()
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
	defer s.locked()()
	found := []ports.DailyFigure{}
	for key, cell := range s.figures {
		if key.Day >= from && key.Day <= to {
			found = append(found, ports.DailyFigure{Key: key, Cell: cell})
		}
	}
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return compareKeys(x.Key, y.Key) })
	return found, nil
}

// scopedBucket is an account's bucket within one agent's business.
type scopedBucket struct {
	account ledger.Account
	token   money.Token
	agent   string
}

// count updates the report counters that are not part of the figures.
func (s *Store) count(before, after player.View, c player.Change) {
	if after.Player.Known() && !before.Player.Known() {
		s.players[after.Player.Agent]++
	}
	moveOf := func(agent string, a ledger.Account, token money.Token, amount money.Total) {
		if a.Kind.Liability() {
			key := scopedBucket{a.Bucket(), token, agent}
			s.scoped[key] = s.scoped[key].Add(amount)
		}
	}
	if r := c.Rebinding; r != nil {
		s.players[r.From]--
		s.players[r.To]++
		for _, h := range r.Holdings {
			moveOf(r.From, h.Account, h.Token, money.TotalOf(h.Amount).Neg())
			moveOf(r.To, h.Account, h.Token, money.TotalOf(h.Amount))
		}
	}
	move := func(a ledger.Account, token money.Token, amount money.Total) {
		moveOf(after.Player.Agent, a, token, amount)
	}
	for _, posting := range c.Postings {
		for _, t := range posting.Transfers {
			move(t.Debit, t.Token, money.TotalOf(t.Amount).Neg())
			move(t.Credit, t.Token, money.TotalOf(t.Amount))
		}
	}
}

// Sums serves ports.Reports.
func (s *Store) Sums(_ context.Context, f ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	defer s.locked()()
	sums := map[figure.Key]figure.Cell{}
	for key, cell := range s.figures {
		if f.From != "" && key.Day < f.From || f.To != "" && key.Day > f.To || !wants(f.Token, key.Token) || !wants(f.Agent, key.Agent) {
			continue
		}
		group := figure.Key{Token: key.Token}
		if by.Day {
			group.Day = key.Day
		}
		if by.Game {
			group.Source, group.Game = key.Source, key.Game
		}
		if by.Agent {
			group.Agent = key.Agent
		}
		sums[group] = sums[group].Add(cell)
	}
	found := make([]ports.DailyFigure, 0, len(sums))
	for key, cell := range sums {
		found = append(found, ports.DailyFigure{Key: key, Cell: cell})
	}
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return compareKeys(x.Key, y.Key) })
	return found, nil
}

// Counts serves ports.Reports.
func (s *Store) Counts(_ context.Context, agent string) (ports.Counts, error) {
	defer s.locked()()
	answer := ports.Counts{Owed: []ledger.Balance{}, Withdrawals: map[withdrawal.Status]int64{}, ProviderGames: int64(len(s.games))}
	for of, n := range s.players {
		if wants(agent, of) {
			answer.Players += n
		}
	}
	owed := map[scopedBucket]money.Total{}
	for key, amount := range s.scoped {
		if wants(agent, key.agent) {
			key.agent = ""
			owed[key] = owed[key].Add(amount)
		}
	}
	for key, amount := range owed {
		answer.Owed = append(answer.Owed, ledger.Balance{Account: key.account, Token: key.token, Amount: amount})
	}
	slices.SortFunc(answer.Owed, func(x, y ledger.Balance) int {
		return cmp.Or(strings.Compare(x.Account.String(), y.Account.String()), strings.Compare(string(x.Token), string(y.Token)))
	})
	for _, l := range s.lines {
		if status := withdrawal.Status(l.Status); l.Type == ports.WithdrawalTransaction && status.Open() && wants(agent, l.agent) {
			answer.Withdrawals[status]++
		}
	}
	return answer, nil
}

func compareKeys(x, y figure.Key) int {
	return cmp.Or(strings.Compare(x.Day, y.Day), strings.Compare(string(x.Token), string(y.Token)),
		strings.Compare(x.Source, y.Source), strings.Compare(x.Game, y.Game), strings.Compare(x.Agent, y.Agent))
}
