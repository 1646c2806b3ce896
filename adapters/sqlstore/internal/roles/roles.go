// Package roles keeps the roles of admins.
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

// Store serves ports.Roles and ports.RoleLists.
type Store struct{ *change.Changes }

var (
	lockRoles = db.NewQuery(`UPDATE roles SET role = roles.role FROM {sent} AS s WHERE roles.wallet = s.wallet`, "wallet")
	readRoles = change.Roles.Find("r.wallet = s.wallet", "wallet")
	// One statement, so that the list and its seal are of one moment.
	readRoleList = db.NewQuery("SELECT "+change.Roles.Columns()+", l.version, l.seal FROM {sent} AS s CROSS JOIN role_list AS l CROSS JOIN roles AS r "+
		"WHERE l.id = s.id ORDER BY r.wallet", "id:int")
)

// Part are those that the items need.
type Part struct{ batch.NoPart }

// Ask reads the roles. A role may be asked for by several wallets.
func (Part) Ask(b *batch.Batch) {
	var askers map[wallet.Address][]*batch.Wallet
	for _, w := range b.Sorted {
		for _, one := range w.Needs.Roles {
			batch.Put(&askers, one, append(askers[one], w))
		}
	}
	// Writing the rows to themselves locks them on every database: a role that is
	// being taken away decides nothing.
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

// Answered makes the list part of the views that asked for roles.
func (Part) Answered(b *batch.Batch) error {
	for _, w := range b.Sorted {
		if w.RoleList != nil {
			w.View.RoleList = *w.RoleList
		}
	}
	return nil
}

// TheRoleList are all role assignments, by wallet, each with what the list carries.
var TheRoleList = "SELECT " + change.Roles.Columns() + ", l.version, l.seal FROM role_list AS l CROSS JOIN roles AS r ORDER BY r.wallet"

// ScanRoleList adds a row of TheRoleList to the list.
func ScanRoleList(row db.Row, list *rbac.List) error {
	a, err := change.Roles.ScanWith(row, &list.Version, &list.Seal)
	list.All = append(list.All, a)
	return err
}

// ReadRoleList reads all role assignments, by wallet, with what the list carries, for
// whoever has its lock.
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

// ReadEmptyRoleList reads what a list carries. Where somebody removed it nothing is known.
func ReadEmptyRoleList(ctx context.Context, from bun.IDB, list *rbac.List) error {
	var row RoleListRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	list.Version, list.Seal = row.Version, row.Seal
	return err
}

// RoleListRow is the one row of role_list: what the list of roles carries.
type RoleListRow struct {
	bun.BaseModel `bun:"table:role_list,alias:l"`
	ID            table.Single `bun:",pk"`
	Version       int64
	Seal          string
}

// Role serves ports.Roles.
func (s *Store) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	return read.From(s.Reads, change.Roles).Where("r.wallet = ?", w).One(ctx, "read role", fault.New(fault.NotFound, "%s has no role", w))
}

// Roles serves ports.Roles.
func (s *Store) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	return read.From(s.Reads, change.Roles).Order("r.wallet").All(ctx, "list roles")
}

// RoleList serves ports.RoleLists. Every request of an admin asks for it, so that requests at
// the same time share it. A list that is read has begun to be read after each of them had.
func (s *Store) RoleList(ctx context.Context) (rbac.List, error) {
	list, err := read.SharedByAll(ctx, s.Reads, func(ctx context.Context) (list rbac.List, err error) {
		err = s.Kept(ctx, "roles", TheRoleList, nil, func(row *sql.Rows) error { return ScanRoleList(row, &list) })
		if err == nil && len(list.All) == 0 {
			err = s.DB.Unreachable("roles", ReadEmptyRoleList(ctx, s.DB.Read, &list))
		}
		return list, err
	}, "roles")
	list.All = slices.Clone(list.All) // others got the same
	return list, err
}

// ChangeRole serves ports.Roles: a short transaction that locks the guard of
// roles first, so that two changes come one after the other.
func (s *Store) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return s.ChangeRoleList(ctx, w, func(now rbac.List) (rbac.List, audit.Record, error) {
		granted, record, err := decide(now.All)
		return now.With(w, granted, 0), record, err
	})
}

// ChangeRoleList serves ports.RoleLists.
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

// assignmentIn is a wallet's assignment in a list, nil for none.
func assignmentIn(l rbac.List, w wallet.Address) *rbac.Assignment {
	if at := slices.IndexFunc(l.All, func(a rbac.Assignment) bool { return a.Wallet == w }); at >= 0 {
		return &l.All[at]
	}
	return nil
}
