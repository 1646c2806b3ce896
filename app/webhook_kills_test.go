package app_test

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
)

// errKilled ends a worker where it is.
var errKilled = errors.New("killed")

// crashing are sites and a queue whose worker dies between them: after an event was sent and
// before it is known what came of it, or after that was stored and before the worker knows.
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

// ReleaseWebhook does nothing: a process that was killed releases nothing.
func (c *crashing) ReleaseWebhook(ctx context.Context, id, worker string) error {
	if ctx.Err() != nil || c.chance() < 0.1 {
		return nil //nolint:nilerr // nobody is left to be told
	}
	return c.WebhookQueue.ReleaseWebhook(ctx, id, worker)
}

// halfFailing is a receiver that keeps what it hears and answers half of it badly, also what
// it has kept: it refuses some events for good.
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
		return webhook.Response{Failure: webhook.Unreachable}, nil // not heard at all
	}
	r.heard[m.URL] = append(r.heard[m.URL], m.ID)
	if r.draw.IntN(3) == 0 {
		return webhook.Response{Status: 502}, nil // heard, and nobody knows
	}
	return webhook.Response{Status: 200}, nil
}

// TestWebhooksUnderKills: two instances send to receivers that fail half of their answers,
// and are killed often. Every event comes at least once and in order, repeats are of the
// event at the cursor alone, and what was refused for good is a dead letter, exactly.
func TestWebhooksUnderKills(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any bits will do
	t.Logf("seed %d", seed)
	receiver := &halfFailing{
		draw: rand.New(rand.NewPCG(seed, 1)), heard: map[string][]string{}, never: map[string]bool{}, tries: map[string]int{}, inside: map[string]int{},
	}
	h := hooked(t, receiver)
	root, acme := h.admin("root", "superadmin"), h.acme()
	alice := h.of("acme", "alice", 100_000)
	other := ok(h.Webhooks.CreateWebhook(h.ctx, root, acme.ID, webhooks.WebhookRequest{
		URL: ptr("https://other.example.com/"), Types: &[]stream.Type{stream.BalanceChanged}, From: &stream.Cursor{},
	}))(t)
	all := h.endpoint(root, acme.ID)
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
			ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
		}
		kills += h.lives(receiver, draws)
		h.clock.Advance(time.Duration(draws() * float64(12*time.Minute)))
		if round > rounds && h.caughtUp(root, acme.ID) {
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
		h.exactly(root, acme.ID, e, receiver)
	}
}

// lives has two workers of two instances work until they are killed, or there is nothing
// more to do now. It returns how many were killed.
func (h *house) lives(site ports.WebhookSite, chance func() float64) (kills int) {
	h.t.Helper()
	var both sync.WaitGroup
	killed := make([]bool, 2)
	for i := range killed {
		ctx, kill := context.WithCancel(h.ctx)
		c := &crashing{WebhookSite: site, WebhookQueue: h.store, chance: chance, kill: kill}
		instance := h.remade(func(d *app.Deps) { d.WebhookSite, d.Store.WebhookQueue = c, c })
		both.Go(func() {
			defer kill()
			worker := instance.Webhooks.WebhookWorker()
			for range 200 {
				worked, err := worker.Step(ctx)
				h.clock.Advance(60 * time.Millisecond)
				if killed[i] = ctx.Err() != nil; killed[i] || err == nil && !worked {
					return
				}
				if err != nil {
					h.t.Error(err)
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

// caughtUp reports whether no endpoint of an agent has anything to come.
func (h *house) caughtUp(root app.Caller, agentID string) bool {
	h.t.Helper()
	for _, e := range ok(h.Webhooks.Webhooks(h.ctx, root, agentID))(h.t) {
		want := h.heardBy(e.Agent, e.Types...)
		page := ok(h.Events.Events(h.ctx, e.Cursor, stream.Filter{}, 10_000))(h.t)
		if slices.ContainsFunc(page.Events, func(of stream.Event) bool { return slices.Contains(want, of.ID) }) {
			return false
		}
	}
	return true
}

// exactly proves what a receiver heard, and what its endpoint's dead letters are.
func (h *house) exactly(root app.Caller, agentID string, e webhook.Endpoint, r *halfFailing) {
	h.t.Helper()
	var taken, dead []string
	for _, id := range h.heardBy(e.Agent, e.Types...) {
		if r.never[e.URL+" "+id] {
			dead = append(dead, id)
		} else {
			taken = append(taken, id)
		}
	}
	equal(h.t, "heard without repeats in a row", fmt.Sprint(slices.Compact(slices.Clone(r.heard[e.URL]))), fmt.Sprint(taken))
	letters := ok(h.Webhooks.DeadLetters(h.ctx, root, agentID, e.ID, ports.Page{Limit: ports.PageMax}))(h.t).Letters
	var got []string
	for _, l := range slices.Backward(letters) {
		got = append(got, l.EventID)
		if l.Tries < webhook.TriesMax || r.tries[e.URL+" "+l.EventID] < l.Tries {
			h.t.Errorf("%s is dead after %d tries, of %d", l.EventID, l.Tries, r.tries[e.URL+" "+l.EventID])
		}
	}
	equal(h.t, "dead letters", fmt.Sprint(got), fmt.Sprint(dead))
	if len(taken) < 6 {
		h.t.Errorf("only %d events", len(taken))
	}
}
