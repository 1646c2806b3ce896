package app

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// OpenApprovals lists the requests that wait for a second person, within the
// caller's scope.
func (c *Casino) OpenApprovals(ctx context.Context, caller Caller, page ports.Page) (ports.ApprovalPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.ApprovalPage{}, err
	}
	return c.store.Approvals.OpenApprovals(ctx, ports.ApprovalFilter{Now: c.now(), Agent: own.AgentCode}, page)
}

// ApprovalDecision is a second person's yes or no to a request.
type ApprovalDecision struct {
	ID          string
	Approve     bool
	Idempotency Idempotency
}

// ApprovalResult is a request after its decision.
type ApprovalResult struct {
	Approval approval.Approval
	Replayed bool
}

// DecideApproval closes a request, and on a yes carries it out in the same
// commit; payouts are resumed right after it, and stay paused when that fails. The
// permission needed is that of the request's kind.
func (c *Casino) DecideApproval(ctx context.Context, caller Caller, d ApprovalDecision) (ApprovalResult, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ApprovalResult{}, err
	}
	asked, err := c.store.Approvals.Approval(ctx, d.ID)
	if err != nil {
		return ApprovalResult{}, err
	}
	if own.AgentCode != "" && own.AgentCode != asked.Agent {
		return ApprovalResult{}, fault.New(fault.NotFound, "no request %q", d.ID)
	}
	var (
		item     player.Item
		carryOut carriesOut
		finish   = func(context.Context) error { return nil }
	)
	if d.Approve {
		if item, carryOut, finish, err = c.effectOf(ctx, asked, caller); err != nil {
			return ApprovalResult{}, err
		}
	}
	if asked.Token != "" && len(item.Needs.Tokens) == 0 {
		item.Needs.Tokens = []money.Token{asked.Token} // for the balance beside the answer
	}
	word := player.ApprovalDecision{
		ID: d.ID, By: caller.Wallet, Approve: d.Approve, Policy: c.Policy, AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	item.Wallet, item.At = asked.Wallet, word.At
	item.Keys = append([]player.UniqueKey{{Kind: player.ApprovalKey, ID: d.ID}}, item.Keys...)
	if d.Idempotency.Key != "" {
		item.Keys = append(d.Idempotency.keys(caller.Wallet, player.OperationKey, ""), item.Keys...)
	}
	item.Needs.Roles = []wallet.Address{caller.Wallet}
	item.Needs.Approvals = []string{d.ID}
	item.Decide = func(v player.View) (player.Change, error) { return player.DecideApproval(v, word, carryOut) }
	receipt, err := c.store.Writer.Commit(ctx, item)
	if err != nil {
		return ApprovalResult{}, err
	}
	closed, err := closedBy(receipt, d.ID)
	if err != nil {
		return ApprovalResult{}, err
	}
	if closed.Kind == approval.PayoutsResume && closed.Status == approval.Approved {
		if err := c.resume(ctx, *closed, caller.RequestID); err != nil {
			return ApprovalResult{}, err
		}
	}
	if receipt.Replayed {
		return ApprovalResult{Approval: *closed, Replayed: true}, nil
	}
	return ApprovalResult{Approval: *closed}, finish(ctx)
}

// closedBy is the request as the commit left it, or why it was not this call that
// closed it.
func closedBy(receipt player.Receipt, id string) (*approval.Approval, error) {
	closed := receipt.Change.Approval
	switch {
	case closed != nil && closed.ID != id, closed == nil && receipt.Change.Deposit != nil: // another credit of the same deposit
		return nil, errDepositTaken
	case closed == nil:
		return nil, errResultLost
	case receipt.Replayed && receipt.Holder.Key.Kind != player.IdempotencyKey:
		return nil, fault.New(fault.InvalidState, "the request is already %s", closed.Status).
			With("status", string(closed.Status))
	}
	return closed, nil
}

// carriesOut is what a second person's yes does, with the request as it closes.
type carriesOut func(player.View, approval.Approval) (player.Change, error)

// effectOf begins the item of a yes with what carrying the request out needs to
// see and to claim, its ids drawn; finish is for what follows the commit. What
// follows may be lost in between: payouts then stay paused, and claims of others
// to a credited deposit stay open, until somebody asks again.
func (c *Casino) effectOf(ctx context.Context, asked approval.Approval, caller Caller) (player.Item, carriesOut,
	func(context.Context) error, error) {
	if _, ok := player.AdjustmentOf(asked.Kind); ok {
		id, auditID := c.Entropy.ID(), c.Entropy.ID()
		return player.Item{Needs: player.Needs{Tokens: []money.Token{asked.Token}}},
			func(v player.View, closed approval.Approval) (player.Change, error) {
				return player.AdjustApproved(v, closed, id, auditID, caller.RequestID)
			}, func(context.Context) error { return nil }, nil
	}
	switch asked.Kind {
	case approval.AgentFunds:
		id, auditID := c.Entropy.ID(), c.Entropy.ID()
		return player.Item{Needs: player.Needs{Funds: []agent.FundsRef{{Agent: asked.Agent, Token: asked.Token}}}},
			func(v player.View, closed approval.Approval) (player.Change, error) {
				return player.FundApproved(v, closed, id, auditID, caller.RequestID)
			}, func(context.Context) error { return nil }, nil
	case approval.DepositResolution:
		return c.creditOf(ctx, asked, caller)
	case approval.PayoutsResume:
		// The switch is nobody's row: it is turned after the decision, see resume.
		return player.Item{}, func(player.View, approval.Approval) (player.Change, error) { return player.Change{}, nil },
			func(context.Context) error { return nil }, nil
	}
	return player.Item{}, nil, nil, fmt.Errorf("app: nothing carries a request of kind %q out", asked.Kind)
}

// ask records the caller's request to two persons, as the first of them.
func (c *Casino) ask(ctx context.Context, caller Caller, r approval.Request, idempotency Idempotency) (ApprovalResult, error) {
	asked := player.ApprovalRequest{
		ID: c.Entropy.ID(), Request: r, By: caller.Wallet, Policy: c.Policy,
		AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: r.Wallet,
		Keys:   idempotency.keys(caller.Wallet, player.OperationKey, asked.ID),
		Needs:  player.Needs{Roles: []wallet.Address{caller.Wallet}},
		At:     asked.At,
		Decide: func(v player.View) (player.Change, error) { return player.RequestApproval(v, asked) },
	})
	if err != nil {
		return ApprovalResult{}, err
	}
	if receipt.Change.Approval == nil {
		return ApprovalResult{}, errResultLost
	}
	return ApprovalResult{Approval: *receipt.Change.Approval, Replayed: receipt.Replayed}, nil
}
