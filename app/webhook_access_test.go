package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// TestADeletedAgentHearsNothingMore, also within the turn of a worker that has much to send:
// a second later its endpoint is sent nothing, and an endpoint that was deleted is sent
// nothing at all. One of a blocked agent goes on: what its players do is still settled there.
func TestADeletedAgentHearsNothingMore(t *testing.T) {
	t.Parallel()
	for what, row := range map[string]struct {
		change func(h *house, root app.Caller, e webhook.Endpoint, agentID string) error
		within time.Duration
	}{
		"the agent is deleted": {func(h *house, root app.Caller, _ webhook.Endpoint, agentID string) error {
			return h.Admin.DeleteAgent(h.ctx, root, agentID)
		}, time.Second},
		"the endpoint is deleted": {func(h *house, root app.Caller, e webhook.Endpoint, agentID string) error {
			return h.Webhooks.DeleteWebhook(h.ctx, root, agentID, e.ID)
		}, 0},
		"the agent is blocked": {func(h *house, root app.Caller, _ webhook.Endpoint, agentID string) error {
			return no(h.Admin.ChangeAgent(h.ctx, root, agentID, admin.AgentRequest{Status: ptr(agent.Blocked)}))
		}, time.Hour},
	} {
		sites := fakes.NewWebhookSites(hook)
		h := hooked(t, sites)
		root, acme := h.admin("root", "superadmin"), h.acme()
		alice := h.of("acme", "alice", 100_000)
		e := h.endpoint(root, acme.ID, stream.RoundSettled)
		const rounds = 20
		for range rounds {
			ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
		}
		var changed time.Time
		sites.Answer(hook, func(context.Context, webhook.Message) webhook.Response {
			if changed.IsZero() {
				changed = h.clock.Now()
				if err := row.change(h, root, e, acme.ID); err != nil {
					t.Error(err)
				}
			}
			h.clock.Advance(400 * time.Millisecond)
			return webhook.Response{Status: 200}
		})
		h.sends(h.Webhooks.WebhookWorker())
		late := 0
		for _, m := range sites.Received(hook)[1:] {
			if m.At.Sub(changed) > row.within {
				late++
			}
		}
		equal(t, what+": sent afterwards", late, 0)
		equal(t, what+": all were sent", len(sites.Received(hook)) == rounds, what == "the agent is blocked")
	}
}

// TestAReboundPlayerIsHeardByTheNewAgent, also in the pages that a worker's turn reads after
// the change.
func TestAReboundPlayerIsHeardByTheNewAgent(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice := h.of("acme", "alice", 100_000)
	h.endpoint(root, acme.ID, stream.DepositCredited)
	for range 260 { // more events than a page has
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	}
	sites.Answer(hook, func(_ context.Context, m webhook.Message) webhook.Response {
		if p, err := h.store.Player(h.ctx, alice.Wallet); err == nil && p.Agent == "acme" {
			ok(h.Admin.Rebind(h.ctx, root, string(alice.Wallet), "house", "asked for"))(t)
			h.clock.Advance(time.Millisecond)
			h.chain.pay("alice", money.SOL, 77_777)
			h.chain.finalize()
			for range 3 {
				h.round(h.Deposits.DepositWatcher())
			}
		}
		return webhook.Response{Status: 200}
	})
	h.sends(h.Webhooks.WebhookWorker())
	for _, m := range sites.Received(hook) {
		if strings.Contains(string(m.Body), "77777") {
			t.Errorf("the agent before hears %s", m.Body)
		}
	}
	if got := h.committed(stream.Filter{Wallet: alice.Wallet, Types: []stream.Type{stream.DepositCredited}}); len(got) != 2 {
		t.Errorf("%d deposits", len(got))
	}
}
