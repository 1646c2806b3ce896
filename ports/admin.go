package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Roles stores the assignments of roles. Each write is a short transaction that locks
// the role table's first row and has its audit record in the same commit.
type Roles interface {
	// Role returns the wallet's assignment, or NotFound for a wallet without one.
	Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error)
	// Roles lists every assignment, sorted by wallet.
	Roles(ctx context.Context) ([]rbac.Assignment, error)
	// ChangeRole reads all assignments under lock, calls decide, and stores the assignment
	// it returns for the wallet; nil removes the wallet's assignment. A refusal by decide
	// changes nothing and is returned unchanged.
	ChangeRole(ctx context.Context, w wallet.Address, decide RoleDecision) error
}

// RoleDecision decides on a role, given all present assignments.
type RoleDecision func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error)

// RoleLists stores the same assignments as one list with a version and a seal. Decisions
// of Writer that see roles see that list too, read at the same moment.
type RoleLists interface {
	// RoleList returns every assignment, sorted by wallet, and the list's version and seal,
	// all read at one moment.
	RoleList(ctx context.Context) (rbac.List, error)
	// ChangeRoleList works as Roles.ChangeRole, but decide gets the present list and
	// returns the next one. It stores the wallet's assignment, the version and the seal of
	// the next list, with the audit record in the same commit. A refusal by decide changes
	// nothing and is returned unchanged. Roles.ChangeRole increments the version and leaves
	// the list without a seal.
	ChangeRoleList(ctx context.Context, w wallet.Address, decide RoleListDecision) error
}

// RoleListDecision returns the next list of roles. It differs from the present one in
// version, seal and one wallet's assignment.
type RoleListDecision func(now rbac.List) (next rbac.List, record audit.Record, err error)
