package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// whole returns everything that an item may read: its wallet and the shared state.
func (s *Store) whole(item player.Item) player.View {
	v, n := s.view(item.Wallet), item.Needs
	v.Control = s.control
	v.AgentBlocked, v.GameDisabled = s.blocked(v.Player.Agent), s.disabled(n.Game)
	v.Seamless, v.Deliveries = s.standings(item.Wallet, n.Seamless), s.seenDeliveries(item.Wallet, n.Deliveries)
	v.Funds, v.Hours, v.Payouts = s.seenFunds(n.Funds), s.seenHours(item), s.payoutState(n.Payouts)
	v.Roles, v.RoleList, v.Approvals, v.Votes = s.roles, s.roleList(), s.seenApprovals(item.Wallet, n.Approvals), s.votes
	if n.Exposure != "" {
		v.Exposed = &bet.Exposed{Own: s.exposed[n.Exposure]}
	}
	if n.Votes != nil {
		v.Counted = n.Votes.Count(item.Wallet, s.votes)
	}
	return v
}

// walletPart returns the part of a view that belongs to the wallet.
func walletPart(v player.View) player.View {
	v.Control, v.AgentBlocked, v.GameDisabled, v.Payouts = nil, false, false, withdrawal.PayoutControls{}
	v.Counted, v.Exposed = player.Counted{}, nil
	v.Seamless, v.Deliveries, v.Funds, v.Hours, v.Roles, v.Approvals, v.Votes = nil, nil, nil, nil, nil, nil, nil
	v.RoleList = rbac.List{}
	return v
}

func tokensOf[V any](m map[money.Token]V) []money.Token {
	tokens := make([]money.Token, 0, len(m))
	for token := range m {
		tokens = append(tokens, token)
	}
	slices.Sort(tokens)
	return tokens
}

// Player serves ports.Players.
func (s *Store) Player(_ context.Context, w wallet.Address) (player.Player, error) {
	defer s.locked()()
	v, ok := s.wallets[w]
	if !ok || !v.Player.Known() {
		return player.Player{}, fault.New(fault.NotFound, "no player %s", w)
	}
	if v.Player.SessionsFrom.Before(s.control.EpochAt) {
		v.Player.SessionsFrom = s.control.EpochAt
	}
	return v.Player, nil
}

// PlayerList serves ports.Players.
func (s *Store) PlayerList(_ context.Context, f ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	defer s.locked()()
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
	defer s.locked()()
	balances := s.wallets[w].Balances
	all := make([]ports.TokenBalance, 0, len(balances))
	for _, token := range tokensOf(balances) {
		all = append(all, ports.TokenBalance{Token: token, Amount: balances[token]})
	}
	return all, nil
}
