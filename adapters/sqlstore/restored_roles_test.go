package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	appadmin "github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// roles are the roles as this process believes them.
func (i *instance) roles() appadmin.SealedRoles {
	return appadmin.SealedRoles{Lists: i.store, Seals: fakes.Authenticator{}, Versions: i.restoration.RoleVersions()}
}

// grants gives a wallet a role, or takes it away where the role is empty.
func (i *instance) grants(w wallet.Address, role string) {
	i.Helper()
	record := audit.Record{ID: i.id(), Action: audit.RoleGranted, Target: string(w), At: i.now()}
	err := i.roles().ChangeRole(i.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		if role == "" {
			return nil, record, nil
		}
		return &rbac.Assignment{Wallet: w, Role: role, GrantedAt: record.At}, record, nil
	})
	if err != nil {
		i.Fatal(err)
	}
}

// believes fails unless the roles of this many admins are believed; -1 for none, because
// the list is refused.
func (i *instance) believes(admins int) {
	i.Helper()
	all, err := i.roles().Roles(context.WithoutCancel(i.Context()))
	switch {
	case admins < 0 && !errors.Is(err, rbac.ErrForged):
		i.Errorf("the list is believed: %+v, %v", all, err)
	case admins >= 0 && (err != nil || len(all) != admins):
		i.Errorf("the list is %+v, %v; want %d admins", all, err, admins)
	}
}

// execs runs statements beside the service.
func (i *instance) execs(statements ...string) {
	i.Helper()
	db, err := i.on.beside(i.where)
	if err != nil {
		i.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			i.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		i.Fatal(err)
	}
}

// TestAnOldListOfRolesIsRefusedAfterARestart puts the rows of the roles back as they were
// before one was revoked, with the seal that they had: the processes that come later
// refuse it by what the earlier one kept, and so does one that ran beside it.
func TestAnOldListOfRolesIsRefusedAfterARestart(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		beside := instanceOf(t, on, where, state).begins()
		first.grants(alice, rbac.Superadmin)
		first.grants(bob, "finance")
		first.execs("CREATE TABLE old_roles AS SELECT * FROM roles", "CREATE TABLE old_list AS SELECT * FROM role_list")
		beside.believes(2)
		first.grants(bob, "")
		first.believes(1)
		first.execs("DELETE FROM roles", "INSERT INTO roles SELECT * FROM old_roles",
			"UPDATE role_list SET version = (SELECT version FROM old_list), seal = (SELECT seal FROM old_list)")
		if list, err := first.store.RoleList(t.Context()); err != nil || list.Check(fakes.Authenticator{}, 0) != nil || len(list.All) != 2 {
			t.Fatalf("the list that was put back has no good seal: %+v, %v", list, err)
		}
		first.believes(-1)
		beside.compares(true) // it never met the later list
		beside.believes(-1)
		beside.end()
		first.end()
		second := instanceOf(t, on, where, state).begins()
		second.believes(-1)
		if err := second.roles().ChangeRole(t.Context(), alice, nil); !errors.Is(err, rbac.ErrForged) {
			t.Errorf("a role is changed on an old list: %v", err)
		}
		second.end()

		// Whoever says that it is the right one makes it the present one.
		third := instanceOf(t, on, where, state).begins()
		accept := func() bool {
			accepted, err := third.roles().Accept(t.Context(), func(rbac.List) audit.Record {
				return audit.Record{ID: third.id(), Action: audit.RolesAccepted, At: third.now()}
			})
			if err != nil {
				t.Fatal(err)
			}
			return accepted
		}
		if !accept() || accept() {
			t.Error("an old list is accepted once")
		}
		third.believes(2)
		third.end()
		instanceOf(t, on, where, state).begins().believes(2)
	})
}

// TestAWitnessThatLostTheVersionIsGivenItAgain empties the folder under a process that
// met the version.
func TestAWitnessThatLostTheVersionIsGivenItAgain(t *testing.T) {
	t.Parallel()
	where, lost, state := onSQLite.fresh(t), t.TempDir(), t.TempDir()
	first := instanceOf(t, onSQLite, where, lost).begins()
	first.grants(alice, rbac.Superadmin)
	first.grants(bob, "finance")
	first.end()
	second := instanceOf(t, onSQLite, where, state).begins()
	second.believes(2) // the version is met here, before it is kept in this folder
	second.end()
	for _, name := range []string{state, lost} {
		kept, err := instanceOf(t, onSQLite, where, name).heads.Kept(t.Context())
		if err != nil || len(kept.Records) != 1 || kept.Records[0].RolesVersion != 2 {
			t.Errorf("kept %+v, %v", kept, err)
		}
	}
}

// TestARecoveryTakesTheListOfRolesAsItIs puts a whole database back from before a role
// was revoked: its list of roles is older by right, and is the present one after a
// recovery, with a record that says so.
func TestARecoveryTakesTheListOfRolesAsItIs(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		first.grants(alice, rbac.Superadmin)
		first.grants(bob, "finance")
		first.end()
		backup := copied(t, on, where)
		second := instanceOf(t, on, where, state).begins()
		second.grants(bob, "support")
		second.grants(bob, "readonly")
		second.end()
		replaced(t, on, where, backup)
		third := instanceOf(t, on, where, state).begins()
		third.believes(-1)
		third.recovers()
		third.compares(true)
		third.believes(2)
		records, err := third.store.Records(t.Context(), ports.AuditFilter{}, ports.Page{Limit: 50})
		said := 0
		for _, r := range records.Records {
			if r.Action == audit.RolesAccepted && r.Before == "version 2" && strings.Contains(r.After, "above version 4") {
				said++
			}
		}
		if err != nil || said != 1 {
			t.Errorf("%d records say it, %v: %+v", said, err, records.Records)
		}
		third.end()
		fourth := instanceOf(t, on, where, state).begins()
		fourth.compares(true)
		fourth.believes(2)
		fourth.grants(bob, "")
		fourth.believes(1)
	})
}
