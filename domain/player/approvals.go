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
)

// AdjustmentRequest is an admin's request to credit or debit a player, with what it
// is checked against under lock.
type AdjustmentRequest struct {
	Adjustment
	Terms  token.Terms
	Policy rbac.Policy
	// ApprovalID is the id of the approval request that a credit above the threshold
	// becomes.
	ApprovalID string
	AuditID    string
	RequestID  string
}

// RequestAdjustment adjusts the balance, or, for a credit above the token's threshold,
// makes an approval request: the change then has an open Approval and moves nothing. Its view needs the admin's role, the token's balance and the votes of
// VotesNeed{Token, By, At}.
func RequestAdjustment(v View, w AdjustmentRequest) (Change, error) {
	if err := w.Policy.Check(v.Roles[w.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	if !v.within(v.Roles[w.By]) {
		return Change{}, fault.New(fault.NotFound, "no player %s", w.Wallet)
	}
	// What the second approval would meet refuses the request already.
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
			Kind: w.Kind.terms().request, Wallet: w.Wallet, Token: w.Token, Amount: w.Amount, Reason: w.Reason,
		},
	})
}

// ApprovalRequest is a request that two persons decide, as the first of them makes it.
type ApprovalRequest struct {
	ID        string
	Request   approval.Request
	By        wallet.Address
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// RequestApproval records the request; nothing else happens until a second person
// approves it. Its view needs the role of the admin who makes it. The item's wallet is
// the request's, or none.
func RequestApproval(v View, a ApprovalRequest) (Change, error) {
	if role := v.Roles[a.By]; a.Policy.Check(role, a.Request.Kind.Permission()) == nil && a.Request.Wallet != "" &&
		a.By != a.Request.Wallet && (!v.Player.Known() || !v.within(role)) {
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

// DecideApproval closes the request and, when it is approved, carries it out in the
// same change: effect says how. Its view needs the request, and the roles of the deciding
// admin and of the one who made it; its item takes the ApprovalKey.
func DecideApproval(v View, d ApprovalDecision, effect func(View, approval.Approval) (Change, error)) (Change, error) {
	asked, ok := v.Approvals[d.ID]
	if role := v.Roles[d.By]; !ok || role.AgentCode != "" && role.AgentCode != asked.Agent {
		return Change{}, fault.New(fault.NotFound, "no approval request %q", d.ID)
	}
	closed, err := asked.Decide(v.role(d.By), v.role(asked.By), d.Policy, d.Approve, d.At)
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

// AdjustApproved carries out a credit that two persons approved. Each of them has a
// vote in it.
func AdjustApproved(v View, a approval.Approval, id, auditID, requestID string) (Change, error) {
	kind, ok := AdjustmentOf(a.Kind)
	if !ok {
		return Change{}, fmt.Errorf("player: a request of kind %q is about no adjustment", a.Kind)
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
