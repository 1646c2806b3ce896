// Package approvals makes, lists and decides the requests that need two persons.
package approvals

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of approval requests. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// effects are the effects of approved requests, by kind.
	effects map[approval.Kind]EffectOf
}

// New returns the use cases of approval requests. Register adds the effects of requests.
func New(core *kernel.Kernel) *Service { return &Service{core, map[approval.Kind]EffectOf{}} }

// Register sets the effect of approved requests of a kind. The feature that owns the kind
// calls it before the first request.
func (c *Service) Register(kind approval.Kind, effect EffectOf) { c.effects[kind] = effect }

// Complete returns an error that names a kind of request without a registered effect.
func (c *Service) Complete() error {
	for _, kind := range approval.Kinds() {
		if c.effects[kind] == nil {
			return fmt.Errorf("app: no effect is registered for approval requests of kind %q", kind)
		}
	}
	return nil
}

// AdjustResult holds an adjustment and the balance after it. For a credit above the token's
// threshold it holds instead the approval request that waits for a second person, and an
// empty Adjustment.
type AdjustResult struct {
	Adjustment player.Adjustment
	Approval   *approval.Approval
	Balance    money.Amount
	Replayed   bool
}

// OpenApprovals lists the approval requests that wait for a second person, within the
// caller's scope.
func (c *Service) OpenApprovals(ctx context.Context, caller kernel.Caller, page ports.Page) (ports.ApprovalPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.ApprovalPage{}, err
	}
	return c.core.Store.Approvals.OpenApprovals(ctx, ports.ApprovalFilter{Now: c.core.Now(), Agent: own.AgentCode}, page)
}

// ApprovalDecision is the second person's decision on an approval request.
type ApprovalDecision struct {
	ID          string
	Approve     bool
	Idempotency kernel.Idempotency
}

// ApprovalResult is an approval request after it was made or decided.
type ApprovalResult struct {
	Approval approval.Approval
	Replayed bool
}

// DecideApproval closes an approval request and, if it is approved, applies its effect in
// the same commit. It needs the permission of the request's kind.
func (c *Service) DecideApproval(ctx context.Context, caller kernel.Caller, d ApprovalDecision) (ApprovalResult, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ApprovalResult{}, err
	}
	asked, err := c.core.Store.Approvals.Approval(ctx, d.ID)
	if err != nil {
		return ApprovalResult{}, err
	}
	if own.AgentCode != "" && own.AgentCode != asked.Agent {
		return ApprovalResult{}, fault.New(fault.NotFound, "no request %q", d.ID)
	}
	var effect Effect
	if d.Approve {
		if effect, err = c.effectOf(ctx, asked, caller); err != nil {
			return ApprovalResult{}, err
		}
	}
	item := effect.Item
	if asked.Token != "" && len(item.Needs.Tokens) == 0 {
		item.Needs.Tokens = []money.Token{asked.Token} // for the balance in the answer
	}
	decision := player.ApprovalDecision{
		ID: d.ID, By: caller.Wallet, Approve: d.Approve, Policy: c.core.Policy, AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	item.Wallet, item.At, item.Source = asked.Wallet, decision.At, player.FromAdmin
	item.Keys = append([]player.UniqueKey{{Kind: player.ApprovalKey, ID: d.ID}}, item.Keys...)
	if d.Idempotency.Key != "" {
		item.Keys = append(d.Idempotency.Keys(caller.Wallet, player.OperationKey, ""), item.Keys...)
	}
	item.Needs.Roles = []wallet.Address{caller.Wallet}
	if asked.By != caller.Wallet {
		item.Needs.Roles = append(item.Needs.Roles, asked.By)
	}
	item.Needs.Approvals = []string{d.ID}
	item.Decide = func(v player.View) (player.Change, error) { return player.DecideApproval(v, decision, effect.CarryOut) }
	receipt, err := c.core.Store.Writer.Commit(ctx, item)
	if err != nil {
		return ApprovalResult{}, err
	}
	closed, err := closedBy(receipt, d.ID)
	if err != nil {
		return ApprovalResult{}, err
	}
	if effect.Finish != nil {
		err = effect.Finish(ctx, *closed, receipt.Replayed)
	}
	return ApprovalResult{Approval: *closed, Replayed: receipt.Replayed}, err
}

