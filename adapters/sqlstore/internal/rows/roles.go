package rows

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// RoleRow is a row of roles.
type RoleRow struct {
	bun.BaseModel `bun:"table:roles,alias:r"`
	Assignment    struct {
		Wallet    wallet.Address `bun:",pk"`
		Role      string
		AgentCode string `bun:"agent"`
		GrantedBy wallet.Address
		GrantedAt time.Time
		Founding  bool
	} `bun:"embed:"`
}

// Roles are the role assignments.
var Roles = modelOf[RoleRow, rbac.Assignment]()

var (
	lockRoles = db.NewQuery(`UPDATE roles SET role = roles.role FROM {sent} AS s WHERE roles.wallet = s.wallet`, "wallet")
	readRoles = Roles.find("r.wallet = s.wallet", "wallet")
	// One statement, so that the list and its seal are of one moment.
	readRoleList = db.NewQuery("SELECT "+Roles.Columns()+", l.version, l.seal FROM {sent} AS s CROSS JOIN role_list AS l CROSS JOIN roles AS r "+
		"WHERE l.id = s.id ORDER BY r.wallet", "id:int")
)

// roles are those that the items need.
type roles struct{ plain }

// ask reads the roles. A role may be asked for by several wallets.
func (roles) ask(b *Batch) {
	var askers map[wallet.Address][]*Wallet
	for _, w := range b.sorted {
		for _, one := range w.Needs.Roles {
			put(&askers, one, append(askers[one], w))
		}
	}
	// Writing the rows to themselves locks them on every database: a role that is
	// being taken away decides nothing.
	b.Ask("lock roles", lockRoles, db.SortedRows(askers), nil)
	readRoles.ask(&b.Asks, "read roles", db.SortedRows(askers), func(a rbac.Assignment) error {
		for _, w := range askers[a.Wallet] {
			put(&w.View.Roles, a.Wallet, a)
		}
		return nil
	})
	if len(askers) == 0 {
		return
	}
	list := &rbac.List{}
	for _, w := range b.sorted {
		if len(w.Needs.Roles) > 0 {
			w.roleList = list
		}
	}
	b.Ask("read the list of roles", readRoleList, [][]any{{1}}, func(row db.Row) error {
		return ScanRoleList(row, list)
	})
}

// answered makes the list part of the views that asked for roles.
func (roles) answered(b *Batch) error {
	for _, w := range b.sorted {
		if w.roleList != nil {
			w.View.RoleList = *w.roleList
		}
	}
	return nil
}

// TheRoleList are all role assignments, by wallet, each with what the list carries.
var TheRoleList = "SELECT " + Roles.Columns() + ", l.version, l.seal FROM role_list AS l CROSS JOIN roles AS r ORDER BY r.wallet"

// ScanRoleList adds a row of TheRoleList to the list.
func ScanRoleList(row db.Row, list *rbac.List) error {
	a, err := Roles.ScanWith(row, &list.Version, &list.Seal)
	list.All = append(list.All, a)
	return err
}

// ReadRoleList reads all role assignments, by wallet, with what the list carries, for
// whoever has its lock.
func ReadRoleList(ctx context.Context, from bun.IDB) (list rbac.List, err error) {
	var all []RoleRow
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
