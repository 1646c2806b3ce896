// Package corrections reverses entries that admins booked by mistake: adjustments,
// assignments of unclaimed money and bookings of capital. Two persons decide each one.
package corrections

import (
	"context"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Service has the use cases of corrections. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
}

// New returns the use cases of corrections.
func New(core *kernel.Kernel, requests *approvals.Service) *Service {
	c := &Service{core, requests}
	requests.Register(approval.Correction, c.adjustmentEffect)
	requests.Register(approval.CapitalCorrection, c.capitalEffect)
	return c
}

// AdjustmentRequest asks to reverse the adjustment or the assignment with an id.
type AdjustmentRequest struct {
	ID          string
	Reason      string
	Idempotency kernel.Idempotency
}

// RequestAdjustment asks a second person to approve the reversal of an adjustment or an
// assignment. Whatever would refuse the approval refuses the request. For an assignment
// whose correction was interrupted, it completes the correction first.
func (c *Service) RequestAdjustment(ctx context.Context, caller kernel.Caller, r AdjustmentRequest) (approvals.ApprovalResult, error) {
	own, err := c.core.AuthorizeFor(ctx, caller, rbac.BalancesWrite, r.Reason)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	original, err := c.core.Store.Bookings.Adjustment(ctx, r.ID)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	effect, err := c.correctAdjustment(ctx, original, caller)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	if effect.Finish != nil && own.AgentCode == "" {
		corrected, err := c.core.Store.Bookings.Corrected(ctx, original.LedgerKey())
		if err == nil && corrected {
			err = c.returnAssigned(ctx, original, caller)
		}
		if err != nil {
			return approvals.ApprovalResult{}, err
		}
	}
	return c.approvals.AskFor(ctx, caller, original.CorrectionRequest(r.Reason), effect, r.Idempotency)
}

// errCorrected refuses a second correction of an entry.
var errCorrected = fault.New(fault.InvalidState, "the entry is already corrected").With("status", "corrected")

// adjustmentEffect returns the effect of approving the correction of an adjustment.
func (c *Service) adjustmentEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	original, err := c.core.Store.Bookings.Adjustment(ctx, asked.Reference)
	if err != nil {
		return approvals.Effect{}, err
	}
	return c.correctAdjustment(ctx, original, caller)
}

func (c *Service) correctAdjustment(ctx context.Context, original player.Adjustment, caller kernel.Caller) (approvals.Effect, error) {
	corrected, err := c.core.Store.Bookings.Corrected(ctx, original.LedgerKey())
	ids := c.newIDs(caller)
	effect := approvals.Effect{
		Item: player.Item{
			Keys:  []player.UniqueKey{player.CorrectionKeyOf(original.LedgerKey())},
			Needs: player.Needs{Tokens: []money.Token{original.Token}},
		},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			if corrected {
				return player.Change{}, errCorrected
			}
			return player.CorrectAdjustment(v, original, closed, ids)
		},
	}
	if original.Kind == player.Assigned {
		effect.Finish = func(ctx context.Context, _ approval.Approval, _ bool) error {
			return c.returnAssigned(ctx, original, caller)
		}
	}
	return effect, err
}

func (c *Service) newIDs(caller kernel.Caller) player.Correction {
	return player.Correction{ID: c.core.Entropy.ID(), AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID}
}

// returnAssigned moves the money of a corrected assignment on to its sender. Until then it
// is in the account of assignments; calling it again completes the move.
func (c *Service) returnAssigned(ctx context.Context, original player.Adjustment, caller kernel.Caller) error {
	ids, at := c.newIDs(caller), c.core.Now()
	_, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: wallet.Address(original.Reference), At: at, Source: player.FromAdmin,
		Keys:  []player.UniqueKey{player.CorrectionKeyOf(original.TakenKey())},
		Needs: player.Needs{Tokens: []money.Token{original.Token}, Unclaimed: true},
		Decide: func(v player.View) (player.Change, error) {
			return player.ReturnAssigned(v, original, caller.Wallet, at, ids)
		},
	})
	if err != nil {
		c.core.Logger.WarnContext(ctx, "a corrected assignment was not returned to its sender: request the correction again", "assignment", original.ID,
			"sender", original.Reference, "token", string(original.Token), "amount", original.Amount, "error", err.Error())
	}
	return err
}

// CapitalRequest asks to reverse the booking of capital under a reference.
type CapitalRequest struct {
	Token       string
	Reference   string
	Reason      string
	Idempotency kernel.Idempotency
}

// RequestCapital asks a second person to approve the reversal of a booking of capital.
// Admins of an agent can't.
func (c *Service) RequestCapital(ctx context.Context, caller kernel.Caller, r CapitalRequest) (approvals.ApprovalResult, error) {
	own, err := c.core.AuthorizeFor(ctx, caller, rbac.BalancesWrite, r.Reason)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	booked, _, found, err := treasury.NewestTopUp(ctx, c.core.Store.Bookings, mint, r.Reference)
	switch {
	case err != nil:
		return approvals.ApprovalResult{}, err
	case !found || own.AgentCode != "":
		return approvals.ApprovalResult{}, fault.New(fault.NotFound, "no capital was booked under this reference")
	}
	effect, err := c.correctCapital(ctx, booked, caller)
	if err != nil {
		return approvals.ApprovalResult{}, err
	}
	return c.approvals.AskFor(ctx, caller, player.CapitalCorrectionRequest(booked, r.Reason), effect, r.Idempotency)
}

// capitalEffect returns the effect of approving the correction of a booking of capital.
func (c *Service) capitalEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	booked, err := c.core.Store.Bookings.Posting(ctx, player.CapitalKeyOf(asked.Request))
	if err != nil {
		return approvals.Effect{}, err
	}
	return c.correctCapital(ctx, booked, caller)
}

func (c *Service) correctCapital(ctx context.Context, booked ledger.Posting, caller kernel.Caller) (approvals.Effect, error) {
	corrected, err := c.core.Store.Bookings.Corrected(ctx, booked.Key)
	ids := c.newIDs(caller)
	return approvals.Effect{
		Item: player.Item{
			Keys: []player.UniqueKey{player.CorrectionKeyOf(booked.Key)},
			Needs: player.Needs{
				Tokens: []money.Token{booked.Transfers[0].Token}, Unclaimed: true, Deposits: []deposit.Ref{player.CapitalDeposit(booked)},
			},
		},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			if corrected {
				return player.Change{}, errCorrected
			}
			return player.CorrectCapital(v, booked, closed, ids)
		},
	}, err
}
