package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Webhooks is the suite of ports.Webhooks.
func Webhooks(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, webhooksCases)
}

var webhooksCases = []story{
	{"an endpoint is stored, changed and read, with its version counted up", Rows, func(b *bench) {
		b.keepAgent(b.acme("acme"), nil)
		e := b.endpoint("acme")
		stored := b.keepWebhook(e)
		e.Version = 1
		b.sameEndpoint("the endpoint", stored, e)
		now := b.now()
		e.URL, e.Types, e.Secrets, e.State, e.Reason = "https://other.example.com/", nil, webhook.Secrets{Current: e.Secrets.Previous}, webhook.Disabled, webhook.ByAdmin
		e.Cursor, e.UpdatedAt, e.FailingSince = stream.Cursor{}, now, now
		e.Tries = webhook.Tries{
			EventID: "3.9.4", Count: 5, Refused: 2, Unanswered: 3, Since: now, NextAt: now.Add(time.Minute),
			Last: webhook.Response{Status: 503, Failure: webhook.TimedOut, RetryAfter: time.Second},
		}
		b.keepWebhook(e)
		b.reopen()
		stored = must(b.Webhook(background, "acme", e.ID))(b)
		e.Version = 2
		b.sameEndpoint("the changed endpoint", stored, e)
		b.same("records", len(b.recordsOf(audit.AgentChanged)), 3) // one is the agent's
		b.sound()
	}},
	{"an unknown endpoint, and another agent's, is not found", Rows, func(b *bench) {
		e := b.hooked("acme")
		b.keepAgent(b.acme("other"), nil)
		for agent, id := range map[string]string{"other": e.ID, "acme": b.id(), "": e.ID} {
			b.fails(fault.NotFound, errorOf(b.Webhook(background, agent, id)), id, " of ", agent)
		}
		b.same("the other's", len(must(b.WebhooksOf(background, "other"))(b)), 0)
	}},
	{"those of an agent are sorted by id", Rows, func(b *bench) {
		var want []string
		for range 3 {
			want = append(want, b.hooked("acme").ID)
			b.hooked("other")
		}
		b.same("the endpoints", mapped(must(b.WebhooksOf(background, "acme"))(b), func(e webhook.Endpoint) string { return e.ID }), want)
	}},
	{"the decision sees the actor's role, the endpoint and how many the agent has", Logic, func(b *bench) {
		b.grant(admin, "ops")
		e := b.hooked("acme")
		b.hooked("acme")
		b.hooked("other")
		holder := must(b.Role(background, admin))(b)
		for _, row := range []struct {
			agent, id string
			known     bool
			count     int
		}{{"acme", e.ID, true, 2}, {"acme", b.id(), false, 2}, {"other", e.ID, false, 1}, {agent.House, b.id(), false, 0}} {
			refusal := errors.New("no")
			err := b.ChangeWebhook(background, admin, row.agent, row.id, func(actor rbac.Assignment, present *webhook.Endpoint, count int) (ports.WebhookChange, audit.Record, error) {
				b.same("the actor", actor, holder)
				b.same("how many", count, row.count)
				if (present != nil) != row.known {
					b.Errorf("%s of %s: %+v", row.id, row.agent, present)
				} else if present != nil {
					b.sameEndpoint("what the decision sees", *present, e)
				}
				return ports.WebhookChange{}, audit.Record{}, refusal
			})
			if !errors.Is(err, refusal) {
				b.Error(err)
			}
		}
	}},
	{"of decisions at once each sees what those before it stored", Races, func(b *bench) {
		const most, tries = 3, 8
		b.keepAgent(b.acme("acme"), nil)
		var all sync.WaitGroup
		for range tries {
			e, record := b.endpoint("acme"), b.webhookRecord()
			all.Go(func() {
				err := b.ChangeWebhook(background, admin, "acme", e.ID, func(_ rbac.Assignment, _ *webhook.Endpoint, count int) (ports.WebhookChange, audit.Record, error) {
					if count >= most {
						return ports.WebhookChange{}, audit.Record{}, fault.New(fault.TooManyOpen, "enough")
					}
					return ports.WebhookChange{Endpoint: e}, record, nil
				})
				if err != nil && !fault.Is(err, fault.TooManyOpen) {
					b.Error(err)
				}
			})
		}
		all.Wait()
		b.same("endpoints", len(must(b.WebhooksOf(background, "acme"))(b)), most)
		b.sound()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		e := b.hooked("acme")
		b.unchanged(audit.AgentChanged, func(record audit.Record, refusal error) error {
			return b.ChangeWebhook(background, admin, "acme", e.ID, func(rbac.Assignment, *webhook.Endpoint, int) (ports.WebhookChange, audit.Record, error) {
				return ports.WebhookChange{Deleted: true}, record, refusal
			})
		})
	}},
	{"neither the id nor the agent changes, and the agent exists", Rows, func(b *bench) {
		e, others := b.hooked("acme"), b.hooked("other")
		renamed, moved, nobodys := e, e, b.endpoint("nobody")
		renamed.ID, moved.Agent = b.id(), "other"
		for name, c := range map[string]struct {
			agent, id string
			change    ports.WebhookChange
		}{
			"another id":             {"acme", e.ID, ports.WebhookChange{Endpoint: renamed}},
			"another agent":          {"acme", e.ID, ports.WebhookChange{Endpoint: moved}},
			"another agent's id":     {"other", e.ID, ports.WebhookChange{Endpoint: moved}},
			"an agent's that isn't":  {"nobody", nobodys.ID, ports.WebhookChange{Endpoint: nobodys}},
			"the deletion of none":   {"acme", b.id(), ports.WebhookChange{Deleted: true}},
			"another's deletion":     {"other", e.ID, ports.WebhookChange{Deleted: true}},
			"nothing under a new id": {"acme", b.id(), ports.WebhookChange{}},
		} {
			err := b.tryWebhook(c.agent, c.id, c.change)
			b.errorIf(err == nil, "%s is stored", name)
		}
		b.sameEndpoint("the endpoint", must(b.Webhook(background, "acme", e.ID))(b), e)
		b.sameEndpoint("the other's", must(b.Webhook(background, "other", others.ID))(b), others)
		b.same("all of the agent's", len(must(b.WebhooksOf(background, "acme"))(b)), 1)
	}},
	{"secrets are kept sealed", Rows, func(b *bench) {
		e := b.hooked("acme")
		if text := fmt.Sprintf("%+v %#v", e, e); bytes.Contains([]byte(text), []byte(e.Secrets.Current.Reveal())) {
			b.Error("an endpoint prints its secret")
		}
		if b.AtRest == nil {
			return
		}
		written := b.AtRest(b.T)
		for _, secret := range []string{e.Secrets.Current.Reveal(), e.Secrets.Previous.Reveal()} {
			b.errorIf(secret == "" || bytes.Contains(written, []byte(secret)), "a secret is written as it is")
		}
	}},
	{"a deleted endpoint's dead letters go with it", Rows, func(b *bench) {
		e, others := b.hooked("acme"), b.hooked("acme")
		l, theirs := b.deadLetter(e), b.deadLetter(others)
		b.ok(b.tryWebhook("acme", e.ID, ports.WebhookChange{Deleted: true}))
		b.fails(fault.NotFound, errorOf(b.Webhook(background, "acme", e.ID)))
		b.fails(fault.NotFound, errorOf(b.DeadLetter(background, e.ID, l.ID)))
		b.reopen()
		b.same("the other's", must(b.DeadLetter(background, others.ID, theirs.ID))(b), theirs)
		b.same("the endpoints", len(must(b.WebhooksOf(background, "acme"))(b)), 1)
	}},
	{"a change leaves a lease as it is", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		b.claims(e.ID, "one", now, now.Add(time.Minute))
		b.keepWebhook(e)
		if _, claimed, err := b.ClaimWebhook(background, e.ID, "two", now, now.Add(time.Minute)); claimed || err != nil {
			b.Errorf("claimed %v, %v", claimed, err)
		}
		b.same("due", len(must(b.WebhooksDue(background, now, "", 10))(b)), 0)
	}},
}

