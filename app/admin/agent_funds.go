package admin

import (
	"context"
	"math"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// AgentFunds returns the lines of prepaid accounts, by agent code, of the agents within the
// caller's scope.
func (c *Service) AgentFunds(ctx context.Context, caller kernel.Caller) (map[string][]ports.FundsLine, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	lines, err := c.core.Store.AgentFunds.FundsOf(ctx, own.AgentCode)
	if err != nil {
		return nil, err
	}
	funds := map[string][]ports.FundsLine{}
	for _, line := range lines {
		funds[line.Agent] = append(funds[line.Agent], line)
	}
	return funds, nil
}

// FundingRequest is a booking on an agent's prepaid account: a payment by the agent
// (positive amount) or back to the agent (negative amount).
type FundingRequest struct {
	AgentID     string
	Token       string
	Amount      int64
	Reason      string
	Idempotency kernel.Idempotency
}

// FundingResult holds a booking and the balance after it. For a credit above the token's
// threshold it holds instead the approval request that waits for a second person, and an
// empty Funding.
type FundingResult struct {
	Agent    agent.Agent
	Funding  player.Funding
	Approval *approval.Approval
	Replayed bool
}

// FundAgent books a payment on an agent's prepaid account. A credit above the token's
// threshold, counted over a day for all agents together and per admin, is not booked; it
// becomes a request that a second person decides. The order of refusals is permission,
// fields, agent, token, funds.
func (c *Service) FundAgent(ctx context.Context, caller kernel.Caller, r FundingRequest) (FundingResult, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return FundingResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return FundingResult{}, err
	}
	if r.Amount == 0 || r.Amount == math.MinInt64 {
		return FundingResult{}, fault.Field("amount", "must be an integer other than 0 within ±9223372036854775807")
	}
	if err := kernel.CheckReason(r.Reason); err != nil {
		return FundingResult{}, err
	}
	found, refusal := c.fundableAgent(ctx, r.AgentID)
	request := player.FundingRequest{
		Funding: player.Funding{
			ID: c.core.Entropy.ID(), Ref: agent.FundsRef{Agent: found.Code, Token: mint}, Amount: r.Amount, Reason: r.Reason,
			By: caller.Wallet, At: c.core.Now(),
		},
		Policy: c.core.Policy, ApprovalID: c.core.Entropy.ID(), AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID,
	}
	var funds []agent.FundsRef
	if refusal == nil { // a repeat gets its kept answer even then
		funds = []agent.FundsRef{request.Ref}
		request.Terms, refusal = c.core.Tokens.Known(mint)
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Keys: r.Idempotency.Keys(caller.Wallet, player.OperationKey, request.ApprovalID), At: request.At, Source: player.FromAdmin,
		Needs: player.Needs{
			Funds: funds, Roles: []wallet.Address{caller.Wallet},
			Votes: &player.VotesNeed{Token: mint, By: caller.Wallet, At: request.At},
		},
		Decide: func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.RequestFunding(v, request)
		},
	})
	if err != nil {
		return FundingResult{}, err
	}
	answer := FundingResult{Agent: found, Approval: receipt.Change.Approval, Replayed: receipt.Replayed}
	switch {
	case receipt.Change.Funding != nil:
		answer.Funding = *receipt.Change.Funding
	case answer.Approval == nil:
		return FundingResult{}, kernel.ErrResultLost
	}
	return answer, nil
}

// fundableAgent returns an agent with prepaid accounts, which all have except the house.
func (c *Service) fundableAgent(ctx context.Context, id string) (agent.Agent, error) {
	found, err := c.core.AgentByID(ctx, id)
	if err == nil && found.Code == agent.House {
		return agent.Agent{}, fault.New(fault.InvalidAgent, "the house has no prepaid account")
	}
	return found, err
}

func (c *Service) fundsLine(ctx context.Context, ref agent.FundsRef) (ports.FundsLine, error) {
	lines, err := c.core.Store.AgentFunds.FundsOf(ctx, ref.Agent)
	for _, line := range lines {
		if line.FundsRef == ref {
			return line, err
		}
	}
	return ports.FundsLine{FundsRef: ref}, err
}

// SetCreditLimit sets how far below zero an agent's prepaid account may go, in base units.
// It needs the permission to change roles.
func (c *Service) SetCreditLimit(ctx context.Context, caller kernel.Caller, agentID, tokenText string, limit int64) (ports.FundsLine, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return ports.FundsLine{}, err
	}
	mint, err := money.ParseToken(tokenText)
	if err != nil {
		return ports.FundsLine{}, err
	}
	if limit < 0 {
		return ports.FundsLine{}, fault.Field("creditLimit", "must be an integer from 0 to 9223372036854775807")
	}
	found, err := c.fundableAgent(ctx, agentID)
	if err != nil {
		return ports.FundsLine{}, err
	}
	if _, err := c.core.Tokens.Known(mint); err != nil {
		return ports.FundsLine{}, err
	}
	request := player.CreditLimitRequest{
		CreditLimit: player.CreditLimit{Ref: agent.FundsRef{Agent: found.Code, Token: mint}, Amount: money.Amount(limit)},
		By:          caller.Wallet, Policy: c.core.Policy, AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	_, err = c.core.Store.Writer.Commit(ctx, player.Item{
		Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}}, At: request.At, Source: player.FromAdmin,
		Needs:  player.Needs{Funds: []agent.FundsRef{request.Ref}, Roles: []wallet.Address{caller.Wallet}},
		Decide: func(v player.View) (player.Change, error) { return player.SetCreditLimit(v, request) },
	})
	if err != nil {
		return ports.FundsLine{}, err
	}
	return c.fundsLine(ctx, request.Ref)
}

// fundEffect returns the effect of approving a large credit of an agent's account.
func (c *Service) fundEffect(_ context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	id, auditID := c.core.Entropy.ID(), c.core.Entropy.ID()
	return approvals.Effect{
		Item: player.Item{Needs: player.Needs{Funds: []agent.FundsRef{{Agent: asked.Agent, Token: asked.Token}}}},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			return player.FundApproved(v, closed, id, auditID, caller.RequestID)
		},
	}, nil
}
