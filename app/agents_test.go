package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

func ptr[T any](v T) *T { return &v }

// acme creates the agent acme and returns it.
func (h *house) acme() agent.Agent {
	h.t.Helper()
	made, _, err := h.Admin.CreateAgent(h.ctx, h.admin("olga", "ops"), "acme", admin.AgentRequest{Name: ptr("Acme"), Share: ptr[agent.Percent](30_00)})
	if err != nil {
		h.t.Fatal(err)
	}
	return made
}

// of signs in a new player of an agent, with a deposit.
func (h *house) of(agent, name string, amount money.Amount) app.Caller {
	h.t.Helper()
	request := login(name, h.clock.Now())
	request.AgentCode = agent
	ok(h.Accounts.SignIn(h.ctx, request))(h.t)
	signature := h.chain.pay(name, money.SOL, amount)
	h.chain.finalize()
	ok(h.Deposits.Deposit(h.ctx, caller(name), signature, sol))(h.t)
	return caller(name)
}

func dice(wager int64) play.PlayRequest {
	return play.PlayRequest{GameType: "dice", Wager: wager, Token: sol}
}

func TestABlockedAgentStopsSignUpsAndBetsAlone(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(h *house, id string) error{
		"blocked": func(h *house, id string) error {
			return no(h.Admin.ChangeAgent(h.ctx, caller("olga"), id, admin.AgentRequest{Status: ptr(agent.Blocked)}))
		},
		"deleted": func(h *house, id string) error { return h.Admin.DeleteAgent(h.ctx, caller("olga"), id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			a := h.acme()
			bob := h.of("acme", "bob", 10_000)
			ok(h.Play.Play(h.ctx, bob, dice(100)))(t)
			pending := h.chain.pay("bob", money.SOL, 2_000)
			if err := stop(h, a.ID); err != nil {
				t.Fatal(err)
			}
			newcomer := login("carol", h.clock.Now())
			newcomer.AgentCode = "acme"
			refused(t, no(h.Accounts.SignIn(h.ctx, newcomer)), fault.BlockedAgent)
			h.unchanged(func() { refused(t, no(h.Play.Play(h.ctx, bob, dice(100))), fault.BlockedAgent) })

			// Everything else still works.
			ok(h.Accounts.SignIn(h.ctx, login("bob", h.clock.Advance(1_000_000))))(t)
			h.chain.finalize()
			ok(h.Deposits.Deposit(h.ctx, bob, pending, sol))(t)
			w := h.withdraw(bob, 1_000)
			ok(h.Payouts.ApproveWithdrawal(h.ctx, h.admin("ada", "finance"), approving(w.ID)))(t)
			ok(h.Accounts.History(h.ctx, bob, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 5}))(t)
			h.audited()
		})
	}
}

func TestTheHouseAgentIsKept(t *testing.T) {
	t.Parallel()
	h := bare(t)
	olga := h.admin("olga", "ops")
	h.unchanged(func() {
		refused(t, no(h.Admin.ChangeAgent(h.ctx, olga, agent.House, admin.AgentRequest{Status: ptr(agent.Blocked)})), fault.Forbidden)
		refused(t, h.Admin.DeleteAgent(h.ctx, olga, agent.House), fault.Forbidden)
	})
	changed := ok(h.Admin.ChangeAgent(h.ctx, olga, agent.House, admin.AgentRequest{Name: ptr("The House"), Status: ptr(agent.Active)}))(t)
	equal(t, "name", changed.Name, "The House")
}

func TestAgentsAreCreatedOnce(t *testing.T) {
	t.Parallel()
	h := bare(t)
	made, credentials, err := h.Admin.CreateAgent(h.ctx, h.admin("olga", "ops"), "acme", admin.AgentRequest{Name: ptr("Acme")})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "default rtp", made.RTP, agent.RTPDefault)
	equal(t, "secret", ok(h.store.AgentSecret(h.ctx, "acme"))(t).Reveal(), credentials.Secret.Reveal())
	again := func(code string, w admin.AgentRequest) error {
		_, _, err := h.Admin.CreateAgent(h.ctx, caller("olga"), code, w)
		return err
	}
	finn := h.admin("finn", "finance")
	h.unchanged(func() {
		refused(t, again("acme", admin.AgentRequest{Name: ptr("Other")}), fault.DuplicatedAgent)
		refused(t, again(agent.House, admin.AgentRequest{Name: ptr("Other")}), fault.DuplicatedAgent)
		refused(t, again("", admin.AgentRequest{Name: ptr("Other")}), fault.Invalid, "field", "agentCode")
		refused(t, again("b", admin.AgentRequest{}), fault.Invalid, "field", "agentName")
		refused(t, no(h.Admin.ChangeAgent(h.ctx, caller("olga"), "none", admin.AgentRequest{Name: ptr("x")})), fault.NotFound)
		refused(t, no(h.Admin.ChangeAgent(h.ctx, finn, made.ID, admin.AgentRequest{Name: ptr("x")})), fault.AdminForbidden, "permission", "admin:write")
	})
	if err := h.Admin.DeleteAgent(h.ctx, caller("olga"), made.ID); err != nil {
		t.Fatal(err)
	}
	refused(t, h.Admin.DeleteAgent(h.ctx, caller("olga"), made.ID), fault.NotFound)
	refused(t, again("acme", admin.AgentRequest{Name: ptr("Heirs")}), fault.DuplicatedAgent)
	equal(t, "listed", len(ok(h.Admin.Agents(h.ctx, caller("olga")))(t)), 1)
	for _, record := range h.records() {
		for _, secret := range []string{credentials.Token.Reveal(), credentials.Secret.Reveal()} {
			if strings.Contains(record.Before+record.After, secret) {
				t.Errorf("%+v holds a credential", record)
			}
		}
	}
}

