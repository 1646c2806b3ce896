package player

import (
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// WithdrawalRequest is a player's request for a withdrawal.
type WithdrawalRequest struct {
	ID          string
	Terms       token.Terms
	Amount      money.Amount
	Destination withdrawal.Destination
	Seals       seal.Authenticator // nil for none
	At          time.Time
}

// Withdraw moves the amount into a hold, until an admin approves.
func Withdraw(v View, r WithdrawalRequest) (Change, error) {
	request, transfers, err := withdrawal.Request(r.ID, v.Player.Wallet, r.Terms, r.Amount, r.Destination,
		v.OpenWithdrawals, r.At)
	if err != nil {
		return Change{}, err
	}
	balance, repaid, err := v.repayDebt(request.ID, r.Terms.Mint)
	if err != nil {
		return Change{}, err
	}
	after, ok := balance.Sub(request.Held())
	if !ok {
		return Change{}, fault.New(fault.InsufficientFunds,
			"the balance of %d base units doesn't cover a withdrawal of %d and the fee of %d", balance, r.Amount, request.Fee).
			With("token", string(r.Terms.Mint)).With("balance", int64(balance)).With("fee", int64(request.Fee))
	}
	if request.Seal, err = seal.Or(r.Seals).Seal(withdrawal.RequestPurpose, request.SealedRequest()); err != nil {
		return Change{}, err
	}
	change := withdrawalChange(request, ledger.Withdraw, transfers, after)
	if repaid != nil {
		change.Player = v.withDebt(r.Terms.Mint, 0)
		change.Postings = append([]ledger.Posting{*repaid}, change.Postings...)
	}
	return change, nil
}

// Cancel cancels, at the player's request, a withdrawal that is pending or can never be
// paid; the money is returned.
func Cancel(v View, id string, now time.Time) (Change, error) {
	w, err := v.findWithdrawal(id)
	if err != nil {
		return Change{}, err
	}
	cancelled, transfers, err := w.Cancel(now)
	if err != nil {
		return Change{}, err
	}
	return v.refundWithdrawal(cancelled, transfers)
}

// WithdrawalDecision is an admin's approval or rejection. Policy and the admin's role in
// the view are checked under lock, so that a role just revoked decides nothing.
type WithdrawalDecision struct {
	ID     string
	By     wallet.Address
	Policy rbac.Policy
	Terms  token.Terms
	Seals  seal.Authenticator // nil for none
	// Signature is the admin's own for an approval, 64 bytes, at Timestamp (Unix
	// milliseconds); nil if none was given. Signing holds the rules for it.
	Signature []byte
	Timestamp int64
	Signing   withdrawal.Signing
	Note      string // of an approval
	Reason    string // of a rejection
	AuditID   string
	RequestID string
	At        time.Time
}

// Approve adds the admin's vote. Earlier votes count if they still stand. Its view needs
// the role of the admin, and the votes of VotesNeed{Destination, Token, By, At}; it asks
// for the roles of earlier approvers. Approvals within a day by one admin, to one player
// or to one destination count together, and so do those that all admins released. The
// admin's signature is checked last.
func Approve(v View, d WithdrawalDecision) (Change, error) {
	if err := d.Policy.Check(v.Roles[d.By], rbac.WithdrawApprove); err != nil {
		return Change{}, err
	}
	w, err := v.withdrawalFor(v.Roles[d.By], d.ID)
	if err != nil {
		return Change{}, err
	}
	if err := v.notFrozen(); err != nil {
		return Change{}, err
	}
	if err := v.sawRoles(ApproverNeeds(w)...); err != nil {
		return Change{}, err
	}
	asked, needed := w, v.approvalsNeeded(w, d)
	asked.Approvals = v.standingApprovals(w, d)
	approved, err := asked.Approve(d.By, d.Note, needed, d.At)
	if err != nil {
		return Change{}, err
	}
	if err := v.mayApprove(asked.Approvals, needed, d); err != nil {
		return Change{}, err
	}
	last := &approved.Approvals[len(approved.Approvals)-1]
	if d.Signature != nil {
		*last = last.WithSignature(d.Signature, d.Timestamp, d.Signing.Treasury)
	}
	if err := d.Signing.Admit(approved, *last, d.At); err != nil {
		return Change{}, err
	}
	if last.Seal, err = seal.Or(d.Seals).Seal(withdrawal.ApprovalPurpose, approved.SealedApproval(*last)); err != nil {
		return Change{}, err
	}
	change := withdrawalChange(approved, "", nil, v.Balances[w.Token])
	change.Votes = []Vote{v.approvalVote(approved, d)}
	change.Audit = []audit.Record{d.auditRecord(audit.WithdrawalApproved, w, approved)}
	return change, nil
}

// Reject rejects the withdrawal; the money is returned to the player.
func Reject(v View, d WithdrawalDecision) (Change, error) {
	if err := d.Policy.Check(v.Roles[d.By], rbac.WithdrawReject); err != nil {
		return Change{}, err
	}
	w, err := v.withdrawalFor(v.Roles[d.By], d.ID)
	if err != nil {
		return Change{}, err
	}
	rejected, transfers, err := w.Reject(d.By, d.Reason, d.At)
	if err != nil {
		return Change{}, err
	}
	change, err := v.refundWithdrawal(rejected, transfers)
	change.Audit = []audit.Record{d.auditRecord(audit.WithdrawalRejected, w, rejected)}
	return change, err
}

// Sign stores a signed transaction of an approved withdrawal. It must be sent only after
// this change is committed.
func Sign(v View, attempt withdrawal.Attempt, now time.Time) (Change, error) {
	w, err := v.findWithdrawal(attempt.WithdrawalID)
	if err != nil {
		return Change{}, err
	}
	signed, err := w.SignedAs(attempt, now)
	if err != nil {
		return Change{}, err
	}
	change := withdrawalChange(signed, "", nil, v.Balances[w.Token])
	change.Attempt = &attempt
	return change, nil
}

// SettleByChain completes a withdrawal paid by a treasury transaction other than the
// awaited attempt: a restored database doesn't know what was signed since.
func SettleByChain(v View, m treasury.Movement, now time.Time) (Change, error) {
	w, err := v.findWithdrawal(m.WithdrawalID)
	if err != nil {
		return Change{}, err
	}
	balance := v.Balances[w.Token]
	returned, fits := balance.Add(w.Fee)
	opened := m.Rent > 0 || !fits
	done, transfers, err := w.ProvedBy(m, opened, now)
	if err != nil {
		return Change{}, err
	}
	if !opened {
		balance = returned
	}
	return withCost(withdrawalChange(done, ledger.Payout, transfers, balance), m.Signature, withdrawal.Cost{Fee: m.Fee, Rent: m.Rent}), nil
}

// RecordObstacle records why an approved withdrawal can't be signed.
func RecordObstacle(v View, id, reason string) (Change, error) {
	w, err := v.findWithdrawal(id)
	if err != nil {
		return Change{}, err
	}
	blocked, err := w.Blocked(reason)
	if err != nil {
		return Change{}, err
	}
	return withdrawalChange(blocked, "", nil, v.Balances[w.Token]), nil
}

// Settle records the outcome of the newest attempt: completed, failed, or dead and to be
// signed again. The attempt's number excludes workers that saw an older one; an outcome
// that ends nothing is a defect of the caller.
func Settle(v View, id string, attempt int, outcome withdrawal.Outcome, now time.Time) (Change, error) {
	w, err := v.findWithdrawal(id)
	if err != nil {
		return Change{}, err
	}
	if w.Attempt != attempt {
		return Change{}, fault.New(fault.InvalidState, "attempt %d is not the newest, which is %d", attempt, w.Attempt).
			With("status", string(w.Status))
	}
	balance := v.Balances[w.Token]
	switch outcome.Status {
	case withdrawal.Finalized:
		// A fee that the balance can't hold isn't returned.
		returned, fits := balance.Add(w.Fee)
		opened := outcome.Cost.Rent > 0 || !fits
		done, transfers, err := w.Completed(opened, now)
		if err != nil {
			return Change{}, err
		}
		if !opened {
			balance = returned
		}
		return withCost(withdrawalChange(done, ledger.Payout, transfers, balance), w.Signature, outcome.Cost), nil
	case withdrawal.Errored:
		failed, err := w.FailedWith(outcome.Reason, now)
		if err != nil {
			return Change{}, err
		}
		return withCost(withdrawalChange(failed, "", nil, balance), w.Signature, outcome.Cost), nil
	case withdrawal.Dead:
		expired, err := w.Expired(now)
		if err != nil {
			return Change{}, err
		}
		change := withdrawalChange(expired, "", nil, balance)
		change.DeadAttempt = attempt
		return change, nil
	}
	return Change{}, fault.New(fault.InvalidState, "the outcome of the last payout attempt is not known yet").With("status", string(w.Status))
}

func (v View) findWithdrawal(id string) (withdrawal.Withdrawal, error) {
	w, ok := v.Withdrawals[id]
	if !ok {
		return w, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return w, nil
}

// withdrawalFor finds a withdrawal for an admin: those of other agents' players are
// NotFound.
func (v View) withdrawalFor(a rbac.Assignment, id string) (withdrawal.Withdrawal, error) {
	if !v.seesPlayer(a) {
		return withdrawal.Withdrawal{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return v.findWithdrawal(id)
}

// seesPlayer reports whether the role sees the player: a role bound to an agent sees
// that agent's players.
func (v View) seesPlayer(a rbac.Assignment) bool {
	return a.AgentCode == "" || a.AgentCode == v.Player.Agent
}

// refundWithdrawal returns the change of a withdrawal that returns its money. If the
// balance can't hold it, the hold doesn't change.
func (v View) refundWithdrawal(w withdrawal.Withdrawal, transfers []ledger.Transfer) (Change, error) {
	after, ok := v.Balances[w.Token].Add(w.Held())
	if !ok {
		return Change{}, fault.New(fault.AmountOutOfRange, "the balance would exceed the largest possible amount with the refund")
	}
	return withdrawalChange(w, ledger.Refund, transfers, after), nil
}

func withdrawalChange(w withdrawal.Withdrawal, kind ledger.KeyKind, transfers []ledger.Transfer, balance money.Amount) Change {
	change := Change{Withdrawal: &w, Balance: balance}
	if len(transfers) > 0 {
		change.Postings = []ledger.Posting{{Key: ledger.Key{Kind: kind, ID: w.ID}, Transfers: transfers}}
	}
	return change
}

func withCost(c Change, signature string, cost withdrawal.Cost) Change {
	if transfers := cost.Transfers(); len(transfers) > 0 {
		key := ledger.Key{Kind: ledger.PayoutFee, ID: signature}
		c.Postings = append(c.Postings, ledger.Posting{Key: key, Transfers: transfers})
	}
	return c
}

func (d WithdrawalDecision) auditRecord(action audit.Action, before, after withdrawal.Withdrawal) audit.Record {
	return audit.Record{
		ID: d.AuditID, Action: action, By: d.By, Target: d.ID,
		Before: describeWithdrawal(before), After: describeWithdrawal(after), At: d.At, RequestID: d.RequestID,
	}
}

func describeWithdrawal(w withdrawal.Withdrawal) string {
	text := string(w.Status) + ", approvals " + strconv.Itoa(len(w.Approvals))
	if w.Reason != "" {
		text += ", reason " + strconv.Quote(w.Reason)
	}
	return text
}
