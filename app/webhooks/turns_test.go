package webhooks_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// manyEndpoints creates endpoints, and the agents for them, which get agents' changes after
// a cursor, and returns their URLs. The prefix starts the agents' names.
func (h *house) manyEndpoints(root app.Caller, prefix string, n int, from *stream.Cursor) (urls, agents []string) {
	h.T.Helper()
	for i := range n {
		if i%webhook.EndpointsMax == 0 {
			made, _, err := h.Admin.CreateAgent(h.Ctx, root, fmt.Sprint(prefix, len(agents)), admin.AgentRequest{Name: new("Agent")})
			if err != nil {
				h.T.Fatal(err)
			}
			agents = append(agents, made.ID)
		}
		urls = append(urls, fmt.Sprintf("https://%s.example.com/%d", prefix, i))
		apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, agents[len(agents)-1], webhooks.WebhookRequest{URL: &urls[i], From: from}))(h.T)
	}
	return urls, agents
}

// changeAgentName makes one event of an agent.
func (h *house) changeAgentName(root app.Caller, agentID, name string) {
	h.T.Helper()
	apptest.OK(h.Admin.ChangeAgent(h.Ctx, root, agentID, admin.AgentRequest{Name: &name}))(h.T)
}

// TestSlowEndpointsHoldUpNoOther: more slow endpoints than goroutines hang, and a fast
// endpoint still gets its events.
func TestSlowEndpointsHoldUpNoOther(t *testing.T) {
	t.Parallel()
	const slowOnes = 2 * webhooks.WebhooksAtOnce
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	now := apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	urls, agents := h.manyEndpoints(root, "slow", slowOnes, &now)
	for _, url := range urls {
		sites.Answer(url, func(context.Context, webhook.Message) webhook.Response {
			h.Clock.Advance(5 * time.Second)
			return webhook.Response{Status: 200}
		})
	}
	worker := h.Webhooks.WebhookWorker()
	h.sendAll(worker) // so that their speeds are known
	heard := make(chan struct{})
	hears := sync.OnceFunc(func() { close(heard) })
	sites.Answer(apptest.HookURL, func(context.Context, webhook.Message) webhook.Response {
		hears()
		return webhook.Response{Status: 200}
	})
	var hang atomic.Int64
	for _, url := range urls {
		sites.Answer(url, func(ctx context.Context, _ webhook.Message) webhook.Response {
			hang.Add(1)
			<-ctx.Done()
			return webhook.Response{}
		})
	}
	for _, id := range agents {
		h.changeAgentName(root, id, "changed")
	}
	now = apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(apptest.HookURL), From: &now}))(t)
	h.changeAgentName(root, acme.ID, "changed")
	ctx, stop := context.WithTimeout(h.Ctx, 20*time.Second)
	var all sync.WaitGroup
	for range webhooks.WebhooksAtOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				_, _ = worker.Step(ctx) // hangs until it is stopped
				h.Clock.Advance(time.Millisecond)
			}
		})
	}
	select {
	case <-heard:
	case <-ctx.Done():
		t.Error("an endpoint that answers waits for those that don't")
	}
	for hang.Load() == 0 && ctx.Err() == nil {
		runtime.Gosched()
	}
	stop()
	all.Wait()
	if n := hang.Load(); n < 1 || n > webhooks.WebhooksAtOnce/2 {
		t.Errorf("%d of %d goroutines were at endpoints that hang", n, webhooks.WebhooksAtOnce)
	}
}

// Endpoints that answer once and then hang aren't known to be slow. However many there are,
// goroutines are left for a proven endpoint.
func TestEndpointsThatBeginToHangHoldUpNoProvenOne(t *testing.T) {
	t.Parallel()
	const hostile = webhooks.WebhooksAtOnce
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	now := apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	urls, agents := h.manyEndpoints(root, "hostile", hostile, &now) // found before the honest one
	for _, url := range urls {
		sites.Answer(url, func(context.Context, webhook.Message) webhook.Response { return webhook.Response{Status: 200} })
	}
	now = apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(apptest.HookURL), From: &now}))(t)
	for i := range 10 {
		h.changeAgentName(root, acme.ID, fmt.Sprint("name ", i))
	}
	worker := h.Webhooks.WebhookWorker()
	h.sendAll(worker)
	hung := make(chan struct{})
	for _, url := range urls {
		sites.Answer(url, func(ctx context.Context, _ webhook.Message) webhook.Response {
			hung <- struct{}{}
			<-ctx.Done()
			return webhook.Response{}
		})
	}
	ctx, stop := context.WithCancel(h.Ctx)
	var all sync.WaitGroup
	defer func() { stop(); all.Wait() }()
	for _, id := range agents {
		h.changeAgentName(root, id, "changed")
	}
	busy, before := 0, len(sites.Received(apptest.HookURL))
	for steps := 0; len(sites.Received(apptest.HookURL)) == before; steps++ {
		if busy == webhooks.WebhooksAtOnce || steps > 1_000 {
			t.Fatalf("after %d steps an endpoint that always answered fast waits for %d that hang", steps, busy)
		}
		if steps == 500 { // all that may hang does
			h.changeAgentName(root, acme.ID, "changed")
		}
		done := make(chan struct{})
		all.Go(func() {
			defer close(done)
			_, _ = worker.Step(ctx) // hangs until it is stopped
		})
		select {
		case <-done:
		case <-hung:
			busy++
		}
		h.Clock.Advance(50 * time.Millisecond)
	}
	if busy < webhooks.WebhooksAtOnce/2 {
		t.Errorf("only %d endpoints hang", busy)
	}
}