func TestOnlyTheTopRoleSetsSiteAndAddresses(t *testing.T) {
	t.Parallel()
	h := bare(t)
	a := h.acme()
	root := h.admin("root", rbac.Superadmin)
	requests := map[string]admin.AgentRequest{
		"site": {SiteEndpoint: ptr("https://acme.example.com/")}, "addresses": {IPAllowlist: ptr([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})},
	}
	for name, w := range requests {
		h.unchanged(func() {
			refused(t, no(h.Admin.ChangeAgent(h.ctx, caller("olga"), a.ID, w)), fault.AdminForbidden, "permission", "roles:write")
			w.Name = ptr("x")
			_, _, err := h.Admin.CreateAgent(h.ctx, caller("olga"), "b"+name, w)
			refused(t, err, fault.AdminForbidden, "permission", "roles:write")
		})
		w.Name = nil
		ok(h.Admin.ChangeAgent(h.ctx, root, a.ID, w))(t)
	}
	before := ok(h.store.AgentSecret(h.ctx, "acme"))(t)
	rotate := func(who app.Caller) error { _, _, err := h.Admin.RotateCredentials(h.ctx, who, a.ID); return err }
	h.unchanged(func() { refused(t, rotate(caller("olga")), fault.AdminForbidden, "permission", "roles:write") })
	if err := rotate(root); err != nil {
		t.Fatal(err)
	}
	if after := ok(h.store.AgentSecret(h.ctx, "acme"))(t); after == before {
		t.Error("the secret was not changed")
	}
	// A role that is revoked between the first check and the commit decides nothing.
	late := &demotingStore{Store: h.store, before: func() {
		if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("olga"), "readonly", ""); err != nil {
			t.Error(err)
		}
	}}
	again := h.remade(func(d *app.Deps) { d.Store = app.StoreOf(late) })
	refused(t, no(again.Admin.ChangeAgent(h.ctx, caller("olga"), a.ID, admin.AgentRequest{Memo: ptr("x")})), fault.AdminForbidden, "permission", "admin:write")
}

func TestRevenueIsSharedByAgentAndDay(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.acme()
	bob := h.of("acme", "bob", 50_000)
	alice := h.player("alice", 50_000)
	for range 20 {
		ok(h.Play.Play(h.ctx, bob, dice(333)))(t)
		ok(h.Play.Play(h.ctx, alice, dice(500)))(t)
	}
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("op"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	rows := ok(h.Admin.RevenueShare(h.ctx, caller("op"), 7, ""))(t)
	equal(t, "rows", len(rows), 1)
	lost := int64(50_000 - h.balance("bob"))
	want := lost * 30 / 100
	if lost*30%100 < 0 { // rounded down
		want--
	}
	equal(t, "wagered", rows[0].Wagered, money.TotalOf(6_660))
	equal(t, "ggr", rows[0].GGR(), money.TotalOfInt(lost))
	equal(t, "share", rows[0].Share.Int64(), want)
	equal(t, "everybody's", len(ok(h.Admin.RevenueShare(h.ctx, caller("olga"), 7, ""))(t)), 2)
	equal(t, "the house's", ok(h.Admin.RevenueShare(h.ctx, caller("olga"), 7, player.HouseAgent))(t)[0].Share.Int64(), 0)
	equal(t, "another's", len(ok(h.Admin.RevenueShare(h.ctx, caller("op"), 7, player.HouseAgent))(t)), 0)
}

func TestADisabledGameTakesNoBets(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, olga := h.player("alice", 10_000), h.admin("olga", "ops")
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	games := ok(h.Providers.ProviderGames(h.ctx, olga, ports.GameFilter{Provider: "casino"}, ports.Page{Number: 1, Limit: 50}))(t)
	equal(t, "own games", games.Total, len(h.Games.Games()))
	ok(h.Providers.SwitchGame(h.ctx, olga, "dice", false, ""))(t)
	h.unchanged(func() {
		refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.GameDisabled)
		refused(t, no(h.Providers.SwitchGame(h.ctx, olga, "poker", false, "")), fault.NotFound)
		refused(t, no(h.Providers.SwitchGame(h.ctx, caller("alice"), "dice", true, "")), fault.AdminForbidden)
	})
	ok(h.Play.Play(h.ctx, alice, play.PlayRequest{GameType: "limbo", Wager: 100, Token: sol}))(t)
	ok(h.Providers.SwitchGame(h.ctx, olga, "dice", true, "it was mended"))(t)
	h.unchanged(func() {
		refused(t, no(h.Providers.SwitchGame(h.ctx, olga, "dice", false, strings.Repeat("x", 501))), fault.Invalid, "field", "reason")
	})
	said := map[string]bool{}
	for _, record := range h.records() {
		said[record.After] = true
	}
	if !said["disabled"] || !said[`enabled, reason "it was mended"`] {
		t.Errorf("the records say %v", said)
	}
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
}
