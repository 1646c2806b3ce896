package app

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// WithdrawalRequest is a requested withdrawal, unchecked.
type WithdrawalRequest struct {
	Amount      int64
	Token       string
	Destination string
	Idempotency Idempotency
}

// WithdrawalResult is a withdrawal as it stands, and the player's balance of its token
// after the call.
type WithdrawalResult struct {
	Withdrawal withdrawal.Withdrawal
	Balance    money.Amount
	Replayed   bool
}

// Withdraw holds the amount, taken from the caller's balance at once, and requests that
// it be paid to the destination. No request goes to the chain here: what a new account
// must hold is known from the MintWorker, and the payout worker checks the chain before it signs.
func (c *Casino) Withdraw(ctx context.Context, caller Caller, r WithdrawalRequest) (WithdrawalResult, error) {
	amount, err := parseAmount("amount", r.Amount)
	if err != nil {
		return WithdrawalResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return WithdrawalResult{}, err
	}
	terms, refusal := c.Tokens.Known(mint)
	request := player.WithdrawalRequest{
		ID: c.Entropy.ID(), Terms: c.withdrawable(terms), Amount: amount, At: c.now(),
		Destination: withdrawal.Destination{
			Address: r.Destination, Reserved: c.chain.Reserved(r.Destination), OwnOnly: c.Settings.WithdrawOwnOnly,
		},
		Seals: c.seals,
	}
	return c.withdrawalStep(ctx, player.Item{
		Wallet: caller.Wallet,
		Keys:   r.Idempotency.keys(caller.Wallet, player.WithdrawalKey, request.ID),
		Needs:  player.Needs{Tokens: []money.Token{mint}, Open: true},
		At:     request.At,
		Decide: func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.Withdraw(v, request)
		},
	})
}

// CancelWithdrawal cancels one of the caller's withdrawals that is pending, or approved and
// hindered for good; the money returns to the balance.
func (c *Casino) CancelWithdrawal(ctx context.Context, caller Caller, id string) (WithdrawalResult, error) {
	w, err := c.store.Withdrawals.Withdrawal(ctx, id)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if w.Wallet != caller.Wallet {
		return WithdrawalResult{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	if c.Settings.NoWithdrawCancel && w.Status == withdrawal.Pending { // what can never be paid is cancelled all the same
		return WithdrawalResult{}, fault.New(fault.Forbidden, "withdrawals can't be cancelled by players here")
	}
	now := c.now()
	item := ofWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.Entropy.ID()}})
	item.At = now
	item.Decide = func(v player.View) (player.Change, error) { return player.Cancel(v, id, now) }
	return c.withdrawalStep(ctx, item)
}

// WithdrawalDecision is an admin's decision on a withdrawal.
type WithdrawalDecision struct {
	ID string
	// Note is of an approval and may be empty; Reason is of a rejection and may not.
	Note, Reason string
	// Signature is the caller's own under an approval, 64 bytes over
	// withdrawal.ApprovalMessage with Timestamp; nil for none.
	Signature   []byte
	Timestamp   int64
	Idempotency Idempotency
}

// textMax is how long a note or a reason may be, in characters.
const textMax = 500

// ApproveWithdrawal adds the caller's vote to a pending or failed withdrawal. It is
// approved once it has the votes that its amount takes. With Settings.SignedApprovals the
// caller's signature is required; one that is given is verified in any case, in the
// commit, so that a repeated request gets its first answer however late it comes.
func (c *Casino) ApproveWithdrawal(ctx context.Context, caller Caller, d WithdrawalDecision) (WithdrawalResult, error) {
	var invalid error
	if utf8.RuneCountInString(d.Note) > textMax {
		invalid = fault.Field("note", "must have at most %d characters", textMax)
	}
	return c.decide(ctx, caller, d, invalid, rbac.WithdrawApprove, player.Approve)
}

// RejectWithdrawal rejects a withdrawal; the money returns to the player's balance.
func (c *Casino) RejectWithdrawal(ctx context.Context, caller Caller, d WithdrawalDecision) (WithdrawalResult, error) {
	return c.decide(ctx, caller, d, checkReason(d.Reason), rbac.WithdrawReject, player.Reject)
}

