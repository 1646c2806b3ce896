package webhooks_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestWithoutASiteWebhooksAreRefused(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string]func(*app.Deps){
		"no site":    func(d *app.Deps) { d.WebhookSite = nil },
		"no encoder": func(d *app.Deps) { d.EventEncoder = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(d *app.Deps) {
				d.WebhookSite, d.EventEncoder = fakes.NewWebhookSites(apptest.HookURL), apptest.PlainEncoder{}
			}, drop)
			root := h.NewAdmin("root", "superadmin")
			for _, err := range []error{
				apptest.ErrorOf(h.Webhooks.CreateWebhook(h.Ctx, root, agent.House, webhooks.WebhookRequest{URL: new(apptest.HookURL)})),
				apptest.ErrorOf(h.Webhooks.Webhooks(h.Ctx, root, agent.House)),
				apptest.ErrorOf(h.Webhooks.Webhook(h.Ctx, root, agent.House, "one")),
				apptest.ErrorOf(h.Webhooks.ChangeWebhook(h.Ctx, root, agent.House, "one", webhooks.WebhookRequest{})),
				apptest.ErrorOf(h.Webhooks.RotateWebhookSecret(h.Ctx, root, agent.House, "one")),
				h.Webhooks.DeleteWebhook(h.Ctx, root, agent.House, "one"),
				apptest.ErrorOf(h.Webhooks.DeadLetters(h.Ctx, root, agent.House, "one", ports.Page{Limit: 5})),
				apptest.ErrorOf(h.Webhooks.ResendDeadLetter(h.Ctx, root, agent.House, "one", "one")),
			} {
				apptest.Refused(t, err, fault.Unavailable, "status", "notProvided", "outcome", "none")
			}
			if slices.ContainsFunc(h.Workers(), func(w app.Worker) bool { return w.Name == kernel.WebhooksWorker }) {
				t.Error("a worker sends webhooks")
			}
		})
	}
}

// newEndpoint creates an endpoint of an agent that gets everything from the start.
func (h *house) newEndpoint(root app.Caller, agentID string, types ...stream.Type) webhook.Endpoint {
	h.T.Helper()
	return apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, agentID, webhooks.WebhookRequest{URL: new(apptest.HookURL), Types: &types, From: &stream.Cursor{}}))(h.T)
}

// sendAll runs a worker until it has no more work, and returns the number of steps.
func (h *house) sendAll(w *webhooks.WebhookWorker) (steps int) {
	h.T.Helper()
	for h.Clock.Advance(2 * time.Second); apptest.OK(w.Step(h.Ctx))(h.T); steps++ {
		if steps > 10_000 {
			h.T.Fatal("the worker finds no end")
		}
		h.Clock.Advance(time.Second)
	}
	return steps
}

