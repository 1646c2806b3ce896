package conformance

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// WebhookQueue is the suite of ports.WebhookQueue.
func WebhookQueue(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, webhookQueueCases)
}

var webhookQueueCases = []story{
	{"endpoints that are due are listed by id, those that rest, are disabled or leased are not", Rows, func(b *bench) {
		b.same("at first", b.due(b.now(), "", 10), []string{})
		plain, rests, disabled, leased := b.hooked("acme"), b.hooked("acme"), b.hooked("other"), b.hooked("acme")
		last := b.hooked("other")
		now := b.now()
		rests.Tries = webhook.Tries{EventID: "1.1.1", Count: 1, Unanswered: 1, Since: now, NextAt: now.Add(time.Minute)}
		b.keepWebhook(rests)
		b.keepWebhook(disabled.Disable(webhook.Failing))
		b.claims(leased.ID, "one", now, now.Add(time.Minute))
		b.same("due", b.due(now, "", 10), []string{plain.ID, last.ID})
		b.same("due, one", b.due(now, "", 1), []string{plain.ID})
		b.same("due, after it", b.due(now, plain.ID, 10), []string{last.ID})
		b.same("just before", b.due(now.Add(time.Minute-time.Millisecond), "", 10), []string{plain.ID, last.ID})
		b.same("a minute later", b.due(now.Add(time.Minute), "", 10), []string{plain.ID, rests.ID, leased.ID, last.ID})
		got := must(b.WebhooksDue(background, now, "", 1))(b)[0]
		b.sameEndpoint("the endpoint", got, plain)
	}},
	{"a claimed endpoint is one worker's until its lease ends, which it renews", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		b.sameEndpoint("the claimed one", b.claims(e.ID, "one", now, now.Add(time.Minute)), e)
		tries := func(id, worker string, at time.Time, want bool) {
			b.Helper()
			if _, claimed, err := b.ClaimWebhook(background, id, worker, at, at.Add(time.Minute)); claimed != want || err != nil {
				b.Errorf("%s claims it: %v, %v", worker, claimed, err)
			}
		}
		tries(e.ID, "two", now.Add(time.Minute-time.Millisecond), false)
		tries(e.ID, "one", now.Add(30*time.Second), true)
		tries(e.ID, "two", now.Add(89*time.Second), false)
		tries(e.ID, "two", now.Add(90*time.Second), true)
		tries(e.ID, "one", now.Add(91*time.Second), false)
		tries(b.id(), "two", now, false)
		off := b.hooked("acme")
		b.keepWebhook(off.Disable(webhook.ByAdmin))
		tries(off.ID, "two", now, false)
	}},
	{"of workers that claim at once one has the endpoint", Races, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		var claims atomic.Int64
		atOnce(6, func(i int) {
			_, claimed, err := b.ClaimWebhook(background, e.ID, fmt.Sprint("worker ", i), now, now.Add(time.Minute))
			b.check(err)
			if claimed {
				claims.Add(1)
			}
		})
		b.same("claims", claims.Load(), 1)
	}},
	{"how far an endpoint is, is stored with the dead letter that came of it", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		e = b.claims(e.ID, "one", now, now.Add(time.Minute))
		e.Cursor, e.FailingSince = someCursor(8), now
		e.Tries = webhook.Tries{
			EventID: "1.8.2", Count: 4, Refused: 1, Unanswered: 3, Since: now, NextAt: now.Add(time.Hour),
			Last: webhook.Response{Failure: webhook.Unreachable, RetryAfter: time.Minute},
		}
		l := webhook.DeadLetter{
			ID: b.id(), Webhook: e.ID, EventID: "1.8.1", Type: stream.BalanceChanged, EventAt: now, Body: []byte(`{}`), Tries: 10,
			Last: webhook.Response{Status: 301}, At: now,
		}
		b.saves("one", ports.WebhookProgress{Endpoint: e, Until: now.Add(2 * time.Minute), Letter: &l})
		b.sameEndpoint("the endpoint", must(b.Webhook(background, "acme", e.ID))(b), e)
		b.same("the letter", must(b.DeadLetter(background, e.ID, l.ID))(b), l)
		if _, claimed, err := b.ClaimWebhook(background, e.ID, "two", now.Add(119*time.Second), now.Add(time.Hour)); claimed || err != nil {
			b.Errorf("the renewed lease is taken: %v, %v", claimed, err)
		}
		l.Tries, l.Last, l.At = 11, webhook.Response{Failure: webhook.TimedOut}, b.now()
		e = e.Disable(webhook.Gone)
		b.saves("one", ports.WebhookProgress{Endpoint: e, Until: now.Add(2 * time.Minute), Letter: &l})
		b.sameEndpoint("the disabled endpoint", must(b.Webhook(background, "acme", e.ID))(b), e)
		b.same("the letter, sent again", must(b.DeadLetter(background, e.ID, l.ID))(b), l)
		b.saves("one", ports.WebhookProgress{Endpoint: e, Until: now, Settled: l.ID})
		b.fails(fault.NotFound, errorOf(b.DeadLetter(background, e.ID, l.ID)), "a letter that was delivered is")
	}},
	{"saving changes nothing where the lease is another's, or an admin changed the endpoint", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		l := webhook.DeadLetter{ID: b.id(), Webhook: e.ID, EventID: "1.1.1", Type: stream.RoundSettled, EventAt: now, Body: []byte(`{}`), At: now}
		saves := func(name, worker string, e webhook.Endpoint) {
			b.Helper()
			before, moved := must(b.Webhook(background, "acme", e.ID))(b), e
			moved.Cursor = someCursor(99)
			err := b.SaveWebhook(background, worker, ports.WebhookProgress{Endpoint: moved, Until: now.Add(time.Hour), Letter: &l})
			b.errorIf(!fault.Is(err, fault.InvalidState), "%s: %v", name, err)
			b.sameEndpoint(name, must(b.Webhook(background, "acme", e.ID))(b), before)
			b.fails(fault.NotFound, errorOf(b.DeadLetter(background, e.ID, l.ID)), name)
		}
		saves("never claimed", "one", e)
		first := b.claims(e.ID, "one", now, now.Add(time.Minute))
		saves("another's lease", "two", e)
		later := now.Add(time.Minute)
		second := b.claims(e.ID, "two", later, later.Add(time.Minute))
		saves("a lease that was taken", "one", first)
		b.keepWebhook(e)
		saves("an endpoint that an admin changed", "two", second)
		third := b.claims(e.ID, "two", later, later.Add(time.Minute))
		b.saves("two", ports.WebhookProgress{Endpoint: third, Until: later.Add(time.Minute)})
		b.ok(b.ReleaseWebhook(background, e.ID, "two"))
		saves("a lease that was released", "two", third)
		gone := b.endpoint("acme")
		b.fails(fault.InvalidState, b.SaveWebhook(background, "two", ports.WebhookProgress{Endpoint: gone, Until: later}), "one that isn't there")
	}},
	{"saving leaves what admins change", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		claimed := b.claims(e.ID, "one", now, now.Add(time.Minute))
		changed := claimed
		changed.URL, changed.Types, changed.Secrets, changed.UpdatedAt = "https://evil.example.com/", nil, webhook.Secrets{}, now.Add(time.Hour)
		b.saves("one", ports.WebhookProgress{Endpoint: changed, Until: now.Add(time.Minute)})
		b.sameEndpoint("the endpoint", must(b.Webhook(background, "acme", e.ID))(b), claimed)
	}},
	{"a worker releases its own lease alone", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		b.claims(e.ID, "one", now, now.Add(time.Minute))
		for _, id := range []string{e.ID, b.id()} {
			b.check(b.ReleaseWebhook(background, id, "two"))
		}
		b.same("due", b.due(now, "", 10), []string{})
		b.check(b.ReleaseWebhook(background, e.ID, "one"))
		b.same("due afterwards", b.due(now, "", 10), []string{e.ID})
	}},
	{"nothing of a deleted agent is due or claimed", Rows, func(b *bench) {
		e, now := b.hooked("acme"), b.now()
		b.resend(b.deadLetter(e))
		a := must(b.Agent(background, "acme"))(b)
		a.Deleted = true
		b.keepAgent(a, nil)
		b.same("due", b.due(now, "", 10), []string{})
		b.same("letters due", len(must(b.DeadLettersDue(background, now, 10))(b)), 0)
		if _, claimed, err := b.ClaimWebhook(background, e.ID, "one", now, now.Add(time.Minute)); claimed || err != nil {
			b.Errorf("claimed %v, %v", claimed, err)
		}
	}},
}

