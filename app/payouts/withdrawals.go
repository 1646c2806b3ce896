// Package payouts accepts withdrawals, lets admins decide on them, and pays them on chain.
package payouts

import (
	"context"
	"errors"
	"net/netip"
	"unicode/utf8"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of withdrawals and payouts. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	deposits  *deposits.Service
	signed    ports.TreasuryHistory
}

// New returns the use cases of withdrawals and payouts. Signed reads the treasury's
// transactions from the chain; nil if the service can't.
func New(core *kernel.Kernel, requests *approvals.Service, deposits *deposits.Service, signed ports.TreasuryHistory) *Service {
	c := &Service{core, requests, deposits, signed}
	requests.Register(approval.PayoutsResume, c.resumeEffect)
	return c
}

// WithdrawalDetails is a withdrawal with the data that admins need to decide on it.
type WithdrawalDetails struct {
	withdrawal.Withdrawal
	// Treasury is the paying wallet, which is part of the signed text.
	Treasury string
	// SignatureRequired reports whether an approval needs its admin's signature.
	SignatureRequired bool
}

// AdminWithdrawal returns one withdrawal with its approvals. While it is pending, only
// approvals that still count are returned. A withdrawal of a player outside the caller's
// scope is NotFound.
func (c *Service) AdminWithdrawal(ctx context.Context, caller kernel.Caller, id string) (WithdrawalDetails, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return WithdrawalDetails{}, err
	}
	found, err := c.core.Store.Withdrawals.Withdrawal(ctx, id)
	if err != nil {
		return WithdrawalDetails{}, err
	}
	if own.AgentCode != "" {
		switch owner, err := c.core.Store.Players.Player(ctx, found.Wallet); {
		case err != nil:
			return WithdrawalDetails{}, err
		case owner.Agent != own.AgentCode:
			return WithdrawalDetails{}, fault.New(fault.NotFound, "no withdrawal %q", id)
		}
	}
	if found.Status == withdrawal.Pending {
		if found.Approvals, err = c.standingApprovals(ctx, found); err != nil {
			return WithdrawalDetails{}, err
		}
	}
	return WithdrawalDetails{found, c.core.Chain.TreasuryAddress(), c.core.Settings.SignedApprovals}, nil
}

// standingApprovals returns the approvals of a pending withdrawal that count in the next
// decision. Approvals of admins with a revoked or too recent role are void.
func (c *Service) standingApprovals(ctx context.Context, w withdrawal.Withdrawal) ([]withdrawal.Approval, error) {
	if len(w.Approvals) == 0 {
		return nil, nil
	}
	seen, err := c.viewOf(ctx, w)
	return player.Standing(seen, seen.Withdrawals[w.ID], c.core.Policy, c.signingRules()), err
}

// viewOf reads the present state of a withdrawal, its player, and the roles of its
// approvers.
func (c *Service) viewOf(ctx context.Context, w withdrawal.Withdrawal) (seen player.View, err error) {
	if seen.Player, err = c.core.Store.Players.Player(ctx, w.Wallet); err != nil {
		return seen, err
	}
	if w, err = c.core.Store.Withdrawals.Withdrawal(ctx, w.ID); err != nil {
		return seen, err
	}
	seen.Withdrawals, seen.Roles = map[string]withdrawal.Withdrawal{w.ID: w}, map[wallet.Address]rbac.Assignment{}
	for _, by := range player.ApproverNeeds(w) {
		if seen.Roles[by], err = c.core.Store.Roles.Role(ctx, by); err != nil && !fault.Is(err, fault.NotFound) {
			return seen, err
		}
	}
	return seen, nil
}

// WithdrawalRequest is a requested withdrawal, unchecked.
type WithdrawalRequest struct {
	Amount      int64
	Token       string
	Destination string
	Idempotency kernel.Idempotency
}

// WithdrawalResult is a withdrawal, and the player's balance of its token after the call.
type WithdrawalResult struct {
	Withdrawal withdrawal.Withdrawal
	Balance    money.Amount
	Replayed   bool
	Committed  kernel.Committed
}

