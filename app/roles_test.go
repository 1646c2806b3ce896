package app_test

import (
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func address(name string) string { return string(fakes.Wallet(name)) }

func TestASuperadminGrantsAndRevokesLowerRoles(t *testing.T) {
	t.Parallel()
	h := bare(t)
	root := h.admin("root", rbac.Superadmin)
	granted := ok(h.Admin.GrantRole(h.ctx, root, address("olga"), "finance", ""))(t)
	equal(t, "by", granted.GrantedBy, root.Wallet)
	ok(h.Admit(h.ctx, caller("olga"), rbac.WithdrawApprove))(t)

	h.clock.Advance(time.Hour)
	again := ok(h.Admin.GrantRole(h.ctx, root, address("olga"), "finance", ""))(t)
	equal(t, "age of a role that stays", again.GrantedAt, granted.GrantedAt)
	demoted := ok(h.Admin.GrantRole(h.ctx, root, address("olga"), "support", ""))(t)
	equal(t, "age of a role that allows less", demoted.GrantedAt, granted.GrantedAt)
	refused(t, no(h.Admit(h.ctx, caller("olga"), rbac.WithdrawApprove)), fault.AdminForbidden)
	promoted := ok(h.Admin.GrantRole(h.ctx, root, address("olga"), "finance", ""))(t)
	equal(t, "age of a role that allows more", promoted.GrantedAt, granted.GrantedAt.Add(time.Hour))
	ok(h.Admin.GrantRole(h.ctx, root, address("olga"), "support", ""))(t)

	if err := h.Admin.RevokeRole(h.ctx, root, address("olga")); err != nil {
		t.Fatal(err)
	}
	refused(t, no(h.Admit(h.ctx, caller("olga"), rbac.AdminRead)), fault.AdminForbidden)
	records := h.records()
	last := records[len(records)-1]
	equal(t, "action", last.Action, audit.RoleRevoked)
	equal(t, "by", last.By, root.Wallet)
	equal(t, "target", last.Target, address("olga"))
	equal(t, "before", last.Before, "support")
	equal(t, "request", last.RequestID, root.RequestID)
}

func TestRefusedRoleChangesStoreNothing(t *testing.T) {
	t.Parallel()
	h := bare(t)
	root, ada := h.admin("root", rbac.Superadmin), h.admin("ada", "admin")
	h.admin("deputy", rbac.Superadmin)
	grant := func(who app.Caller, target, role, agent string) error {
		return no(h.Admin.GrantRole(h.ctx, who, target, role, agent))
	}
	h.unchanged(func() {
		refused(t, grant(ada, address("olga"), "readonly", ""), fault.AdminForbidden, "permission", "roles:write")
		refused(t, grant(caller("nobody"), address("nobody"), rbac.Superadmin, ""), fault.AdminForbidden)
		refused(t, grant(root, "?", "readonly", ""), fault.Invalid, "field", "wallet")
		refused(t, grant(root, address("olga"), "king", ""), fault.Invalid, "field", "role")
		refused(t, grant(root, address("olga"), "operator", ""), fault.Invalid, "field", "agentCode")
		refused(t, grant(root, address("olga"), rbac.Superadmin, ""), fault.Forbidden)
		refused(t, grant(root, address("deputy"), "readonly", ""), fault.Forbidden)
		refused(t, grant(root, address("root"), "readonly", ""), fault.Forbidden)
		refused(t, h.Admin.RevokeRole(h.ctx, root, address("deputy")), fault.Forbidden)
		refused(t, h.Admin.RevokeRole(h.ctx, root, address("olga")), fault.NotFound)
		refused(t, h.Admin.RevokeRole(h.ctx, root, "?"), fault.NotFound)
		refused(t, h.Admin.RevokeRole(h.ctx, ada, address("root")), fault.AdminForbidden)
	})
}

func TestABoundRoleSeesItsAgentsRolesOnly(t *testing.T) {
	t.Parallel()
	h := bare(t)
	root := h.admin("root", rbac.Superadmin)
	for name, agent := range map[string]string{"op": "acme", "colleague": "acme", "rival": "other"} {
		h.ensureAgent(agent)
		if err := h.roleCommands().Grant(h.ctx, fakes.Wallet(name), "operator", agent); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "all", len(ok(h.Admin.Roles(h.ctx, root))(t)), 4)
	equal(t, "its own", len(ok(h.Admin.Roles(h.ctx, caller("op")))(t)), 2)
	ok(h.Admin.RoleOf(h.ctx, caller("op"), address("colleague")))(t)
	refused(t, no(h.Admin.RoleOf(h.ctx, caller("op"), address("rival"))), fault.NotFound)
	refused(t, no(h.Admin.RoleOf(h.ctx, caller("op"), address("root"))), fault.NotFound)
	refused(t, no(h.Admin.RoleOf(h.ctx, root, "nobody")), fault.NotFound)
}

// TestOneSuperadminRemainsAfterRacingDemotions races an embedder's policy, in which the
// top role has nothing above it and a lower level may be demoted, with the command line:
// whoever is last finds the last superadmin.
func TestOneSuperadminRemainsAfterRacingDemotions(t *testing.T) {
	t.Parallel()
	for range 50 {
		h := bare(t)
		h.admin("root", rbac.Superadmin)
		h.admin("deputy", rbac.Superadmin)
		var all sync.WaitGroup
		for _, name := range []string{"root", "deputy"} {
			all.Go(func() {
				if err := h.roleCommands().Revoke(h.ctx, fakes.Wallet(name)); err != nil && !fault.Is(err, fault.InvalidState) {
					t.Error(err)
				}
			})
			all.Go(func() {
				if err := h.roleCommands().Grant(h.ctx, fakes.Wallet(name), "readonly", ""); err != nil && !fault.Is(err, fault.InvalidState) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		tops := 0
		for _, a := range ok(h.store.Roles(h.ctx))(t) {
			if a.Role == rbac.Superadmin {
				tops++
			}
		}
		equal(t, "superadmins left", tops, 1)
	}
}

// TestAChangeDependsOnTheRoleUnderLock demotes the granting admin between the first
// check of the role and the commit.
func TestAChangeDependsOnTheRoleUnderLock(t *testing.T) {
	t.Parallel()
	late := &demotingStore{}
	h := bare(t, func(d *app.Deps) { late.Store, d.Store = portsOf(*d), app.StoreOf(late) })
	h.admin("root", rbac.Superadmin)
	h.admin("deputy", rbac.Superadmin)
	late.before = func() {
		if err := h.roleCommands().Revoke(h.ctx, fakes.Wallet("root")); err != nil {
			t.Error(err)
		}
	}
	refused(t, no(h.Admin.GrantRole(h.ctx, caller("root"), address("olga"), "finance", "")), fault.AdminForbidden)
	refused(t, no(h.store.Role(h.ctx, fakes.Wallet("olga"))), fault.NotFound)
}

// TestTheCommandLineBindsRolesToExistingAgentsOnly grants as the command line does,
// which holds the database.
func TestTheCommandLineBindsRolesToExistingAgentsOnly(t *testing.T) {
	t.Parallel()
	h := bare(t)
	refused(t, h.roleCommands().Grant(h.ctx, fakes.Wallet("op"), "operator", "acme"), fault.InvalidAgent, "field", "agentCode")
	equal(t, "roles", len(ok(h.store.Roles(h.ctx))(t)), 0)
	h.ensureAgent("acme")
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("op"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	log := ok(h.store.Records(h.ctx, ports.AuditFilter{Target: string(fakes.Wallet("op"))}, ports.Page{Number: 1, Limit: 10}))(t)
	if len(log.Records) != 1 || log.Records[0].After != "operator of acme" {
		t.Errorf("the record says %+v", log.Records)
	}
}
