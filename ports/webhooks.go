package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
)

// Webhooks keeps the endpoints that agents' events are sent to, with their secrets sealed.
// A change is a short transaction with its audit record in the same commit.
type Webhooks interface {
	// Webhook returns an endpoint of an agent, or NotFound.
	Webhook(ctx context.Context, agent, id string) (webhook.Endpoint, error)
	// WebhooksOf lists those of an agent, sorted by id.
	WebhooksOf(ctx context.Context, agent string) ([]webhook.Endpoint, error)
	// ChangeWebhook runs decide on the role of the admin who changes it, on the endpoint,
	// nil where the agent has none of this id, and on how many endpoints the agent has, all
	// read under lock, and stores what it returns with the version counted up. A refusal
	// changes nothing and is returned as it is. A deleted endpoint's dead letters go with
	// it. Neither the id nor the agent changes, no two endpoints share an id, and the agent
	// exists. A lease stays as it is.
	ChangeWebhook(ctx context.Context, by wallet.Address, agent, id string, decide WebhookDecision) error
}

// WebhookDecision decides on the next state of an endpoint. The actor without a role is the
// zero Assignment.
type WebhookDecision func(actor rbac.Assignment, present *webhook.Endpoint, count int) (WebhookChange, audit.Record, error)

// WebhookChange is an endpoint as it is to be.
type WebhookChange struct {
	Endpoint webhook.Endpoint
	// Deleted ends it. The rest is not looked at.
	Deleted bool
}

// WebhookQueue is what the workers that send events share: which of them has leased which
// endpoint, and how far each endpoint is.
type WebhookQueue interface {
	// WebhooksDue lists up to limit endpoints that are due and leased by nobody, by their
	// ids after the given one, sorted by id, without those of deleted agents. Reading them
	// leases nothing.
	WebhooksDue(ctx context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error)
	// ClaimWebhook leases an endpoint to a worker until a moment, and returns it as it is
	// then. It reports false, and changes nothing, where the endpoint isn't active, is
	// leased by another worker, isn't there, or its agent is deleted. A lease that ran out is anybody's; a
	// worker's own is renewed.
	ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (webhook.Endpoint, bool, error)
	// SaveWebhook stores how far an endpoint is, and in the same commit what became of a
	// dead letter. It is InvalidState, and changes nothing, where the lease isn't the
	// worker's any more or an admin changed the endpoint since it was claimed. What admins
	// change (URL, types, secrets) and the version stay as they are.
	SaveWebhook(ctx context.Context, worker string, progress WebhookProgress) error
	// ReleaseWebhook ends the worker's lease. Another worker's stays.
	ReleaseWebhook(ctx context.Context, id, worker string) error
}

// WebhookProgress is what came of a try.
type WebhookProgress struct {
	Endpoint webhook.Endpoint
	// Until renews the lease.
	Until time.Time
	// Letter is a dead letter that is new, or is to be replaced; nil for none.
	Letter *webhook.DeadLetter
	// Settled is the id of a dead letter that was delivered and goes, empty for none.
	Settled string
}

// DeadLetters keeps the events that endpoints refused for good. WebhookQueue writes them.
type DeadLetters interface {
	// DeadLetters lists those of an endpoint, newest first.
	DeadLetters(ctx context.Context, webhookID string, page Page) (DeadLetterPage, error)
	// DeadLetter returns one of them, or NotFound.
	DeadLetter(ctx context.Context, webhookID, id string) (webhook.DeadLetter, error)
	// DeadLettersDue lists up to limit of those that are to be sent again and whose endpoint
	// is active, of an agent that isn't deleted, and leased by nobody: the first of each
	// endpoint, sorted by endpoint.
	DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error)
	// ChangeDeadLetter runs decide on the role of the admin who changes it and on the letter,
	// both read under lock, and stores what it returns with the audit record in the same
	// commit; whether it is due is all that changes. A letter that isn't there is NotFound.
	// A refusal changes nothing and is returned as it is.
	ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide DeadLetterDecision) error
}

// DeadLetterDecision decides on the next state of a dead letter. The actor without a role is
// the zero Assignment.
type DeadLetterDecision func(actor rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error)

// DeadLetterPage is a page of dead letters.
type DeadLetterPage struct {
	Letters []webhook.DeadLetter
	PageInfo
}

// WebhookSite sends messages to endpoints that agents chose.
//
// Send makes one try: a POST of the body as it is, as application/cloudevents+json, with the
// three headers of Standard Webhooks. Whatever comes of it is a response, and never an
// error: the status, or why there is none. A redirect is a response like any other and isn't
// followed. An address that isn't on the public internet is not connected to, whatever its
// name led to before. An endpoint that answers nothing is TimedOut within a bounded time, one
// that answers without end has answered its status. Retry-After is read as seconds and as a
// moment. Of what is answered nothing else is kept. The error is that of ctx, which ended before there was an answer:
// nobody knows then whether the endpoint has the message.
type WebhookSite interface {
	// Send makes one try.
	Send(ctx context.Context, m webhook.Message) (webhook.Response, error)
}

// EventEncoder writes events as those who listen get them.
type EventEncoder interface {
	// EncodeEvent returns the JSON of an event of the ledger with this id: an object, the same
	// whenever the event is written.
	EncodeEvent(ledger string, e stream.Event) ([]byte, error)
}
