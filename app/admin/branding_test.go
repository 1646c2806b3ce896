package admin_test

import (
	"context"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/apptest"
)

// names maps host names to the answers of a fake resolver.
type names map[string]error

func (n names) PublicHost(_ context.Context, host string) error {
	if err, known := n[host]; known {
		return err
	}
	return fault.New(fault.Internal, "nobody was to look %s up", host)
}

// TestASitesHostIsLookedUp creates and changes agents with sites at hosts of every kind.
func TestASitesHostIsLookedUp(t *testing.T) {
	t.Parallel()
	known := names{
		"public.example.com": nil, "inside.example.com": fault.New(fault.Invalid, "it leads inside"),
		"nowhere.example.com": fault.New(fault.NotFound, "it leads nowhere"), "silent.example.com": fault.New(fault.Unavailable, "nobody answers").With("outcome", "none"),
	}
	h := apptest.Bare(t, func(d *app.Deps) { d.Hosts = known })
	root := h.NewAdmin("root", "superadmin")
	create := func(of *apptest.House, code, site string) error {
		_, _, err := of.Admin.CreateAgent(h.Ctx, root, code, admin.AgentRequest{Name: new("Agent"), SiteEndpoint: &site})
		return err
	}
	made, _, err := h.Admin.CreateAgent(h.Ctx, root, "acme", admin.AgentRequest{Name: new("Acme"), SiteEndpoint: new("https://public.example.com/api")})
	if err != nil {
		t.Fatal(err)
	}
	change := func(site string) error {
		return apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, root, made.ID, admin.AgentRequest{SiteEndpoint: &site}))
	}
	olga := h.NewAdmin("olga", "ops")
	h.CheckUnchanged(func() {
		for site, kind := range map[string]fault.Kind{
			"https://inside.example.com/api": fault.Invalid, "https://nowhere.example.com/api": fault.Invalid,
			"https://silent.example.com/api": fault.Unavailable,
			"http://never.example.com/api":   fault.Invalid, "https://10.0.0.1/api": fault.Invalid, // refused without a look-up
		} {
			for what, err := range map[string]error{"created": create(h, "other", site), "changed": change(site)} {
				if apptest.Refused(t, err, kind); kind == fault.Invalid {
					apptest.Refused(t, err, kind, "field", "siteEndpoint")
				} else if err == nil {
					t.Errorf("%s: %s", site, what)
				}
			}
		}
		if _, err := h.Admin.ChangeAgent(h.Ctx, olga, made.ID, admin.AgentRequest{SiteEndpoint: new("https://never.example.com/")}); !fault.Is(err, fault.AdminForbidden) {
			t.Errorf("an admin who may not: %v", err)
		}
	})
	if err := change(""); err != nil {
		t.Errorf("no site looks nothing up: %v", err)
	}
	local := h.Remade(func(d *app.Deps) { d.Hosts, d.Settings.LocalSites = known, true })
	if err := create(local, "local", "http://127.0.0.1:8877/site"); err != nil {
		t.Errorf("for development, on this machine: %v", err)
	}
	apptest.Refused(t, create(local, "inside", "https://inside.example.com/api"), fault.Invalid)
}

// TestALogosHostIsLookedUp changes the branding to logos of hosts of every kind.
func TestALogosHostIsLookedUp(t *testing.T) {
	t.Parallel()
	known := names{
		"public.example.com": nil, "inside.example.com": fault.New(fault.Invalid, "it leads inside"),
		"nowhere.example.com": fault.New(fault.NotFound, "it leads nowhere"), "silent.example.com": fault.New(fault.Unavailable, "nobody answers").With("outcome", "none"),
	}
	h := apptest.Bare(t, func(d *app.Deps) { d.Hosts = known })
	root := h.NewAdmin("root", "superadmin")
	alice := h.NewPlayer("alice", 10_000)
	change := func(of *apptest.House, logo string) error {
		_, err := of.Admin.ChangeBranding(h.Ctx, root, admin.BrandingChange{LogoURL: &logo})
		return err
	}
	if err := change(h, "https://public.example.com:8443/logo.svg"); err != nil {
		t.Fatal(err)
	}
	h.CheckUnchanged(func() {
		for logo, kind := range map[string]fault.Kind{
			"https://inside.example.com/a.svg": fault.Invalid, "https://nowhere.example.com/a.svg": fault.Invalid,
			"https://silent.example.com/a.svg": fault.Unavailable,
			"http://never.example.com/a.svg":   fault.Invalid, "https://10.0.0.1/a.svg": fault.Invalid, // refused without a look-up
		} {
			err := change(h, logo)
			if apptest.Refused(t, err, kind); kind == fault.Invalid {
				apptest.Refused(t, err, kind, "field", "logoUrl")
			}
		}
		if _, err := h.Admin.ChangeBranding(h.Ctx, alice, admin.BrandingChange{LogoURL: new("https://never.example.com/")}); !fault.Is(err, fault.AdminForbidden) {
			t.Errorf("a player: %v", err)
		}
	})
	if _, err := h.Admin.ChangeBranding(h.Ctx, root, admin.BrandingChange{Title: new("Palace")}); err != nil {
		t.Errorf("a title looks nothing up: %v", err)
	}
	local := h.Remade(func(d *app.Deps) { d.Hosts, d.Settings.LocalSites = known, true })
	if err := change(local, "https://silent.example.com/a.svg"); err != nil {
		t.Errorf("for development, without a network: %v", err)
	}
	apptest.Refused(t, change(local, "https://inside.example.com/a.svg"), fault.Invalid)
}
