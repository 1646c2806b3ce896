package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// stateReads counts how often the control state is read.
type stateReads struct {
	ports.Controls
	n atomic.Int64
}

func (a *stateReads) State(ctx context.Context) (control.State, error) {
	a.n.Add(1)
	return a.Controls.State(ctx)
}

// TestSendersWithoutAnEndpointAskNothing: every commit wakes one of them, and the guard
// would read the control state each time.
func TestSendersWithoutAnEndpointAskNothing(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	bob := h.of("acme", "bob", 10_000)
	controls := &stateReads{Controls: h.store}
	restoration := recovery.NewRestoration(recovery.RestorationOptions{Controls: controls, Clock: h.clock})
	var senders []app.Worker
	for _, w := range restoration.Guard(h.Workers()...) {
		if w.Name == kernel.WebhooksWorker {
			senders = append(senders, w)
		}
	}
	equal(t, "senders", len(senders), webhooks.WebhooksAtOnce)
	step := func() (worked int) {
		for _, w := range senders {
			if ok(w.Step(h.ctx))(t) {
				worked++
			}
		}
		return worked
	}
	for range 10 {
		ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
		equal(t, "worked", step(), 0)
	}
	equal(t, "reads of the control state", controls.n.Load(), 1)

	h.endpoint(root, acme.ID)
	h.clock.Advance(time.Second)
	if step() == 0 || len(sites.Received(hook)) == 0 {
		t.Error("an endpoint that was registered meanwhile is not sent to")
	}
}

// claimed counts what a queue is changed by.
type claimed struct {
	ports.WebhookQueue
	n atomic.Int64
}

func (c *claimed) ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (webhook.Endpoint, bool, error) {
	c.n.Add(1)
	return c.WebhookQueue.ClaimWebhook(ctx, id, worker, now, until)
}

// TestAnEndpointThatHearsNothingCostsLittle: it is looked through without a commit, and how
// far that went is stored now and then.
func TestAnEndpointThatHearsNothingCostsLittle(t *testing.T) {
	t.Parallel()
	h := hooked(t, fakes.NewWebhookSites(hook))
	root, acme := h.admin("root", "superadmin"), h.acme()
	bob := h.player("bob", 10_000)
	e := h.endpoint(root, acme.ID, stream.WithdrawalCompleted)
	queue := &claimed{WebhookQueue: h.store}
	instance := h.remade(func(d *app.Deps) { d.Store.WebhookQueue = queue })
	worker := instance.Webhooks.WebhookWorker()
	for range 10 {
		ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
		h.clock.Advance(time.Second)
		equal(t, "worked", ok(worker.Step(h.ctx))(t), false)
	}
	equal(t, "claims", queue.n.Load(), 0)
	h.clock.Advance(20 * time.Second)
	equal(t, "worked", ok(worker.Step(h.ctx))(t), true)
	equal(t, "claims", queue.n.Load(), 1)
	stored := ok(h.Webhooks.Webhook(h.ctx, root, acme.ID, e.ID))(t)
	if page := ok(h.Events.Events(h.ctx, stored.Cursor, stream.Filter{}, 100))(t); len(page.Events) > 0 {
		t.Errorf("it was looked through up to %s", stored.Cursor)
	}
	h.clock.Advance(20 * time.Second)
	equal(t, "worked when nothing happened", ok(worker.Step(h.ctx))(t), false)
}
