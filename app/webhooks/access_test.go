package webhooks_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestADeletedAgentHearsNothingMore, even within a worker's long turn: a second after the
// deletion its endpoint gets nothing more, and a deleted endpoint gets nothing. A blocked
// agent's endpoint continues, because its players' play is still settled there.
func TestADeletedAgentHearsNothingMore(t *testing.T) {
	t.Parallel()
	for what, row := range map[string]struct {
		change func(h *house, root app.Caller, e webhook.Endpoint, agentID string) error
		within time.Duration
	}{
		"the agent is deleted": {func(h *house, root app.Caller, _ webhook.Endpoint, agentID string) error {
			return h.Admin.DeleteAgent(h.Ctx, root, agentID)
		}, time.Second},
		"the endpoint is deleted": {func(h *house, root app.Caller, e webhook.Endpoint, agentID string) error {
			return h.Webhooks.DeleteWebhook(h.Ctx, root, agentID, e.ID)
		}, 0},
		"the agent is blocked": {func(h *house, root app.Caller, _ webhook.Endpoint, agentID string) error {
			return apptest.ErrorOf(h.Admin.ChangeAgent(h.Ctx, root, agentID, admin.AgentRequest{Status: new(agent.Blocked)}))
		}, time.Hour},
	} {
		sites := fakes.NewWebhookSites(apptest.HookURL)
		h := openWithWebhooks(t, sites)
		root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
		alice := h.NewPlayerOf("acme", "alice", 100_000)
		e := h.newEndpoint(root, acme.ID, stream.RoundSettled)
		const rounds = 20
		for range rounds {
			apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		}
		var changed time.Time
		sites.Answer(apptest.HookURL, func(context.Context, webhook.Message) webhook.Response {
			if changed.IsZero() {
				changed = h.Clock.Now()
				if err := row.change(h, root, e, acme.ID); err != nil {
					t.Error(err)
				}
			}
			h.Clock.Advance(400 * time.Millisecond)
			return webhook.Response{Status: 200}
		})
		h.sendAll(h.Webhooks.WebhookWorker())
		late := 0
		for _, m := range sites.Received(apptest.HookURL)[1:] {
			if m.At.Sub(changed) > row.within {
				late++
			}
		}
		apptest.Equal(t, what+": sent afterwards", late, 0)
		apptest.Equal(t, what+": all were sent", len(sites.Received(apptest.HookURL)) == rounds, what == "the agent is blocked")
	}
}

// TestAReboundPlayerIsHeardByTheNewAgent, even in the pages that a worker's turn reads
// after the change.
func TestAReboundPlayerIsHeardByTheNewAgent(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice := h.NewPlayerOf("acme", "alice", 100_000)
	h.newEndpoint(root, acme.ID, stream.DepositCredited)
	for range 260 { // more events than a page has
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
	sites.Answer(apptest.HookURL, func(_ context.Context, m webhook.Message) webhook.Response {
		if p, err := h.Store.Player(h.Ctx, alice.Wallet); err == nil && p.Agent == "acme" {
			apptest.OK(h.Admin.Rebind(h.Ctx, root, string(alice.Wallet), "house", "asked for"))(t)
			h.Clock.Advance(time.Millisecond)
			h.Chain.Pay("alice", money.SOL, 77_777)
			h.Chain.Finalize()
			for range 3 {
				h.RunWatcher(h.Deposits.DepositWatcher())
			}
		}
		return webhook.Response{Status: 200}
	})
	h.sendAll(h.Webhooks.WebhookWorker())
	for _, m := range sites.Received(apptest.HookURL) {
		if strings.Contains(string(m.Body), "77777") {
			t.Errorf("the agent before hears %s", m.Body)
		}
	}
	if got := h.CommittedEvents(stream.Filter{Wallet: alice.Wallet, Types: []stream.Type{stream.DepositCredited}}); len(got) != 2 {
		t.Errorf("%d deposits", len(got))
	}
}
