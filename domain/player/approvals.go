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

// AdjustmentRequest is an admin's wish to credit or debit a player, with what it is
// held against under lock.
type AdjustmentRequest struct {
	Adjustment
	Terms  token.Terms
	Policy rbac.Policy
	// ApprovalID is the id of the request that a credit above the threshold makes.
	ApprovalID string
	AuditID    string
	RequestID  string
}

// RequestAdjustment adjusts the balance, or, for a credit above the token's threshold,
// asks for a second person: the change then holds an open Approval and moves
// nothing. Its view needs the admin's role, the token's balance and the votes of
// VotesNeed{By, At}.
func RequestAdjustment(v View, w AdjustmentRequest) (Change, error) {
	if err := w.Policy.Check(v.Roles[w.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	if !v.within(v.Roles[w.By]) {
		return Change{}, fault.New(fault.NotFound, "no player %s", w.Wallet)
	}
	// Whatever would refuse it in the end refuses it now.
	change, err := Adjust(v, w.Adjustment, w.AuditID, w.RequestID)
	if err != nil || w.Amount < 0 || !v.creditNeedsTwo(w.Adjustment, w.Terms) {
		return change, err
	}
	return RequestApproval(v, ApprovalRequest{
		ID: w.ApprovalID, By: w.By, Policy: w.Policy, AuditID: w.AuditID, RequestID: w.RequestID, At: w.At,
		Request: approval.Request{
			Kind: w.Kind.terms().request, Wallet: w.Wallet, Token: w.Token, Amount: w.Amount, Reason: w.Reason,
		},
	})
}

// ApprovalRequest is a request to two persons as the first of them makes it.
type ApprovalRequest struct {
	ID        string
	Request   approval.Request
	By        wallet.Address
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// RequestApproval records the request; nothing else happens until a second person says yes.
// Its view needs the role of who asks. The item's wallet is the request's, or
// none.
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

// ApprovalDecision is a second person's yes or no.
type ApprovalDecision struct {
	ID        string
	By        wallet.Address
	Approve   bool
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// DecideApproval closes the request, and on a yes carries it out in the same
// change: effect says how. Its view needs the request and the decider's role; its
// item claims the ApprovalKey.
func DecideApproval(v View, word ApprovalDecision, effect func(View, approval.Approval) (Change, error)) (Change, error) {
	asked, ok := v.Approvals[word.ID]
	if role := v.Roles[word.By]; !ok || role.AgentCode != "" && role.AgentCode != asked.Agent {
		return Change{}, fault.New(fault.NotFound, "no request %q", word.ID)
	}
	closed, err := asked.Decide(v.Roles[word.By], word.Policy, word.Approve, word.At)
	if err != nil {
		return Change{}, err
	}
	change := Change{Balance: v.Balances[asked.Token]}
	if word.Approve {
		if change, err = effect(v, closed); err != nil {
			return Change{}, err
		}
	}
	change.Approval = &closed
	change.Audit = append(change.Audit, audit.Record{
		ID: word.AuditID, Action: audit.ApprovalDecided, By: word.By, Target: word.ID,
		Before: string(asked.Status), After: string(closed.Status), At: word.At, RequestID: word.RequestID,
	})
	return change, nil
}

// AdjustApproved carries a credit out that two persons agreed on. Both had a
// hand in it.
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
	change.Votes = CreditVotes(id, a.Wallet, a.Token, money.Amount(a.Amount), a.DecidedAt, a.By, a.DecidedBy)
	return change, nil
}

// CreditVotes are the votes of a credit that these admins had a hand in.
func CreditVotes(id string, w wallet.Address, token money.Token, amount money.Amount, at time.Time, by ...wallet.Address) []Vote {
	votes := make([]Vote, len(by))
	for i, admin := range by {
		votes[i] = Vote{Of: id, Credit: true, Wallet: w, Token: token, Amount: amount, By: admin, At: at}
	}
	return votes
}

func describeRequest(r approval.Request) string {
	text := string(r.Kind)
	if r.Wallet != "" {
		text += " " + string(r.Wallet)
	}
	if r.Amount != 0 {
		text += " " + signedAmountOf(r.Amount, r.Token)
	}
	if r.Signature != "" {
		text += " " + r.Signature
	}
	return text
}
