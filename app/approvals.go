package app

import (
	"context"
	"errors"
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

// OpenApprovals lists the approval requests that wait for a second person, within the
// caller's scope.
func (c *Casino) OpenApprovals(ctx context.Context, caller Caller, page ports.Page) (ports.ApprovalPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.ApprovalPage{}, err
	}
	return c.store.Approvals.OpenApprovals(ctx, ports.ApprovalFilter{Now: c.now(), Agent: own.AgentCode}, page)
}

// ApprovalDecision is a second person's decision on an approval request.
type ApprovalDecision struct {
	ID          string
	Approve     bool
	Idempotency Idempotency
}

// ApprovalResult is an approval request after it was made or decided.
type ApprovalResult struct {
	Approval approval.Approval
	Replayed bool
}

// DecideApproval closes an approval request and, when it is approved, carries it out in
// the same commit. Payouts are resumed right after the commit, and stay paused when that
// fails. The permission needed is that of the request's kind.
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
	decision := player.ApprovalDecision{
		ID: d.ID, By: caller.Wallet, Approve: d.Approve, Policy: c.Policy, AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	item.Wallet, item.At, item.Source = asked.Wallet, decision.At, player.FromAdmin
	item.Keys = append([]player.UniqueKey{{Kind: player.ApprovalKey, ID: d.ID}}, item.Keys...)
	if d.Idempotency.Key != "" {
		item.Keys = append(d.Idempotency.keys(caller.Wallet, player.OperationKey, ""), item.Keys...)
	}
	item.Needs.Roles = []wallet.Address{caller.Wallet}
	if asked.By != caller.Wallet {
		item.Needs.Roles = append(item.Needs.Roles, asked.By)
	}
	item.Needs.Approvals = []string{d.ID}
	item.Decide = func(v player.View) (player.Change, error) { return player.DecideApproval(v, decision, carryOut) }
	receipt, err := c.store.Writer.Commit(ctx, item)
	if err != nil {
		return ApprovalResult{}, err
	}
	closed, err := closedBy(receipt, d.ID)
	if err != nil {
		return ApprovalResult{}, err
	}
	if closed.Kind == approval.PayoutsResume && closed.Status == approval.Approved {
		// A repeat ends no pause that came since.
		if err := c.resume(ctx, *closed, caller.RequestID); err != nil && !(receipt.Replayed && errors.Is(err, errPausedAgain)) {
			return ApprovalResult{}, err
		}
	}
	if receipt.Replayed && closed.Kind != approval.UnclaimedAssignment { // an assignment that was interrupted is completed
		return ApprovalResult{Approval: *closed, Replayed: true}, nil
	}
	return ApprovalResult{Approval: *closed, Replayed: receipt.Replayed}, finish(ctx)
}

// closedBy returns the request as the commit left it, or why this call did not close it.
func closedBy(receipt player.Receipt, id string) (*approval.Approval, error) {
	closed := receipt.Change.Approval
	switch {
	case receipt.Change.Deposit != nil && (closed == nil || closed.ID != id): // another credit of the same deposit
		return nil, errDepositTaken
	case receipt.Replayed && (closed == nil || closed.ID != id):
		return nil, fault.New(fault.InvalidState, "what the request is about was already decided").With("status", "decided")
	case closed == nil:
		return nil, errResultLost
	case receipt.Replayed && receipt.Holder.Key.Kind != player.IdempotencyKey:
		return nil, fault.New(fault.InvalidState, "the request is already %s", closed.Status).
			With("status", string(closed.Status))
	}
	return closed, nil
}

// carriesOut is the change that an approved request makes, given the request as it
// closes.
type carriesOut func(player.View, approval.Approval) (player.Change, error)

// effectOf begins the item that approves a request, with the needs and unique keys of
// carrying it out, and its ids drawn. Finish runs after the commit. It may be lost in
// between: payouts then stay paused, and others' claims to a credited deposit stay open,
// until somebody tries again.
func (c *Casino) effectOf(ctx context.Context, asked approval.Approval, caller Caller) (player.Item, carriesOut,
	func(context.Context) error, error) {
	if asked.Kind == approval.UnclaimedAssignment {
		a, err := c.assignment(asked.Request, caller, asked.By)
		if err != nil {
			return player.Item{}, nil, nil, err
		}
		earlier, err := c.openAssignment(ctx, asked.Request)
		if err != nil {
			return player.Item{}, nil, nil, err
		}
		item, authorize, err := c.authorization(ctx, a, earlier)
		return item, authorize, func(ctx context.Context) error {
			_, err := c.moveUnclaimed(ctx, a)
			return err
		}, err
	}
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
	case approval.ProviderWin:
		win, err := c.store.SeamlessTransactions.SeamlessTransaction(ctx, asked.Reference)
		if err != nil {
			return player.Item{}, nil, nil, err
		}
		item, settle, err := c.settlement(win, ReviewDecision{Pay: true, Reason: asked.Reason}, caller, asked.By)
		return item, settle, func(context.Context) error { return nil }, err
	case approval.PayoutsResume:
		// The switch belongs to no wallet: it is set after the decision, see resume.
		refusal := c.resumable(ctx, asked) // a repeat is answered all the same
		return player.Item{}, func(player.View, approval.Approval) (player.Change, error) { return player.Change{}, refusal },
			func(context.Context) error { return nil }, nil
	}
	return player.Item{}, nil, nil, fmt.Errorf("app: nothing carries a request of kind %q out", asked.Kind)
}

// ask records the caller's approval request, with the caller as the first of two
// persons.
func (c *Casino) ask(ctx context.Context, caller Caller, r approval.Request, idempotency Idempotency) (ApprovalResult, error) {
	asked := player.ApprovalRequest{
		ID: c.Entropy.ID(), Request: r, By: caller.Wallet, Policy: c.Policy,
		AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: r.Wallet,
		Keys:   idempotency.keys(caller.Wallet, player.OperationKey, asked.ID),
		Needs:  player.Needs{Roles: []wallet.Address{caller.Wallet}},
		At:     asked.At, Source: player.FromAdmin,
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
