package admin_test

import (
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestASuperadminGrantsAndRevokesLowerRoles(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	root := h.NewAdmin("root", rbac.Superadmin)
	granted := apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address("olga"), "finance", ""))(t)
	apptest.Equal(t, "by", granted.GrantedBy, root.Wallet)
	apptest.OK(h.Admit(h.Ctx, apptest.Caller("olga"), rbac.WithdrawApprove))(t)

	h.Clock.Advance(time.Hour)
	again := apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address("olga"), "finance", ""))(t)
	apptest.Equal(t, "age of a role that stays", again.GrantedAt, granted.GrantedAt)
	demoted := apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address("olga"), "support", ""))(t)
	apptest.Equal(t, "age of a role that allows less", demoted.GrantedAt, granted.GrantedAt)
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, apptest.Caller("olga"), rbac.WithdrawApprove)), fault.AdminForbidden)
	promoted := apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address("olga"), "finance", ""))(t)
	apptest.Equal(t, "age of a role that allows more", promoted.GrantedAt, granted.GrantedAt.Add(time.Hour))
	apptest.OK(h.Admin.GrantRole(h.Ctx, root, apptest.Address("olga"), "support", ""))(t)

	if err := h.Admin.RevokeRole(h.Ctx, root, apptest.Address("olga")); err != nil {
		t.Fatal(err)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, apptest.Caller("olga"), rbac.AdminRead)), fault.AdminForbidden)
	records := h.AuditRecords()
	last := records[len(records)-1]
	apptest.Equal(t, "action", last.Action, audit.RoleRevoked)
	apptest.Equal(t, "by", last.By, root.Wallet)
	apptest.Equal(t, "target", last.Target, apptest.Address("olga"))
	apptest.Equal(t, "before", last.Before, "support")
	apptest.Equal(t, "request", last.RequestID, root.RequestID)
}

func TestRefusedRoleChangesStoreNothing(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	root, ada := h.NewAdmin("root", rbac.Superadmin), h.NewAdmin("ada", "admin")
	h.NewAdmin("deputy", rbac.Superadmin)
	grant := func(who app.Caller, target, role, agent string) error {
		return apptest.ErrorOf(h.Admin.GrantRole(h.Ctx, who, target, role, agent))
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, grant(ada, apptest.Address("olga"), "readonly", ""), fault.AdminForbidden, "permission", "roles:write")
		apptest.Refused(t, grant(apptest.Caller("nobody"), apptest.Address("nobody"), rbac.Superadmin, ""), fault.AdminForbidden)
		apptest.Refused(t, grant(root, "?", "readonly", ""), fault.Invalid, "field", "wallet")
		apptest.Refused(t, grant(root, apptest.Address("olga"), "king", ""), fault.Invalid, "field", "role")
		apptest.Refused(t, grant(root, apptest.Address("olga"), "operator", ""), fault.Invalid, "field", "agentCode")
		apptest.Refused(t, grant(root, apptest.Address("olga"), rbac.Superadmin, ""), fault.Forbidden)
		apptest.Refused(t, grant(root, apptest.Address("deputy"), "readonly", ""), fault.Forbidden)
		apptest.Refused(t, grant(root, apptest.Address("root"), "readonly", ""), fault.Forbidden)
		apptest.Refused(t, h.Admin.RevokeRole(h.Ctx, root, apptest.Address("deputy")), fault.Forbidden)
		apptest.Refused(t, h.Admin.RevokeRole(h.Ctx, root, apptest.Address("olga")), fault.NotFound)
		apptest.Refused(t, h.Admin.RevokeRole(h.Ctx, root, "?"), fault.NotFound)
		apptest.Refused(t, h.Admin.RevokeRole(h.Ctx, ada, apptest.Address("root")), fault.AdminForbidden)
	})
}

