package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.Roles = (*Store)(nil)

// roleColumns are the columns of an assignment in the order of scanRole.
const roleColumns = "wallet, role, agent, granted_by, granted_at"

func scanRole(row interface{ Scan(...any) error }) (a rbac.Assignment, err error) {
	var granted int64
	err = row.Scan(&a.Wallet, &a.Role, &a.AgentCode, &a.GrantedBy, &granted)
	a.GrantedAt = moment(granted)
	return a, err
}

// Role serves ports.Roles.
func (s *Store) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	var found rbac.Assignment
	err := s.one(ctx, "read role", "SELECT "+roleColumns+" FROM roles WHERE wallet = ?", []any{string(w)},
		func(row *sql.Row) (err error) {
			found, err = scanRole(row)
			return err
		}, fault.New(fault.NotFound, "%s has no role", w))
	if err != nil {
		return rbac.Assignment{}, err
	}
	return found, nil
}

// Roles serves ports.Roles.
func (s *Store) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	all, err := readAssignments(ctx, s.db.Read)
	return all, s.asked("roles", err)
}

func readAssignments(ctx context.Context, db bun.IDB) ([]rbac.Assignment, error) {
	answer, err := db.QueryContext(ctx, "SELECT "+roleColumns+" FROM roles ORDER BY wallet")
	if err != nil {
		return nil, wrap("list roles", err)
	}
	all := []rbac.Assignment{}
	err = scanAll(answer, func(row *sql.Rows) error {
		a, err := scanRole(row)
		all = append(all, a)
		return err
	})
	return all, wrap("list roles", err)
}

// ChangeRole serves ports.Roles: a short transaction that locks the guard of
// roles first, so that two changes come one after the other.
func (s *Store) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return s.small(ctx, "roles", func(ctx context.Context, tx bun.Tx) error {
		all, err := readAssignments(ctx, tx)
		if err != nil {
			return err
		}
		granted, record, err := decide(all)
		if err != nil {
			return err
		}
		if granted == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM roles WHERE wallet = ?", string(w))
		} else {
			_, err = tx.ExecContext(ctx, `INSERT INTO roles (`+roleColumns+`) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (wallet) DO UPDATE SET role = excluded.role, agent = excluded.agent,
				granted_by = excluded.granted_by, granted_at = excluded.granted_at`,
				string(w), granted.Role, granted.AgentCode, string(granted.GrantedBy), micros(granted.GrantedAt))
		}
		if err != nil {
			return wrap("write role", err)
		}
		return s.sealAudit(ctx, tx, administrationLane, record)
	})
}

// administrationLane is the lane of what no writer seals.
const administrationLane = 0

// smallTries is how often a short transaction is tried that the database rolled
// back because of others.
const smallTries = 5

// small runs a short administrative transaction, which locks the guard of its
// kind before it reads anything.
func (s *Store) small(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	for try := 1; ; try++ {
		err := s.db.Write.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
			if err := guard(ctx, tx, kind); err != nil {
				return err
			}
			return do(ctx, tx)
		})
		failed := s.db.Dialect.Failure(err)
		if err == nil || try == smallTries || failed != Contended && failed != Fenced && failed != Locked {
			if failed == Lost {
				return s.asked("change "+kind, err)
			}
			return err
		}
	}
}

// lockGuards locks rows of guards as guard does, in a run.
var lockGuards = newQuery("UPDATE guards SET kind = guards.kind FROM {sent} AS s WHERE guards.kind = s.kind", "kind")

// guard locks the row of a kind of administrative write until the transaction ends.
func guard(ctx context.Context, tx bun.Tx, kind string) error {
	_, err := tx.ExecContext(ctx, "UPDATE guards SET kind = kind WHERE kind = ?", kind)
	return wrap("lock "+kind, err)
}