// eventsOfAgent returns the ids of the committed events that the agent's endpoint should
// get.
func (h *house) eventsOfAgent(code string, types ...stream.Type) (ids []string) {
	h.T.Helper()
	page := apptest.OK(h.Events.Events(h.Ctx, stream.Cursor{}, stream.Filter{Types: types}, 100_000))(h.T)
	for _, e := range page.Events {
		of := e.Agent
		if of == "" && e.Wallet != "" {
			of = apptest.OK(h.Store.Player(h.Ctx, e.Wallet))(h.T).Agent
		}
		if _, may := e.ToAgent(); may && of == code {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func sentIDs(messages []webhook.Message) (all []string) {
	for _, m := range messages {
		all = append(all, m.ID)
	}
	return all
}

func answering(status ...int) func(context.Context, webhook.Message) webhook.Response {
	return func(context.Context, webhook.Message) webhook.Response {
		now := status[0]
		if len(status) > 1 {
			status = status[1:]
		}
		return webhook.Response{Status: now}
	}
}

// TestAnAgentsEndpointHearsWhatIsItsOwn: events of its players as they get them, and its
// own events, each once and in order; no others, and no admin's name.
func TestAnAgentsEndpointHearsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice, bob := h.NewPlayerOf("acme", "alice", 10_000), h.NewPlayer("bob", 10_000)
	e := h.newEndpoint(root, acme.ID)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	apptest.OK(h.Admin.FundAgent(h.Ctx, root, admin.FundingRequest{AgentID: acme.ID, Token: apptest.SOL, Amount: 5, Reason: "paid in"}))(t)
	apptest.OK(h.Admin.ChangeAgent(h.Ctx, root, acme.ID, admin.AgentRequest{Name: new("Acme & Sons")}))(t)
	h.FreezePlayer("alice", true)
	h.sendAll(h.Webhooks.WebhookWorker())
	got, want := sites.Received(apptest.HookURL), h.eventsOfAgent("acme")
	if !slices.Equal(sentIDs(got), want) || len(want) < 8 {
		t.Fatalf("the endpoint heard\n%v, it should have heard\n%v", sentIDs(got), want)
	}
	seen := map[string]bool{}
	for _, m := range got {
		text := string(m.Body)
		for _, foreign := range []string{string(bob.Wallet), string(root.Wallet), string(apptest.Caller("olga").Wallet)} {
			if strings.Contains(text, foreign) {
				t.Errorf("the endpoint hears of %s: %s", foreign, text)
			}
		}
		seen[strings.Fields(text)[3]] = true
		if err := webhook.Verify(e.Secrets.Current, m.ID, webhook.Timestamp(m.At), m.Signatures, m.Body, h.Clock.Now()); err != nil {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
	for _, of := range []stream.Type{stream.RoundSettled, stream.BalanceChanged, stream.DepositCredited, stream.FundsBooked, stream.AgentChanged, stream.PlayerFrozen} {
		if !seen[string(of)] {
			t.Errorf("no %s was heard of %v", of, seen)
		}
	}
	if seen[string(stream.WebhookChanged)] || seen[string(stream.RoleGranted)] {
		t.Errorf("the endpoint heard what is for admins: %v", seen)
	}
	h.sendAll(h.Webhooks.WebhookWorker())
	apptest.Equal(t, "sent again", len(sites.Received(apptest.HookURL)), len(want))
}

// TestEndpointsAndAdminsOfAnAgentHearTheSame: an endpoint gets the same events of players
// as an admin bound to its agent.
func TestEndpointsAndAdminsOfAnAgentHearTheSame(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	bound := h.Founder("sue", "support", "acme")
	h.NewPlayerOf("acme", "alice", 10_000)
	apptest.OK(h.Play.Play(h.Ctx, apptest.Caller("alice"), apptest.Flip(100)))(t)
	apptest.OK(h.Play.Play(h.Ctx, h.NewPlayer("bob", 10_000), apptest.Flip(100)))(t)
	h.newEndpoint(root, acme.ID)
	h.sendAll(h.Webhooks.WebhookWorker())
	page := apptest.OK(h.Events.AdminEventPage(h.Ctx, bound, stream.Filter{}, stream.Cursor{}, 10_000))(t)
	heard := map[string]bool{}
	for _, m := range sites.Received(apptest.HookURL) {
		heard[m.ID] = true
	}
	for _, e := range page.Events {
		if e.Wallet != "" && !heard[e.ID] {
			t.Errorf("the agent's admin hears %s %s, its endpoint doesn't", e.ID, e.Type)
		}
		delete(heard, e.ID)
	}
	for id := range heard {
		if all := apptest.OK(h.Events.Events(h.Ctx, stream.Cursor{}, stream.Filter{}, 10_000))(t).Events; !slices.ContainsFunc(all, func(e stream.Event) bool {
			return e.ID == id && e.Wallet == ""
		}) {
			t.Errorf("the endpoint hears %s of a player, the agent's admin doesn't", id)
		}
	}
}

func TestWhoMayHaveWebhooks(t *testing.T) {
	t.Parallel()
	h := openWithWebhooks(t, fakes.NewWebhookSites(apptest.HookURL))
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	e := h.newEndpoint(root, acme.ID)
	h.EnsureAgent("other")
	asks := func(by app.Caller, agentID string) map[string]error {
		return map[string]error{
			"create": apptest.ErrorOf(h.Webhooks.CreateWebhook(h.Ctx, by, agentID, webhooks.WebhookRequest{URL: new(apptest.HookURL)})),
			"list":   apptest.ErrorOf(h.Webhooks.Webhooks(h.Ctx, by, agentID)),
			"read":   apptest.ErrorOf(h.Webhooks.Webhook(h.Ctx, by, agentID, e.ID)),
			"change": apptest.ErrorOf(h.Webhooks.ChangeWebhook(h.Ctx, by, agentID, e.ID, webhooks.WebhookRequest{})),
			"rotate": apptest.ErrorOf(h.Webhooks.RotateWebhookSecret(h.Ctx, by, agentID, e.ID)),
			"delete": h.Webhooks.DeleteWebhook(h.Ctx, by, agentID, e.ID),
			"dead":   apptest.ErrorOf(h.Webhooks.DeadLetters(h.Ctx, by, agentID, e.ID, ports.Page{Limit: 5})),
			"resend": apptest.ErrorOf(h.Webhooks.ResendDeadLetter(h.Ctx, by, agentID, e.ID, "one")),
		}
	}
	for _, who := range []app.Caller{apptest.Caller("nobody"), apptest.Caller("olga"), h.Founder("finn", "finance", ""), h.Founder("opal", "ops", "acme")} {
		for what, err := range asks(who, acme.ID) {
			if !fault.Is(err, fault.AdminForbidden) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	for what, err := range asks(root, "id-nobody") {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s of an agent that isn't: %v", what, err)
		}
	}
	for what, err := range asks(root, "id-other") {
		if what != "create" && what != "list" && !fault.Is(err, fault.NotFound) {
			t.Errorf("%s of another agent's: %v", what, err)
		}
	}
	for what, err := range asks(h.Founder("sam", "superadmin", "other"), acme.ID) {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s by a superadmin of another agent: %v", what, err)
		}
	}
}

func TestWhatAWebhookMayBe(t *testing.T) {
	t.Parallel()
	h := openWithWebhooks(t, fakes.NewWebhookSites(apptest.HookURL))
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	for field, request := range map[string]webhooks.WebhookRequest{
		"url":    {URL: new("https://10.0.0.1/")},
		"types":  {URL: new(apptest.HookURL), Types: &[]stream.Type{stream.RoundSettled, stream.RoleGranted}},
		"types ": {URL: new(apptest.HookURL), Types: &[]stream.Type{"round.unknown"}},
		"url ":   {},
		"url  ":  {URL: new("http://127.0.0.1:80/")},
	} {
		h.CheckUnchanged(func() {
			apptest.Refused(t, apptest.ErrorOf(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, request)), fault.Invalid, "field", strings.TrimSpace(field))
		})
	}
	e := h.newEndpoint(root, acme.ID, stream.RoundSettled, stream.BalanceChanged, stream.RoundSettled)
	apptest.Equal(t, "types", fmt.Sprint(e.Types), "[balance.changed round.settled]")
	if !strings.HasPrefix(e.Secrets.Current.Reveal(), "whsec_") {
		t.Error("it has no secret")
	}
	apptest.Refused(t, apptest.ErrorOf(h.Webhooks.ChangeWebhook(h.Ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: new(webhook.State("gone"))})), fault.Invalid, "field", "state")
	apptest.Refused(t, apptest.ErrorOf(h.Webhooks.ChangeWebhook(h.Ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{URL: new("ftp://x")})), fault.Invalid, "field", "url")
	for range webhook.EndpointsMax - 1 {
		h.newEndpoint(root, acme.ID)
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(apptest.HookURL)})), fault.TooManyOpen)
	})
	apptest.Equal(t, "endpoints", len(apptest.OK(h.Webhooks.Webhooks(h.Ctx, root, acme.ID))(t)), webhook.EndpointsMax)
	if err := h.Webhooks.DeleteWebhook(h.Ctx, root, acme.ID, e.ID); err != nil {
		t.Fatal(err)
	}
	now := apptest.OK(h.Store.Newest(h.Ctx))(t)
	late := apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(apptest.HookURL + "?token=hidden")}))(t)
	if !late.Cursor.Equal(now) {
		t.Errorf("it begins at %s, not at %s", late.Cursor, now)
	}
	page := apptest.OK(h.Admin.AuditRecords(h.Ctx, root, ports.AuditFilter{Action: audit.WebhookChanged}, ports.Page{Limit: 100}))(t)
	apptest.Equal(t, "records", len(page.Records), webhook.EndpointsMax+2)
	for _, r := range page.Records {
		text := r.Before + r.After
		if r.Target != "acme" || r.By != root.Wallet || strings.Contains(text, "whsec_") || strings.Contains(text, "hidden") {
			t.Errorf("recorded %+v", r)
		}
	}
}

