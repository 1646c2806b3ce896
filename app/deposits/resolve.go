package deposits

import (
	"context"
	"errors"
	"slices"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// ResolveRequest decides a deposit in review: it names the player to credit; an empty
// Wallet declines the deposit.
type ResolveRequest struct {
	Signature string
	Token     string
	Wallet    string
	Reason    string
}

// ResolveResult is a deposit after an admin's decision.
type ResolveResult struct {
	deposit.Ref
	Status deposit.Status // Credited or Rejected
	Wallet wallet.Address // if Credited
	Amount money.Amount   // if Credited
	// Approval is the request that waits for a second person, otherwise nil. Status is empty
	// while it waits.
	Approval *approval.Approval
}

// ResolveDeposit decides a deposit in review. With a wallet it credits the amount that the
// treasury received to that player; above the token's threshold of credits it makes a
// request that a second person must approve. Without a wallet it declines all players'
// claims to the transaction at once. Repeating the same decision is harmless.
func (c *Service) ResolveDeposit(ctx context.Context, caller kernel.Caller, r ResolveRequest) (ResolveResult, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return ResolveResult{}, err
	}
	ref, terms, owner, err := c.checkResolution(r)
	if err != nil {
		return ResolveResult{}, err
	}
	claims, err := c.core.Store.Deposits.ClaimsOf(ctx, ref)
	if err != nil {
		return ResolveResult{}, err
	}
	parked, err := c.core.Store.ParkedDeposits.Parked(ctx, ref)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return ResolveResult{}, err
	}
	if done, err := isInReview(ref, owner, claims, parked); err != nil || done.Status != "" {
		return done, err
	}
	decision := player.DepositDecision{
		By: caller.Wallet, Policy: c.core.Policy, Reason: r.Reason, RequestID: caller.RequestID, At: c.core.Now(),
	}
	if owner == "" {
		return c.declineDeposit(ctx, ref, claims, parked, decision)
	}
	amount, err := c.receivedAmount(ctx, ref, terms)
	if err != nil {
		return ResolveResult{}, err
	}
	wanted := approval.Request{
		Kind: approval.DepositResolution, Wallet: owner, Token: ref.Token, Amount: int64(amount), Reference: ref.Signature, Reason: r.Reason,
	}
	if isScreened(claims, parked) { // only two persons overrule a screener
		asked, err := c.approvals.Ask(ctx, caller, wanted, kernel.Idempotency{})
		return ResolveResult{Ref: ref, Approval: &asked.Approval}, err
	}
	decision.Terms, decision.AuditID = terms, c.core.Entropy.ID()
	credit := c.creditEffect(owner, ref, amount, decision)
	item := credit.Alone()
	item.Wallet, item.At, item.Source = owner, decision.At, player.FromAdmin
	item.Needs.Votes = &player.VotesNeed{Token: ref.Token, By: caller.Wallet, At: decision.At}
	receipt, err := c.core.Store.Writer.Commit(ctx, item)
	switch {
	case errors.Is(err, player.ErrTwoPersons):
		asked, err := c.approvals.Ask(ctx, caller, wanted, kernel.Idempotency{})
		return ResolveResult{Ref: ref, Approval: &asked.Approval}, err
	case err != nil:
		return ResolveResult{}, err
	case receipt.Replayed && receipt.Holder.Wallet != owner:
		return ResolveResult{}, kernel.ErrDepositTaken
	}
	return ResolveResult{Ref: ref, Status: deposit.Credited, Wallet: owner, Amount: amount}, credit.Finish(ctx, approval.Approval{}, false)
}

func isScreened(claims []deposit.Claim, parked deposit.Parked) bool {
	return parked.Reason == deposit.Screened || slices.ContainsFunc(claims, func(c deposit.Claim) bool { return c.Reason == string(deposit.Screened) })
}

// checkResolution checks the request's fields.
func (c *Service) checkResolution(r ResolveRequest) (ref deposit.Ref, terms token.Terms, owner wallet.Address, err error) {
	if err := deposit.CheckSignature(r.Signature); err != nil {
		return ref, terms, "", err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return ref, terms, "", err
	}
	if r.Wallet != "" {
		if owner, err = wallet.Parse(r.Wallet); err != nil {
			return ref, terms, "", err
		}
	}
	if err := kernel.CheckReason(r.Reason); err != nil {
		return ref, terms, "", err
	}
	terms, err = c.core.Tokens.Known(mint)
	return deposit.Ref{Signature: r.Signature, Token: mint}, terms, owner, err
}

// isInReview returns an empty result if the deposit can be decided, the earlier result if
// it was already decided in the same way, and otherwise an error.
func isInReview(ref deposit.Ref, owner wallet.Address, claims []deposit.Claim, parked deposit.Parked) (ResolveResult, error) {
	waits := parked.Status == deposit.Review
	latest := parked.Status
	for _, claim := range claims {
		waits = waits || claim.Status == deposit.Review
		latest = claim.Status
		if claim.Status == deposit.Credited {
			if claim.Wallet == owner {
				return ResolveResult{Ref: ref, Status: claim.Status, Wallet: owner, Amount: claim.Amount}, nil
			}
			if owner != "" {
				return ResolveResult{}, kernel.ErrDepositTaken
			}
		}
	}
	switch {
	case waits:
		return ResolveResult{}, nil
	case latest == "":
		return ResolveResult{}, fault.New(fault.NotFound, "no deposit of transaction %q is known", ref.Signature)
	case owner == "" && latest == deposit.Rejected:
		return ResolveResult{Ref: ref, Status: deposit.Rejected}, nil
	}
	return ResolveResult{}, fault.New(fault.InvalidState, "the deposit is not in review").With("status", string(latest))
}

