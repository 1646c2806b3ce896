package conformance

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Roles is the suite of ports.Roles.
func Roles(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, rolesCases)
}

var rolesCases = []story{
	{"an assignment is stored for the wallet, replaced and removed", Rows, func(b *bench) {
		for _, want := range []rbac.Assignment{
			{Wallet: alice, Role: "operator", AgentCode: "agent-7", GrantedBy: admin, GrantedAt: b.now()},
			{Wallet: alice, Role: "support", GrantedAt: b.now()},
			{Wallet: alice, Role: "support", GrantedAt: b.now(), Founding: true},
		} {
			b.ok(b.change(alice, func([]rbac.Assignment) (*rbac.Assignment, error) { return &want, nil }))
			b.same("the role", must(b.Role(background, alice))(b), want)
		}
		b.revoke(alice)
		b.fails(fault.NotFound, errorOf(b.Role(background, alice)), "after it was removed")
		b.revoke(alice)
		b.chained()
	}},
	{"a wallet without a role is not found", Logic, func(b *bench) {
		b.grant(admin, "superadmin")
		b.fails(fault.NotFound, errorOf(b.Role(background, alice)))
		b.revoke(admin)
		b.same("roles", len(must(b.Roles(background))(b)), 0)
	}},
	{"assignments are sorted by wallet", Rows, func(b *bench) {
		var want []string
		for _, name := range []string{"e", "b", "a", "d", "c"} {
			w := fakes.Wallet(name)
			b.grant(w, "support")
			want = append(want, string(w))
		}
		slices.Sort(want)
		b.reopen()
		b.same("wallets", mapped(must(b.Roles(background))(b), func(a rbac.Assignment) string { return string(a.Wallet) }), want)
	}},
	{"the decision sees every present assignment", Logic, func(b *bench) {
		b.grant(admin, "superadmin")
		b.grant(other, "finance")
		present := must(b.Roles(background))(b)
		var seen []rbac.Assignment
		b.ok(b.change(alice, func(all []rbac.Assignment) (*rbac.Assignment, error) {
			seen = slices.Clone(all)
			return &rbac.Assignment{Wallet: alice, Role: "support", GrantedAt: b.now()}, nil
		}))
		b.same("what the decision sees", seen, present)
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.unchanged(audit.RoleGranted, func(record audit.Record, refusal error) error {
			return b.ChangeRole(background, admin, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
				return nil, record, refusal
			})
		})
	}},
	{"the audit record is in the same commit", Logic, func(b *bench) {
		b.signIn(alice, 10)
		record := audit.Record{
			ID: b.id(), Action: audit.RoleRevoked, By: admin, Target: string(alice), Before: "support \"x\"", After: "ü",
			At: b.now(), RequestID: "req-1",
		}
		b.ok(b.ChangeRole(background, alice, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
			return nil, record, nil
		}))
		b.same("the records", b.recordsOf(audit.RoleRevoked), []audit.Record{record})
		b.commit(b.play(alice, 1))
		b.sound()
	}},
	{"of superadmins who revoke each other the last one stays", Races, func(b *bench) {
		const n = 5 // each waits for the earlier ones
		admins := make([]wallet.Address, n)
		for i := range admins {
			admins[i] = fakes.Wallet(string(rune('a' + i)))
			b.grant(admins[i], rbac.Superadmin)
		}
		b.same("those revoked", b.winners(n, fault.InvalidState, func(i int) error {
			return b.change(admins[i], func(all []rbac.Assignment) (*rbac.Assignment, error) {
				return nil, b.policy.KeepsTop(all, admins[i], nil)
			})
		}), n-1)
		b.same("those left", len(must(b.Roles(background))(b)), 1)
		b.chained()
	}},
}

