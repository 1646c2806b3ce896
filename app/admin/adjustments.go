package admin

import (
	"context"
	"math"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// AdminMe returns the caller's role with its level and permissions.
func (c *Service) AdminMe(ctx context.Context, caller kernel.Caller) (kernel.Identity, error) {
	assignment, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return kernel.Identity{}, err
	}
	return c.core.Identity(assignment), nil
}

// AdjustmentRequest is an admin's credit (positive amount) or debit (negative amount).
type AdjustmentRequest struct {
	User        string
	Token       string
	Amount      int64
	Reason      string
	Idempotency kernel.Idempotency
}

// AdjustBalance credits or debits a player's balance. A credit above the token's threshold,
// counted over a day per player and per admin, is not booked; it becomes a request that a
// second person decides.
func (c *Service) AdjustBalance(ctx context.Context, caller kernel.Caller, r AdjustmentRequest) (approvals.AdjustResult, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return approvals.AdjustResult{}, err
	}
	request, refusal, err := c.newAdjustment(caller, r)
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: request.Wallet,
		// The decision chooses under lock whether to book or to request, so neither's id can be
		// the unique key.
		Keys: r.Idempotency.Keys(caller.Wallet, player.OperationKey, request.ApprovalID),
		Needs: player.Needs{
			Tokens: []money.Token{request.Token}, Roles: []wallet.Address{caller.Wallet},
			Votes: &player.VotesNeed{Token: request.Token, By: caller.Wallet, At: request.At},
		},
		At: request.At, Source: player.FromAdmin,
		Decide: func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.RequestAdjustment(v, request)
		},
	})
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	answer := approvals.AdjustResult{Approval: receipt.Change.Approval, Balance: receipt.Change.Balance, Replayed: receipt.Replayed}
	switch {
	case receipt.Change.Adjustment != nil:
		answer.Adjustment = *receipt.Change.Adjustment
	case answer.Approval == nil:
		return approvals.AdjustResult{}, kernel.ErrResultLost
	}
	return answer, nil
}

// newAdjustment checks the request's fields. A user that isn't a valid wallet is NotFound.
func (c *Service) newAdjustment(caller kernel.Caller, r AdjustmentRequest) (w player.AdjustmentRequest, refusal, err error) {
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return w, nil, err
	}
	if r.Amount == 0 || r.Amount == math.MinInt64 {
		return w, nil, fault.Field("amount", "must be an integer other than 0 within ±9223372036854775807")
	}
	if err := kernel.CheckReason(r.Reason); err != nil {
		return w, nil, err
	}
	address, err := wallet.Parse(r.User)
	if err != nil {
		return w, nil, fault.New(fault.NotFound, "no such player")
	}
	w = player.AdjustmentRequest{
		Adjustment: player.Adjustment{
			ID: c.core.Entropy.ID(), Wallet: address, Token: mint, Amount: r.Amount, Reason: r.Reason, By: caller.Wallet, At: c.core.Now(),
		},
		Policy: c.core.Policy, ApprovalID: c.core.Entropy.ID(), AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID,
	}
	w.Terms, refusal = c.core.Tokens.Known(mint)
	return w, refusal, nil
}

// adjustEffect returns the effect of approving a large adjustment.
func (c *Service) adjustEffect(_ context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	id, auditID := c.core.Entropy.ID(), c.core.Entropy.ID()
	return approvals.Effect{
		Item: player.Item{Needs: player.Needs{Tokens: []money.Token{asked.Token}}},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			return player.AdjustApproved(v, closed, id, auditID, caller.RequestID)
		},
	}, nil
}

// Rebind binds a player to another agent, for rounds from now on. Earlier play stays in the
// lists and figures of the old agent. So does the later win of an open round of a
// provider's game. The order of refusals is permission, reason, InvalidAgent or
// BlockedAgent, NotFound.
func (c *Service) Rebind(ctx context.Context, caller kernel.Caller, w, agentCode, reason string) (player.Player, error) {
	if _, err := c.core.AuthorizeFor(ctx, caller, rbac.RolesWrite, reason); err != nil {
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
	needs, err := c.holdingsNeeds(ctx, address)
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

// holdingsNeeds returns the needs for all that a player may hold: every token that was ever
// accepted, the open withdrawals and the open rounds.
func (c *Service) holdingsNeeds(ctx context.Context, w wallet.Address) (player.Needs, error) {
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