// creditOf returns the effect of an approved request: it reads the amount that the treasury
// received from the chain again and credits it to the player.
func (c *Service) creditOf(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	ref := deposit.Ref{Signature: asked.Reference, Token: asked.Token}
	terms, err := c.core.Tokens.Known(ref.Token)
	if err != nil {
		return approvals.Effect{}, err
	}
	amount, err := c.receivedAmount(ctx, ref, terms)
	if err != nil {
		return approvals.Effect{}, err
	}
	if int64(amount) != asked.Amount {
		return approvals.Effect{}, fault.New(fault.InvalidState, "the treasury received %d base units, but the request names %d: reject the request", amount, asked.Amount)
	}
	decision := player.DepositDecision{
		By: caller.Wallet, First: asked.By, Policy: c.core.Policy, Reason: asked.Reason, AuditID: c.core.Entropy.ID(),
		RequestID: caller.RequestID, At: c.core.Now(),
	}
	return c.creditEffect(asked.Wallet, ref, amount, decision), nil
}

// creditEffect returns the effect of crediting a deposit to a player. Its Finish declines
// the other players' claims.
func (c *Service) creditEffect(owner wallet.Address, ref deposit.Ref, amount money.Amount, decision player.DepositDecision) approvals.Effect {
	fresh := deposit.Claim{
		ID: c.core.Entropy.ID(), Wallet: owner, Ref: ref, Status: deposit.Review, CreatedAt: decision.At, UpdatedAt: decision.At,
	}
	carryOut := func(v player.View, _ approval.Approval) (player.Change, error) {
		return player.ResolveDeposit(v, fresh, amount, decision)
	}
	finish := func(ctx context.Context, _ approval.Approval, replayed bool) error {
		if replayed {
			return nil
		}
		// Claims that remain after an error stay open for the reconciliation; the log names
		// them. The credit stays booked.
		claims, err := c.core.Store.Deposits.ClaimsOf(ctx, ref)
		left := []error{err, c.core.Store.ParkedDeposits.Unpark(ctx, ref)}
		for _, claim := range claims {
			if claim.Wallet != owner {
				left = append(left, c.declineClaim(ctx, claim, decision))
			}
		}
		if err := errors.Join(left...); err != nil {
			c.core.Logger.WarnContext(ctx, "other claims to a resolved deposit are still open", "signature", ref.Signature, "error", err.Error())
		}
		return nil
	}
	return approvals.Effect{Item: player.Item{Keys: kernel.CreditKeys(ref), Needs: resolveNeeds(ref, decision)}, CarryOut: carryOut, Finish: finish}
}

// receivedAmount returns the amount that the treasury received, in base units.
func (c *Service) receivedAmount(ctx context.Context, ref deposit.Ref, terms token.Terms) (money.Amount, error) {
	treasury, err := c.core.Chain.Treasury(terms)
	if err != nil {
		return 0, err
	}
	seen, err := c.core.Chain.Observe(ctx, ref.Signature)
	if err != nil {
		return 0, err
	}
	amount, why := deposit.Arrived(seen, terms, treasury)
	if why != deposit.NoReason {
		return 0, fault.New(fault.DepositRejected, "the treasury received nothing by the transaction: %s", why.Describe()).With("reason", string(why))
	}
	return amount, nil
}

func resolveNeeds(ref deposit.Ref, decision player.DepositDecision) player.Needs {
	return player.Needs{
		Tokens: []money.Token{ref.Token}, Deposits: []deposit.Ref{ref}, Open: true, Roles: []wallet.Address{decision.By},
	}
}

// declineDeposit declines every claim in review. A transaction without claims is kept as
// declined, so that the treasury's balance stays explained.
func (c *Service) declineDeposit(ctx context.Context, ref deposit.Ref, claims []deposit.Claim, parked deposit.Parked,
	decision player.DepositDecision) (ResolveResult, error) {
	declined := 0
	for _, claim := range claims {
		if claim.Status != deposit.Review {
			continue
		}
		if err := c.declineClaim(ctx, claim, decision); err != nil {
			return ResolveResult{}, err
		}
		declined++
	}
	if declined == 0 {
		decision.AuditID = c.core.Entropy.ID()
		_, err := c.core.Store.Writer.Commit(ctx, player.Item{
			Wallet: decision.By,
			Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: decision.AuditID}},
			Needs:  player.Needs{Roles: []wallet.Address{decision.By}},
			At:     decision.At, Source: player.FromAdmin,
			Decide: func(v player.View) (player.Change, error) { return player.DeclineParked(v, ref, decision) },
		})
		if err != nil {
			return ResolveResult{}, err
		}
	}
	if parked.Status == deposit.Review {
		if err := c.core.Store.ParkedDeposits.Park(ctx, parked.Close(deposit.Rejected, deposit.Declined, parked.Amount)); err != nil {
			return ResolveResult{}, err
		}
	}
	return ResolveResult{Ref: ref, Status: deposit.Rejected}, nil
}

// declineClaim declines one player's claim, if it is still in review.
func (c *Service) declineClaim(ctx context.Context, claim deposit.Claim, decision player.DepositDecision) error {
	if claim.Status != deposit.Review {
		return nil
	}
	decision.AuditID = c.core.Entropy.ID()
	_, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: claim.Wallet,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: decision.AuditID}},
		Needs:  resolveNeeds(claim.Ref, decision),
		At:     decision.At, Source: player.FromAdmin,
		Decide: func(v player.View) (player.Change, error) { return player.DeclineDeposit(v, claim.Ref, decision) },
	})
	return kernel.Overtaken(err)
}
