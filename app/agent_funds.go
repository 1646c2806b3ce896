package app

import (
	"context"
	"math"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// AgentFunds tells what stands in the prepaid accounts of the operators that the
// caller sees, by the operator's code.
func (c *Casino) AgentFunds(ctx context.Context, caller Caller) (map[string][]ports.FundsLine, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	lines, err := c.store.AgentFunds.FundsOf(ctx, own.AgentCode)
	if err != nil {
		return nil, err
	}
	funds := map[string][]ports.FundsLine{}
	for _, line := range lines {
		funds[line.Agent] = append(funds[line.Agent], line)
	}
	return funds, nil
}

// FundingRequest is a booking of an operator's prepaid account: what the operator paid
// in (positive amount) or was paid back (negative).
type FundingRequest struct {
	AgentID     string
	Token       string
	Amount      int64
	Reason      string
	Idempotency Idempotency
}

// FundingResult is the booking with the balance after it; or, for a credit above the
// token's threshold, the request that now waits for a second person.
type FundingResult struct {
	Agent    agent.Agent
	Funding  player.Funding
	Approval *approval.Approval
	Replayed bool
}

// FundAgent books an operator's prepaid account. Credits above the token's
// threshold, counted over a day for all operators and per admin, only ask. The order
// of refusals is permission, fields, agent, token, funds.
func (c *Casino) FundAgent(ctx context.Context, caller Caller, r FundingRequest) (FundingResult, error) {
	if _, err := c.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return FundingResult{}, err
	}
	if err := provided(c.store.AgentFunds); err != nil {
		return FundingResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return FundingResult{}, err
	}
	if r.Amount == 0 || r.Amount == math.MinInt64 {
		return FundingResult{}, fault.Field("amount", "must be an integer other than 0 within ±9223372036854775807")
	}
	if err := checkReason(r.Reason); err != nil {
		return FundingResult{}, err
	}
	operator, refusal := c.fundable(ctx, r.AgentID)
	wish := player.FundingRequest{
		Funding: player.Funding{
			ID: c.Entropy.ID(), Ref: agent.FundsRef{Agent: operator.Code, Token: mint}, Amount: r.Amount, Reason: r.Reason,
			By: caller.Wallet, At: c.now(),
		},
		Policy: c.Policy, ApprovalID: c.Entropy.ID(), AuditID: c.Entropy.ID(), RequestID: caller.RequestID,
	}
	var funds []agent.FundsRef
	if refusal == nil { // a repeat is answered all the same
		funds = []agent.FundsRef{wish.Ref}
		wish.Terms, refusal = c.Tokens.Known(mint)
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Keys: r.Idempotency.keys(caller.Wallet, player.OperationKey, wish.ApprovalID), At: wish.At,
		Needs: player.Needs{
			Funds: funds, Roles: []wallet.Address{caller.Wallet},
			Votes: &player.VotesNeed{By: caller.Wallet, At: wish.At},
		},
		Decide: func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.RequestFunding(v, wish)
		},
	})
	if err != nil {
		return FundingResult{}, err
	}
	answer := FundingResult{Agent: operator, Approval: receipt.Change.Approval, Replayed: receipt.Replayed}
	switch {
	case receipt.Change.Funding != nil:
		answer.Funding = *receipt.Change.Funding
	case answer.Approval == nil:
		return FundingResult{}, errResultLost
	}
	return answer, nil
}

// fundable finds an operator that has prepaid accounts: any but the house.
func (c *Casino) fundable(ctx context.Context, id string) (agent.Agent, error) {
	operator, err := c.agentByID(ctx, id)
	if err == nil && operator.Code == agent.House {
		return agent.Agent{}, fault.New(fault.InvalidAgent, "the house has no prepaid account")
	}
	return operator, err
}

func (c *Casino) fundsLine(ctx context.Context, ref agent.FundsRef) (ports.FundsLine, error) {
	lines, err := c.store.AgentFunds.FundsOf(ctx, ref.Agent)
	for _, line := range lines {
		if line.FundsRef == ref {
			return line, err
		}
	}
	return ports.FundsLine{FundsRef: ref}, err
}

// SetCreditLimit sets how far below zero an operator's prepaid account may go. It takes
// who may change roles.
func (c *Casino) SetCreditLimit(ctx context.Context, caller Caller, agentID, tokenText string, limit int64) (ports.FundsLine, error) {
	if _, err := c.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return ports.FundsLine{}, err
	}
	if err := provided(c.store.AgentFunds); err != nil {
		return ports.FundsLine{}, err
	}
	mint, err := money.ParseToken(tokenText)
	if err != nil {
		return ports.FundsLine{}, err
	}
	if limit < 0 {
		return ports.FundsLine{}, fault.Field("creditLimit", "must be an integer from 0 to 9223372036854775807")
	}
	operator, err := c.fundable(ctx, agentID)
	if err != nil {
		return ports.FundsLine{}, err
	}
	if _, err := c.Tokens.Known(mint); err != nil {
		return ports.FundsLine{}, err
	}
	wish := player.CreditLimitRequest{
		CreditLimit: player.CreditLimit{Ref: agent.FundsRef{Agent: operator.Code, Token: mint}, Amount: money.Amount(limit)},
		By:          caller.Wallet, Policy: c.Policy, AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	_, err = c.store.Writer.Commit(ctx, player.Item{
		Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: wish.AuditID}}, At: wish.At,
		Needs:  player.Needs{Funds: []agent.FundsRef{wish.Ref}, Roles: []wallet.Address{caller.Wallet}},
		Decide: func(v player.View) (player.Change, error) { return player.SetCreditLimit(v, wish) },
	})
	if err != nil {
		return ports.FundsLine{}, err
	}
	return c.fundsLine(ctx, wish.Ref)
}