// claims claims an endpoint for a worker, which must succeed.
func (b *bench) claims(id, worker string, now, until time.Time) webhook.Endpoint {
	b.Helper()
	e, claimed, err := b.ClaimWebhook(background, id, worker, now, until)
	b.fatalIf(err != nil || !claimed, "%s claims %s: %v, %v", worker, id, claimed, err)
	return e
}

// saves stores the result of a try by the worker that holds the endpoint.
func (b *bench) saves(worker string, p ports.WebhookProgress) {
	b.Helper()
	b.ok(b.SaveWebhook(background, worker, p))
}

// deadLetter turns an event of an endpoint into a dead letter.
func (b *bench) deadLetter(e webhook.Endpoint) webhook.DeadLetter {
	b.Helper()
	now := b.now()
	l := webhook.DeadLetter{
		ID: b.id(), Webhook: e.ID, EventID: "3.9.4", Type: stream.RoundSettled, EventAt: now, Body: []byte(`{"id": "ü\u0000"}`), Tries: 10,
		Last: webhook.Response{Status: 400}, At: b.now(),
	}
	e = b.claims(e.ID, "letters", now, now.Add(time.Minute))
	b.saves("letters", ports.WebhookProgress{Endpoint: e, Until: now.Add(time.Minute), Letter: &l})
	b.ok(b.ReleaseWebhook(background, e.ID, "letters"))
	return l
}

