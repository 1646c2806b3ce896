// Package approval defines requests that two persons decide: one makes a request,
// another approves or rejects it, and only an approval has an effect.
//
// Use cases add an Approval to the change they commit, and carry out the request
// themselves. The second approval of a withdrawal has its own form in domain/withdrawal.
package approval

import (
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Kind is a kind of request.
type Kind string

// The kinds of request.
const (
	// Adjustment credits a player above the token's threshold.
	Adjustment Kind = "adjustment"
	// DepositResolution decides a deposit that is in review.
	DepositResolution Kind = "deposit"
	// PayoutsResume ends a pause of payouts.
	PayoutsResume Kind = "payouts.resume"
	// AgentFunds credits an agent's prepaid account above the token's threshold.
	AgentFunds Kind = "operator.funds"
	// ProviderWin pays a provider's win in review above the token's threshold.
	ProviderWin Kind = "provider.win"
	// UnclaimedAssignment moves unclaimed money of a wallet that never signed in to a player.
	UnclaimedAssignment Kind = "unclaimed"
	// Correction reverses an adjustment or an assignment of unclaimed money.
	Correction Kind = "correction"
	// CapitalCorrection reverses a booking of capital.
	CapitalCorrection Kind = "correction.capital"
	// AdmissionOverruling admits what screeners don't allow.
	AdmissionOverruling Kind = "admission"
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{
		Adjustment, DepositResolution, PayoutsResume, AgentFunds, ProviderWin, UnclaimedAssignment, Correction, CapitalCorrection, AdmissionOverruling,
	}
}

// Permission returns the permission that both admins need.
func (k Kind) Permission() rbac.Permission {
	if k == PayoutsResume {
		return rbac.WithdrawApprove
	}
	return rbac.BalancesWrite
}

// Status is the state of a request.
type Status string

// The states. An open request past ExpiresAt can't be approved any more.
const (
	Open     Status = "open"
	Approved Status = "approved"
	Refused  Status = "refused"
)

// OpenTime is how long a request stays open.
const OpenTime = 24 * time.Hour

// Request is the content of an approval request. Fields that a kind doesn't have are
// zero.
type Request struct {
	Kind Kind
	// Wallet is the player concerned.
	Wallet wallet.Address
	Token  money.Token
	Amount int64 // base units, signed
	// Reference is a deposit's transaction signature, the id of a provider's win, the wallet
	// whose unclaimed money is assigned, the id of the entry that is corrected, or the key of the
	// admission that is overruled.
	Reference string
	Reason    string
}

// Approval is a request with the admins who made and decided it.
type Approval struct {
	ID string
	Request
	// Agent is the agent of the player or of the funds concerned, empty if neither.
	Agent     string
	By        wallet.Address
	Status    Status
	CreatedAt time.Time
	ExpiresAt time.Time
	// DecidedBy and DecidedAt are zero while the request is open.
	DecidedBy wallet.Address
	DecidedAt time.Time
}

// New makes an open request. The admin who makes it counts as the first person and must
// meet the rules for the second: permission, age of the role, and no interest of their
// own. Refusals in this order: AdminForbidden, Forbidden.
func New(id string, r Request, agent string, by rbac.Assignment, policy rbac.Policy, now time.Time) (Approval, error) {
	if err := mayDecide(r, by, policy, now); err != nil {
		return Approval{}, err
	}
	return Approval{
		ID: id, Request: r, Agent: agent, By: by.Wallet, Status: Open, CreatedAt: now, ExpiresAt: now.Add(OpenTime),
	}, nil
}

// Decide approves or rejects the request. An approval must come from another person than
// By, with a role at least rbac.MinAge old; and first, the present role of By, must still
// allow By to make the request. Any admin with the permission may reject it, including
// By. Refusals in this order: AdminForbidden, InvalidState with the present status
// ("expired" and "void" too), Forbidden.
func (a Approval) Decide(by, first rbac.Assignment, policy rbac.Policy, approve bool, now time.Time) (Approval, error) {
	if err := policy.Check(by, a.Kind.Permission()); err != nil {
		return Approval{}, err
	}
	if a.Status != Open {
		return Approval{}, alreadyDecidedError(string(a.Status))
	}
	if !now.Before(a.ExpiresAt) {
		return Approval{}, alreadyDecidedError("expired")
	}
	a.Status, a.DecidedBy, a.DecidedAt = Refused, by.Wallet, now
	if !approve {
		return a, nil
	}
	if !a.requesterStillAllowed(first, policy) {
		return Approval{}, fault.New(fault.InvalidState, "the request is void: the role of the admin who made it was changed since").With("status", "void")
	}
	if by.Wallet == a.By {
		return Approval{}, fault.New(fault.Forbidden, "the second approval must come from another person")
	}
	if err := mayDecide(a.Request, by, policy, now); err != nil {
		return Approval{}, err
	}
	if err := by.CheckApart(first, now); err != nil {
		return Approval{}, err
	}
	a.Status = Approved
	return a, nil
}

// requesterStillAllowed reports whether the admin who made the request could still make
// it, with a role that was old enough then.
func (a Approval) requesterStillAllowed(first rbac.Assignment, policy rbac.Policy) bool {
	return policy.Check(first, a.Kind.Permission()) == nil && (first.AgentCode == "" || first.AgentCode == a.Agent) &&
		first.CheckAge(a.CreatedAt) == nil
}

func alreadyDecidedError(status string) error {
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

// Covered returns the request's values that blocks cover.
func (a Approval) Covered() event.Event {
	return event.New(event.Request, a.ID, a.Wallet,
		event.Text("kind", a.Kind), event.Text("agent", a.Agent), event.Text("token", a.Token), event.Int("amount", a.Amount),
		event.Text("reference", a.Reference), event.Text("reason", a.Reason), event.Text("by", a.By), event.Text("status", a.Status),
		event.Time("createdAt", a.CreatedAt), event.Time("expiresAt", a.ExpiresAt),
		event.Text("decidedBy", a.DecidedBy), event.Time("decidedAt", a.DecidedAt))
}

// FromCovered returns the request of an event that Covered made.
func FromCovered(e event.Event) Approval {
	return Approval{
		ID: e.ID, By: wallet.Address(e.Value("by")), Agent: e.Value("agent"), Status: Status(e.Value("status")),
		Request: Request{
			Kind: Kind(e.Value("kind")), Wallet: e.Wallet, Token: money.Token(e.Value("token")), Amount: e.Number("amount"),
			Reference: e.Value("reference"), Reason: e.Value("reason"),
		},
		CreatedAt: e.At("createdAt"), ExpiresAt: e.At("expiresAt"),
		DecidedBy: wallet.Address(e.Value("decidedBy")), DecidedAt: e.At("decidedAt"),
	}
}
