package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// WebhookRow is a row of webhooks: an agent's endpoint with its secrets, and the worker who
// has it.
type WebhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`
	ID            string `bun:",pk"`
	Agent         string
	URL           string
	Types         []stream.Type
	WebhookProgress
	Version        int64
	PreviousUntil  time.Time `bun:",nullzero"`
	CreatedAt      time.Time
	UpdatedAt      time.Time
	CurrentSecret  []byte
	PreviousSecret []byte
	Worker         string
	Until          time.Time `bun:",notnull"`
}

// WebhookProgress are the columns that workers change.
type WebhookProgress struct {
	State        webhook.State
	Reason       webhook.Reason
	Cursor       stream.Cursor
	EventID      string
	Tries        int
	Refused      int
	Unanswered   int
	TriedSince   time.Time       `bun:",nullzero"`
	NextAt       time.Time       `bun:",notnull"`
	Last         responseColumns `bun:"embed:last_"`
	FailingSince time.Time       `bun:",nullzero"`
}

// responseColumns are those of a webhook.Response.
type responseColumns struct {
	Status     int
	Failure    webhook.Failure
	RetryAfter time.Duration
}

// WebhookWork is a row of webhooks as the worker changes it who has it.
type WebhookWork struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`
	ID            string `bun:",pk"`
	WebhookProgress
	Until time.Time `bun:",notnull"`
}

// ProgressOf is what workers change of an endpoint.
func ProgressOf(e *webhook.Endpoint) WebhookProgress {
	t := e.Tries
	return WebhookProgress{
		e.State, e.Reason, e.Cursor, t.EventID, t.Count, t.Refused, t.Unanswered, t.Since, t.NextAt, responseColumns(t.Last), e.FailingSince,
	}
}

// WebhookRowOf is an endpoint as it is stored, with sealed secrets, and without a worker.
func WebhookRowOf(e *webhook.Endpoint, sealer ports.Sealer) (row WebhookRow, err error) {
	row = WebhookRow{
		ID: e.ID, Agent: e.Agent, URL: e.URL, Types: e.Types, WebhookProgress: ProgressOf(e), Version: e.Version,
		PreviousUntil: e.Secrets.PreviousUntil, CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}
	if row.CurrentSecret, err = sealSecret(sealer, e.ID, e.Secrets.Current); err == nil {
		row.PreviousSecret, err = sealSecret(sealer, e.ID, e.Secrets.Previous)
	}
	return row, err
}

// Endpoint is the row as an endpoint, with its secrets opened.
func (w *WebhookRow) Endpoint(sealer ports.Sealer) (e webhook.Endpoint, err error) {
	e = webhook.Endpoint{
		ID: w.ID, Agent: w.Agent, URL: w.URL, Types: w.Types, State: w.State, Reason: w.Reason, Cursor: w.Cursor,
		Tries: webhook.Tries{
			EventID: w.EventID, Count: w.Tries, Refused: w.Refused, Unanswered: w.Unanswered, Since: w.TriedSince, NextAt: w.NextAt,
			Last: webhook.Response(w.Last),
		},
		FailingSince: w.FailingSince, Version: w.Version, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
	e.Secrets.PreviousUntil = w.PreviousUntil
	if e.Secrets.Current, err = openSecret(sealer, w.ID, w.CurrentSecret); err == nil {
		e.Secrets.Previous, err = openSecret(sealer, w.ID, w.PreviousSecret)
	}
	return e, err
}

func openSecret(sealer ports.Sealer, id string, box []byte) (agent.Secret, error) {
	if box == nil {
		return agent.Secret{}, nil
	}
	opened, err := sealer.Open(box, webhookBinding(id)...)
	return agent.SecretFrom(string(opened)), db.Wrap("open secret", err)
}

func sealSecret(sealer ports.Sealer, id string, s agent.Secret) ([]byte, error) {
	if s.Reveal() == "" {
		return nil, nil
	}
	box, err := sealer.Seal([]byte(s.Reveal()), webhookBinding(id)...)
	return box, db.Wrap("seal secret", err)
}

var webhooks = modelOf[WebhookRow, WebhookRow]().without("worker", "until")

// Endpoints are agents' endpoints with the secrets that the sealer opens.
func Endpoints(sealer ports.Sealer) View[webhook.Endpoint] {
	return viewOf(webhooks, func(w WebhookRow) (webhook.Endpoint, error) { return w.Endpoint(sealer) })
}

// webhookBinding ties a sealed secret to its endpoint.
func webhookBinding(id string) []string { return []string{"webhook secret", id} }

// DeadLetterRow is a row of dead_letters.
type DeadLetterRow struct {
	bun.BaseModel `bun:"table:dead_letters,alias:l"`
	Webhook       string `bun:",pk"`
	ID            string `bun:",pk"`
	EventID       string
	Type          stream.Type
	EventAt       time.Time
	Body          []byte
	Tries         int
	Last          responseColumns `bun:"embed:last_"`
	At            time.Time
	Due           bool
}

// DeadLetterRowOf is a dead letter as it is stored.
func DeadLetterRowOf(l *webhook.DeadLetter) DeadLetterRow {
	return DeadLetterRow{
		Webhook: l.Webhook, ID: l.ID, EventID: l.EventID, Type: l.Type, EventAt: l.EventAt, Body: l.Body, Tries: l.Tries,
		Last: responseColumns(l.Last), At: l.At, Due: l.Due,
	}
}

// Letter is the row as the dead letter it is.
func (l DeadLetterRow) Letter() webhook.DeadLetter {
	return webhook.DeadLetter{
		ID: l.ID, Webhook: l.Webhook, EventID: l.EventID, Type: l.Type, EventAt: l.EventAt, Body: l.Body, Tries: l.Tries,
		Last: webhook.Response(l.Last), At: l.At, Due: l.Due,
	}
}

// DeadLetters are events that endpoints refused for good.
var DeadLetters = viewOf(modelOf[DeadLetterRow, DeadLetterRow](), func(l DeadLetterRow) (webhook.DeadLetter, error) { return l.Letter(), nil })

// FirstDueLetters are the oldest dead letters that each endpoint w is sent again.
var FirstDueLetters = View[webhook.DeadLetter]{DeadLetters.Columns(), `(SELECT d.webhook, min(d.id) AS id FROM dead_letters AS d WHERE d.due GROUP BY d.webhook) AS first
	JOIN webhooks AS w ON w.id = first.webhook
	JOIN dead_letters AS l ON l.webhook = first.webhook AND l.id = first.id`, DeadLetters.Scan}
