package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// errKilled ends a worker at any point.
var errKilled = errors.New("killed")

// crashing are sites and a queue with a worker that dies after sending an event, before its
// result is known, or after storing the result, before the worker knows.
type crashing struct {
	ports.WebhookSite
	ports.WebhookQueue
	chance func() float64
	kill   context.CancelFunc
}

func (c *crashing) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	if c.chance() < 0.05 {
		c.kill()
		return webhook.Response{}, errKilled
	}
	r, err := c.WebhookSite.Send(ctx, m)
	if c.chance() < 0.1 {
		c.kill()
		return webhook.Response{}, errKilled
	}
	return r, err
}

func (c *crashing) SaveWebhook(ctx context.Context, worker string, p ports.WebhookProgress) error {
	if c.chance() < 0.05 {
		c.kill()
		return errKilled
	}
	err := c.WebhookQueue.SaveWebhook(ctx, worker, p)
	if err == nil && c.chance() < 0.05 {
		c.kill()
		return errKilled
	}
	return err
}

// ReleaseWebhook does nothing, because a killed process releases nothing.
func (c *crashing) ReleaseWebhook(ctx context.Context, id, worker string) error {
	if ctx.Err() != nil || c.chance() < 0.1 {
		return nil //nolint:nilerr // the caller is dead
	}
	return c.WebhookQueue.ReleaseWebhook(ctx, id, worker)
}

// halfFailing is a receiver that keeps events and gives bad answers to half of them, even
// to those that it has kept. It always refuses some events.
type halfFailing struct {
	mu     sync.Mutex
	draw   *rand.Rand
	heard  map[string][]string
	never  map[string]bool // by URL and event: refused
	tries  map[string]int
	inside map[string]int
	most   int
}

func (r *halfFailing) Send(_ context.Context, m webhook.Message) (webhook.Response, error) {
	r.mu.Lock()
	r.inside[m.URL]++
	r.most = max(r.most, r.inside[m.URL])
	r.mu.Unlock()
	runtime.Gosched()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inside[m.URL]--
	key := m.URL + " " + m.ID
	if _, decided := r.never[key]; !decided {
		r.never[key] = r.draw.IntN(12) == 0
	}
	r.tries[key]++
	if r.never[key] {
		return webhook.Response{Status: 400}, nil
	}
	if r.draw.IntN(4) == 0 {
		return webhook.Response{Failure: webhook.Unreachable}, nil // not received
	}
	r.heard[m.URL] = append(r.heard[m.URL], m.ID)
	if r.draw.IntN(3) == 0 {
		return webhook.Response{Status: 502}, nil // received, but the answer says otherwise
	}
	return webhook.Response{Status: 200}, nil
}

// TestWebhooksUnderKills: two instances send to receivers with half bad answers, and are
// often killed. Every event comes at least once and in order, only the event at the cursor
// is repeated, and exactly the refused events are dead letters.
func TestWebhooksUnderKills(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any bits will do
	t.Logf("seed %d", seed)
	receiver := &halfFailing{
		draw: rand.New(rand.NewPCG(seed, 1)), heard: map[string][]string{}, never: map[string]bool{}, tries: map[string]int{}, inside: map[string]int{},
	}
	h := openWithWebhooks(t, receiver)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	alice := h.NewPlayerOf("acme", "alice", 100_000)
	other := apptest.OK(h.Webhooks.CreateWebhook(h.Ctx, root, acme.ID, webhooks.WebhookRequest{
		URL: new("https://other.example.com/"), Types: &[]stream.Type{stream.BalanceChanged}, From: &stream.Cursor{},
	}))(t)
	all := h.newEndpoint(root, acme.ID)
	chance := rand.New(rand.NewPCG(seed, 2))
	var mu sync.Mutex
	draws := func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return chance.Float64()
	}
	const rounds = 12
	kills := 0
	for round := range 4_000 {
		if round < rounds {
			apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		}
		kills += h.runWithCrashes(receiver, draws)
		h.Clock.Advance(time.Duration(draws() * float64(12*time.Minute)))
		if round > rounds && h.isCaughtUp(root, acme.ID) {
			break
		}
	}
	if kills < 10 {
		t.Errorf("only %d kills", kills)
	}
	if receiver.most > 1 {
		t.Errorf("an endpoint had %d at once", receiver.most)
	}
	for _, e := range []webhook.Endpoint{other, all} {
		h.checkEachEventOnce(root, acme.ID, e, receiver)
	}
}

// runWithCrashes runs workers of two instances until they are killed or have no more work.
// It returns the number of kills.
func (h *house) runWithCrashes(site ports.WebhookSite, chance func() float64) (kills int) {
	h.T.Helper()
	var both sync.WaitGroup
	killed := make([]bool, 2)
	for i := range killed {
		ctx, kill := context.WithCancel(h.Ctx)
		c := &crashing{WebhookSite: site, WebhookQueue: h.Store, chance: chance, kill: kill}
		instance := h.Remade(func(d *app.Deps) { d.WebhookSite, d.Store.WebhookQueue = c, c })
		both.Go(func() {
			defer kill()
			worker := instance.Webhooks.WebhookWorker()
			for range 200 {
				worked, err := worker.Step(ctx)
				h.Clock.Advance(60 * time.Millisecond)
				if killed[i] = ctx.Err() != nil; killed[i] || err == nil && !worked {
					return
				}
				if err != nil {
					h.T.Error(err)
					return
				}
			}
		})
	}
	both.Wait()
	for _, one := range killed {
		if one {
			kills++
		}
	}
	return kills
}

// isCaughtUp reports whether no endpoint of an agent has events to come.
func (h *house) isCaughtUp(root app.Caller, agentID string) bool {
	h.T.Helper()
	for _, e := range apptest.OK(h.Webhooks.Webhooks(h.Ctx, root, agentID))(h.T) {
		want := h.eventsOfAgent(e.Agent, e.Types...)
		page := apptest.OK(h.Events.Events(h.Ctx, e.Cursor, stream.Filter{}, 10_000))(h.T)
		if slices.ContainsFunc(page.Events, func(of stream.Event) bool { return slices.Contains(want, of.ID) }) {
			return false
		}
	}
	return true
}

// checkEachEventOnce checks the received events and the dead letters of an endpoint.
func (h *house) checkEachEventOnce(root app.Caller, agentID string, e webhook.Endpoint, r *halfFailing) {
	h.T.Helper()
	var taken, dead []string
	for _, id := range h.eventsOfAgent(e.Agent, e.Types...) {
		if r.never[e.URL+" "+id] {
			dead = append(dead, id)
		} else {
			taken = append(taken, id)
		}
	}
	apptest.Equal(h.T, "heard without repeats in a row", fmt.Sprint(slices.Compact(slices.Clone(r.heard[e.URL]))), fmt.Sprint(taken))
	letters := apptest.OK(h.Webhooks.DeadLetters(h.Ctx, root, agentID, e.ID, ports.Page{Limit: ports.PageMax}))(h.T).Letters
	var got []string
	for _, l := range slices.Backward(letters) {
		got = append(got, l.EventID)
		if l.Tries < webhook.TriesMax || r.tries[e.URL+" "+l.EventID] < l.Tries {
			h.T.Errorf("%s is dead after %d tries, of %d", l.EventID, l.Tries, r.tries[e.URL+" "+l.EventID])
		}
	}
	apptest.Equal(h.T, "dead letters", fmt.Sprint(got), fmt.Sprint(dead))
	if len(taken) < 6 {
		h.T.Errorf("only %d events", len(taken))
	}
}
