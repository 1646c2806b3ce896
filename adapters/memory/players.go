package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// seen narrows a wallet's whole view to what an item asked for, so that no
// decision comes to rest on more.
func (s *Store) seen(whole player.View, needs player.Needs) player.View {
	v := player.View{
		Player:       whole.Player,
		AgentBlocked: s.blocked(whole.Player.Agent),
		GameDisabled: s.disabled(needs.Game),
		Balances:     chosen(whole.Balances, needs.Tokens),
		Withdrawals:  chosen(whole.Withdrawals, needs.Withdrawals),
		Deposits:     chosen(whole.Deposits, needs.Deposits),
		Roles:        chosen(s.roles, needs.Roles),
		Approvals:    s.seenApprovals(whole.Player.Wallet, needs.Approvals),
		Yeses:        s.seenYeses(whole.Player.Wallet, needs.Yeses),
		Launches:     chosen(whole.Launches, needs.Launches),
		Seamless:     whole.Seamless,
		Funds:        whole.Funds,
		Routes:       whole.Routes,
	}
	if needs.Pair || needs.Draw {
		v.Pair = whole.Pair
	}
	if !needs.Pair {
		v.Pair.Next = fairness.NextSeed{}
	}
	if needs.Open {
		v.OpenWithdrawals, v.OpenDeposits = whole.OpenWithdrawals, whole.OpenDeposits
	}
	if needs.Desk.WithdrawalID != "" {
		v.Desk = s.desk(needs.Desk)
	}
	if needs.Unclaimed {
		v.Unclaimed = chosen(whole.Unclaimed, tokensOf(whole.Unclaimed))
	}
	return v
}

func chosen[K comparable, V any](all map[K]V, keys []K) map[K]V {
	some := make(map[K]V, len(keys))
	for _, key := range keys {
		if value, ok := all[key]; ok {
			some[key] = value
		}
	}
	return some
}

func tokensOf[V any](m map[money.Token]V) []money.Token {
	tokens := make([]money.Token, 0, len(m))
	for token := range m {
		tokens = append(tokens, token)
	}
	slices.Sort(tokens)
	return tokens
}

// declared says that a change rests on nothing that its item didn't ask to see:
// what a decision didn't look at it can't replace.
func declared(needs player.Needs, before player.View, c player.Change) bool {
	if c.Pair != nil && before.Pair.ID != "" && !needs.Pair && (!needs.Draw || c.Pair.ID != before.Pair.ID) {
		return false
	}
	if w := c.Withdrawal; w != nil && before.Withdrawals[w.ID].ID != "" && !slices.Contains(needs.Withdrawals, w.ID) {
		return false
	}
	if d := c.Deposit; d != nil && before.Deposits[d.Ref] != (deposit.Claim{}) && !slices.Contains(needs.Deposits, d.Ref) {
		return false
	}
	if l := c.Launch; l != nil && before.Launches[l.Connection].Known() && !slices.Contains(needs.Launches, l.Connection) {
		return false
	}
	if t := c.Seamless; t != nil && t.Kind == seamless.Credit && !slices.Contains(needs.Seamless, t.Ref) {
		return false
	}
	if a := c.Approval; a != nil && before.Approvals[a.ID].ID != "" && !slices.Contains(needs.Approvals, a.ID) {
		return false
	}
	for _, posting := range c.Postings {
		for _, t := range posting.Transfers {
			_, waiting := before.Unclaimed[t.Token]
			balance := slices.Contains(needs.Tokens, t.Token) || needs.Unclaimed && waiting
			if moves(t, ledger.Player) && !balance || moves(t, ledger.Unclaimed) && !needs.Unclaimed {
				return false
			}
		}
	}
	return true
}

func moves(t ledger.Transfer, k ledger.Kind) bool { return t.Debit.Kind == k || t.Credit.Kind == k }

// Player serves ports.Players.
func (s *Store) Player(_ context.Context, w wallet.Address) (player.Player, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.wallets[w]
	if !ok || !v.Player.Known() {
		return player.Player{}, fault.New(fault.NotFound, "no player %s", w)
	}
	return v.Player, nil
}

// PlayerList serves ports.Players.
func (s *Store) PlayerList(_ context.Context, f ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []player.Player{}
	for _, v := range s.wallets {
		if v.Player.Known() {
			all = inserted(all, v.Player, walletOf)
		}
	}
	found, info, err := listed(all, walletOf, func(p player.Player) bool {
		return wants(f.Wallet, p.Wallet) && wants(f.Agent, p.Agent)
	}, page)
	return ports.PlayerPage{Players: found, PageInfo: info}, err
}

func walletOf(p player.Player) string { return string(p.Wallet) }

// Balances serves ports.Players.
func (s *Store) Balances(_ context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	balances := s.wallets[w].Balances
	all := make([]ports.TokenBalance, 0, len(balances))
	for _, token := range tokensOf(balances) {
		all = append(all, ports.TokenBalance{Token: token, Amount: balances[token]})
	}
	return all, nil
}
