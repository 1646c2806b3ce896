package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

const hook = "https://hooks.example.com/acme"

// plainEncoder writes what an event says as Go does.
type plainEncoder struct{}

func (plainEncoder) EncodeEvent(ledger string, e stream.Event) ([]byte, error) {
	return fmt.Appendf(nil, "ledger %q: %s %s of %s, agent %q: %+v", ledger, e.ID, e.Type, e.Subject, e.Agent, e.Data), nil
}

// hooked is a casino that sends events to these endpoints.
func hooked(t *testing.T, sites ports.WebhookSite) *house {
	t.Helper()
	return open(t, func(d *app.Deps) { d.WebhookSite, d.EventEncoder = sites, plainEncoder{} })
}

func TestWithoutASiteWebhooksAreRefused(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string]func(*app.Deps){
		"no site":    func(d *app.Deps) { d.WebhookSite = nil },
		"no encoder": func(d *app.Deps) { d.EventEncoder = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(d *app.Deps) { d.WebhookSite, d.EventEncoder = fakes.NewWebhookSites(hook), plainEncoder{} }, drop)
			root := h.admin("root", "superadmin")
			for _, err := range []error{
				no(h.Webhooks.CreateWebhook(h.ctx, root, agent.House, webhooks.WebhookRequest{URL: ptr(hook)})),
				no(h.Webhooks.Webhooks(h.ctx, root, agent.House)),
				no(h.Webhooks.Webhook(h.ctx, root, agent.House, "one")),
				no(h.Webhooks.ChangeWebhook(h.ctx, root, agent.House, "one", webhooks.WebhookRequest{})),
				no(h.Webhooks.RotateWebhookSecret(h.ctx, root, agent.House, "one")),
				h.Webhooks.DeleteWebhook(h.ctx, root, agent.House, "one"),
				no(h.Webhooks.DeadLetters(h.ctx, root, agent.House, "one", ports.Page{Limit: 5})),
				no(h.Webhooks.ResendDeadLetter(h.ctx, root, agent.House, "one", "one")),
			} {
				refused(t, err, fault.Unavailable, "status", "notProvided", "outcome", "none")
			}
			if slices.ContainsFunc(h.Workers(), func(w app.Worker) bool { return w.Name == kernel.WebhooksWorker }) {
				t.Error("a worker sends webhooks")
			}
		})
	}
}

// endpoint makes an endpoint of an agent that hears everything from the beginning.
func (h *house) endpoint(root app.Caller, agentID string, types ...stream.Type) webhook.Endpoint {
	h.t.Helper()
	return ok(h.Webhooks.CreateWebhook(h.ctx, root, agentID, webhooks.WebhookRequest{URL: ptr(hook), Types: &types, From: &stream.Cursor{}}))(h.t)
}

// sends has a worker do all that there is to do now, and returns how much it did.
func (h *house) sends(w *webhooks.WebhookWorker) (steps int) {
	h.t.Helper()
	for h.clock.Advance(2 * time.Second); ok(w.Step(h.ctx))(h.t); steps++ {
		if steps > 10_000 {
			h.t.Fatal("the worker finds no end")
		}
		h.clock.Advance(time.Second)
	}
	return steps
}

