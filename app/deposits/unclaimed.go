package deposits

import (
	"context"
	"errors"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// UnclaimedBalances lists the deposits of wallets that never signed in. They belong to no
// agent, so a role bound to an agent sees none.
func (c *Service) UnclaimedBalances(ctx context.Context, caller kernel.Caller, filter ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || own.AgentCode != "" {
		return ports.UnclaimedPage{}, err
	}
	return c.core.Store.Unclaimed.UnclaimedBalances(ctx, filter, page)
}

// AssignRequest assigns unclaimed money of the wallet Sender to the player To. Evidence
// describes the proof that the player owns it.
type AssignRequest struct {
	Sender, To, Token string
	Amount            money.Amount
	Reason, Evidence  string
}

// AssignUnclaimed moves unclaimed money of a wallet that never signed in, such as an
// exchange's, to a player. Above the token's threshold of credits it becomes a request for
// a second person. Until that is decided, other requests about the same balance are
// refused. Repeating the same request is harmless, and completes an interrupted one.
func (c *Service) AssignUnclaimed(ctx context.Context, caller kernel.Caller, r AssignRequest) (approvals.AdjustResult, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return approvals.AdjustResult{}, err
	}
	request, err := assignRequest(r)
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	a, err := c.newAssignment(request, caller, "")
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	earlier, err := c.openAssignment(ctx, request)
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	authorized, err := c.authorizeAssignment(ctx, a, earlier)
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	_, err = c.core.Store.Writer.Commit(ctx, authorized.Alone())
	if errors.Is(err, player.ErrTwoPersons) {
		if earlier != nil {
			return approvals.AdjustResult{Approval: earlier}, nil
		}
		asked, err := c.approvals.Ask(ctx, caller, request, kernel.Idempotency{})
		return approvals.AdjustResult{Approval: &asked.Approval}, err
	}
	if err != nil {
		return approvals.AdjustResult{}, err
	}
	return c.moveUnclaimed(ctx, a)
}

// assignRequest checks the fields.
func assignRequest(r AssignRequest) (approval.Request, error) {
	sender, err := wallet.Parse(r.Sender)
	if err != nil {
		return approval.Request{}, err
	}
	to, err := wallet.Parse(r.To)
	if err != nil || to == sender {
		return approval.Request{}, fault.Field("to", "must be the wallet of another player")
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return approval.Request{}, err
	}
	if r.Amount <= 0 {
		return approval.Request{}, fault.Field("amount", "must be from 1 to 9223372036854775807")
	}
	if err := kernel.CheckReason(r.Reason); err != nil {
		return approval.Request{}, err
	}
	if err := kernel.CheckText("evidence", r.Evidence); err != nil {
		return approval.Request{}, err
	}
	a := player.Assignment{
		Adjustment: player.Adjustment{Wallet: to, Token: mint, Amount: int64(r.Amount), Reason: r.Reason + "; evidence: " + r.Evidence}, Sender: sender,
	}
	return a.Request(), nil
}

// newAssignment returns the assignment of a request. If two persons decide, first is the
// one who made the request.
func (c *Service) newAssignment(r approval.Request, caller kernel.Caller, first wallet.Address) (*player.Assignment, error) {
	terms, err := c.core.Tokens.Known(r.Token)
	return &player.Assignment{
		Adjustment: player.Adjustment{
			ID: c.core.Entropy.ID(), Kind: player.Assigned, Wallet: r.Wallet, Token: r.Token, Amount: r.Amount, Reason: r.Reason,
			By: caller.Wallet, At: c.core.Now(), Reference: r.Reference,
		},
		Sender: wallet.Address(r.Reference), First: first, Terms: terms, Policy: c.core.Policy, RequestID: caller.RequestID,
	}, err
}

// openAssignment returns the earliest open request about the same unclaimed balance, or
// nil.
func (c *Service) openAssignment(ctx context.Context, r approval.Request) (earliest *approval.Approval, err error) {
	for page := (ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := c.core.Store.Approvals.OpenApprovals(ctx, ports.ApprovalFilter{Now: c.core.Now()}, page)
		if err != nil {
			return nil, err
		}
		for i, open := range found.Approvals { // newest first
			if open.Kind == r.Kind && open.Reference == r.Reference && open.Token == r.Token {
				earliest = &found.Approvals[i]
			}
		}
		if page.After = found.Next; page.After == "" {
			return earliest, nil
		}
	}
}

