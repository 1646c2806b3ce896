// Package rbac defines the rights of admins: permissions, roles with levels, and which
// role may grant which.
//
// A Policy is a value; DefaultPolicy is the casino's, and embedders may build their own.
// Use cases check an Assignment read under lock in the commit that decides. Nothing here
// keeps state.
package rbac

import (
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// Permission is one right of an admin.
type Permission string

// The permissions.
const (
	AdminRead       Permission = "admin:read"
	AdminWrite      Permission = "admin:write"
	AuditRead       Permission = "audit:read"
	BalancesWrite   Permission = "balances:write"
	RolesWrite      Permission = "roles:write"
	WithdrawApprove Permission = "withdraw:approve"
	WithdrawReject  Permission = "withdraw:reject"
	WhitelabelWrite Permission = "whitelabel:write"
)

// Permissions returns every permission, sorted.
func Permissions() []Permission {
	return []Permission{AdminRead, AdminWrite, AuditRead, BalancesWrite, RolesWrite,
		WhitelabelWrite, WithdrawApprove, WithdrawReject}
}

// Superadmin is the name of the top role of DefaultPolicy.
const Superadmin = "superadmin"

// Role is a named set of permissions at a level; a lower number is a higher rank.
type Role struct {
	Name        string
	Level       int
	Permissions []Permission
	// NeedsAgent reports that the role is bound to one agent and sees only that agent's
	// players.
	NeedsAgent bool
}

// Allows reports whether the role has the permission.
func (r Role) Allows(p Permission) bool { return slices.Contains(r.Permissions, p) }

// Assignment gives one wallet a role. The zero Assignment is no role.
type Assignment struct {
	Wallet wallet.Address
	Role   string
	// AgentCode is the agent of a role that needs one, else empty.
	AgentCode string
	GrantedBy wallet.Address // empty if granted on the command line
	GrantedAt time.Time
	// Founding reports that the role was granted before the first withdrawal: it counts as
	// old and has no grantor.
	Founding bool
}

// Policy is a set of roles. The zero Policy allows nothing.
type Policy struct{ roles []Role }

// NewPolicy returns a policy of the roles; a later role replaces an earlier one of the
// same name.
func NewPolicy(roles ...Role) Policy { return Policy{roles: slices.Clone(roles)} }

// DefaultPolicy returns the casino's roles.
func DefaultPolicy() Policy {
	return NewPolicy(
		Role{Name: Superadmin, Level: 1, Permissions: Permissions()},
		Role{Name: "admin", Level: 2, Permissions: []Permission{AdminRead, AdminWrite, AuditRead,
			BalancesWrite, WithdrawApprove, WithdrawReject, WhitelabelWrite}},
		Role{Name: "finance", Level: 2, Permissions: []Permission{AdminRead, AuditRead, BalancesWrite,
			WithdrawApprove, WithdrawReject}},
		Role{Name: "ops", Level: 2, Permissions: []Permission{AdminRead, AdminWrite}},
		Role{Name: "support", Level: 2, Permissions: []Permission{AdminRead, WithdrawReject}},
		Role{Name: "readonly", Level: 2, Permissions: []Permission{AdminRead}},
		Role{Name: "operator", Level: 3, Permissions: []Permission{AdminRead}, NeedsAgent: true},
	)
}

// Roles returns the policy's roles.
func (p Policy) Roles() []Role { return slices.Clone(p.roles) }

// Role returns the role with a name.
func (p Policy) Role(name string) (Role, bool) {
	for i := len(p.roles) - 1; i >= 0; i-- {
		if p.roles[i].Name == name {
			return p.roles[i], true
		}
	}
	return Role{}, false
}

// Check returns a fault of kind AdminForbidden with Details["permission"] unless the
// assignment's role has the permission.
func (p Policy) Check(a Assignment, permission Permission) error {
	role, ok := p.Role(a.Role)
	if !ok || !role.Allows(permission) {
		return fault.New(fault.AdminForbidden, "this needs the permission %s", permission).
			With("permission", string(permission))
	}
	return nil
}

// Assign returns an assignment of a known role. An agent's code is required by roles
// that need one and refused for others. Faults name "role" or "agentCode".
func (p Policy) Assign(w wallet.Address, role, agentCode string, now time.Time) (Assignment, error) {
	known, ok := p.Role(role)
	switch {
	case !ok:
		return Assignment{}, fault.Field("role", "no such role")
	case known.NeedsAgent && agentCode == "":
		return Assignment{}, fault.Field("agentCode", "the role %s is bound to an agent", role)
	case !known.NeedsAgent && agentCode != "":
		return Assignment{}, fault.Field("agentCode", "the role %s is not bound to an agent", role)
	}
	return Assignment{Wallet: w, Role: role, AgentCode: agentCode, GrantedAt: now}, nil
}

// Follow returns the wallet's assignment after next replaces before. If next allows
// nothing more, the assignment keeps its origin (grantor, time and whether it is a
// founding role), so that neither granting a role again nor a demotion makes it new.
// Otherwise it has next's origin.
func (p Policy) Follow(before, next Assignment) Assignment {
	if before.Role == "" || next.Founding || p.AllowsMore(before, next) {
		return next
	}
	next.GrantedBy, next.GrantedAt, next.Founding = before.GrantedBy, before.GrantedAt, before.Founding
	return next
}

// AllowsMore reports whether next has a permission that before lacks, or covers players
// that before doesn't.
func (p Policy) AllowsMore(before, next Assignment) bool {
	if before.AgentCode != "" && before.AgentCode != next.AgentCode {
		return true
	}
	old, _ := p.Role(before.Role)
	role, _ := p.Role(next.Role)
	return slices.ContainsFunc(role.Permissions, func(each Permission) bool { return !old.Allows(each) })
}

// CanGrant returns nil if the actor may grant the target the role (or revoke the
// target's, if newRole is empty). The actor needs roles:write, the new role must be in
// the policy, and both it and the target's present role must be at a strictly lower
// level. A present role that is no longer in the policy is ignored. Refusals in this
// order: AdminForbidden, Invalid naming "role", Forbidden.
func (p Policy) CanGrant(actor, target Assignment, newRole string) error {
	if err := p.Check(actor, RolesWrite); err != nil {
		return err
	}
	if _, known := p.Role(newRole); newRole != "" && !known {
		return fault.Field("role", "no such role")
	}
	own, _ := p.Role(actor.Role)
	for _, name := range []string{target.Role, newRole} {
		if role, ok := p.Role(name); ok && role.Level <= own.Level {
			return fault.New(fault.Forbidden, "the role %s is not below your own level", name)
		}
	}
	return nil
}

// KeepsTop returns a fault of kind InvalidState if granting the wallet the role (or
// revoking it, with nil) would leave the top level empty.
func (p Policy) KeepsTop(all []Assignment, w wallet.Address, next *Assignment) error {
	had := false
	for _, a := range all {
		if p.isTopRole(a) && a.Wallet != w {
			return nil
		}
		had = had || p.isTopRole(a)
	}
	if had && (next == nil || !p.isTopRole(*next)) {
		return fault.New(fault.InvalidState, "the last %s can't be removed", Superadmin).With("status", "last")
	}
	return nil
}

func (p Policy) isTopRole(a Assignment) bool {
	role, ok := p.Role(a.Role)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(p.roles, func(other Role) bool { return other.Level < role.Level })
}

// MinAge is the least age of a role that may move money: to credit or to approve, alone
// or as one of two. A newer role may have been granted for this very decision.
const MinAge = 24 * time.Hour

// GrantWindow is how long two roles of one origin count as one person's.
const GrantWindow = 30 * 24 * time.Hour

// Values of Details["reason"] of Forbidden.
const (
	TooYoung    = "role_too_young"
	SameGrantor = "same_grantor"
)

// CheckAge returns a fault of kind Forbidden with Details["reason"] TooYoung for a role
// younger than MinAge. Details["from"] is the time when it is old enough, in Unix
// milliseconds.
func (a Assignment) CheckAge(now time.Time) error {
	from := a.GrantedAt.Add(MinAge)
	if a.Founding || !now.Before(from) {
		return nil
	}
	return fault.New(fault.Forbidden, "a role must be at least %d hours old to credit or approve anything", int(MinAge.Hours())).
		With("reason", TooYoung).With("from", from.UnixMilli())
}

// CheckApart returns a fault of kind Forbidden with Details["reason"] SameGrantor if the
// votes of the two count as one: within GrantWindow one of them granted the other's
// role, or one person granted both. The command line counts as one person; founding
// roles have no grantor.
func (a Assignment) CheckApart(other Assignment, now time.Time) error {
	switch mine, others := a.grantedRecently(now), other.grantedRecently(now); {
	case mine && a.GrantedBy == other.Wallet, others && other.GrantedBy == a.Wallet:
		return oneVote("one of them granted the other one's role")
	case mine && others && a.GrantedBy == other.GrantedBy:
		return oneVote("one person granted both their roles")
	}
	return nil
}

// Origin returns the role's grantor and its time, both zero for a founding role. Votes
// store it, because the role may change later.
func (a Assignment) Origin() (by wallet.Address, at time.Time) {
	if a.Founding {
		return "", time.Time{}
	}
	return a.GrantedBy, a.GrantedAt
}

// grantedRecently reports whether the role was granted within GrantWindow.
func (a Assignment) grantedRecently(now time.Time) bool {
	return !a.Founding && a.GrantedAt.After(now.Add(-GrantWindow))
}

func oneVote(why string) error {
	return fault.New(fault.Forbidden, "the votes of these two persons count as one: %s in the last %d days", why, int(GrantWindow.Hours()/24)).
		With("reason", SameGrantor)
}

// Covered returns the assignment's values that blocks cover.
func (a Assignment) Covered() event.Event {
	return event.New(event.Role, string(a.Wallet), a.Wallet,
		event.Text("role", a.Role), event.Text("agent", a.AgentCode), event.Text("grantedBy", a.GrantedBy), event.Time("grantedAt", a.GrantedAt),
		event.Flag("founding", a.Founding))
}

// CoveredChange returns the event of a change of a wallet's role: before is nil for a
// new role, after for a revoked one. It is false if nothing changed.
func CoveredChange(before, after *Assignment) (change event.Event, changed bool) {
	switch {
	case before == nil && after == nil:
		return event.Event{}, false
	case after == nil:
		return before.Covered().Gone(), true
	case before == nil:
		return after.Covered(), true
	}
	change = after.Covered().After(before.Covered())
	return change, change.Was != change.Digest()
}

// RolesPurpose is the purpose of the seal of the list of roles.
const RolesPurpose = "roles"

// ReasonRoles is Details["reason"] of a refusal because of a forged list of roles.
const ReasonRoles = "roles"

// List is the list of all role assignments. Its seal covers all of them, so that none
// can be added, removed or restored in the database. Its version counts the changes, so
// that an earlier list is detected if the latest version is known elsewhere.
type List struct {
	Version int64
	All     []Assignment // by wallet
	Seal    string
}

// Of returns a wallet's assignment, the zero one if it has none.
func (l List) Of(w wallet.Address) Assignment {
	if at := slices.IndexFunc(l.All, func(a Assignment) bool { return a.Wallet == w }); at >= 0 {
		return l.All[at]
	}
	return Assignment{}
}

// With returns the next list, in which the wallet has the assignment, or none for nil.
// It has no seal yet, and its version is above the present and the latest known one.
func (l List) With(w wallet.Address, granted *Assignment, latest int64) List {
	next := List{Version: max(l.Version, latest) + 1, All: slices.DeleteFunc(slices.Clone(l.All), func(a Assignment) bool { return a.Wallet == w })}
	if granted != nil {
		added := *granted
		added.Wallet = w
		next.All = append(next.All, added)
	}
	slices.SortFunc(next.All, func(a, b Assignment) int { return strings.Compare(string(a.Wallet), string(b.Wallet)) })
	return next
}

// Sealed returns the message of the list's seal.
func (l List) Sealed() []byte {
	return canonical.Message("casino roles 1", func(e *canonical.Encoder) {
		e.Integer(l.Version)
		e.Integer(int64(len(l.All)))
		for _, a := range l.All {
			e.Text(string(a.Wallet))
			e.Text(a.Role)
			e.Text(a.AgentCode)
			e.Text(string(a.GrantedBy))
			e.Moment(a.GrantedAt)
			e.Flag(a.Founding)
		}
	})
}

// ErrForged is the refusal of every decision that depends on a forged list of roles.
var ErrForged = fault.New(fault.Maintenance, "the list of roles in the database is not the one that the service wrote").
	With("reason", ReasonRoles)

// Check returns ErrForged for a list that the service didn't seal, or that is older than
// the latest known version. An empty list needs no seal: it allows nothing.
func (l List) Check(seals seal.Authenticator, latest int64) error {
	if seal.Off(seals) || len(l.All) == 0 {
		return nil
	}
	if l.Version < latest || seals.Verify(RolesPurpose, l.Sealed(), l.Seal) != nil {
		return ErrForged
	}
	return nil
}
