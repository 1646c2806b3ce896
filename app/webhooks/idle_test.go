package webhooks_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// stateReads counts reads of the control state.
type stateReads struct {
	ports.Controls
	n atomic.Int64
}

func (a *stateReads) State(ctx context.Context) (control.State, error) {
	a.n.Add(1)
	return a.Controls.State(ctx)
}

// TestSendersWithoutAnEndpointAskNothing: every commit wakes a sender, and the guard would
// read the control state each time.
func TestSendersWithoutAnEndpointAskNothing(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	bob := h.NewPlayerOf("acme", "bob", 10_000)
	controls := &stateReads{Controls: h.Store}
	restoration := recovery.NewRestoration(recovery.RestorationOptions{Controls: controls, Clock: h.Clock})
	var senders []app.Worker
	for _, w := range restoration.Guard(h.Workers()...) {
		if w.Name == kernel.WebhooksWorker {
			senders = append(senders, w)
		}
	}
	apptest.Equal(t, "senders", len(senders), webhooks.WebhooksAtOnce)
	step := func() (worked int) {
		for _, w := range senders {
			if apptest.OK(w.Step(h.Ctx))(t) {
				worked++
			}
		}
		return worked
	}
	for range 10 {
		apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
		apptest.Equal(t, "worked", step(), 0)
	}
	apptest.Equal(t, "reads of the control state", controls.n.Load(), 1)

	h.newEndpoint(root, acme.ID)
	h.Clock.Advance(time.Second)
	if step() == 0 || len(sites.Received(apptest.HookURL)) == 0 {
		t.Error("an endpoint that was registered meanwhile is not sent to")
	}
}

// claimed counts changes of a queue.
type claimed struct {
	ports.WebhookQueue
	n atomic.Int64
}

func (c *claimed) ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (webhook.Endpoint, bool, error) {
	c.n.Add(1)
	return c.WebhookQueue.ClaimWebhook(ctx, id, worker, now, until)
}

// TestAnEndpointThatHearsNothingCostsLittle: scanning it needs no commit, and its cursor is
// stored only from time to time.
func TestAnEndpointThatHearsNothingCostsLittle(t *testing.T) {
	t.Parallel()
	h := openWithWebhooks(t, fakes.NewWebhookSites(apptest.HookURL))
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	bob := h.NewPlayer("bob", 10_000)
	e := h.newEndpoint(root, acme.ID, stream.WithdrawalCompleted)
	queue := &claimed{WebhookQueue: h.Store}
	instance := h.Remade(func(d *app.Deps) { d.Store.WebhookQueue = queue })
	worker := instance.Webhooks.WebhookWorker()
	for range 10 {
		apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
		h.Clock.Advance(time.Second)
		apptest.Equal(t, "worked", apptest.OK(worker.Step(h.Ctx))(t), false)
	}
	apptest.Equal(t, "claims", queue.n.Load(), 0)
	h.Clock.Advance(20 * time.Second)
	apptest.Equal(t, "worked", apptest.OK(worker.Step(h.Ctx))(t), true)
	apptest.Equal(t, "claims", queue.n.Load(), 1)
	stored := apptest.OK(h.Webhooks.Webhook(h.Ctx, root, acme.ID, e.ID))(t)
	if page := apptest.OK(h.Events.Events(h.Ctx, stored.Cursor, stream.Filter{}, 100))(t); len(page.Events) > 0 {
		t.Errorf("it was looked through up to %s", stored.Cursor)
	}
	h.Clock.Advance(20 * time.Second)
	apptest.Equal(t, "worked when nothing happened", apptest.OK(worker.Step(h.Ctx))(t), false)
}