// TestEndpointsThatNeverAnsweredHoldUpNoOther: their speed isn't known yet, and there are
// more of them than turns of quick endpoints.
func TestEndpointsThatNeverAnsweredHoldUpNoOther(t *testing.T) {
	t.Parallel()
	const hostile = 50
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	now := apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	urls, agents := h.manyEndpoints(root, "hostile", hostile, &now)
	for _, url := range urls {
		sites.Answer(url, func(ctx context.Context, _ webhook.Message) webhook.Response {
			<-ctx.Done()
			return webhook.Response{}
		})
	}
	heard := make(chan struct{})
	hears := sync.OnceFunc(func() { close(heard) })
	sites.Answer(apptest.HookURL, func(context.Context, webhook.Message) webhook.Response {
		hears()
		return webhook.Response{Status: 200}
	})
	now = apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
	apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{URL: new(apptest.HookURL), From: &now}))(t) // found last
	for _, id := range append(agents, acme.ID) {
		h.changeAgentName(root, id, "changed")
	}
	worker := h.Webhooks.WebhookWorker()
	ctx, stop := context.WithTimeout(h.Ctx, 20*time.Second)
	defer stop()
	var all sync.WaitGroup
	for range webhooks.WebhooksAtOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				_, _ = worker.Step(ctx) // hangs until it is stopped
				h.Clock.Advance(time.Millisecond)
			}
		})
	}
	select {
	case <-heard:
	case <-ctx.Done():
		t.Error("an endpoint that answers waits for those that don't")
	}
	stop()
	all.Wait()
}

// placed counts pages read and checks for more. Each check takes a while.
type placed struct {
	ports.Events
	clock        *fakes.Clock
	takes        time.Duration
	pages, looks int
}

func (p *placed) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	p.pages++
	return p.Events.After(ctx, after, f, limit)
}

func (p *placed) Newest(ctx context.Context) (stream.Cursor, error) {
	p.looks++
	p.clock.Advance(p.takes)
	return p.Events.Newest(ctx)
}

// TestManyEndpointsAreLookedThroughInPart: if all endpoints have different cursors, one
// scan reads few pages, and long scans are rare.
func TestManyEndpointsAreLookedThroughInPart(t *testing.T) {
	t.Parallel()
	events := &placed{}
	h := open(t, func(d *app.Deps) {
		d.WebhookSite, d.EventEncoder = fakes.NewWebhookSites(), apptest.PlainEncoder{}
		events.Events, d.Store.Events = d.Store.Events, events
	})
	events.clock = h.Clock
	root := h.NewAdmin("root", "superadmin")
	const endpoints = 40
	for i := range endpoints {
		now := apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(t)
		h.manyEndpoints(root, fmt.Sprint("agent", i, "x"), 1, &now)
	}
	events.pages, events.looks = 0, 0
	worker := h.Webhooks.WebhookWorker()
	apptest.OK(worker.Step(h.Ctx))(t)
	if events.pages > 12 { // of the scan, and of the endpoint's turn
		t.Errorf("a look at %d endpoints read %d pages", endpoints, events.pages)
	}
	for apptest.OK(worker.Step(h.Ctx))(t) {
	}
	events.takes, events.looks = 80*time.Millisecond, 0
	for range 100 {
		h.Clock.Advance(50 * time.Millisecond)
		apptest.OK(worker.Step(h.Ctx))(t)
	}
	if events.looks < 4 || events.looks > 10 {
		t.Errorf("in 5 s and what they took it was looked %d times for 80 ms each", events.looks)
	}
}