func (b *bench) due(now time.Time, after string, limit int) []string {
	b.Helper()
	return mapped(must(b.WebhooksDue(background, now, after, limit))(b), func(e webhook.Endpoint) string { return e.ID })
}

// DeadLetters is the suite of ports.DeadLetters.
func DeadLetters(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, deadLettersCases)
}

var deadLettersCases = []story{
	{"an endpoint's letters are listed newest first, and read one by one", Rows, func(b *bench) {
		e, others := b.hooked("acme"), b.hooked("acme")
		var want []string
		for range 5 {
			want = append(want, b.deadLetter(e).ID)
			b.deadLetter(others)
		}
		slices.Reverse(want)
		b.lists("dead letters", want, func(page ports.Page) (ids []string, info ports.PageInfo, err error) {
			found, err := b.DeadLetters(background, e.ID, page)
			for _, l := range found.Letters {
				ids = append(ids, l.ID)
			}
			return ids, found.PageInfo, err
		})
		l := b.deadLetter(e)
		b.same("the newest", must(b.DeadLetters(background, e.ID, ports.Page{Limit: 1}))(b).Letters[0], l)
		b.same("the letter", must(b.DeadLetter(background, e.ID, l.ID))(b), l)
		for name, id := range map[string][2]string{"unknown": {e.ID, b.id()}, "another's": {others.ID, l.ID}} {
			b.fails(fault.NotFound, errorOf(b.DeadLetter(background, id[0], id[1])), name)
		}
	}},
	{"one letter of each free active endpoint is due", Rows, func(b *bench) {
		first, second, disabled, leased := b.hooked("acme"), b.hooked("other"), b.hooked("acme"), b.hooked("acme")
		letters := []webhook.DeadLetter{b.deadLetter(first), b.deadLetter(first), b.deadLetter(second), b.deadLetter(disabled), b.deadLetter(leased)}
		now := b.now()
		due := func(limit int) []webhook.DeadLetter {
			b.Helper()
			return must(b.DeadLettersDue(background, now, limit))(b)
		}
		b.same("before anybody wants it", due(10), []webhook.DeadLetter{})
		b.deadLetter(first)
		for i := range letters {
			b.resend(letters[i])
			letters[i].Due = true
		}
		b.keepWebhook(disabled.Disable(webhook.ByAdmin))
		b.claims(leased.ID, "one", now, now.Add(time.Minute))
		b.same("due", due(10), []webhook.DeadLetter{letters[0], letters[2]})
		b.same("due, one", due(1), letters[:1])
		e := b.claims(first.ID, "two", now, now.Add(time.Second))
		b.saves("two", ports.WebhookProgress{Endpoint: e, Until: now, Settled: letters[0].ID})
		b.same("after the first", due(10), []webhook.DeadLetter{letters[1], letters[2]})
	}},
	{"a change sees role and letter, and changes whether it is due", Rows, func(b *bench) {
		b.grant(admin, "ops")
		e := b.hooked("acme")
		l := b.deadLetter(e)
		records, holder := len(b.recordsOf(audit.AgentChanged)), must(b.Role(background, admin))(b)
		b.ok(b.ChangeDeadLetter(background, admin, e.ID, l.ID, func(actor rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error) {
			b.same("the actor", actor, holder)
			b.same("the letter", present, l)
			next := webhook.DeadLetter{Due: true, ID: b.id(), Webhook: b.id(), Body: []byte("x"), Tries: 99}
			return next, b.webhookRecord(), nil
		}))
		l.Due = true
		b.same("the changed letter", must(b.DeadLetter(background, e.ID, l.ID))(b), l)
		b.same("records", len(b.recordsOf(audit.AgentChanged)), records+1)
		b.sound()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		l := b.deadLetter(b.hooked("acme"))
		change := func(id string, record audit.Record, refusal error) error {
			return b.ChangeDeadLetter(background, admin, l.Webhook, id, func(_ rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error) {
				present.Due = true
				return present, record, refusal
			})
		}
		b.unchanged(audit.AgentChanged, func(record audit.Record, refusal error) error { return change(l.ID, record, refusal) })
		b.same("the letter", must(b.DeadLetter(background, l.Webhook, l.ID))(b), l)
		b.fails(fault.NotFound, change(b.id(), b.webhookRecord(), nil))
	}},
}

// resend marks a letter to be sent again.
func (b *bench) resend(l webhook.DeadLetter) {
	b.Helper()
	b.ok(b.ChangeDeadLetter(background, admin, l.Webhook, l.ID, func(_ rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error) {
		present.Due = true
		return present, b.webhookRecord(), nil
	}))
}
