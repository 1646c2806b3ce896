package reads

import (
	"context"
	"database/sql"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Role serves ports.Roles.
func (r *Reads) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	return from(r, rows.Roles).where("r.wallet = ?", w).one(ctx, "read role", fault.New(fault.NotFound, "%s has no role", w))
}

// Roles serves ports.Roles.
func (r *Reads) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	return from(r, rows.Roles).order("r.wallet").all(ctx, "list roles")
}

// theRoles is the key of the one list of roles.
const theRoles = "roles"

// readRoles is asked by every request of an admin, so that requests at the same time share
// it. A list that is read has begun to be read after each of them had.
func (r *Reads) readRoles(ctx context.Context, _ []string, found func(string, rbac.List)) error {
	var list rbac.List
	err := r.kept(ctx, "roles", rows.TheRoleList, nil, func(row *sql.Rows) error { return rows.ScanRoleList(row, &list) })
	if err == nil && len(list.All) == 0 {
		err = r.db.Unreachable("roles", rows.ReadEmptyRoleList(ctx, r.db.Read, &list))
	}
	found(theRoles, list)
	return err
}

// RoleList serves ports.RoleLists.
func (r *Reads) RoleList(ctx context.Context) (rbac.List, error) {
	list, _, err := r.roles.find(ctx, theRoles)
	list.All = slices.Clone(list.All) // others got the same
	return list, err
}