// Withdraw moves the amount from the caller's balance into a hold, and requests that it be
// paid to the destination. It sends no request to the chain: the MintWorker keeps the
// minimum of a new account, and the payout worker checks the chain before it signs.
func (c *Service) Withdraw(ctx context.Context, caller kernel.Caller, r WithdrawalRequest) (WithdrawalResult, error) {
	amount, err := kernel.ParseAmount("amount", r.Amount)
	if err != nil {
		return WithdrawalResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return WithdrawalResult{}, err
	}
	terms, refusal := c.core.Tokens.Known(mint)
	request := player.WithdrawalRequest{
		ID: c.core.Entropy.ID(), Terms: c.deposits.Withdrawable(terms), Amount: amount, At: c.core.Now(),
		Destination: withdrawal.Destination{
			Address: r.Destination, Reserved: c.core.Chain.Reserved(r.Destination), OwnOnly: c.core.Settings.WithdrawOwnOnly,
		},
		Seals: c.core.Seals,
	}
	decision, err := c.screen(ctx, admission.Withdrawal, withdrawal.Withdrawal{ID: request.ID, Wallet: caller.Wallet, Destination: r.Destination}, caller.Remote)
	if errors.Is(err, kernel.ErrUnscreened) && refusal == nil { // a repeated request still gets its first answer
		refusal, err = err, nil
	}
	if err != nil {
		return WithdrawalResult{}, err
	}
	return c.withdrawalStep(ctx, player.Item{
		Wallet: caller.Wallet,
		Keys:   r.Idempotency.Keys(caller.Wallet, player.WithdrawalKey, request.ID),
		Needs:  player.Needs{Tokens: []money.Token{mint}, Open: true},
		At:     request.At,
		Decide: c.core.Screening.Recorded(decision, caller.RequestID, func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			if decision.Verdict == admission.Deny {
				return player.Change{}, decision.Refusal()
			}
			return player.Withdraw(v, request)
		}),
	})
}

// screen asks whether a withdrawal may be paid to its destination.
func (c *Service) screen(ctx context.Context, at admission.Point, w withdrawal.Withdrawal, remote netip.Addr) (admission.Decision, error) {
	if !c.core.Screening.At(at) {
		return admission.Decision{Verdict: admission.Allow}, nil
	}
	d, err := c.core.Screening.Ask(ctx, admission.Subject{Point: at, Wallet: w.Wallet, Remote: remote, Address: w.Destination, ID: w.ID})
	if err == nil && (at == admission.Payout || d.Verdict == admission.Deny) { // others are recorded with the request
		err = c.core.Screening.Record(ctx, d, "")
	}
	return d, err
}

