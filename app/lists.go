package app

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// scoped narrows a filter's agent to what the role sees. It reports false when that
// leaves nothing: the filter asks for another agent.
func scoped(own rbac.Assignment, agent *string) bool {
	if own.AgentCode == "" {
		return true
	}
	asked := *agent
	*agent = own.AgentCode
	return asked == "" || asked == own.AgentCode
}

// AdminTransactions lists deposits, withdrawals and adjustments of all players
// within the caller's scope.
func (c *Casino) AdminTransactions(ctx context.Context, caller Caller, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !scoped(own, &filter.Agent) {
		return ports.TransactionPage{}, err
	}
	return c.store.Transactions.Transactions(ctx, filter, page)
}

// AdminRounds lists rounds of all players within the caller's scope.
func (c *Casino) AdminRounds(ctx context.Context, caller Caller, filter ports.RoundFilter, page ports.Page) (RoundsWithSeeds, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !scoped(own, &filter.Agent) {
		return RoundsWithSeeds{}, err
	}
	return c.roundsWithSeeds(ctx, filter, page)
}

// AdminPlayers lists players within the caller's scope.
func (c *Casino) AdminPlayers(ctx context.Context, caller Caller, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !scoped(own, &filter.Agent) {
		return ports.PlayerPage{}, err
	}
	return c.store.Players.PlayerList(ctx, filter, page)
}

// PlayerDetails is everything an admin sees of one player.
type PlayerDetails struct {
	player.Player
	Balances        []ports.TokenBalance
	OpenWithdrawals []withdrawal.Withdrawal // newest first
}

// WithdrawalDetails is a withdrawal as admins decide on it.
type WithdrawalDetails struct {
	withdrawal.Withdrawal
	// Treasury is whose money an approval lets go: part of what is signed.
	Treasury string
	// SignatureRequired says that an approval needs its admin's signature.
	SignatureRequired bool
}

// AdminWithdrawal returns one withdrawal with its approvals, while it is pending those
// that still count. One of a player outside the
// caller's scope is NotFound.
func (c *Casino) AdminWithdrawal(ctx context.Context, caller Caller, id string) (WithdrawalDetails, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return WithdrawalDetails{}, err
	}
	found, err := c.store.Withdrawals.Withdrawal(ctx, id)
	if err != nil {
		return WithdrawalDetails{}, err
	}
	if own.AgentCode != "" {
		switch whose, err := c.store.Players.Player(ctx, found.Wallet); {
		case err != nil:
			return WithdrawalDetails{}, err
		case whose.Agent != own.AgentCode:
			return WithdrawalDetails{}, fault.New(fault.NotFound, "no withdrawal %q", id)
		}
	}
	if found.Status == withdrawal.Pending {
		if found.Approvals, err = c.standing(ctx, found); err != nil {
			return WithdrawalDetails{}, err
		}
	}
	return WithdrawalDetails{found, c.chain.TreasuryAddress(), c.Settings.SignedApprovals}, nil
}

// standing are the approvals of a pending withdrawal that the next decision will count:
// those of admins whose roles were revoked since, or are of too short a date, are void.
func (c *Casino) standing(ctx context.Context, w withdrawal.Withdrawal) ([]withdrawal.Approval, error) {
	if len(w.Approvals) == 0 {
		return nil, nil
	}
	whose, err := c.store.Players.Player(ctx, w.Wallet)
	if err != nil {
		return nil, err
	}
	seen := player.View{Player: whose, Roles: map[wallet.Address]rbac.Assignment{}}
	for _, by := range player.ApproverNeeds(w) {
		role, err := c.store.Roles.Role(ctx, by)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		seen.Roles[by] = role
	}
	return player.Standing(seen, w, c.Policy, c.signing()), nil
}

// AdminPlayer returns one player. A player outside the caller's scope is NotFound.
func (c *Casino) AdminPlayer(ctx context.Context, caller Caller, w string) (PlayerDetails, error) {
	found, err := c.seenPlayer(ctx, caller, w)
	if err != nil {
		return PlayerDetails{}, err
	}
	found.Protection = found.Protection.At(c.now())
	details := PlayerDetails{Player: found}
	if details.Balances, err = c.store.Players.Balances(ctx, found.Wallet); err != nil {
		return PlayerDetails{}, err
	}
	details.OpenWithdrawals, err = c.store.Withdrawals.OpenWithdrawals(ctx, found.Wallet)
	return details, err
}

// AdminBalances lists one player's balances. A player outside the caller's scope is
// NotFound.
func (c *Casino) AdminBalances(ctx context.Context, caller Caller, w string) ([]ports.TokenBalance, error) {
	found, err := c.seenPlayer(ctx, caller, w)
	if err != nil {
		return nil, err
	}
	return c.store.Players.Balances(ctx, found.Wallet)
}

// seenPlayer returns a player within the caller's scope.
func (c *Casino) seenPlayer(ctx context.Context, caller Caller, w string) (player.Player, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return player.Player{}, err
	}
	found, err := c.store.Players.Player(ctx, wallet.Address(w))
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return player.Player{}, err
	case err != nil, own.AgentCode != "" && own.AgentCode != found.Agent:
		return player.Player{}, fault.New(fault.NotFound, "no such player")
	}
	return found, nil
}

// AuditRecords lists who changed what. Records name no agent: a role bound to one sees
// none.
func (c *Casino) AuditRecords(ctx context.Context, caller Caller, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AuditRead)
	if err != nil || own.AgentCode != "" {
		return ports.AuditPage{}, err
	}
	return c.store.AuditLog.Records(ctx, filter, page)
}
