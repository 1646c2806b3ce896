// Package roles stores the roles of admins.
package roles

import (
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Roles and ports.RoleLists.
type Store struct{ *change.Changes }

var (
	lockRoles = db.NewQuery(`UPDATE roles SET role = roles.role FROM {sent} AS s WHERE roles.wallet = s.wallet`, "wallet")
	readRoles = change.Roles.Find("r.wallet = s.wallet", "wallet")
	// One statement, so that the list and its seal are from one snapshot.
	readRoleList = db.NewQuery("SELECT "+change.Roles.Columns()+", l.version, l.seal FROM {sent} AS s CROSS JOIN role_list AS l CROSS JOIN roles AS r "+
		"WHERE l.id = s.id ORDER BY r.wallet", "id:int")
)

// Part reads the roles that the items need.
type Part struct{ batch.NoPart }

// Ask reads the roles. Several wallets may need the same role.
func (Part) Ask(b *batch.Batch) {
	var askers map[wallet.Address][]*batch.Wallet
	for _, w := range b.Sorted {
		for _, one := range w.Needs.Roles {
			batch.Put(&askers, one, append(askers[one], w))
		}
	}
	// Updating the rows with their own values locks them on every database: a role can't be used
	// while it is removed.
	b.Ask("lock roles", lockRoles, db.SortedRows(askers), nil)
	readRoles.Ask(&b.Asks, "read roles", db.SortedRows(askers), func(a rbac.Assignment) error {
		for _, w := range askers[a.Wallet] {
			batch.Put(&w.View.Roles, a.Wallet, a)
		}
		return nil
	})
	if len(askers) == 0 {
		return
	}
	list := &rbac.List{}
	for _, w := range b.Sorted {
		if len(w.Needs.Roles) > 0 {
			w.RoleList = list
		}
	}
	b.Ask("read the list of roles", readRoleList, [][]any{{1}}, func(row db.Row) error {
		return ScanRoleList(row, list)
	})
}

// Answered adds the list to the views that need roles.
func (Part) Answered(b *batch.Batch) error {
	for _, w := range b.Sorted {
		if w.RoleList != nil {
			w.View.RoleList = *w.RoleList
		}
	}
	return nil
}

// TheRoleList selects all role assignments, by wallet, each with the version and seal of the
// list.
var TheRoleList = "SELECT " + change.Roles.Columns() + ", l.version, l.seal FROM role_list AS l CROSS JOIN roles AS r ORDER BY r.wallet"

// ScanRoleList adds a row of TheRoleList to the list.
func ScanRoleList(row db.Row, list *rbac.List) error {
	a, err := change.Roles.ScanWith(row, &list.Version, &list.Seal)
	list.All = append(list.All, a)
	return err
}

// ReadRoleList reads all role assignments, by wallet, with the version and seal of the list. The
// caller holds its lock.
func ReadRoleList(ctx context.Context, from bun.IDB) (list rbac.List, err error) {
	var all []change.RoleRow
	if err := from.NewSelect().Model(&all).Order("r.wallet").Scan(ctx); err != nil {
		return list, db.Wrap("read the list of roles", err)
	}
	for _, row := range all {
		list.All = append(list.All, rbac.Assignment(row.Assignment))
	}
	return list, db.Wrap("read the list of roles", ReadEmptyRoleList(ctx, from, &list))
}

// ReadEmptyRoleList reads the version and seal of a list without roles. Without a row it sets
// nothing.
func ReadEmptyRoleList(ctx context.Context, from bun.IDB, list *rbac.List) error {
	var row RoleListRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	list.Version, list.Seal = row.Version, row.Seal
	return err
}

// RoleListRow is the one row of role_list: the version and seal of the list.
type RoleListRow struct {
	bun.BaseModel `bun:"table:role_list,alias:l"`
	ID            table.Single `bun:",pk"`
	Version       int64
	Seal          string
}

// Role implements ports.Roles.
func (s *Store) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	return read.From(s.Reads, change.Roles).Where("r.wallet = ?", w).One(ctx, "read role", fault.New(fault.NotFound, "%s has no role", w))
}

// Roles implements ports.Roles.
func (s *Store) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	return read.From(s.Reads, change.Roles).Order("r.wallet").All(ctx, "list roles")
}

// RoleList implements ports.RoleLists. Every request of an admin needs it, so concurrent requests
// share it. The list was read after each of them began.
func (s *Store) RoleList(ctx context.Context) (rbac.List, error) {
	list, err := read.SharedByAll(ctx, s.Reads, func(ctx context.Context) (list rbac.List, err error) {
		err = s.Kept(ctx, "roles", TheRoleList, nil, func(row *sql.Rows) error { return ScanRoleList(row, &list) })
		if err == nil && len(list.All) == 0 {
			err = s.DB.Unreachable("roles", ReadEmptyRoleList(ctx, s.DB.Read, &list))
		}
		return list, err
	}, "roles")
	list.All = slices.Clone(list.All) // other callers got the same slice
	return list, err
}

// ChangeRole implements ports.Roles: a short transaction that first locks the guard of roles, so
// that two changes run one after the other.
func (s *Store) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return s.ChangeRoleList(ctx, w, func(now rbac.List) (rbac.List, audit.Record, error) {
		granted, record, err := decide(now.All)
		return now.With(w, granted, 0), record, err
	})
}

// ChangeRoleList implements ports.RoleLists.
func (s *Store) ChangeRoleList(ctx context.Context, w wallet.Address, decide ports.RoleListDecision) error {
	return s.Run(ctx, "roles", func(ctx context.Context, tx bun.Tx) error {
		now, err := ReadRoleList(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil {
			return err
		}
		before, granted := assignmentIn(now, w), assignmentIn(next, w)
		if granted == nil {
			_, err = tx.NewDelete().Model((*change.RoleRow)(nil)).Where("wallet = ?", w).Exec(ctx)
		} else {
			_, err = tx.NewInsert().Model(change.Roles.Row(granted)).On("CONFLICT (wallet) DO UPDATE").Exec(ctx)
		}
		if err != nil {
			return db.Wrap("write role", err)
		}
		if _, err := tx.NewInsert().Model(&RoleListRow{Version: next.Version, Seal: next.Seal}).On("CONFLICT (id) DO UPDATE").Exec(ctx); err != nil {
			return db.Wrap("write the list of roles", err)
		}
		if change, changed := rbac.CoveredChange(before, granted); changed {
			return s.Seal(ctx, tx, record, change)
		}
		return s.Seal(ctx, tx, record)
	})
}

// assignmentIn returns a wallet's assignment in a list, nil if it has none.
func assignmentIn(l rbac.List, w wallet.Address) *rbac.Assignment {
	if at := slices.IndexFunc(l.All, func(a rbac.Assignment) bool { return a.Wallet == w }); at >= 0 {
		return &l.All[at]
	}
	return nil
}
