package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Roles reads and writes who may do what. Writes are short transactions that
// lock the role table's first row, with their audit record in the same commit.
type Roles interface {
	// Role returns the wallet's assignment, or NotFound for a wallet without one.
	Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error)
	// Roles lists every assignment, sorted by wallet.
	Roles(ctx context.Context) ([]rbac.Assignment, error)
	// ChangeRole runs decide on all assignments, read under lock, and stores the
	// assignment it returns for the wallet, or removes it when it returns nil.
	// A refusal by decide changes nothing and is returned as it is.
	ChangeRole(ctx context.Context, w wallet.Address, decide RoleDecision) error
}

// RoleDecision decides on a role from all present assignments.
type RoleDecision func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error)

// RoleLists keeps the role assignments of Roles as one list with a version and a seal.
// Writer's decisions that see roles see that list too, all of one moment.
type RoleLists interface {
	// RoleList returns every assignment, by wallet, with the list's version and seal, all
	// of one moment.
	RoleList(ctx context.Context) (rbac.List, error)
	// ChangeRoleList is Roles.ChangeRole with the list as it is and as it becomes: it
	// stores the wallet's assignment of the next list, its version and its seal, with the
	// audit record in the same commit. A refusal by decide changes nothing and is
	// returned as it is. A change by Roles.ChangeRole counts the version up by one and
	// leaves the list without a seal.
	ChangeRoleList(ctx context.Context, w wallet.Address, decide RoleListDecision) error
}

// RoleListDecision decides on the next list of roles, which differs from the present one
// in one wallet's assignment, version and seal.
type RoleListDecision func(now rbac.List) (next rbac.List, record audit.Record, err error)
