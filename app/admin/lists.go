package admin

import (
	"context"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// AdminTransactions lists deposits, withdrawals and adjustments of all players
// within the caller's scope.
func (c *Service) AdminTransactions(ctx context.Context, caller kernel.Caller, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return ports.TransactionPage{}, err
	}
	return c.core.Store.Transactions.Transactions(ctx, filter, page)
}

// AdminRounds lists rounds of all players within the caller's scope.
func (c *Service) AdminRounds(ctx context.Context, caller kernel.Caller, filter ports.RoundFilter, page ports.Page) (accounts.RoundsWithSeeds, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return accounts.RoundsWithSeeds{}, err
	}
	return c.accounts.RoundsWithSeeds(ctx, filter, page)
}

// AdminPlayers lists players within the caller's scope.
func (c *Service) AdminPlayers(ctx context.Context, caller kernel.Caller, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return ports.PlayerPage{}, err
	}
	return c.core.Store.Players.PlayerList(ctx, filter, page)
}

// PlayerDetails is everything an admin sees of one player.
type PlayerDetails struct {
	player.Player
	Balances        []ports.TokenBalance
	OpenWithdrawals []withdrawal.Withdrawal // newest first
}

// AdminPlayer returns one player. A player outside the caller's scope is NotFound.
func (c *Service) AdminPlayer(ctx context.Context, caller kernel.Caller, w string) (PlayerDetails, error) {
	found, err := c.core.SeenPlayer(ctx, caller, w)
	if err != nil {
		return PlayerDetails{}, err
	}
	found.Protection = found.Protection.At(c.core.Now())
	details := PlayerDetails{Player: found}
	if details.Balances, err = c.core.Store.Players.Balances(ctx, found.Wallet); err != nil {
		return PlayerDetails{}, err
	}
	details.OpenWithdrawals, err = c.core.Store.Withdrawals.OpenWithdrawals(ctx, found.Wallet)
	return details, err
}

// AdminBalances lists one player's balances. A player outside the caller's scope is
// NotFound.
func (c *Service) AdminBalances(ctx context.Context, caller kernel.Caller, w string) ([]ports.TokenBalance, error) {
	found, err := c.core.SeenPlayer(ctx, caller, w)
	if err != nil {
		return nil, err
	}
	return c.core.Store.Players.Balances(ctx, found.Wallet)
}

// AuditRecords lists who changed what. Records name no agent: a role bound to one sees
// none.
func (c *Service) AuditRecords(ctx context.Context, caller kernel.Caller, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AuditRead)
	if err != nil || own.AgentCode != "" {
		return ports.AuditPage{}, err
	}
	return c.core.Store.AuditLog.Records(ctx, filter, page)
}
