package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

// TestAnEndpointThatTakesNothing: order waits, and after three days it is disabled with an
// alarm; enabled it goes on where it was.
func TestAnEndpointThatTakesNothing(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice := h.of("acme", "alice", 10_000)
	e := h.endpoint(root, acme.ID)
	worker := h.Webhooks.WebhookWorker()
	h.sends(worker)
	taken := len(sites.Received(hook))
	sites.Answer(hook, answering(503))
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	began := h.clock.Now()
	for ok(h.Webhooks.Webhook(h.ctx, root, acme.ID, e.ID))(t).State == webhook.Active {
		h.sends(worker)
		h.clock.Advance(5 * time.Minute)
		if h.clock.Now().Sub(began) > 80*time.Hour {
			t.Fatal("it is never disabled")
		}
	}
	if lasted := h.clock.Now().Sub(began); lasted < 72*time.Hour || lasted > 73*time.Hour {
		t.Errorf("it was disabled after %v", lasted)
	}
	equal(t, "alarms", h.alarms(alarm.WebhookDisabled.Message()), 1)
	stopped := ok(h.Webhooks.Webhook(h.ctx, root, acme.ID, e.ID))(t)
	equal(t, "reason", stopped.Reason, webhook.Failing)
	tried := sites.Received(hook)[taken:]
	if len(tried) < 300 || slices.ContainsFunc(tried, func(m webhook.Message) bool { return m.ID != tried[0].ID }) {
		t.Errorf("%d tries, of %v", len(tried), sentIDs(tried[:3]))
	}
	equal(t, "steps of a disabled one", h.sends(worker), 0)
	sites.Answer(hook, answering(200))
	enabled := ok(h.Webhooks.ChangeWebhook(h.ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: ptr(webhook.Active)}))(t)
	if enabled.State != webhook.Active || enabled.Reason != "" || !enabled.FailingSince.IsZero() {
		t.Errorf("enabled it is %+v", enabled)
	}
	h.sends(worker)
	got := slices.Compact(sentIDs(sites.Received(hook)))
	equal(t, "everything in order", fmt.Sprint(got), fmt.Sprint(h.heardBy("acme")))
}

func TestAnEndpointThatIsGone(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	e := h.endpoint(root, acme.ID)
	sites.Answer(hook, answering(410))
	h.sends(h.Webhooks.WebhookWorker())
	equal(t, "tries", len(sites.Received(hook)), 1)
	equal(t, "alarms", h.alarms(alarm.WebhookDisabled.Message()), 1)
	got := ok(h.Webhooks.Webhook(h.ctx, root, acme.ID, e.ID))(t)
	if got.State != webhook.Disabled || got.Reason != webhook.Gone || !got.Cursor.Equal(stream.Cursor{}) {
		t.Errorf("it is %+v", got)
	}
}

// TestAnEndpointThatHangsHoldsUpNoOther: neither the other endpoints nor the end of the
// service.
func TestAnEndpointThatHangsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const other = "https://other.example.com/"
	sites := fakes.NewWebhookSites(hook, other)
	hangs := make(chan struct{})
	sites.Answer(hook, func(ctx context.Context, _ webhook.Message) webhook.Response {
		close(hangs)
		<-ctx.Done()
		return webhook.Response{}
	})
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	e := h.endpoint(root, acme.ID)
	ok(h.Webhooks.CreateWebhook(h.ctx, root, acme.ID, webhooks.WebhookRequest{URL: ptr(other), From: &stream.Cursor{}}))(t)
	worker := h.Webhooks.WebhookWorker()
	ctx, stop := context.WithCancel(h.ctx)
	ended := make(chan error)
	go func() {
		_, err := worker.Step(ctx)
		ended <- err
	}()
	<-hangs
	h.sends(worker)
	equal(t, "heard by the other", fmt.Sprint(sentIDs(sites.Received(other))), fmt.Sprint(h.heardBy("acme")))
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	got := ok(h.Webhooks.Webhook(h.ctx, root, acme.ID, e.ID))(t)
	if got.Tries.Count != 0 || !got.Cursor.Equal(stream.Cursor{}) {
		t.Errorf("a try that was stopped counts: %+v", got)
	}
	sites.Answer(hook, answering(200))
	h.sends(h.Webhooks.WebhookWorker())
	equal(t, "heard at last", fmt.Sprint(sentIDs(sites.Received(hook))[1:]), fmt.Sprint(h.heardBy("acme")))
}