// TestARefusedEventIsADeadLetter after ten tries within an hour, and the next event is
// sent. It can be sent again on request.
func TestARefusedEventIsADeadLetter(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice := h.NewPlayerOf("acme", "alice", 10_000)
	for range 3 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
	e := h.newEndpoint(root, acme.ID, stream.RoundSettled)
	want := h.eventsOfAgent("acme", stream.RoundSettled)
	refuses := true
	sites.Answer(apptest.HookURL, func(_ context.Context, m webhook.Message) webhook.Response {
		if m.ID == want[1] && refuses {
			return webhook.Response{Status: 422}
		}
		return webhook.Response{Status: 204}
	})
	worker, began := h.Webhooks.WebhookWorker(), h.Clock.Now()
	for len(sites.Received(apptest.HookURL)) < 12 {
		h.sendAll(worker)
		h.Clock.Advance(10 * time.Second)
	}
	if took := h.Clock.Now().Sub(began); took > time.Hour+2*time.Minute || took < 40*time.Minute {
		t.Errorf("ten tries took %v", took)
	}
	apptest.Equal(t, "what was sent", fmt.Sprint(sentIDs(sites.Received(apptest.HookURL))), fmt.Sprint(slices.Concat(want[:1], slices.Repeat(want[1:2], 10), want[2:])))
	letters := apptest.OK(h.Webhooks.DeadLetters(h.Ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters
	if len(letters) != 1 || letters[0].EventID != want[1] || letters[0].Tries != 10 || letters[0].Last.Status != 422 || letters[0].Type != stream.RoundSettled ||
		!bytes.Contains(letters[0].Body, []byte(want[1])) {
		t.Fatalf("the dead letters are %+v", letters)
	}
	resend := func() {
		apptest.OK(h.Webhooks.ResendDeadLetter(h.Ctx, root, acme.ID, e.ID, letters[0].ID))(t)
		h.sendAll(worker)
	}
	resend()
	again := apptest.OK(h.Webhooks.DeadLetters(h.Ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters
	if len(again) != 1 || again[0].Tries != 11 || again[0].Due {
		t.Fatalf("refused again it is %+v", again)
	}
	refuses = false
	resend()
	apptest.Equal(t, "dead letters", len(apptest.OK(h.Webhooks.DeadLetters(h.Ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters), 0)
	apptest.Equal(t, "messages", len(sites.Received(apptest.HookURL)), 14)
	first, last := sites.Received(apptest.HookURL)[1], sites.Received(apptest.HookURL)[13]
	if first.ID != last.ID || !bytes.Equal(first.Body, last.Body) || first.Signatures == last.Signatures {
		t.Errorf("sent again it is %+v, it was %+v", last, first)
	}
	apptest.OK(h.Webhooks.ChangeWebhook(h.Ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: new(webhook.Disabled)}))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Webhooks.ResendDeadLetter(h.Ctx, root, acme.ID, e.ID, letters[0].ID)), fault.NotFound)
}

// TestSecretsRotate: both secrets sign for a day, and the caller gets the new one.
func TestSecretsRotate(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice := h.NewPlayerOf("acme", "alice", 10_000)
	e := h.newEndpoint(root, acme.ID)
	rotated := apptest.OK(h.Webhooks.RotateWebhookSecret(h.Ctx, root, acme.ID, e.ID))(t)
	worker := h.Webhooks.WebhookWorker()
	verifies := func(secret agent.Secret, want bool) {
		t.Helper()
		m := sites.Received(apptest.HookURL)[len(sites.Received(apptest.HookURL))-1]
		if err := webhook.Verify(secret, m.ID, webhook.Timestamp(m.At), m.Signatures, m.Body, m.At); (err == nil) != want {
			t.Errorf("verified: %v", err)
		}
	}
	h.sendAll(worker)
	verifies(e.Secrets.Current, true)
	verifies(rotated.Secrets.Current, true)
	h.Clock.Advance(webhook.PreviousTime)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	h.sendAll(worker)
	verifies(e.Secrets.Current, false)
	verifies(rotated.Secrets.Current, true)
}
