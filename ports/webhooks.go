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

// Webhooks stores the endpoints for agents' events, with sealed secrets. A change is a
// short transaction with its audit record in the same commit.
type Webhooks interface {
	// Webhook returns an endpoint of an agent, or NotFound.
	Webhook(ctx context.Context, agent, id string) (webhook.Endpoint, error)
	// WebhooksOf lists an agent's endpoints, sorted by id.
	WebhooksOf(ctx context.Context, agent string) ([]webhook.Endpoint, error)
	// ChangeWebhook reads the role of the admin who makes the change, the endpoint (nil if
	// the agent has none with this id) and the agent's number of endpoints under lock,
	// calls decide, and stores what it returns with the next version. A refusal changes
	// nothing and is returned unchanged. Deleting an endpoint deletes its dead letters. The
	// id and the agent never change, no two endpoints share an id, and the agent must
	// exist. Leases don't change.
	ChangeWebhook(ctx context.Context, by wallet.Address, agent, id string, decide WebhookDecision) error
}

// WebhookDecision decides on the next state of an endpoint. For an actor without a role
// it gets the zero Assignment.
type WebhookDecision func(actor rbac.Assignment, present *webhook.Endpoint, count int) (WebhookChange, audit.Record, error)

// WebhookChange is the next state of an endpoint.
type WebhookChange struct {
	Endpoint webhook.Endpoint
	// Deleted deletes the endpoint; other fields are ignored.
	Deleted bool
}

// WebhookQueue holds the state that webhook workers share: leases of endpoints and their
// progress.
type WebhookQueue interface {
	// WebhooksDue lists up to limit due endpoints that aren't leased, with ids after the
	// given one, sorted by id, without those of deleted agents. It leases nothing.
	WebhooksDue(ctx context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error)
	// ClaimWebhook leases an endpoint to a worker until a moment, and returns it as read
	// then. It renews the worker's own lease and takes expired ones. It reports false, and
	// changes nothing, if the endpoint is missing, inactive, leased by another worker, or
	// belongs to a deleted agent.
	ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (webhook.Endpoint, bool, error)
	// SaveWebhook stores the progress of an endpoint and the result of a dead letter in one
	// commit. If the worker lost the lease, or an admin changed the endpoint since it was
	// claimed, nothing changes and the fault is InvalidState. The admins' settings (URL,
	// types, secrets) and the version don't change.
	SaveWebhook(ctx context.Context, worker string, progress WebhookProgress) error
	// ReleaseWebhook ends the worker's own lease, never another worker's.
	ReleaseWebhook(ctx context.Context, id, worker string) error
}

// WebhookProgress is the result of a try.
type WebhookProgress struct {
	Endpoint webhook.Endpoint
	// Until renews the lease.
	Until time.Time
	// Letter is a dead letter to add or replace, nil if there is none.
	Letter *webhook.DeadLetter
	// Settled is the id of a delivered dead letter, which is deleted, empty if there is
	// none.
	Settled string
}

// DeadLetters stores the events that endpoints refused for good. WebhookQueue writes
// them.
type DeadLetters interface {
	// DeadLetters lists an endpoint's dead letters, newest first.
	DeadLetters(ctx context.Context, webhookID string, page Page) (DeadLetterPage, error)
	// DeadLetter returns one dead letter, or NotFound.
	DeadLetter(ctx context.Context, webhookID, id string) (webhook.DeadLetter, error)
	// DeadLettersDue lists up to limit dead letters to be sent again, the first of each
	// endpoint, sorted by endpoint. Their endpoints are active, aren't leased, and belong
	// to agents that aren't deleted.
	DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error)
	// ChangeDeadLetter reads the role of the admin who makes the change and the letter
	// under lock, calls decide, and stores whether the letter is due, with the audit record
	// in the same commit. An unknown letter is NotFound. A refusal changes nothing and is
	// returned unchanged.
	ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide DeadLetterDecision) error
}

// DeadLetterDecision decides on the next state of a dead letter. For an actor without a
// role it gets the zero Assignment.
type DeadLetterDecision func(actor rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error)

// DeadLetterPage is a page of dead letters.
type DeadLetterPage struct {
	Letters []webhook.DeadLetter
	PageInfo
}

// WebhookSite sends messages to endpoints that agents chose.
//
// Send makes one try: it POSTs the body unchanged, as application/cloudevents+json, with
// the three headers of Standard Webhooks. The result is always a response: the status,
// or why there is none. A redirect is returned like any other response and isn't
// followed. It connects only to addresses on the public internet, and checks them at
// every try. An endpoint that doesn't answer within a bounded time is TimedOut; if the
// body of an answer doesn't end, its status counts. Retry-After may be seconds or a
// date; nothing else of the answer is kept. The only error is that of ctx, if it ends
// before there is an answer: the endpoint may have the message.
type WebhookSite interface {
	// Send makes one try.
	Send(ctx context.Context, m webhook.Message) (webhook.Response, error)
}

// EventEncoder encodes events for listeners.
type EventEncoder interface {
	// EncodeEvent returns the JSON object of an event of the ledger with this id. The same
	// event always gives the same bytes.
	EncodeEvent(ledger string, e stream.Event) ([]byte, error)
}