// CancelWithdrawal cancels a withdrawal of the caller that is pending, or that is approved
// but can never be paid. The money returns to the balance.
func (c *Service) CancelWithdrawal(ctx context.Context, caller kernel.Caller, id string) (WithdrawalResult, error) {
	w, err := c.core.Store.Withdrawals.Withdrawal(ctx, id)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if w.Wallet != caller.Wallet {
		return WithdrawalResult{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	if c.core.Settings.NoWithdrawCancel && w.Status == withdrawal.Pending { // withdrawals that can never be paid are cancelled anyway
		return WithdrawalResult{}, fault.New(fault.Forbidden, "players can't cancel withdrawals on this service")
	}
	now := c.core.Now()
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.At = now
	item.Decide = func(v player.View) (player.Change, error) { return player.Cancel(v, id, now) }
	return c.withdrawalStep(ctx, item)
}

// WithdrawalDecision is an admin's decision on a withdrawal.
type WithdrawalDecision struct {
	ID string
	// Note belongs to an approval and may be empty; Reason belongs to a rejection and may
	// not.
	Note, Reason string
	// Signature is the admin wallet's signature for an approval: 64 bytes over
	// withdrawal.ApprovalMessage with Timestamp; nil if there is none.
	Signature   []byte
	Timestamp   int64
	Idempotency kernel.Idempotency
}

// ApproveWithdrawal adds the caller's vote to a pending or failed withdrawal, which is
// approved once it has the votes that its amount needs. Settings.SignedApprovals requires
// the caller's signature. A given signature is always verified, in the commit, so that a
// repeated request gets its first answer however late it comes.
func (c *Service) ApproveWithdrawal(ctx context.Context, caller kernel.Caller, d WithdrawalDecision) (WithdrawalResult, error) {
	var invalid error
	if utf8.RuneCountInString(d.Note) > kernel.TextMax {
		invalid = fault.Field("note", "must have at most %d characters", kernel.TextMax)
	}
	return c.decideWithdrawal(ctx, caller, d, invalid, rbac.WithdrawApprove, player.Approve)
}

// RejectWithdrawal rejects a withdrawal; the money returns to the player's balance.
func (c *Service) RejectWithdrawal(ctx context.Context, caller kernel.Caller, d WithdrawalDecision) (WithdrawalResult, error) {
	return c.decideWithdrawal(ctx, caller, d, kernel.CheckReason(d.Reason), rbac.WithdrawReject, player.Reject)
}

// decideWithdrawal runs an admin's decision. The order of refusals is that of all admin
// calls: permission, fields, existence, then the checks under lock.
func (c *Service) decideWithdrawal(ctx context.Context, caller kernel.Caller, d WithdrawalDecision, invalid error, permission rbac.Permission,
	rule func(player.View, player.WithdrawalDecision) (player.Change, error)) (WithdrawalResult, error) {
	if _, err := c.core.Authorize(ctx, caller, permission); err != nil {
		return WithdrawalResult{}, err
	}
	switch {
	case d.ID == "":
		return WithdrawalResult{}, fault.Field("id", "must name a withdrawal")
	case invalid != nil:
		return WithdrawalResult{}, invalid
	}
	decision := player.WithdrawalDecision{
		ID: d.ID, By: caller.Wallet, Policy: c.core.Policy, Seals: c.core.Seals, Note: d.Note, Reason: d.Reason,
		Signature: d.Signature, Timestamp: d.Timestamp, Signing: c.signingRules(),
		AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	w, err := c.core.Store.Withdrawals.Withdrawal(ctx, d.ID)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if decision.Terms, err = c.core.Tokens.Known(w.Token); err != nil {
		return WithdrawalResult{}, err
	}
	item := OfWithdrawal(w, d.Idempotency.Keys(caller.Wallet, player.OperationKey, decision.AuditID))
	item.Needs.Roles = append(player.ApproverNeeds(w), caller.Wallet) // the decision requests the roles of admins who vote meanwhile
	item.Needs.Votes = &player.VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: decision.By, At: decision.At}
	item.At, item.Source = decision.At, player.FromAdmin
	item.Decide = func(v player.View) (player.Change, error) { return rule(v, decision) }
	return c.withdrawalStep(ctx, item)
}

// signingRules returns the rules for checking the signatures of approvals.
func (c *Service) signingRules() withdrawal.Signing {
	return withdrawal.Signing{
		Treasury: wallet.Address(c.core.Chain.TreasuryAddress()), Required: c.core.Settings.SignedApprovals, Ahead: c.core.Settings.LoginMaxAhead,
	}
}

// OfWithdrawal returns a new item for a withdrawal: its wallet, the unique keys, and needs
// for the withdrawal and the balance of its token.
func OfWithdrawal(w withdrawal.Withdrawal, keys []player.UniqueKey) player.Item {
	return player.Item{
		Wallet: w.Wallet, Keys: keys,
		Needs: player.Needs{Tokens: []money.Token{w.Token}, Withdrawals: []string{w.ID}},
	}
}

func (c *Service) withdrawalStep(ctx context.Context, item player.Item) (WithdrawalResult, error) {
	receipt, err := c.core.Store.Writer.Commit(ctx, item)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if receipt.Change.Withdrawal == nil {
		return WithdrawalResult{}, kernel.ErrResultLost
	}
	w := *receipt.Change.Withdrawal
	return WithdrawalResult{
		Withdrawal: w, Balance: receipt.Change.Balance, Replayed: receipt.Replayed,
		Committed: kernel.CommittedBy(w.Wallet, w.ID, &receipt),
	}, nil
}
