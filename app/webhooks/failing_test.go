package webhooks_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestAnEndpointThatTakesNothing: events wait in order, and after three days the endpoint
// is disabled with an alarm. When enabled, it continues at its cursor.
func TestAnEndpointThatTakesNothing(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice := h.NewPlayerOf("acme", "alice", 10_000)
	e := h.newEndpoint(root, acme.ID)
	worker := h.Webhooks.WebhookWorker()
	h.sendAll(worker)
	taken := len(sites.Received(apptest.HookURL))
	sites.Answer(apptest.HookURL, answering(503))
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	began := h.Clock.Now()
	for apptest.OK(h.Webhooks.Webhook(h.Ctx, root, acme.ID, e.ID))(t).State == webhook.Active {
		h.sendAll(worker)
		h.Clock.Advance(5 * time.Minute)
		if h.Clock.Now().Sub(began) > 80*time.Hour {
			t.Fatal("it is never disabled")
		}
	}
	if lasted := h.Clock.Now().Sub(began); lasted < 72*time.Hour || lasted > 73*time.Hour {
		t.Errorf("it was disabled after %v", lasted)
	}
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.WebhookDisabled.Message()), 1)
	stopped := apptest.OK(h.Webhooks.Webhook(h.Ctx, root, acme.ID, e.ID))(t)
	apptest.Equal(t, "reason", stopped.Reason, webhook.Failing)
	tried := sites.Received(apptest.HookURL)[taken:]
	if len(tried) < 300 || slices.ContainsFunc(tried, func(m webhook.Message) bool { return m.ID != tried[0].ID }) {
		t.Errorf("%d tries, of %v", len(tried), sentIDs(tried[:3]))
	}
	apptest.Equal(t, "steps of a disabled one", h.sendAll(worker), 0)
	sites.Answer(apptest.HookURL, answering(200))
	enabled := apptest.OK(h.Webhooks.ChangeWebhook(h.Ctx, root, acme.ID, e.ID, webhooks.WebhookRequest{State: new(webhook.Active)}))(t)
	if enabled.State != webhook.Active || enabled.Reason != "" || !enabled.FailingSince.IsZero() {
		t.Errorf("enabled it is %+v", enabled)
	}
	h.sendAll(worker)
	got := slices.Compact(sentIDs(sites.Received(apptest.HookURL)))
	apptest.Equal(t, "everything in order", fmt.Sprint(got), fmt.Sprint(h.eventsOfAgent("acme")))
}

func TestAnEndpointThatIsGone(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	e := h.newEndpoint(root, acme.ID)
	sites.Answer(apptest.HookURL, answering(410))
	h.sendAll(h.Webhooks.WebhookWorker())
	apptest.Equal(t, "tries", len(sites.Received(apptest.HookURL)), 1)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.WebhookDisabled.Message()), 1)
	got := apptest.OK(h.Webhooks.Webhook(h.Ctx, root, acme.ID, e.ID))(t)
	if got.State != webhook.Disabled || got.Reason != webhook.Gone || !got.Cursor.Equal(stream.Cursor{}) {
		t.Errorf("it is %+v", got)
	}
}

// TestAnEndpointThatHangsHoldsUpNoOther: it delays neither other endpoints nor the
// service's stop.
func TestAnEndpointThatHangsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const other = "https://other.example.com/"
	sites := fakes.NewWebhookSites(apptest.HookURL, other)
	hangs := make(chan struct{})
	sites.Answer(apptest.HookURL, func(ctx context.Context, _ webhook.Message) webhook.Response {
		close(hangs)
		<-ctx.Done()
		return webhook.Response{}
	})
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	e := h.newEndpoint(root, acme.ID)
	apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(other), From: &stream.Cursor{}}))(t)
	worker := h.Webhooks.WebhookWorker()
	ctx, stop := context.WithCancel(h.Ctx)
	ended := make(chan error)
	go func() {
		_, err := worker.Step(ctx)
		ended <- err
	}()
	<-hangs
	h.sendAll(worker)
	apptest.Equal(t, "heard by the other", fmt.Sprint(sentIDs(sites.Received(other))), fmt.Sprint(h.eventsOfAgent("acme")))
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	got := apptest.OK(h.Webhooks.Webhook(h.Ctx, root, acme.ID, e.ID))(t)
	if got.Tries.Count != 0 || !got.Cursor.Equal(stream.Cursor{}) {
		t.Errorf("a try that was stopped counts: %+v", got)
	}
	sites.Answer(apptest.HookURL, answering(200))
	h.sendAll(h.Webhooks.WebhookWorker())
	apptest.Equal(t, "heard at last", fmt.Sprint(sentIDs(sites.Received(apptest.HookURL))[1:]), fmt.Sprint(h.eventsOfAgent("acme")))
}
