package providers

import (
	"context"
	"errors"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ProviderReviews lists providers' wins in review, newest first, within the caller's scope.
func (c *Service) ProviderReviews(ctx context.Context, caller kernel.Caller, page ports.Page) (ports.SeamlessPage, error) {
	assignment, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.SeamlessPage{}, err
	}
	return c.core.Store.SeamlessTransactions.SeamlessTransactions(ctx, ports.SeamlessFilter{Open: true, Agent: assignment.AgentCode}, page)
}

// ReviewDecision is an admin's decision on a win in review. Pay accepts the win.
type ReviewDecision struct {
	ID     string
	Pay    bool
	Reason string
}

// ReviewResult is the decided transaction and the player's balance after it, in base units.
// The balance is 0 if an agent's site keeps it.
type ReviewResult struct {
	Transaction seamless.Transaction
	Balance     money.Amount
	// Approval is the request that waits for a second person, otherwise nil.
	Approval *approval.Approval
}

// DecideProviderReview pays or rejects a win in review. A win above the token's threshold
// of credits becomes a request for a second person. The order of refusals is permission,
// reason, NotFound, InvalidState if it was already decided, and Forbidden for the caller's
// own win.
func (c *Service) DecideProviderReview(ctx context.Context, caller kernel.Caller, d ReviewDecision) (ReviewResult, error) {
	assignment, err := c.core.AuthorizeFor(ctx, caller, rbac.BalancesWrite, d.Reason)
	if err != nil {
		return ReviewResult{}, err
	}
	t, err := c.core.Store.SeamlessTransactions.SeamlessTransaction(ctx, d.ID)
	if err != nil {
		return ReviewResult{}, err
	}
	if t.Status != seamless.Review || assignment.AgentCode != "" && assignment.AgentCode != t.Agent {
		return ReviewResult{}, fault.New(fault.NotFound, "no win %q is in review", d.ID)
	}
	settled, err := c.settleReview(t, d, caller, "")
	if err != nil {
		return ReviewResult{}, err
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, settled.Alone())
	if errors.Is(err, player.ErrTwoPersons) {
		asked, err := c.approvals.Ask(ctx, caller, approval.Request{
			Kind: approval.ProviderWin, Wallet: t.Wallet, Token: t.Token, Amount: int64(t.Win), Reference: t.ID, Reason: d.Reason,
		}, kernel.Idempotency{})
		return ReviewResult{Transaction: t, Approval: &asked.Approval}, err
	}
	if err != nil {
		return ReviewResult{}, err
	}
	if receipt.Replayed {
		return ReviewResult{}, fault.New(fault.InvalidState, "the win was already decided").With("status", "decided")
	}
	return ReviewResult{Transaction: t, Balance: receipt.Change.Balance}, nil
}

// winEffect returns the effect of approving the payment of a win in review.
func (c *Service) winEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	win, err := c.core.Store.SeamlessTransactions.SeamlessTransaction(ctx, asked.Reference)
	if err != nil {
		return approvals.Effect{}, err
	}
	return c.settleReview(win, ReviewDecision{Pay: true, Reason: asked.Reason}, caller, asked.By)
}

// settleReview returns the effect of deciding on a win in review. If two persons decide,
// first is the one who made the approval request.
func (c *Service) settleReview(t seamless.Transaction, d ReviewDecision, caller kernel.Caller, first wallet.Address) (approvals.Effect, error) {
	terms, err := c.core.Tokens.Known(t.Token)
	if err != nil {
		return approvals.Effect{}, err
	}
	decision := player.ProviderReviewDecision{
		ID: c.core.Entropy.ID(), DeliveryID: c.core.Entropy.ID(), Transaction: t, Pay: d.Pay, First: first, By: caller.Wallet, Terms: terms,
		Policy: c.core.Policy, Reason: d.Reason, AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	needs := player.Needs{
		Tokens: []money.Token{t.Token}, Roles: []wallet.Address{caller.Wallet},
		Votes: &player.VotesNeed{Token: t.Token, By: caller.Wallet, At: decision.At},
	}
	if t.Site != "" {
		needs.Funds = []agent.FundsRef{{Agent: t.Agent, Token: t.Token}}
	}
	return approvals.Effect{
		Item: player.Item{
			Wallet: t.Wallet, At: decision.At, Source: player.FromAdmin, Needs: needs,
			Keys: []player.UniqueKey{{Kind: player.ProviderReviewKey, Scope: t.Connection, ID: t.TxnID}},
		},
		CarryOut: func(v player.View, _ approval.Approval) (player.Change, error) {
			return player.SettleReview(v, decision)
		},
	}, nil
}