// closedBy returns the request after the commit, or an error if this call did not close it.
func closedBy(receipt player.Receipt, id string) (*approval.Approval, error) {
	closed := receipt.Change.Approval
	switch {
	case receipt.Replayed && receipt.Holder.Key.Kind == player.CorrectionKey && (closed == nil || closed.ID != id):
		return nil, fault.New(fault.InvalidState, "the entry is already corrected").With("status", "corrected")
	case receipt.Change.Deposit != nil && (closed == nil || closed.ID != id): // another credit of the same deposit
		return nil, kernel.ErrDepositTaken
	case receipt.Replayed && (closed == nil || closed.ID != id):
		return nil, fault.New(fault.InvalidState, "the subject of this request was already decided").With("status", "decided")
	case closed == nil:
		return nil, kernel.ErrResultLost
	case receipt.Replayed && receipt.Holder.Key.Kind != player.IdempotencyKey:
		return nil, fault.New(fault.InvalidState, "the request is already %s", closed.Status).
			With("status", string(closed.Status))
	}
	return closed, nil
}

// Effect is the effect of an approved request.
type Effect struct {
	// Item has the needs and the unique keys of the effect. DecideApproval completes it.
	Item player.Item
	// CarryOut returns the change that the approved request makes. Its ids are already drawn.
	CarryOut func(player.View, approval.Approval) (player.Change, error)
	// Finish runs after the commit, and again if the decision is repeated; nil does nothing.
	// If the process crashes before it, a repeat must complete the work.
	Finish func(ctx context.Context, closed approval.Approval, replayed bool) error
}

// Alone returns the item that applies the effect without a request.
func (e Effect) Alone() player.Item {
	e.Item.Decide = func(v player.View) (player.Change, error) { return e.CarryOut(v, approval.Approval{}) }
	return e.Item
}

// EffectOf returns the effect of approving a request. The caller is the second person.
type EffectOf func(ctx context.Context, asked approval.Approval, caller kernel.Caller) (Effect, error)

// effectOf returns the effect of approving the request, as registered for its kind.
func (c *Service) effectOf(ctx context.Context, asked approval.Approval, caller kernel.Caller) (Effect, error) {
	effect, ok := c.effects[asked.Kind]
	if !ok {
		return Effect{}, fmt.Errorf("app: no effect is registered for approval requests of kind %q", asked.Kind)
	}
	return effect(ctx, asked, caller)
}

// Ask records an approval request, with the caller as the first of two persons.
func (c *Service) Ask(ctx context.Context, caller kernel.Caller, r approval.Request, idempotency kernel.Idempotency) (ApprovalResult, error) {
	return c.AskFor(ctx, caller, r, Effect{}, idempotency)
}

// AskFor is Ask, and refuses a request whose effect would be refused now.
func (c *Service) AskFor(
	ctx context.Context, caller kernel.Caller, r approval.Request, effect Effect, idempotency kernel.Idempotency,
) (ApprovalResult, error) {
	asked := player.ApprovalRequest{
		ID: c.core.Entropy.ID(), Request: r, By: caller.Wallet, Policy: c.core.Policy,
		AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	needs := effect.Item.Needs
	needs.Roles = []wallet.Address{caller.Wallet}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: r.Wallet,
		Keys:   idempotency.Keys(caller.Wallet, player.OperationKey, asked.ID),
		Needs:  needs,
		At:     asked.At, Source: player.FromAdmin,
		Decide: func(v player.View) (player.Change, error) {
			change, err := player.RequestApproval(v, asked)
			if err != nil || effect.CarryOut == nil {
				return change, err
			}
			trial := *change.Approval
			trial.DecidedAt = asked.At
			_, err = effect.CarryOut(v, trial)
			return change, err
		},
	})
	if err != nil {
		return ApprovalResult{}, err
	}
	if receipt.Change.Approval == nil {
		return ApprovalResult{}, kernel.ErrResultLost
	}
	return ApprovalResult{Approval: *receipt.Change.Approval, Replayed: receipt.Replayed}, nil
}