// change changes a role by a decision, with a new record.
func (b *bench) change(w wallet.Address, decide func(all []rbac.Assignment) (*rbac.Assignment, error)) error {
	record := audit.Record{ID: b.id(), Action: audit.RoleGranted, By: admin, Target: string(w), At: b.now()}
	return b.ChangeRole(background, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		next, err := decide(all)
		return next, record, err
	})
}

func (b *bench) recordsOf(action audit.Action) []audit.Record {
	b.Helper()
	var found []audit.Record
	b.ok(b.Blocks(background, func(block ports.Block) error {
		for _, record := range block.Audit {
			if record.Action == action {
				found = append(found, record)
			}
		}
		return nil
	}))
	return found
}

// RoleLists is the suite of ports.RoleLists.
func RoleLists(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, roleListsCases)
}

var roleListsCases = []story{
	{"the list has every assignment, its version and its seal", Rows, func(b *bench) {
		nobody := must(b.RoleList(background))(b)
		b.errorIf(nobody.Version != 0 || nobody.Seal != "" || len(nobody.All) != 0, "the list of nobody is %+v", nobody)
		for i, step := range []struct {
			w    wallet.Address
			role string
		}{{bob, "finance"}, {alice, "support"}, {bob, "readonly"}, {alice, ""}, {bob, ""}} {
			made := b.list(step.w, step.role, "seal "+step.role)
			got := must(b.RoleList(background))(b)
			b.errorIf(got.Version != int64(i+1) || got.Seal != "seal "+step.role || string(got.Sealed()) != string(made.Sealed()),
				"the list is %+v, want %+v", got, made)
			b.same("roles beside the list", len(must(b.Roles(background))(b)), len(made.All))
		}
		b.sound()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.list(bob, "finance", "seal")
		b.unchanged(audit.RoleGranted, func(record audit.Record, refusal error) error {
			return b.ChangeRoleList(background, alice, func(now rbac.List) (rbac.List, audit.Record, error) {
				return now.With(alice, &rbac.Assignment{Role: "ops"}, 0), record, refusal
			})
		})
	}},
	{"a change of a role alone counts the version and takes the seal away", Rows, func(b *bench) {
		b.list(bob, "finance", "seal")
		b.reopen()
		b.grant(alice, "support")
		got := must(b.RoleList(background))(b)
		b.errorIf(got.Version != 2 || got.Seal != "" || len(got.All) != 2, "the list is %+v", got)
	}},
	{"decisions that see roles see the list", Logic, func(b *bench) {
		b.signIn(carol, 0)
		b.list(bob, "finance", "one")
		want := b.list(admin, "superadmin", "two")
		seen := func(roles ...wallet.Address) (got rbac.List) {
			b.Helper()
			b.refuse(itemOf(carol, b.now(), operation(b.id()), player.Needs{Roles: roles},
				func(v player.View) (player.Change, error) {
					got = v.RoleList
					return player.Change{}, fault.New(fault.Forbidden, "it only looked")
				}), fault.Forbidden)
			return got
		}
		if got := seen(admin); string(got.Sealed()) != string(want.Sealed()) || got.Seal != "two" {
			b.Errorf("the decision saw %+v, want %+v", got, want)
		}
		if got := seen(); len(got.All) != 0 || got.Version != 0 {
			b.Errorf("a decision that asked for no role saw %+v", got)
		}
	}},
}

// list changes a wallet's role in the list, with a seal.
func (b *bench) list(w wallet.Address, role, seal string) rbac.List {
	b.Helper()
	var made rbac.List
	record := audit.Record{ID: b.id(), Action: audit.RoleGranted, By: admin, Target: string(w), At: b.now()}
	b.ok(b.ChangeRoleList(background, w, func(now rbac.List) (rbac.List, audit.Record, error) {
		var granted *rbac.Assignment
		if role != "" {
			granted = &rbac.Assignment{Role: role, GrantedBy: admin, GrantedAt: record.At}
		}
		made = now.With(w, granted, 0)
		made.Seal = seal
		return made, record, nil
	}))
	return made
}
