package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Role serves ports.Roles.
func (r *Reads) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	return one(ctx, r, "read role", rows.Roles.Select()+" WHERE r.wallet = ?", []any{string(w)},
		rows.Roles.Scan, fault.New(fault.NotFound, "%s has no role", w))
}

// Roles serves ports.Roles.
func (r *Reads) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	all, err := rows.ReadRoles(ctx, r.db.Read)
	return all, r.db.Unreachable("roles", err)
}

// RoleList serves ports.RoleLists.
func (r *Reads) RoleList(ctx context.Context) (rbac.List, error) {
	list, err := rows.ReadRoleList(ctx, r.db.Read)
	return list, r.db.Unreachable("roles", err)
}
