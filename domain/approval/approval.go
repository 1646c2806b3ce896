// Package approval is what two persons decide together: one asks, another one
// says yes or no, and only a yes has an effect.
//
// Use cases put an Approval into the change they commit, asked for or decided;
// stores keep them, and nothing here carries out what was asked for. The second
// approval of a withdrawal has its own form in domain/withdrawal.
package approval

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Kind is a sort of request.
type Kind string

// The kinds of request.
const (
	// Adjustment credits a player above the token's threshold.
	Adjustment Kind = "adjustment"
	// DepositResolution decides a deposit that is in review.
	DepositResolution Kind = "deposit"
	// PayoutsResume lets payouts go on that were paused.
	PayoutsResume Kind = "payouts.resume"
	// AgentFunds credits an operator's prepaid account above the token's threshold.
	OperatorFunds Kind = "operator.funds"
)

// Kinds returns every kind.
func Kinds() []Kind { return []Kind{Adjustment, DepositResolution, PayoutsResume, OperatorFunds} }

// Permission is what both persons need.
func (k Kind) Permission() rbac.Permission {
	if k == PayoutsResume {
		return rbac.WithdrawApprove
	}
	return rbac.BalancesWrite
}

// Status is where a request stands.
type Status string

// The states. An open request past its time is as good as refused.
const (
	Open     Status = "open"
	Approved Status = "approved"
	Refused  Status = "refused"
)

// OpenTime is how long a request waits for its second person.
const OpenTime = 24 * time.Hour

// Request is what is asked for. Facts that a kind doesn't have are zero.
type Request struct {
	Kind Kind
	// Wallet is the player it is about.
	Wallet    wallet.Address
	Token     money.Token
	Amount    int64 // base units, signed
	Signature string
	Reason    string
}

// Approval is a request with who asked and who decided.
type Approval struct {
	ID string
	Request
	// Agent is the operator of the player it is about, empty when it is about nobody.
	Agent     string
	By        wallet.Address
	Status    Status
	CreatedAt time.Time
	ExpiresAt time.Time
	// DecidedBy and DecidedAt are zero while it is open.
	DecidedBy wallet.Address
	DecidedAt time.Time
}

// New makes an open request. Who asks is the first of the two persons and needs
// what the second one needs: the permission, an old enough role, and no interest
// of his own. Refusals in this order: AdminForbidden, Forbidden.
func New(id string, r Request, agent string, by rbac.Assignment, policy rbac.Policy, now time.Time) (Approval, error) {
	if err := mayDecide(r, by, policy, now); err != nil {
		return Approval{}, err
	}
	return Approval{
		ID: id, Request: r, Agent: agent, By: by.Wallet, Status: Open, CreatedAt: now, ExpiresAt: now.Add(OpenTime),
	}, nil
}

// Decide is another person's word. Who asked may take it back with a no, and so
// may anybody with the permission, however new. Refusals in this order:
// AdminForbidden, InvalidState with what it is already ("expired" too), Forbidden.
func (a Approval) Decide(by rbac.Assignment, policy rbac.Policy, yes bool, now time.Time) (Approval, error) {
	if err := policy.Check(by, a.Kind.Permission()); err != nil {
		return Approval{}, err
	}
	if a.Status != Open {
		return Approval{}, decided(string(a.Status))
	}
	if !now.Before(a.ExpiresAt) {
		return Approval{}, decided("expired")
	}
	a.Status, a.DecidedBy, a.DecidedAt = Refused, by.Wallet, now
	if !yes {
		return a, nil
	}
	if by.Wallet == a.By {
		return Approval{}, fault.New(fault.Forbidden, "the second approval must come from another person")
	}
	if err := mayDecide(a.Request, by, policy, now); err != nil {
		return Approval{}, err
	}
	a.Status = Approved
	return a, nil
}

func decided(status string) error {
	return fault.New(fault.InvalidState, "the request is already %s", status).With("status", status)
}

func mayDecide(r Request, by rbac.Assignment, policy rbac.Policy, now time.Time) error {
	if err := policy.Check(by, r.Kind.Permission()); err != nil {
		return err
	}
	if by.Wallet == r.Wallet {
		return fault.New(fault.Forbidden, "admins can't decide on their own balance")
	}
	return by.CheckAge(now)
}
