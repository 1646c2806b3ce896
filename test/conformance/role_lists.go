package conformance

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// RoleLists is the suite of ports.RoleLists.
func RoleLists(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, roleListsCases)
}

var roleListsCases = []story{
	{"the list has every assignment, its version and its seal", Rows, func(b *bench) {
		if nobody := must(b.RoleList(background))(b); nobody.Version != 0 || nobody.Seal != "" || len(nobody.All) != 0 {
			b.Errorf("the list of nobody is %+v", nobody)
		}
		for i, step := range []struct {
			w    wallet.Address
			role string
		}{{bob, "finance"}, {alice, "support"}, {bob, "readonly"}, {alice, ""}, {bob, ""}} {
			made := b.list(step.w, step.role, "seal "+step.role)
			got := must(b.RoleList(background))(b)
			if got.Version != int64(i+1) || got.Seal != "seal "+step.role || string(got.Sealed()) != string(made.Sealed()) {
				b.Errorf("the list is %+v, want %+v", got, made)
			}
			b.same("roles beside the list", len(must(b.Roles(background))(b)), len(made.All))
		}
		b.sound()
	}},
	{"a refusal leaves the list as it was", Logic, func(b *bench) {
		b.list(bob, "finance", "seal")
		before := must(b.RoleList(background))(b)
		refusal := errors.New("no")
		err := b.ChangeRoleList(background, alice, func(now rbac.List) (rbac.List, audit.Record, error) {
			return now.With(alice, &rbac.Assignment{Role: "ops"}, 0), audit.Record{ID: b.id()}, refusal
		})
		if !errors.Is(err, refusal) {
			b.Errorf("%v", err)
		}
		b.same("the list", must(b.RoleList(background))(b), before)
	}},
	{"a change of a role alone counts the version and takes the seal away", Logic, func(b *bench) {
		b.list(bob, "finance", "seal")
		b.grant(alice, "support")
		if got := must(b.RoleList(background))(b); got.Version != 2 || got.Seal != "" || len(got.All) != 2 {
			b.Errorf("the list is %+v", got)
		}
	}},
	{"decisions that see roles see the list", Logic, func(b *bench) {
		b.signIn(carol, 0)
		b.list(bob, "finance", "one")
		want := b.list(admin, "superadmin", "two")
		seen := func(roles ...wallet.Address) (got rbac.List) {
			b.Helper()
			b.refuse(player.Item{
				Wallet: carol, At: b.now(), Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}, Needs: player.Needs{Roles: roles},
				Decide: func(v player.View) (player.Change, error) {
					got = v.RoleList
					return player.Change{}, fault.New(fault.Forbidden, "it only looked")
				},
			}, fault.Forbidden)
			return got
		}
		if got := seen(admin); string(got.Sealed()) != string(want.Sealed()) || got.Seal != "two" {
			b.Errorf("the decision saw %+v, want %+v", got, want)
		}
		if got := seen(); len(got.All) != 0 || got.Version != 0 {
			b.Errorf("a decision that asked for no role saw %+v", got)
		}
	}},
	{"the list outlives reopening", Rows, func(b *bench) {
		made := b.list(bob, "finance", "seal")
		b.reopen()
		if got := must(b.RoleList(background))(b); got.Seal != "seal" || string(got.Sealed()) != string(made.Sealed()) {
			b.Errorf("the list is %+v, want %+v", got, made)
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
