package app

import (
	"context"
	"errors"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// ResolveRequest is a person's word on a deposit in review: whose it is, or with
// an empty Wallet that it is nobody's.
type ResolveRequest struct {
	Signature string
	Token     string
	Wallet    string
	Reason    string
}

// ResolveResult is a deposit after a person's word.
type ResolveResult struct {
	deposit.Ref
	Status deposit.Status // Credited or Rejected
	Wallet wallet.Address // of Credited
	Amount money.Amount   // of Credited
	// Approval is the request that waits for a second person; Status is empty then.
	Approval *approval.Approval
}

// ResolveDeposit decides a deposit in review. With a wallet it asks for what the
// treasury received by the transaction to be credited to that player, which another
// person must agree to; without one, everybody's claims to it are declined at once.
// Deciding again as it was decided is harmless.
func (c *Casino) ResolveDeposit(ctx context.Context, caller Caller, r ResolveRequest) (ResolveResult, error) {
	if _, err := c.Authorize(ctx, caller, rbac.BalancesWrite); err != nil {
		return ResolveResult{}, err
	}
	ref, terms, owner, err := c.resolution(r)
	if err != nil {
		return ResolveResult{}, err
	}
	claims, err := c.store.Deposits.ClaimsOf(ctx, ref)
	if err != nil {
		return ResolveResult{}, err
	}
	parked, err := c.store.ParkedDeposits.Parked(ctx, ref)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return ResolveResult{}, err
	}
	if done, err := reviewed(ref, owner, claims, parked); err != nil || done.Status != "" {
		return done, err
	}
	word := player.Resolution{
		By: caller.Wallet, Policy: c.Policy, Reason: r.Reason, RequestID: caller.RequestID, At: c.now(),
	}
	if owner == "" {
		return c.declineDeposit(ctx, ref, claims, parked, word)
	}
	if _, err := c.arrived(ctx, ref, terms); err != nil {
		return ResolveResult{}, err
	}
	asked, err := c.ask(ctx, caller, approval.Request{
		Kind: approval.DepositResolution, Wallet: owner, Token: ref.Token, Signature: ref.Signature, Reason: r.Reason,
	}, Idempotency{})
	return ResolveResult{Ref: ref, Approval: &asked.Approval}, err
}

// resolution checks the request's fields.
func (c *Casino) resolution(r ResolveRequest) (ref deposit.Ref, terms token.Terms, owner wallet.Address, err error) {
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
	if err := checkReason(r.Reason); err != nil {
		return ref, terms, "", err
	}
	terms, err = c.Tokens.Known(mint)
	return deposit.Ref{Signature: r.Signature, Token: mint}, terms, owner, err
}

