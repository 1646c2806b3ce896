package admin

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Rebind binds a player to another agent, for rounds from now on. What was played stays
// in the lists and figures of the old agent, and so does an open round of a provider's
// game when its win comes. The order of refusals is permission, reason, InvalidAgent or
// BlockedAgent, NotFound.
func (c *Service) Rebind(ctx context.Context, caller kernel.Caller, w, agentCode, reason string) (player.Player, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return player.Player{}, err
	}
	if err := kernel.CheckReason(reason); err != nil {
		return player.Player{}, err
	}
	found, err := c.core.Store.Agents.Agent(ctx, agentCode)
	switch {
	case fault.Is(err, fault.NotFound):
		return player.Player{}, kernel.ErrInvalidAgent
	case err != nil:
		return player.Player{}, err
	case !found.Open():
		return player.Player{}, fault.New(fault.BlockedAgent, "agentCode: the agent is blocked")
	}
	address, err := wallet.Parse(w)
	if err != nil {
		return player.Player{}, fault.New(fault.NotFound, "no such player")
	}
	request := player.RebindRequest{
		By: caller.Wallet, Policy: c.core.Policy, Agent: agentCode, Reason: reason,
		AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	needs, err := c.holdings(ctx, address)
	if err != nil {
		return player.Player{}, err
	}
	needs.Roles = []wallet.Address{caller.Wallet}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: address, At: request.At, Source: player.FromAdmin, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}}, Needs: needs,
		Decide: func(v player.View) (player.Change, error) { return player.Rebind(v, request) },
	})
	switch {
	case err != nil:
		return player.Player{}, err
	case receipt.Change.Player == nil:
		return player.Player{}, kernel.ErrResultLost
	}
	return *receipt.Change.Player, nil
}

// holdings returns the needs for everything that a player may hold: every token that was
// ever accepted, the open withdrawals and the open rounds.
func (c *Service) holdings(ctx context.Context, w wallet.Address) (player.Needs, error) {
	needs := player.Needs{Open: true, OpenRounds: true}
	tokens := map[money.Token]bool{}
	for _, terms := range c.core.Tokens.All() {
		tokens[terms.Mint] = true
	}
	lines, err := c.core.Store.Players.Balances(ctx, w)
	if err != nil {
		return needs, err
	}
	for _, line := range lines {
		tokens[line.Token] = true
	}
	for token := range tokens {
		needs.Tokens = append(needs.Tokens, token)
	}
	open, err := c.core.Store.Withdrawals.OpenWithdrawals(ctx, w)
	for _, held := range open {
		needs.Withdrawals = append(needs.Withdrawals, held.ID)
	}
	return needs, err
}
