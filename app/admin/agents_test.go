package admin_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestABlockedAgentStopsSignUpsAndBetsAlone(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(h *apptest.House, id string) error{
		"blocked": func(h *apptest.House, id string) error {
			return apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, apptest.Caller("olga"), id, admin.AgentRequest{Status: new(agent.Blocked)}))
		},
		"deleted": func(h *apptest.House, id string) error { return h.Admin.DeleteAgent(h.Ctx, apptest.Caller("olga"), id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := apptest.Open(t)
			a := h.CreateAcme()
			bob := h.NewPlayerOf("acme", "bob", 10_000)
			apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Dice(100)))(t)
			pending := h.Chain.Pay("bob", money.SOL, 2_000)
			if err := stop(h, a.ID); err != nil {
				t.Fatal(err)
			}
			newcomer := apptest.Login("carol", h.Clock.Now())
			newcomer.AgentCode = "acme"
			apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, newcomer)), fault.BlockedAgent)
			h.CheckUnchanged(func() {
				apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, bob, apptest.Dice(100))), fault.BlockedAgent)
			})

			// Everything else still works.
			apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("bob", h.Clock.Advance(1_000_000))))(t)
			h.Chain.Finalize()
			apptest.OK(h.Deposits.Deposit(h.Ctx, bob, pending, apptest.SOL))(t)
			w := h.RequestWithdrawal(bob, 1_000)
			apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, h.NewAdmin("ada", "finance"), apptest.Approving(w.ID)))(t)
			apptest.OK(h.Accounts.History(h.Ctx, bob, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 5}))(t)
			h.CheckAudit()
		})
	}
}

func TestTheHouseAgentIsKept(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	olga := h.NewAdmin("olga", "ops")
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, olga, agent.House, admin.AgentRequest{Status: new(agent.Blocked)})), fault.Forbidden)
		apptest.Refused(t, h.Admin.DeleteAgent(h.Ctx, olga, agent.House), fault.Forbidden)
	})
	changed := apptest.OK(h.Admin.ChangeAgent(h.Ctx, olga, agent.House, admin.AgentRequest{Name: new("The House"), Status: new(agent.Active)}))(t)
	apptest.Equal(t, "name", changed.Name, "The House")
}

func TestAgentsAreCreatedOnce(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	made, credentials, err := h.Admin.CreateAgent(h.Ctx, h.NewAdmin("olga", "ops"), "acme", admin.AgentRequest{Name: new("Acme")})
	if err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "default rtp", made.RTP, agent.RTPDefault)
	apptest.Equal(t, "secret", apptest.OK(h.Store.AgentSecret(h.Ctx, "acme"))(t).Reveal(), credentials.Secret.Reveal())
	again := func(code string, w admin.AgentRequest) error {
		_, _, err := h.Admin.CreateAgent(h.Ctx, apptest.Caller("olga"), code, w)
		return err
	}
	finn := h.NewAdmin("finn", "finance")
	h.CheckUnchanged(func() {
		apptest.Refused(t, again("acme", admin.AgentRequest{Name: new("Other")}), fault.DuplicatedAgent)
		apptest.Refused(t, again(agent.House, admin.AgentRequest{Name: new("Other")}), fault.DuplicatedAgent)
		apptest.Refused(t, again("", admin.AgentRequest{Name: new("Other")}), fault.Invalid, "field", "agentCode")
		apptest.Refused(t, again("b", admin.AgentRequest{}), fault.Invalid, "field", "agentName")
		apptest.Refused(t, apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, apptest.Caller("olga"), "none", admin.AgentRequest{Name: new("x")})), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, finn, made.ID, admin.AgentRequest{Name: new("x")})), fault.AdminForbidden, "permission", "admin:write")
	})
	if err := h.Admin.DeleteAgent(h.Ctx, apptest.Caller("olga"), made.ID); err != nil {
		t.Fatal(err)
	}
	apptest.Refused(t, h.Admin.DeleteAgent(h.Ctx, apptest.Caller("olga"), made.ID), fault.NotFound)
	apptest.Refused(t, again("acme", admin.AgentRequest{Name: new("Heirs")}), fault.DuplicatedAgent)
	apptest.Equal(t, "listed", len(apptest.OK(h.Admin.Agents(h.Ctx, apptest.Caller("olga")))(t)), 1)
	for _, record := range h.AuditRecords() {
		for _, secret := range []string{credentials.Token.Reveal(), credentials.Secret.Reveal()} {
			if strings.Contains(record.Before+record.After, secret) {
				t.Errorf("%+v holds a credential", record)
			}
		}
	}
}

