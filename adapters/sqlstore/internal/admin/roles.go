package admin

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeRole serves ports.Roles: a short transaction that locks the guard of
// roles first, so that two changes come one after the other.
func (c *Changes) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return c.ChangeRoleList(ctx, w, func(now rbac.List) (rbac.List, audit.Record, error) {
		granted, record, err := decide(now.All)
		return now.With(w, granted, 0), record, err
	})
}

// ChangeRoleList serves ports.RoleLists.
func (c *Changes) ChangeRoleList(ctx context.Context, w wallet.Address, decide ports.RoleListDecision) error {
	return c.short(ctx, "roles", func(ctx context.Context, tx bun.Tx) error {
		now, err := rows.ReadRoleList(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil {
			return err
		}
		before, granted := assignmentIn(now, w), assignmentIn(next, w)
		if granted == nil {
			_, err = tx.NewDelete().Model((*rows.RoleRow)(nil)).Where("wallet = ?", w).Exec(ctx)
		} else {
			_, err = tx.NewInsert().Model(rows.Roles.Row(granted)).On("CONFLICT (wallet) DO UPDATE").Exec(ctx)
		}
		if err != nil {
			return db.Wrap("write role", err)
		}
		if _, err := tx.NewInsert().Model(&rows.RoleListRow{Version: next.Version, Seal: next.Seal}).On("CONFLICT (id) DO UPDATE").Exec(ctx); err != nil {
			return db.Wrap("write the list of roles", err)
		}
		if change, changed := rbac.CoveredChange(before, granted); changed {
			return c.seal(ctx, tx, record, change)
		}
		return c.seal(ctx, tx, record)
	})
}

// assignmentIn is a wallet's assignment in a list, nil for none.
func assignmentIn(l rbac.List, w wallet.Address) *rbac.Assignment {
	if at := slices.IndexFunc(l.All, func(a rbac.Assignment) bool { return a.Wallet == w }); at >= 0 {
		return &l.All[at]
	}
	return nil
}
