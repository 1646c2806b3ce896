package app

import (
	"context"
	"errors"
	"math"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Authorize returns the caller's role assignment when it has the permission,
// else AdminForbidden. It reads the role now: nothing is cached.
func (c *Casino) Authorize(ctx context.Context, caller Caller, permission rbac.Permission) (rbac.Assignment, error) {
	assignment, err := c.store.Roles.Role(ctx, caller.Wallet)
	if errors.Is(err, rbac.ErrForged) {
		c.alarms.raise(ctx, alarm.RolesForged, "roles")
	} else if err == nil {
		c.alarms.over(ctx, alarm.RolesForged, "roles")
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return rbac.Assignment{}, err
	}
	return assignment, c.Policy.Check(assignment, permission)
}

// Reauthorize is Authorize, and AdminForbidden when the role or its scope isn't the one under
// which something was begun.
func (c *Casino) Reauthorize(ctx context.Context, caller Caller, permission rbac.Permission, begun rbac.Assignment) error {
	now, err := c.Authorize(ctx, caller, permission)
	if err == nil && (now.Role != begun.Role || now.AgentCode != begun.AgentCode) {
		err = fault.New(fault.AdminForbidden, "the role was changed").With("permission", string(permission))
	}
	return err
}

// Identity is an admin: a wallet's role assignment, and the role with its level and
// permissions.
type Identity struct {
	rbac.Assignment
	Role rbac.Role
}

// AdminMe returns the caller's role with its level and permissions.
func (c *Casino) AdminMe(ctx context.Context, caller Caller) (Identity, error) {
	assignment, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return Identity{}, err
	}
	return c.identity(assignment), nil
}

// AdjustmentRequest is an admin's credit (positive amount) or debit (negative).
type AdjustmentRequest struct {
	User        string
	Token       string
	Amount      int64
	Reason      string
	Idempotency Idempotency
}

// AdjustResult is the adjustment and the balance after it. For a credit above the
// token's threshold it is instead the approval request that waits for a second person;
// Adjustment is empty then.
type AdjustResult struct {
	Adjustment player.Adjustment
	Approval   *approval.Approval
	Balance    money.Amount
	Replayed   bool
}

// AdjustBalance credits or debits a player's balance. Credits above the token's
// threshold, counted over a day per player and per admin, are not booked: they become a
// request that a second person decides.
func (c *Casino) AdjustBalance(ctx context.Context, caller Caller, r AdjustmentRequest) (AdjustResult, error) {
	if _, err := c.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return AdjustResult{}, err
	}
	request, refusal, err := c.adjustment(caller, r)
	if err != nil {
		return AdjustResult{}, err
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: request.Wallet,
		// Whether it books or requests is decided under lock, so neither's own id can be
		// the unique key.
		Keys: r.Idempotency.keys(caller.Wallet, player.OperationKey, request.ApprovalID),
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
		return AdjustResult{}, err
	}
	answer := AdjustResult{Approval: receipt.Change.Approval, Balance: receipt.Change.Balance, Replayed: receipt.Replayed}
	switch {
	case receipt.Change.Adjustment != nil:
		answer.Adjustment = *receipt.Change.Adjustment
	case answer.Approval == nil:
		return AdjustResult{}, errResultLost
	}
	return answer, nil
}

// adjustment checks the request's fields. A user that can't be a wallet is NotFound: no
// player has such a path.
func (c *Casino) adjustment(caller Caller, r AdjustmentRequest) (w player.AdjustmentRequest, refusal, err error) {
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return w, nil, err
	}
	if r.Amount == 0 || r.Amount == math.MinInt64 {
		return w, nil, fault.Field("amount", "must be an integer other than 0 within ±9223372036854775807")
	}
	if err := checkReason(r.Reason); err != nil {
		return w, nil, err
	}
	address, err := wallet.Parse(r.User)
	if err != nil {
		return w, nil, fault.New(fault.NotFound, "no such player")
	}
	w = player.AdjustmentRequest{
		Adjustment: player.Adjustment{
			ID: c.Entropy.ID(), Wallet: address, Token: mint, Amount: r.Amount, Reason: r.Reason, By: caller.Wallet, At: c.now(),
		},
		Policy: c.Policy, ApprovalID: c.Entropy.ID(), AuditID: c.Entropy.ID(), RequestID: caller.RequestID,
	}
	w.Terms, refusal = c.Tokens.Known(mint)
	return w, refusal, nil
}

// adjustEffect returns what approving a large adjustment does.
func (c *Casino) adjustEffect(_ context.Context, asked approval.Approval, caller Caller) (Effect, error) {
	id, auditID := c.Entropy.ID(), c.Entropy.ID()
	return Effect{
		Item: player.Item{Needs: player.Needs{Tokens: []money.Token{asked.Token}}},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			return player.AdjustApproved(v, closed, id, auditID, caller.RequestID)
		},
	}, nil
}