// reviewed finds out whether there is anything to decide: an answer when it was
// decided so before, a refusal when it can't be.
func reviewed(ref deposit.Ref, owner wallet.Address, claims []deposit.Claim, parked deposit.Parked) (ResolveResult, error) {
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
				return ResolveResult{}, errDepositTaken
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

var errDepositTaken = fault.New(fault.DepositTaken, "this transaction was credited to another player")

// creditOf carries out what two persons agreed on: what the treasury received by
// the transaction, asked of the chain again, is credited to the player.
func (c *Casino) creditOf(ctx context.Context, asked approval.Approval, caller Caller) (player.Item, carriesOut,
	func(context.Context) error, error) {
	ref := deposit.Ref{Signature: asked.Signature, Token: asked.Token}
	terms, err := c.Tokens.Known(ref.Token)
	if err != nil {
		return player.Item{}, nil, nil, err
	}
	amount, err := c.arrived(ctx, ref, terms)
	if err != nil {
		return player.Item{}, nil, nil, err
	}
	word := player.Resolution{
		By: caller.Wallet, First: asked.By, Policy: c.Policy, Reason: asked.Reason, AuditID: c.Entropy.ID(),
		RequestID: caller.RequestID, At: c.now(),
	}
	fresh := deposit.Claim{
		ID: c.Entropy.ID(), Wallet: asked.Wallet, Ref: ref, Status: deposit.Review, CreatedAt: word.At, UpdatedAt: word.At,
	}
	carryOut := func(v player.View, _ approval.Approval) (player.Change, error) {
		return player.ResolveDeposit(v, fresh, amount, word)
	}
	finish := func(ctx context.Context) error {
		// What is left is for the reconciliation and for whoever looks; the credit stands.
		claims, err := c.store.Deposits.ClaimsOf(ctx, ref)
		left := []error{err, c.store.ParkedDeposits.Unpark(ctx, ref)}
		for _, claim := range claims {
			if claim.Wallet != asked.Wallet {
				left = append(left, c.declineClaim(ctx, claim, word))
			}
		}
		if err := errors.Join(left...); err != nil {
			c.Logger.WarnContext(ctx, "other claims to a resolved deposit are still open", "signature", ref.Signature, "error", err.Error())
		}
		return nil
	}
	return player.Item{Keys: creditClaims(ref), Needs: resolveNeeds(ref, word)}, carryOut, finish, nil
}

// arrived is what the treasury received by a transaction.
func (c *Casino) arrived(ctx context.Context, ref deposit.Ref, terms token.Terms) (money.Amount, error) {
	treasury, err := c.chain.Treasury(terms)
	if err != nil {
		return 0, err
	}
	seen, err := c.chain.Observe(ctx, ref.Signature)
	if err != nil {
		return 0, err
	}
	amount, why := deposit.Arrived(seen, terms, treasury)
	if why != deposit.NoReason {
		return 0, fault.New(fault.DepositRejected, "the transaction brought the treasury nothing: %s", why.Describe()).With("reason", string(why))
	}
	return amount, nil
}

func resolveNeeds(ref deposit.Ref, word player.Resolution) player.Needs {
	return player.Needs{
		Tokens: []money.Token{ref.Token}, Deposits: []deposit.Ref{ref}, Open: true, Roles: []wallet.Address{word.By},
	}
}

// declineDeposit ends every claim in review; a transaction that only the watcher
// met is kept as declined, so that its money stays explained.
func (c *Casino) declineDeposit(ctx context.Context, ref deposit.Ref, claims []deposit.Claim, parked deposit.Parked,
	word player.Resolution) (ResolveResult, error) {
	declined := 0
	for _, claim := range claims {
		if claim.Status != deposit.Review {
			continue
		}
		if err := c.declineClaim(ctx, claim, word); err != nil {
			return ResolveResult{}, err
		}
		declined++
	}
	if declined == 0 {
		word.AuditID = c.Entropy.ID()
		_, err := c.store.Writer.Commit(ctx, player.Item{
			Wallet: word.By,
			Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: word.AuditID}},
			Needs:  player.Needs{Roles: []wallet.Address{word.By}},
			At:     word.At,
			Decide: func(v player.View) (player.Change, error) { return player.DeclineParked(v, ref, word) },
		})
		if err != nil {
			return ResolveResult{}, err
		}
	}
	if parked.Status == deposit.Review {
		if err := c.store.ParkedDeposits.Park(ctx, parked.Ended(deposit.Rejected, deposit.Declined, parked.Amount)); err != nil {
			return ResolveResult{}, err
		}
	}
	return ResolveResult{Ref: ref, Status: deposit.Rejected}, nil
}

// declineClaim ends one player's claim in review; one that isn't any more is as
// it should be.
func (c *Casino) declineClaim(ctx context.Context, claim deposit.Claim, word player.Resolution) error {
	if claim.Status != deposit.Review {
		return nil
	}
	word.AuditID = c.Entropy.ID()
	_, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: claim.Wallet,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: word.AuditID}},
		Needs:  resolveNeeds(claim.Ref, word),
		At:     word.At,
		Decide: func(v player.View) (player.Change, error) { return player.DeclineDeposit(v, claim.Ref, word) },
	})
	return overtaken(err)
}