// heardBy is what the agent's endpoint should hear of everything that was committed, by ids.
func (h *house) heardBy(code string, types ...stream.Type) (ids []string) {
	h.t.Helper()
	page := ok(h.Events.Events(h.ctx, stream.Cursor{}, stream.Filter{Types: types}, 100_000))(h.t)
	for _, e := range page.Events {
		of := e.Agent
		if of == "" && e.Wallet != "" {
			of = ok(h.store.Player(h.ctx, e.Wallet))(h.t).Agent
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

// TestAnAgentsEndpointHearsWhatIsItsOwn: what concerns its players as they hear it
// themselves, and itself, each once and in order; nothing of others, and no admin's name.
func TestAnAgentsEndpointHearsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice, bob := h.of("acme", "alice", 10_000), h.player("bob", 10_000)
	e := h.endpoint(root, acme.ID)
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	ok(h.Admin.FundAgent(h.ctx, root, admin.FundingRequest{AgentID: acme.ID, Token: sol, Amount: 5, Reason: "paid in"}))(t)
	ok(h.Admin.ChangeAgent(h.ctx, root, acme.ID, admin.AgentRequest{Name: ptr("Acme & Sons")}))(t)
	h.freeze("alice", true)
	h.sends(h.Webhooks.WebhookWorker())
	got, want := sites.Received(hook), h.heardBy("acme")
	if !slices.Equal(sentIDs(got), want) || len(want) < 8 {
		t.Fatalf("the endpoint heard\n%v, it should have heard\n%v", sentIDs(got), want)
	}
	seen := map[string]bool{}
	for _, m := range got {
		text := string(m.Body)
		for _, foreign := range []string{string(bob.Wallet), string(root.Wallet), string(caller("olga").Wallet)} {
			if strings.Contains(text, foreign) {
				t.Errorf("the endpoint hears of %s: %s", foreign, text)
			}
		}
		seen[strings.Fields(text)[3]] = true
		if err := webhook.Verify(e.Secrets.Current, m.ID, webhook.Timestamp(m.At), m.Signatures, m.Body, h.clock.Now()); err != nil {
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
	h.sends(h.Webhooks.WebhookWorker())
	equal(t, "sent again", len(sites.Received(hook)), len(want))
}

// TestEndpointsAndAdminsOfAnAgentHearTheSame: what an endpoint hears of players is what an
// admin who is bound to its agent hears of them.
func TestEndpointsAndAdminsOfAnAgentHearTheSame(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	bound := h.founder("sue", "support", "acme")
	h.of("acme", "alice", 10_000)
	ok(h.Play.Play(h.ctx, caller("alice"), flip(100)))(t)
	ok(h.Play.Play(h.ctx, h.player("bob", 10_000), flip(100)))(t)
	h.endpoint(root, acme.ID)
	h.sends(h.Webhooks.WebhookWorker())
	page := ok(h.Events.AdminEventPage(h.ctx, bound, stream.Filter{}, stream.Cursor{}, 10_000))(t)
	heard := map[string]bool{}
	for _, m := range sites.Received(hook) {
		heard[m.ID] = true
	}
	for _, e := range page.Events {
		if e.Wallet != "" && !heard[e.ID] {
			t.Errorf("the agent's admin hears %s %s, its endpoint doesn't", e.ID, e.Type)
		}
		delete(heard, e.ID)
	}
	for id := range heard {
		if all := ok(h.Events.Events(h.ctx, stream.Cursor{}, stream.Filter{}, 10_000))(t).Events; !slices.ContainsFunc(all, func(e stream.Event) bool {
			return e.ID == id && e.Wallet == ""
		}) {
			t.Errorf("the endpoint hears %s of a player, the agent's admin doesn't", id)
		}
	}
}

func TestWhoMayHaveWebhooks(t *testing.T) {
	t.Parallel()
	h := hooked(t, fakes.NewWebhookSites(hook))
	root, acme := h.admin("root", "superadmin"), h.acme()
	e := h.endpoint(root, acme.ID)
	h.ensureAgent("other")
	asks := func(by app.Caller, agentID string) map[string]error {
		return map[string]error{
			"create": no(h.Webhooks.CreateWebhook(h.ctx, by, agentID, webhooks.WebhookRequest{URL: ptr(hook)})),
			"list":   no(h.Webhooks.Webhooks(h.ctx, by, agentID)),
			"read":   no(h.Webhooks.Webhook(h.ctx, by, agentID, e.ID)),
			"change": no(h.Webhooks.ChangeWebhook(h.ctx, by, agentID, e.ID, webhooks.WebhookRequest{})),
			"rotate": no(h.Webhooks.RotateWebhookSecret(h.ctx, by, agentID, e.ID)),
			"delete": h.Webhooks.DeleteWebhook(h.ctx, by, agentID, e.ID),
			"dead":   no(h.Webhooks.DeadLetters(h.ctx, by, agentID, e.ID, ports.Page{Limit: 5})),
			"resend": no(h.Webhooks.ResendDeadLetter(h.ctx, by, agentID, e.ID, "one")),
		}
	}
	for _, who := range []app.Caller{caller("nobody"), caller("olga"), h.founder("finn", "finance", ""), h.founder("opal", "ops", "acme")} {
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
	for what, err := range asks(h.founder("sam", "superadmin", "other"), acme.ID) {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s by a superadmin of another agent: %v", what, err)
		}
	}
}

func TestWhatAWebhookMayBe(t *testing.T) {
	t.Parallel()
	h := hooked(t, fakes.NewWebhookSites(hook))
	root, acme := h.admin("root", "superadmin"), h.acme()
	for field, request := range map[string]webhooks.WebhookRequest{
		"url":    {URL: ptr("https://10.0.0.1/")},
		"types":  {URL: ptr(hook), Types: &[]stream.Type{stream.RoundSettled, stream.RoleGranted}},
		"types ": {URL: ptr(hook), Types: &[]stream.Type{"round.unknown"}},
		"url ":   {},
		"url  ":  {URL: ptr("http://127.0.0.1:80/")},
	} {
		h.unchanged(func() {
			refused(t, no(h.Webhooks.CreateWebhook(h.ctx, root, acme.ID, request)), fault.Invalid, "field", strings.TrimSpace(field))
		})
	}
	e := h.endpoint(root, acme.ID, stream.RoundSettled, stream.BalanceChanged, stream.RoundSettled)
	equal(t, "types", fmt.Sprint(e.Types), "[balance.changed round.settled]")
	if !strings.HasPrefix(e.Secrets.Current.Reveal(), "whsec_") {
		t.Error("it has no secret")
	}
	refused(t, no(h.Webhooks.ChangeWebhook(h.ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: ptr(webhook.State("gone"))})), fault.Invalid, "field", "state")
	refused(t, no(h.Webhooks.ChangeWebhook(h.ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{URL: ptr("ftp://x")})), fault.Invalid, "field", "url")
	for range webhook.EndpointsMax - 1 {
		h.endpoint(root, acme.ID)
	}
	h.unchanged(func() {
		refused(t, no(h.Webhooks.CreateWebhook(h.ctx, root, acme.ID, webhooks.WebhookRequest{URL: ptr(hook)})), fault.TooManyOpen)
	})
	equal(t, "endpoints", len(ok(h.Webhooks.Webhooks(h.ctx, root, acme.ID))(t)), webhook.EndpointsMax)
	if err := h.Webhooks.DeleteWebhook(h.ctx, root, acme.ID, e.ID); err != nil {
		t.Fatal(err)
	}
	now := ok(h.store.Newest(h.ctx))(t)
	late := ok(h.Webhooks.CreateWebhook(h.ctx, root, acme.ID, webhooks.WebhookRequest{URL: ptr(hook + "?token=hidden")}))(t)
	if !late.Cursor.Equal(now) {
		t.Errorf("it begins at %s, not at %s", late.Cursor, now)
	}
	page := ok(h.Admin.AuditRecords(h.ctx, root, ports.AuditFilter{Action: audit.WebhookChanged}, ports.Page{Limit: 100}))(t)
	equal(t, "records", len(page.Records), webhook.EndpointsMax+2)
	for _, r := range page.Records {
		text := r.Before + r.After
		if r.Target != "acme" || r.By != root.Wallet || strings.Contains(text, "whsec_") || strings.Contains(text, "hidden") {
			t.Errorf("recorded %+v", r)
		}
	}
}

// TestARefusedEventIsADeadLetter: after ten tries within an hour, and the next goes on. It is
// sent again when somebody wants it.
func TestARefusedEventIsADeadLetter(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice := h.of("acme", "alice", 10_000)
	for range 3 {
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	}
	e := h.endpoint(root, acme.ID, stream.RoundSettled)
	want := h.heardBy("acme", stream.RoundSettled)
	refuses := true
	sites.Answer(hook, func(_ context.Context, m webhook.Message) webhook.Response {
		if m.ID == want[1] && refuses {
			return webhook.Response{Status: 422}
		}
		return webhook.Response{Status: 204}
	})
	worker, began := h.Webhooks.WebhookWorker(), h.clock.Now()
	for len(sites.Received(hook)) < 12 {
		h.sends(worker)
		h.clock.Advance(10 * time.Second)
	}
	if took := h.clock.Now().Sub(began); took > time.Hour+2*time.Minute || took < 40*time.Minute {
		t.Errorf("ten tries took %v", took)
	}
	equal(t, "what was sent", fmt.Sprint(sentIDs(sites.Received(hook))), fmt.Sprint(slices.Concat(want[:1], slices.Repeat(want[1:2], 10), want[2:])))
	letters := ok(h.Webhooks.DeadLetters(h.ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters
	if len(letters) != 1 || letters[0].EventID != want[1] || letters[0].Tries != 10 || letters[0].Last.Status != 422 || letters[0].Type != stream.RoundSettled ||
		!bytes.Contains(letters[0].Body, []byte(want[1])) {
		t.Fatalf("the dead letters are %+v", letters)
	}
	resend := func() {
		ok(h.Webhooks.ResendDeadLetter(h.ctx, root, acme.ID, e.ID, letters[0].ID))(t)
		h.sends(worker)
	}
	resend()
	again := ok(h.Webhooks.DeadLetters(h.ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters
	if len(again) != 1 || again[0].Tries != 11 || again[0].Due {
		t.Fatalf("refused again it is %+v", again)
	}
	refuses = false
	resend()
	equal(t, "dead letters", len(ok(h.Webhooks.DeadLetters(h.ctx, root, acme.ID, e.ID, ports.Page{Limit: 5}))(t).Letters), 0)
	equal(t, "messages", len(sites.Received(hook)), 14)
	first, last := sites.Received(hook)[1], sites.Received(hook)[13]
	if first.ID != last.ID || !bytes.Equal(first.Body, last.Body) || first.Signatures == last.Signatures {
		t.Errorf("sent again it is %+v, it was %+v", last, first)
	}
	ok(h.Webhooks.ChangeWebhook(h.ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: ptr(webhook.Disabled)}))(t)
	refused(t, no(h.Webhooks.ResendDeadLetter(h.ctx, root, acme.ID, e.ID, letters[0].ID)), fault.NotFound)
}

// TestSecretsRotate: both sign for a day, and the new one is what the caller gets.
func TestSecretsRotate(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice := h.of("acme", "alice", 10_000)
	e := h.endpoint(root, acme.ID)
	rotated := ok(h.Webhooks.RotateWebhookSecret(h.ctx, root, acme.ID, e.ID))(t)
	worker := h.Webhooks.WebhookWorker()
	verifies := func(secret agent.Secret, want bool) {
		t.Helper()
		m := sites.Received(hook)[len(sites.Received(hook))-1]
		if err := webhook.Verify(secret, m.ID, webhook.Timestamp(m.At), m.Signatures, m.Body, m.At); (err == nil) != want {
			t.Errorf("verified: %v", err)
		}
	}
	h.sends(worker)
	verifies(e.Secrets.Current, true)
	verifies(rotated.Secrets.Current, true)
	h.clock.Advance(webhook.PreviousTime)
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	h.sends(worker)
	verifies(e.Secrets.Current, false)
	verifies(rotated.Secrets.Current, true)
}
