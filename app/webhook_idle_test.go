package app_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/control"
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
	restoration := app.NewRestoration(app.RestorationOptions{Controls: controls, Clock: h.clock})
	var senders []app.Worker
	for _, w := range restoration.Guard(h.Workers()...) {
		if w.Name == app.WebhooksWorker {
			senders = append(senders, w)
		}
	}
	equal(t, "senders", len(senders), app.WebhooksAtOnce)
	step := func() (worked int) {
		for _, w := range senders {
			if ok(w.Step(h.ctx))(t) {
				worked++
			}
		}
		return worked
	}
	for range 10 {
		ok(h.Play(h.ctx, bob, flip(100)))(t)
		equal(t, "worked", step(), 0)
	}
	equal(t, "reads of the control state", controls.n.Load(), 1)

	h.endpoint(root, acme.ID)
	h.clock.Advance(time.Second)
	if step() == 0 || len(sites.Received(hook)) == 0 {
		t.Error("an endpoint that was registered meanwhile is not sent to")
	}
}
