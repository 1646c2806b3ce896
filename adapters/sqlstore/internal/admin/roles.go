package admin

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeRole serves ports.Roles: a short transaction that locks the guard of
// roles first, so that two changes come one after the other.
func (c *Changes) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return c.short(ctx, "roles", func(ctx context.Context, tx bun.Tx) error {
		all, err := rows.ReadRoles(ctx, tx)
		if err != nil {
			return err
		}
		granted, record, err := decide(all)
		if err != nil {
			return err
		}
		var before *rbac.Assignment
		if at := slices.IndexFunc(all, func(a rbac.Assignment) bool { return a.Wallet == w }); at >= 0 {
			before = &all[at]
		}
		if granted == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM roles WHERE wallet = ?", string(w))
		} else {
			written := *granted
			written.Wallet = w
			granted = &written
			_, err = tx.ExecContext(ctx, rows.Roles.Upsert("role", "agent", "granted_by", "granted_at", "founding"), rows.Roles.Values(&written)...)
		}
		if err != nil {
			return db.Wrap("write role", err)
		}
		if change, changed := rbac.CoveredChange(before, granted); changed {
			return c.seal(ctx, tx, record, change)
		}
		return c.seal(ctx, tx, record)
	})
}