// endpoint returns an endpoint with a value in every field that an admin sets.
func (b *bench) endpoint(of string) webhook.Endpoint {
	random := b.entropy.Seed()
	first, second := webhook.NewSecret(random), webhook.NewSecret(b.entropy.Seed())
	now := b.now()
	return webhook.New(b.id(), of, "https://hooks.example.com/"+b.entropy.ID()+"?ü=%20", []stream.Type{stream.RoundSettled, stream.BalanceChanged},
		webhook.Secrets{Current: first}.Rotated(second, now), someCursor(7), now)
}

func someCursor(seq int64) stream.Cursor {
	return stream.Cursor{Epoch: 2, Marks: []stream.Mark{{Lane: 1, Seq: seq, Check: [4]byte{1, 2, 3, 4}, Row: 3, Part: 1}, {Lane: 4, Seq: 9}}}
}

func (b *bench) webhookRecord() audit.Record {
	return audit.Record{ID: b.id(), Action: audit.AgentChanged, By: admin, Target: "acme", At: b.now()}
}

// keepWebhook stores an endpoint and returns it as stored.
func (b *bench) keepWebhook(e webhook.Endpoint) webhook.Endpoint {
	b.Helper()
	b.ok(b.tryWebhook(e.Agent, e.ID, ports.WebhookChange{Endpoint: e}))
	return must(b.Webhook(background, e.Agent, e.ID))(b)
}

func (b *bench) tryWebhook(agent, id string, change ports.WebhookChange) error {
	record := b.webhookRecord()
	return b.ChangeWebhook(background, admin, agent, id, func(rbac.Assignment, *webhook.Endpoint, int) (ports.WebhookChange, audit.Record, error) {
		return change, record, nil
	})
}

// hooked creates an agent with an endpoint.
func (b *bench) hooked(code string) webhook.Endpoint {
	b.Helper()
	if _, err := b.Agent(background, code); fault.Is(err, fault.NotFound) {
		b.keepAgent(b.acme(code), nil)
	}
	return b.keepWebhook(b.endpoint(code))
}

// sameEndpoint compares endpoints including their secrets, which don't print.
func (b *bench) sameEndpoint(what string, got, want webhook.Endpoint) {
	b.Helper()
	b.same(what+"'s secret", got.Secrets.Current.Reveal(), want.Secrets.Current.Reveal())
	b.same(what+"'s secret before", got.Secrets.Previous.Reveal(), want.Secrets.Previous.Reveal())
	b.same(what+"'s cursor", got.Cursor.String(), want.Cursor.String())
	got.Secrets.Current, got.Secrets.Previous, want.Secrets.Current, want.Secrets.Previous = agent.Secret{}, agent.Secret{}, agent.Secret{}, agent.Secret{}
	got.Cursor, want.Cursor = stream.Cursor{}, stream.Cursor{}
	b.same(what, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
}
