package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// addPlay adds to a player's day.
func (s *Store) addPlay(key figure.PlayerKey, cell figure.Cell) {
	s.playerDays[key] = s.playerDays[key].Add(cell)
}

// CountPlay serves ports.PlayerDays. Commits count play already.
func (s *Store) CountPlay(context.Context, int) (more bool, err error) { return false, nil }

// PlayerDays serves ports.PlayerDays.
func (s *Store) PlayerDays(_ context.Context, f ports.PlayerDayFilter, limit int) ([]ports.PlayerDay, error) {
	defer s.locked()()
	found := []ports.PlayerDay{}
	for key, cell := range s.playerDays {
		least := money.TotalOf(f.AtLeast)
		if matches(key, f.FigureFilter) && wants(f.Wallet, key.Wallet) && (cell.GGR().Cmp(least) >= 0 || cell.GGR().Neg().Cmp(least) >= 0) {
			found = append(found, ports.PlayerDay{PlayerKey: key, Cell: cell})
		}
	}
	slices.SortFunc(found, func(x, y ports.PlayerDay) int {
		return cmp.Or(strings.Compare(x.Day, y.Day), strings.Compare(string(x.Wallet), string(y.Wallet)),
			strings.Compare(string(x.Token), string(y.Token)), strings.Compare(x.Agent, y.Agent))
	})
	return found[:min(limit, len(found))], nil
}

func matches(key figure.PlayerKey, f ports.FigureFilter) bool {
	return (f.From == "" || key.Day >= f.From) && (f.To == "" || key.Day <= f.To) && wants(f.Token, key.Token) && wants(f.Agent, key.Agent)
}

// ActivePlayers serves ports.PlayerDays.
func (s *Store) ActivePlayers(_ context.Context, f ports.FigureFilter, daily bool) ([]ports.ActivePlayers, error) {
	defer s.locked()()
	players := map[ports.ActivePlayers]map[wallet.Address]bool{}
	for key, cell := range s.playerDays {
		if !matches(key, f) || cell.Rounds == 0 {
			continue
		}
		group := ports.ActivePlayers{Token: key.Token, Agent: key.Agent}
		if daily {
			group.Day = key.Day
		}
		if players[group] == nil {
			players[group] = map[wallet.Address]bool{}
		}
		players[group][key.Wallet] = true
	}
	found := make([]ports.ActivePlayers, 0, len(players))
	for group, of := range players {
		group.Players = int64(len(of))
		found = append(found, group)
	}
	slices.SortFunc(found, func(x, y ports.ActivePlayers) int {
		return cmp.Or(strings.Compare(x.Day, y.Day), strings.Compare(string(x.Token), string(y.Token)), strings.Compare(x.Agent, y.Agent))
	})
	return found, nil
}

// TransactionSums serves ports.TransactionSums.
func (s *Store) TransactionSums(_ context.Context, from, to time.Time, token money.Token, agent string) ([]ports.TransactionSum, error) {
	defer s.locked()()
	firsts := map[wallet.Address]line{}
	var ended []line
	for _, l := range s.lines {
		deposited := l.Type == ports.DepositTransaction && l.Status == string(deposit.Credited)
		if first, there := firsts[l.Wallet]; deposited && (!there || cmp.Or(l.UpdatedAt.Compare(first.UpdatedAt), strings.Compare(l.ID, first.ID)) < 0) {
			firsts[l.Wallet] = l
		}
		if deposited || l.Type != ports.DepositTransaction && l.Status == string(withdrawal.Completed) {
			ended = append(ended, l)
		}
	}
	sums := map[ports.TransactionSum]ports.TransactionSum{}
	for _, l := range ended {
		if l.UpdatedAt.Before(from) || !l.UpdatedAt.Before(to) || !wants(token, l.Token) || !wants(agent, l.agent) {
			continue
		}
		key := ports.TransactionSum{Day: figure.Day(l.UpdatedAt), Token: l.Token, Agent: l.agent, Type: l.Type, Credit: l.Credit}
		for _, first := range []bool{false, true} {
			if key.First = first; !first || firsts[l.Wallet].ID == l.ID {
				sum := sums[key]
				sums[key] = ports.TransactionSum{Count: sum.Count + 1, Amount: sum.Amount.AddAmount(l.Amount)}
			}
		}
	}
	found := make([]ports.TransactionSum, 0, len(sums))
	for _, key := range slices.SortedFunc(maps.Keys(sums), compareTransactionSums) {
		sum := sums[key]
		key.Count, key.Amount = sum.Count, sum.Amount
		found = append(found, key)
	}
	return found, nil
}

func compareTransactionSums(x, y ports.TransactionSum) int {
	ordinal := func(flag bool) int {
		if flag {
			return 1
		}
		return 0
	}
	return cmp.Or(ordinal(x.First)-ordinal(y.First), strings.Compare(x.Day, y.Day), strings.Compare(string(x.Token), string(y.Token)),
		strings.Compare(x.Agent, y.Agent), strings.Compare(string(x.Type), string(y.Type)), ordinal(x.Credit)-ordinal(y.Credit))
}
