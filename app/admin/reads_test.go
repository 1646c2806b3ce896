package admin_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// countedRoles counts how often the list of roles is read outside a commit.
type countedRoles struct {
	ports.RoleLists
	reads *atomic.Int64
}

func (c countedRoles) RoleList(ctx context.Context) (rbac.List, error) {
	c.reads.Add(1)
	return c.RoleLists.RoleList(ctx)
}

// TestAnAdminsRoleIsReadOnceBeforeTheCommit: the commit reads it again, under lock.
func TestAnAdminsRoleIsReadOnceBeforeTheCommit(t *testing.T) {
	t.Parallel()
	var reads atomic.Int64
	h := apptest.Open(t, func(d *app.Deps) { d.Store.RoleLists = countedRoles{d.Store.RoleLists, &reads} })
	acme, boss := h.CreateAcme(), h.NewAdmin("boss", rbac.Superadmin)
	for _, call := range []struct {
		name string
		run  func(app.Caller) error
	}{
		{"change", func(c app.Caller) error {
			site := "https://acme.example/casino"
			return apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, c, acme.ID, admin.AgentRequest{SiteEndpoint: &site}))
		}},
		{"adjust", func(c app.Caller) error {
			h.SignIn("alice")
			return apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, c, apptest.Gift("alice", 5)))
		}},
		{"delete", func(c app.Caller) error { return h.Admin.DeleteAgent(h.Ctx, c, acme.ID) }},
	} {
		before := reads.Load()
		admitted := apptest.OK(h.Admit(h.Ctx, boss, rbac.AdminRead))(t)
		if err := call.run(admitted); err != nil {
			t.Errorf("%s: %v", call.name, err)
		}
		apptest.Equal(t, call.name, reads.Load()-before, 1)
	}
}