func TestABoundRoleSeesItsAgentsRolesOnly(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	root := h.NewAdmin("root", rbac.Superadmin)
	for name, agent := range map[string]string{"op": "acme", "colleague": "acme", "rival": "other"} {
		h.EnsureAgent(agent)
		if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet(name), "operator", agent); err != nil {
			t.Fatal(err)
		}
	}
	apptest.Equal(t, "all", len(apptest.OK(h.Admin.Roles(h.Ctx, root))(t)), 4)
	apptest.Equal(t, "its own", len(apptest.OK(h.Admin.Roles(h.Ctx, apptest.Caller("op")))(t)), 2)
	apptest.OK(h.Admin.RoleOf(h.Ctx, apptest.Caller("op"), apptest.Address("colleague")))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.RoleOf(h.Ctx, apptest.Caller("op"), apptest.Address("rival"))), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.RoleOf(h.Ctx, apptest.Caller("op"), apptest.Address("root"))), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.RoleOf(h.Ctx, root, "nobody")), fault.NotFound)
}

// TestOneSuperadminRemainsAfterRacingDemotions races the command line with an embedder's
// policy in which the top role may be demoted from below. The last change finds the last
// superadmin.
func TestOneSuperadminRemainsAfterRacingDemotions(t *testing.T) {
	t.Parallel()
	for range 50 {
		h := apptest.Bare(t)
		h.NewAdmin("root", rbac.Superadmin)
		h.NewAdmin("deputy", rbac.Superadmin)
		var all sync.WaitGroup
		for _, name := range []string{"root", "deputy"} {
			all.Go(func() {
				if err := h.RoleCommands().Revoke(h.Ctx, fakes.Wallet(name)); err != nil && !fault.Is(err, fault.InvalidState) {
					t.Error(err)
				}
			})
			all.Go(func() {
				if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet(name), "readonly", ""); err != nil && !fault.Is(err, fault.InvalidState) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		tops := 0
		for _, a := range apptest.OK(h.Store.Roles(h.Ctx))(t) {
			if a.Role == rbac.Superadmin {
				tops++
			}
		}
		apptest.Equal(t, "superadmins left", tops, 1)
	}
}

// TestAChangeDependsOnTheRoleUnderLock demotes the granting admin between the first
// check of the role and the commit.
func TestAChangeDependsOnTheRoleUnderLock(t *testing.T) {
	t.Parallel()
	late := &apptest.BeforeChange{}
	h := apptest.Bare(t, func(d *app.Deps) { late.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(late) })
	h.NewAdmin("root", rbac.Superadmin)
	h.NewAdmin("deputy", rbac.Superadmin)
	late.Do = func() {
		if err := h.RoleCommands().Revoke(h.Ctx, fakes.Wallet("root")); err != nil {
			t.Error(err)
		}
	}
	apptest.Refused(t, apptest.ErrorOf(h.Admin.GrantRole(h.Ctx, apptest.Caller("root"), apptest.Address("olga"), "finance", "")), fault.AdminForbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Store.Role(h.Ctx, fakes.Wallet("olga"))), fault.NotFound)
}

// TestTheCommandLineBindsRolesToExistingAgentsOnly grants with RoleCommands.
func TestTheCommandLineBindsRolesToExistingAgentsOnly(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	apptest.Refused(t, h.RoleCommands().Grant(h.Ctx, fakes.Wallet("op"), "operator", "acme"), fault.InvalidAgent, "field", "agentCode")
	apptest.Equal(t, "roles", len(apptest.OK(h.Store.Roles(h.Ctx))(t)), 0)
	h.EnsureAgent("acme")
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("op"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	log := apptest.OK(h.Store.Records(h.Ctx, ports.AuditFilter{Target: string(fakes.Wallet("op"))}, ports.Page{Number: 1, Limit: 10}))(t)
	if len(log.Records) != 1 || log.Records[0].After != "operator of acme" {
		t.Errorf("the record says %+v", log.Records)
	}
}
