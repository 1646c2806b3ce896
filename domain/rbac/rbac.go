// Package rbac is who may do what at the admin side: permissions, roles with levels,
// and which role may grant which.
//
// A Policy is a value; DefaultPolicy is the casino's, embedders may build their
// own. Use cases check an Assignment read under lock in the deciding commit;
// nothing here keeps state.
package rbac

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// Permission is one thing an admin may be allowed to do.
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
	// NeedsAgent says that the role is bound to one agent and sees only its players.
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
	GrantedBy wallet.Address // empty when it was granted on the command line
	GrantedAt time.Time
	// Founding says that the role was made before anybody had asked for money: it
	// counts as old, and as granted by nobody.
	Founding bool
}

// Policy is a set of roles. The zero Policy allows nothing.
type Policy struct{ roles []Role }

// NewPolicy returns a policy of the roles; the last one of a name counts.
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

// Role returns the role of a name.
func (p Policy) Role(name string) (Role, bool) {
	for i := len(p.roles) - 1; i >= 0; i-- {
		if p.roles[i].Name == name {
			return p.roles[i], true
		}
	}
	return Role{}, false
}

// Check returns nil when the assignment's role has the permission, else a fault
// of kind AdminForbidden with Details["permission"].
func (p Policy) Check(a Assignment, permission Permission) error {
	role, ok := p.Role(a.Role)
	if !ok || !role.Allows(permission) {
		return fault.New(fault.AdminForbidden, "this needs the permission %s", permission).
			With("permission", string(permission))
	}
	return nil
}

// Assign returns an assignment of a known role: an agent's code goes with exactly the
// roles that need one. Faults name "role" or "agentCode".
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

// Follow returns the assignment that a wallet has after it was granted next while it had
// before. What allows nothing more than before keeps its origin (who granted it, when,
// and whether it is a founding role), so that neither granting a role again nor a
// demotion makes anybody a newcomer; whatever allows more is as young as it is.
func (p Policy) Follow(before, next Assignment) Assignment {
	if before.Role == "" || next.Founding || p.AllowsMore(before, next) {
		return next
	}
	next.GrantedBy, next.GrantedAt, next.Founding = before.GrantedBy, before.GrantedAt, before.Founding
	return next
}

// AllowsMore reports whether next has a permission that before lacks, or reaches
// players that before doesn't.
func (p Policy) AllowsMore(before, next Assignment) bool {
	if before.AgentCode != "" && before.AgentCode != next.AgentCode {
		return true
	}
	old, _ := p.Role(before.Role)
	role, _ := p.Role(next.Role)
	return slices.ContainsFunc(role.Permissions, func(each Permission) bool { return !old.Allows(each) })
}

// CanGrant returns nil when the actor may grant the target the role (or revoke the
// target's, with newRole empty): the actor needs roles:write, the new role must
// be one of the policy, and both it and the target's present role must be at a
// strictly lower level. A present role that isn't in the policy any more
// allows nothing and protects nobody. Refusals in this order: AdminForbidden, Invalid naming
// "role", Forbidden.
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

// KeepsTop returns a fault of kind InvalidState when granting the wallet the role
// (or none, with nil) would leave nobody at the top level.
func (p Policy) KeepsTop(all []Assignment, w wallet.Address, next *Assignment) error {
	had := false
	for _, a := range all {
		if p.top(a) && a.Wallet != w {
			return nil
		}
		had = had || p.top(a)
	}
	if had && (next == nil || !p.top(*next)) {
		return fault.New(fault.InvalidState, "the last %s can't be removed", Superadmin).With("status", "last")
	}
	return nil
}

func (p Policy) top(a Assignment) bool {
	role, ok := p.Role(a.Role)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(p.roles, func(other Role) bool { return other.Level < role.Level })
}