// assignEffect returns the effect of approving an assignment. A repeat completes an
// interrupted one.
func (c *Service) assignEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	a, err := c.newAssignment(asked.Request, caller, asked.By)
	if err != nil {
		return approvals.Effect{}, err
	}
	earlier, err := c.openAssignment(ctx, asked.Request)
	if err != nil {
		return approvals.Effect{}, err
	}
	effect, err := c.authorizeAssignment(ctx, a, earlier)
	effect.Finish = func(ctx context.Context, _ approval.Approval, _ bool) error {
		_, err := c.moveUnclaimed(ctx, a)
		return err
	}
	return effect, err
}

// authorizeAssignment returns the effect that authorizes an assignment. It checks the
// present unclaimed amount, and that no earlier request about it is open, except this one.
func (c *Service) authorizeAssignment(ctx context.Context, a *player.Assignment, earlier *approval.Approval) (approvals.Effect, error) {
	filter := ports.UnclaimedFilter{Wallet: a.Sender, Token: a.Token}
	found, err := c.core.Store.Unclaimed.UnclaimedBalances(ctx, filter, ports.Page{Number: 1, Limit: 1})
	if err != nil {
		return approvals.Effect{}, err
	}
	unclaimed := money.Amount(0)
	for _, b := range found.Balances {
		unclaimed = b.Amount
	}
	return approvals.Effect{
		Item: player.Item{
			Wallet: a.Wallet, At: a.At, Source: player.FromAdmin, Keys: []player.UniqueKey{a.Key("authorized")},
			Needs: player.Needs{
				Tokens: []money.Token{a.Token}, Roles: []wallet.Address{a.By}, Votes: &player.VotesNeed{Token: a.Token, By: a.By, At: a.At},
			},
		},
		CarryOut: func(v player.View, closed approval.Approval) (player.Change, error) {
			change, err := a.Authorize(v)
			if err != nil && !errors.Is(err, player.ErrTwoPersons) {
				return change, err
			}
			if unclaimed < money.Amount(a.Amount) {
				return change, player.ErrNotUnclaimed(unclaimed)
			}
			if earlier != nil && earlier.ID != closed.ID && (err == nil || earlier.Request != a.Request()) {
				return change, player.ErrAssignmentOpen(earlier.ID)
			}
			return change, err
		},
	}, nil
}

// moveUnclaimed moves the money of an authorized assignment in two commits. Between them
// the money is in the account of assignments; calling it again completes the move.
func (c *Service) moveUnclaimed(ctx context.Context, a *player.Assignment) (approvals.AdjustResult, error) {
	taken, credited := c.core.Entropy.ID(), c.core.Entropy.ID()
	if _, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: a.Sender, At: a.At, Source: player.FromAdmin, Keys: []player.UniqueKey{a.Key("taken")},
		Needs:  player.Needs{Unclaimed: true},
		Decide: func(v player.View) (player.Change, error) { return a.Take(v, taken) },
	}); err != nil {
		return approvals.AdjustResult{}, err
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: a.Wallet, At: a.At, Source: player.FromAdmin, Keys: []player.UniqueKey{a.Key("credited")},
		Needs:  player.Needs{Tokens: []money.Token{a.Token}},
		Decide: func(v player.View) (player.Change, error) { return a.Credit(v, credited) },
	})
	if err == nil && receipt.Change.Adjustment == nil {
		err = kernel.ErrResultLost
	}
	if err != nil {
		c.core.Logger.WarnContext(ctx, "unclaimed money was taken but not credited: repeat the request", "sender", string(a.Sender), "to", string(a.Wallet),
			"token", string(a.Token), "amount", a.Amount, "error", err.Error())
		return approvals.AdjustResult{}, err
	}
	return approvals.AdjustResult{Adjustment: *receipt.Change.Adjustment, Balance: receipt.Change.Balance, Replayed: receipt.Replayed}, nil
}