func TestOnlyTheTopRoleSetsSiteAndAddresses(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	a := h.CreateAcme()
	root := h.NewAdmin("root", rbac.Superadmin)
	requests := map[string]admin.AgentRequest{
		"site": {SiteEndpoint: new("https://acme.example.com/")}, "addresses": {IPAllowlist: new([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})},
	}
	for name, w := range requests {
		h.CheckUnchanged(func() {
			apptest.Refused(t, apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, apptest.Caller("olga"), a.ID, w)), fault.AdminForbidden, "permission", "roles:write")
			w.Name = new("x")
			_, _, err := h.Admin.CreateAgent(h.Ctx, apptest.Caller("olga"), "b"+name, w)
			apptest.Refused(t, err, fault.AdminForbidden, "permission", "roles:write")
		})
		w.Name = nil
		apptest.OK(h.Admin.ChangeAgent(h.Ctx, root, a.ID, w))(t)
	}
	before := apptest.OK(h.Store.AgentSecret(h.Ctx, "acme"))(t)
	rotate := func(who app.Caller) error { _, _, err := h.Admin.RotateCredentials(h.Ctx, who, a.ID); return err }
	h.CheckUnchanged(func() {
		apptest.Refused(t, rotate(apptest.Caller("olga")), fault.AdminForbidden, "permission", "roles:write")
	})
	if err := rotate(root); err != nil {
		t.Fatal(err)
	}
	if after := apptest.OK(h.Store.AgentSecret(h.Ctx, "acme"))(t); after == before {
		t.Error("the secret was not changed")
	}
	// A role revoked between the first check and the commit has no effect.
	late := &apptest.BeforeChange{Store: h.Store, Do: func() {
		if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("olga"), "readonly", ""); err != nil {
			t.Error(err)
		}
	}}
	again := h.Remade(func(d *app.Deps) { d.Store = app.StoreOf(late) })
	apptest.Refused(t, apptest.ErrorOf(again.Admin.ChangeAgent(h.Ctx, apptest.Caller("olga"), a.ID, admin.AgentRequest{Memo: new("x")})), fault.AdminForbidden, "permission", "admin:write")
}

func TestRevenueIsSharedByAgentAndDay(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.CreateAcme()
	bob := h.NewPlayerOf("acme", "bob", 50_000)
	alice := h.NewPlayer("alice", 50_000)
	for range 20 {
		apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Dice(333)))(t)
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(500)))(t)
	}
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("op"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	rows := apptest.OK(h.Admin.RevenueShare(h.Ctx, apptest.Caller("op"), 7, ""))(t)
	apptest.Equal(t, "rows", len(rows), 1)
	lost := int64(50_000 - h.Balance("bob"))
	want := lost * 30 / 100
	if lost*30%100 < 0 { // rounded down
		want--
	}
	apptest.Equal(t, "wagered", rows[0].Wagered, money.TotalOf(6_660))
	apptest.Equal(t, "ggr", rows[0].GGR(), money.TotalOfInt(lost))
	apptest.Equal(t, "share", rows[0].Share.Int64(), want)
	apptest.Equal(t, "everybody's", len(apptest.OK(h.Admin.RevenueShare(h.Ctx, apptest.Caller("olga"), 7, ""))(t)), 2)
	apptest.Equal(t, "the house's", apptest.OK(h.Admin.RevenueShare(h.Ctx, apptest.Caller("olga"), 7, player.HouseAgent))(t)[0].Share.Int64(), 0)
	apptest.Equal(t, "another's", len(apptest.OK(h.Admin.RevenueShare(h.Ctx, apptest.Caller("op"), 7, player.HouseAgent))(t)), 0)
}

func TestADisabledGameTakesNoBets(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, olga := h.NewPlayer("alice", 10_000), h.NewAdmin("olga", "ops")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	games := apptest.OK(h.Providers.ProviderGames(h.Ctx, olga, ports.GameFilter{Provider: "casino"}, ports.Page{Number: 1, Limit: 50}))(t)
	apptest.Equal(t, "own games", games.Total, len(h.Games.Games()))
	apptest.OK(h.Providers.SwitchGame(h.Ctx, olga, "dice", false, ""))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.GameDisabled)
		apptest.Refused(t, apptest.ErrorOf(h.Providers.SwitchGame(h.Ctx, olga, "poker", false, "")), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Providers.SwitchGame(h.Ctx, apptest.Caller("alice"), "dice", true, "")), fault.AdminForbidden)
	})
	apptest.OK(h.Play.Play(h.Ctx, alice, play.PlayRequest{GameType: "limbo", Wager: 100, Token: apptest.SOL}))(t)
	apptest.OK(h.Providers.SwitchGame(h.Ctx, olga, "dice", true, "it was mended"))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Providers.SwitchGame(h.Ctx, olga, "dice", false, strings.Repeat("x", 501))), fault.Invalid, "field", "reason")
	})
	said := map[string]bool{}
	for _, record := range h.AuditRecords() {
		said[record.After] = true
	}
	if !said["disabled"] || !said[`enabled, reason "it was mended"`] {
		t.Errorf("the records say %v", said)
	}
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
}
