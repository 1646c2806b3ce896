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