func checkReason(reason string) error { return checkText("reason", reason) }

func checkText(field, text string) error {
	if n := utf8.RuneCountInString(text); n < 1 || n > textMax {
		return fault.Field(field, "must have 1 to %d characters", textMax)
	}
	return nil
}

// decide runs an admin's decision. It refuses in the order of every admin call:
// permission, fields, existence, then what the decision finds under lock.
func (c *Casino) decide(ctx context.Context, caller Caller, d WithdrawalDecision, invalid error, permission rbac.Permission,
	rule func(player.View, player.WithdrawalDecision) (player.Change, error)) (WithdrawalResult, error) {
	if _, err := c.Authorize(ctx, caller, permission); err != nil {
		return WithdrawalResult{}, err
	}
	switch {
	case d.ID == "":
		return WithdrawalResult{}, fault.Field("id", "must name a withdrawal")
	case invalid != nil:
		return WithdrawalResult{}, invalid
	}
	decision := player.WithdrawalDecision{
		ID: d.ID, By: caller.Wallet, Policy: c.Policy, Seals: c.seals, Note: d.Note, Reason: d.Reason,
		Signature: d.Signature, Timestamp: d.Timestamp, Signing: c.signing(),
		AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	keys := d.Idempotency.keys(caller.Wallet, player.OperationKey, decision.AuditID)
	for try := 1; ; try++ {
		decided, err := c.decideOnce(ctx, decision, keys, rule)
		if try == decideTries || !votersChanged(err) {
			return decided, err
		}
	}
}

// signing is what the signatures of approvals are held against.
func (c *Casino) signing() withdrawal.Signing {
	return withdrawal.Signing{
		Treasury: wallet.Address(c.chain.TreasuryAddress()), Required: c.Settings.SignedApprovals, Ahead: c.Settings.LoginMaxAhead,
	}
}

// decideTries is how often a decision is made anew because others voted in between.
const decideTries = 3

func votersChanged(err error) bool {
	var refused *fault.Error
	return errors.As(err, &refused) && refused.Details["reason"] == player.VotersChanged
}

// decideOnce makes the decision with the roles of whoever has approved the withdrawal by
// now: they are declared before the item is queued, and read under lock.
func (c *Casino) decideOnce(ctx context.Context, decision player.WithdrawalDecision, keys []player.UniqueKey,
	rule func(player.View, player.WithdrawalDecision) (player.Change, error)) (WithdrawalResult, error) {
	w, err := c.store.Withdrawals.Withdrawal(ctx, decision.ID)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if decision.Terms, err = c.Tokens.Known(w.Token); err != nil {
		return WithdrawalResult{}, err
	}
	item := ofWithdrawal(w, keys)
	item.Needs.Roles = []wallet.Address{decision.By}
	for _, a := range w.Approvals {
		decision.Voters = append(decision.Voters, a.By)
		if !slices.Contains(item.Needs.Roles, a.By) {
			item.Needs.Roles = append(item.Needs.Roles, a.By)
		}
	}
	item.Needs.Votes = &player.VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: decision.By, At: decision.At}
	item.At, item.Source = decision.At, player.FromAdmin
	item.Decide = func(v player.View) (player.Change, error) { return rule(v, decision) }
	return c.withdrawalStep(ctx, item)
}

// ofWithdrawal begins an item about one withdrawal: its wallet and unique keys, and
// needs for it and the balance of its token.
func ofWithdrawal(w withdrawal.Withdrawal, keys []player.UniqueKey) player.Item {
	return player.Item{
		Wallet: w.Wallet, Keys: keys,
		Needs: player.Needs{Tokens: []money.Token{w.Token}, Withdrawals: []string{w.ID}},
	}
}

func (c *Casino) withdrawalStep(ctx context.Context, item player.Item) (WithdrawalResult, error) {
	receipt, err := c.store.Writer.Commit(ctx, item)
	if err != nil {
		return WithdrawalResult{}, err
	}
	if receipt.Change.Withdrawal == nil {
		return WithdrawalResult{}, errResultLost
	}
	return WithdrawalResult{
		Withdrawal: *receipt.Change.Withdrawal, Balance: receipt.Change.Balance, Replayed: receipt.Replayed,
	}, nil
}
