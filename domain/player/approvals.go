package player

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// AdjustmentRequest is an admin's request to credit or debit a player, with the rules
// checked under lock.
type AdjustmentRequest struct {
	Adjustment
	Terms  token.Terms
	Policy rbac.Policy
	// ApprovalID is the id for an approval request, which a credit above the threshold
	// becomes.
	ApprovalID string
	AuditID    string
	RequestID  string
}

// RequestAdjustment adjusts the balance. For a credit above the token's threshold it
// makes an approval request instead: the change then has an open Approval and moves
// nothing. Its view needs the admin's role, the token's balance and the votes of
// VotesNeed{Token, By, At}.
func RequestAdjustment(v View, w AdjustmentRequest) (Change, error) {
	if err := w.Policy.Check(v.Roles[w.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	if !v.seesPlayer(v.Roles[w.By]) {
		return Change{}, fault.New(fault.NotFound, "no player %s", w.Wallet)
	}
	// Whatever would refuse the second approval refuses the request.
	change, err := Adjust(v, w.Adjustment, w.AuditID, w.RequestID)
	if err != nil || w.Amount < 0 {
		return change, err
	}
	if err := v.Roles[w.By].CheckAge(w.At); err != nil {
		return Change{}, err
	}
	if !v.creditNeedsTwo(w.Adjustment, w.Terms) {
		return change, nil
	}
	return RequestApproval(v, ApprovalRequest{
		ID: w.ApprovalID, By: w.By, Policy: w.Policy, AuditID: w.AuditID, RequestID: w.RequestID, At: w.At,
		Request: approval.Request{
			Kind: w.Kind.kindTerms().request, Wallet: w.Wallet, Token: w.Token, Amount: w.Amount, Reason: w.Reason,
		},
	})
}

// ApprovalRequest is a new request that two persons decide.
type ApprovalRequest struct {
	ID        string
	Request   approval.Request
	By        wallet.Address
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// RequestApproval records the request; it has no effect until a second person approves
// it. Its view needs the role of the admin who makes it. The item's wallet is the
// request's, or none.
func RequestApproval(v View, a ApprovalRequest) (Change, error) {
	// Capital may have been booked from the deposit of a wallet that never signed in.
	if role := v.Roles[a.By]; a.Policy.Check(role, a.Request.Kind.Permission()) == nil && a.Request.Wallet != "" &&
		a.Request.Kind != approval.CapitalCorrection && a.By != a.Request.Wallet && (!v.Player.Known() || !v.seesPlayer(role)) {
		return Change{}, fault.New(fault.NotFound, "no player %s", a.Request.Wallet)
	}
	asked, err := approval.New(a.ID, a.Request, v.Player.Agent, v.Roles[a.By], a.Policy, a.At)
	if err != nil {
		return Change{}, err
	}
	return Change{Approval: &asked, Balance: v.Balances[a.Request.Token], Audit: []audit.Record{{
		ID: a.AuditID, Action: audit.ApprovalRequested, By: a.By, Target: a.ID, After: describeRequest(a.Request),
		At: a.At, RequestID: a.RequestID,
	}}}, nil
}

// ApprovalDecision is a second person's decision: to approve or to reject.
type ApprovalDecision struct {
	ID        string
	By        wallet.Address
	Approve   bool
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// DecideApproval closes the request. If it is approved, effect returns the change that
// carries it out, in the same commit. Its view needs the request, and the roles of the
// deciding and the requesting admin; its item takes the ApprovalKey.
func DecideApproval(v View, d ApprovalDecision, effect func(View, approval.Approval) (Change, error)) (Change, error) {
	asked, ok := v.Approvals[d.ID]
	if role := v.Roles[d.By]; !ok || role.AgentCode != "" && role.AgentCode != asked.Agent {
		return Change{}, fault.New(fault.NotFound, "no approval request %q", d.ID)
	}
	closed, err := asked.Decide(v.roleOf(d.By), v.roleOf(asked.By), d.Policy, d.Approve, d.At)
	if err != nil {
		return Change{}, err
	}
	change := Change{Balance: v.Balances[asked.Token]}
	if d.Approve {
		if change, err = effect(v, closed); err != nil {
			return Change{}, err
		}
	}
	change.Approval = &closed
	change.Audit = append(change.Audit, audit.Record{
		ID: d.AuditID, Action: audit.ApprovalDecided, By: d.By, Target: d.ID,
		Before: string(asked.Status), After: string(closed.Status), At: d.At, RequestID: d.RequestID,
	})
	return change, nil
}

// AdjustApproved carries out a credit that two persons approved. Both get a vote in it.
func AdjustApproved(v View, a approval.Approval, id, auditID, requestID string) (Change, error) {
	kind, ok := AdjustmentOf(a.Kind)
	if !ok {
		return Change{}, fmt.Errorf("player: a request of kind %q is not for an adjustment", a.Kind)
	}
	change, err := Adjust(v, Adjustment{
		ID: id, Kind: kind, Wallet: a.Wallet, Token: a.Token, Amount: a.Amount, Reason: a.Reason, By: a.By, At: a.DecidedAt,
	}, auditID, requestID)
	if err != nil {
		return Change{}, err
	}
	change.Votes = v.creditVotes(id, a.Wallet, a.Token, money.Amount(a.Amount), a.DecidedAt, a.By, a.DecidedBy)
	return change, nil
}

func describeRequest(r approval.Request) string {
	text := string(r.Kind)
	if r.Wallet != "" {
		text += " " + string(r.Wallet)
	}
	if r.Amount != 0 {
		text += " " + signedAmountOf(r.Amount, r.Token)
	}
	if r.Reference != "" {
		text += " " + r.Reference
	}
	return text
}

// Value of Details["reason"] of Forbidden for an admin who can't approve.
const creditedReason = "credited"

// roleOf returns the admin's role as read under lock; a revoked role allows nothing.
func (v View) roleOf(w wallet.Address) rbac.Assignment {
	role := v.Roles[w]
	role.Wallet = w
	return role
}

// Standing returns the approvals of a withdrawal that count in the next decision, for
// display. Its view needs the player and the roles of ApproverNeeds.
func Standing(v View, w withdrawal.Withdrawal, policy rbac.Policy, signing withdrawal.Signing) []withdrawal.Approval {
	return v.standingApprovals(w, WithdrawalDecision{Policy: policy, Signing: signing})
}

// standingApprovals returns the approvals that count: those of admins who could still
// give them, with roles that were old enough then. Revoking a role, even if it is
// granted again, cancels its open votes. Once signatures are required an approval
// without one no longer counts, so its admin may approve again.
func (v View) standingApprovals(w withdrawal.Withdrawal, d WithdrawalDecision) []withdrawal.Approval {
	var stand []withdrawal.Approval
	for _, a := range w.Approvals {
		role := v.roleOf(a.By)
		if d.Policy.Check(role, rbac.WithdrawApprove) == nil && v.seesPlayer(role) && role.CheckAge(a.At) == nil && d.Signing.Counts(w, a) == nil {
			stand = append(stand, a)
		}
	}
	return stand
}

// mayApprove refuses an admin with too young a role, who credited the player, or, if two
// approvals are needed, whose vote counts as one with an earlier one.
func (v View) mayApprove(earlier []withdrawal.Approval, needed int, d WithdrawalDecision) error {
	role := v.roleOf(d.By)
	if err := role.CheckAge(d.At); err != nil {
		return err
	}
	if needed > 1 {
		for _, a := range earlier {
			if err := role.CheckApart(v.roleOf(a.By), d.At); err != nil {
				return err
			}
		}
	}
	return v.notCreditor(role, d.At)
}

// notCreditor refuses an admin with a vote in a credit to the wallet within
// CreditorWindow, or with a vote that counts as one with such a vote.
func (v View) notCreditor(role rbac.Assignment, now time.Time) error {
	for _, y := range v.Votes {
		if !y.Credit || y.Wallet != v.Player.Wallet || !y.At.After(now.Add(-CreditorWindow)) {
			continue
		}
		if y.By == role.Wallet {
			return fault.New(fault.Forbidden, "an admin who credited the player in the last 30 days can't approve the player's withdrawals").
				With("reason", creditedReason)
		}
		if err := role.CheckApart(y.voterRole(), now); err != nil {
			return err
		}
	}
	return nil
}

// creditVotes returns the votes of the admins who decided on a credit; the last one
// passes it.
func (v View) creditVotes(id string, w wallet.Address, token money.Token, amount money.Amount, at time.Time, by ...wallet.Address) []Vote {
	votes := make([]Vote, len(by))
	for i, admin := range by {
		votes[i] = Vote{
			Of: id, Credit: true, Wallet: w, Token: token, Amount: amount, By: admin, At: at, Passes: i == len(by)-1,
		}
		votes[i].GrantedBy, votes[i].GrantedAt = v.Roles[admin].Origin()
		votes[i] = votes[i].Following(votes[:i])
	}
	return votes
}

// approvalVote returns the admin's vote for the withdrawal.
func (v View) approvalVote(approved withdrawal.Withdrawal, d WithdrawalDecision) Vote {
	vote := Vote{
		Of: approved.ID, Wallet: approved.Wallet, Destination: approved.Destination, Token: approved.Token,
		Amount: approved.Amount, By: d.By, At: d.At, Passes: approved.Status == withdrawal.Approved,
	}
	vote.GrantedBy, vote.GrantedAt = v.Roles[d.By].Origin()
	return vote.Following(v.Votes)
}
